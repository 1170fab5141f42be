//! Worked examples of CQL 5: filters and their translations (docs/language/cql5.md#translation), echo transforms
//! (docs/language/cql5.md#echo-transforms).

use language::{Code, Dialect};

use super::positions;

/// A query, a game that it matches, and one that it does not. `None` for a translation: CQL 6.2 has no equivalent.
struct Row {
    name: &'static str,
    query: &'static str,
    translates: bool,
    matches: &'static str,
    fails: &'static str,
}

const fn row(name: &'static str, query: &'static str, matches: &'static str, fails: &'static str) -> Row {
    Row {
        name,
        query,
        translates: true,
        matches,
        fails,
    }
}

const fn foreign(name: &'static str, query: &'static str, matches: &'static str, fails: &'static str) -> Row {
    Row {
        translates: false,
        ..row(name, query, matches, fails)
    }
}

// A game is `[FEN] | moves | tags`; without a FEN it begins at the start.
const REP: &str = "| 1.Nf3 Nf6 2.Ng1 Ng8";
const NREP: &str = "| 1.Nf3 Nf6 2.Nc3 Nc6";
const E4: &str = "| 1.e4";
const FV: &str = "4k3/8/8/8/8/8/R7/4K3 w - - 0 1 | 1.Rh2 Ke7 2.Kd1 Kd8";
const FV_NOT: &str = "4k3/8/8/8/8/8/R7/4K3 w - - 0 1 | 1.Rg2 Ke7 2.Kd1 Kd8";
const SH: &str = "4k3/8/8/8/8/8/R7/4K3 w - - 0 1 | 1.Rb2 Kf7 2.Kf1 Kf8";
const NSH: &str = "4k3/7p/8/8/8/8/R7/4K3 w - - 0 1 | 1.Rb2 Kf7 2.Kf1 Kf8";
const NSH_PAWNS: &str = "4k3/pp5p/8/8/8/8/R7/4K3 w - - 0 1 | 1.Rb2 Kf7 2.Kf1 Kf8";
const STAIR: &str = "8/8/8/8/3k4/8/4R3/K7 w - - 0 1 | 1.Rd2+ Kc4 2.Rc2+";
const NSTAIR: &str = "8/8/8/8/3k4/8/4R3/K7 w - - 0 1 | 1.Rd2+ Kc4 2.Rb2";
const RB2: &str = "4k3/8/8/8/8/8/R7/4K3 w - - 0 1 | 1.Rb2";
const RB2_MORE: &str = "4k3/8/8/8/8/8/R7/4K3 w - - 0 1 | 1.Rb2 Kd8 2.Kd1";
const TURNED: &str = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 | 1.Ra2 Ke7 2.Ra3 Ke8 3.Ra1";
const CORNERS: &str = "R6R/8/4k3/8/8/8/4K3/R6R b - - 0 1 |";
const THREE_CORNERS: &str = "R7/8/4k3/8/8/8/4K3/R6R b - - 0 1 |";
const ROOK_CHECK: &str = "4k3/8/8/8/8/8/8/K3R3 b - - 0 1 |";
const PINNED: &str = "4k3/4n3/8/8/8/8/8/K3R3 b - - 0 1 |";
const QUEEN_ON_1: &str = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1 |";
const ROOK_ON_A1: &str = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1 |";

/// Filters of CQL 5 with a game that each matches and one that it does not (docs/language/cql5.md#translation).
const ROWS: [Row; 38] = [
    row("XB1", "relation (tomove match) (mismatch 0)", REP, NREP),
    row("XB2", "relation (ancestor) (tomove match) (mismatch 0)", REP, NREP),
    row("XB3", "initial relation (descendant) (match 60)", NREP, E4),
    row(
        "XB4",
        "relation (tomove match) echoflipvertical (mismatch 0)",
        FV,
        FV_NOT,
    ),
    row("XB5", "relation (tomove match) echoshift (mismatch 0)", SH, NSH),
    foreign(
        "XB6",
        "relation (tomove match) echoshift (mismatch 0 2)",
        NSH,
        NSH_PAWNS,
    ),
    row(
        "XB7",
        "K on darksquares relation K on lightsquares (tomove match) echoshift (mismatch 0)",
        SH,
        NSH,
    ),
    row(
        "XB8",
        "initial relation terminal (sourcesquares A mismatch 1)",
        RB2,
        RB2_MORE,
    ),
    row(
        "XB9",
        "initial relation terminal (targetsquares A mismatch 1)",
        RB2,
        RB2_MORE,
    ),
    row(
        "XB10",
        "cql(variations) relation (lcasource 1) (lcatarget 1)",
        "| 1.e4 (1.d4 d5) e5",
        "| 1.e4 e5",
    ),
    row(
        "XB11",
        "cql(variations) relation (lcasubstring 2 99)",
        "| 1.e4 e5 2.Nf3 (2.Nc3 Nc6 3.Bc4) Nc6 3.Bc4",
        "| 1.e4 e5 2.Nf3 (2.Nc3 Nc6 3.Bc4) d6 3.d4",
    ),
    row("XB12", "relation (tomove mismatch) (mismatch 0)", TURNED, REP),
    row("XB13", "relation (match 64)", REP, NREP),
    row("XB14", "attack (A k)", ROOK_CHECK, PINNED),
    row(
        "XB15",
        "attack 2 9 (N .)",
        "4k3/8/8/8/8/8/8/N3K3 w - - 0 1 |",
        ROOK_ON_A1,
    ),
    row(
        "XB16",
        "countsquares 3 9 P",
        "4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1 |",
        "4k3/8/8/8/8/8/PP6/4K3 w - - 0 1 |",
    ),
    row(
        "XB17",
        "K on darksquares",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 |",
        "4k3/8/8/8/8/8/4K3/8 w - - 0 1 |",
    ),
    row(
        "XB18",
        "{R or Q} on a-h1-2",
        QUEEN_ON_1,
        "4k3/8/8/8/8/Q7/8/6K1 w - - 0 1 |",
    ),
    row("XB19", "not R", QUEEN_ON_1, ROOK_ON_A1),
    row("XB20", "{not R} on a1", QUEEN_ON_1, ROOK_ON_A1),
    row(
        "XB21",
        "powerdifference 5 99 (A a)",
        ROOK_ON_A1,
        "4k3/8/8/8/8/8/8/B3K3 w - - 0 1 |",
    ),
    row("XB22", "next (check not check check)", STAIR, NSTAIR),
    row("XB23", "next2 (check check)", STAIR, NSTAIR),
    row("XB24", "next* 2 9 check", STAIR, NSTAIR),
    row(
        "XB25",
        "previous* 1 9 move promote N",
        "7k/P7/8/8/8/8/8/K7 w - - 0 1 | 1.a8=N",
        "7k/P7/8/8/8/8/8/K7 w - - 0 1 | 1.a8=B+",
    ),
    row(
        "XB26",
        "initial piece $x in P next* move from $x promote Q",
        "7k/P7/8/8/8/8/8/K7 w - - 0 1 | 1.a8=Q+",
        "7k/P7/8/8/8/8/8/K7 w - - 0 1 | 1.a8=B+",
    ),
    row(
        "XB27",
        "square all $x in . on [a1,a8,h1,h8] R$x",
        CORNERS,
        THREE_CORNERS,
    ),
    row(
        "XB28",
        "piece $x in N origin $x on b1",
        "| 1.Nc3",
        "4k3/8/8/8/8/8/8/2N1K3 w - - 0 1 |",
    ),
    row(
        "XB29",
        "ray 2 (Q n k)",
        "Q2nk3/4n3/8/8/8/8/8/K3Q3 b - - 0 1 |",
        "4k3/4n3/8/8/8/8/8/K3Q3 b - - 0 1 |",
    ),
    row(
        "XB30",
        "ray attack (A a k)",
        PINNED,
        "4k3/4n3/8/8/8/8/8/K3B3 b - - 0 1 |",
    ),
    row(
        "XB31",
        "between (R k) on [ka]",
        PINNED,
        "4k3/8/4N3/8/8/8/8/K3R3 b - - 0 1 |",
    ),
    row(
        "XB32",
        "flipcolor {r on a-h8}",
        ROOK_ON_A1,
        "4k3/8/8/8/R7/8/8/6K1 w - - 0 1 |",
    ),
    row(
        "XB33",
        "shift {Kd4 kd6}",
        "8/3k4/8/3K4/8/8/8/8 w - - 0 1 |",
        "8/3k4/8/8/3K4/8/8/8 w - - 0 1 |",
    ),
    row("XB34", "rotate90 4 Ra1", CORNERS, THREE_CORNERS),
    foreign("XB35", "flip 9 Ra1", CORNERS, THREE_CORNERS),
    row(
        "XB36",
        "rotate45 {R on up 1 K}",
        "4k3/8/8/8/8/8/8/3RK3 w - - 0 1 |",
        "4k3/8/8/8/8/8/8/2R1K3 w - - 0 1 |",
    ),
    row(
        "XB37",
        "elo white 2500 3000",
        "| 1.e4 | WhiteElo 2600",
        "| 1.e4 | WhiteElo 2400",
    ),
    row(
        "XB38",
        "result 0-1 movenumber 3 check",
        "| 1.f3 e5 2.Kf2 Bc5+ | Result 0-1",
        "| 1.f3 e5 2.Kf2 Bc5+ | Result 1-0",
    ),
];

/// Worked examples of echo transforms (docs/language/cql5.md#echo-transforms), and restricted sets of compared squares
/// the other way round.
const ECHOES: [Row; 14] = [
    row("1", "relation (tomove match) echoflip (mismatch 0)", FV, SH),
    row("2a", "relation (tomove match) echofliphorizontal (mismatch 0)", H, FV),
    row("2b", "relation (tomove match) echorotate90 (mismatch 0)", R90, FV),
    row("3a", "relation (tomove match) echoshifthorizontal (mismatch 0)", SH, FV),
    row("3b", "relation (tomove match) echoshiftvertical (mismatch 0)", UP, SH),
    foreign("4a", "relation (tomove match) echoshift (mismatch 2)", NSH, SH),
    foreign("4b", "relation (tomove match) echoshift (mismatch 0 2)", SH, NSH_PAWNS),
    foreign("4c", "relation (tomove match) echoshift (mismatch 1 2)", NSH, SH),
    row("5", "relation (tomove match) (mismatch 0)", REP, SH),
    // The program of CQL 5.2 takes the identity for one of `echoflip`, against its manual.
    row("5, echoflip", "relation (tomove match) echoflip (mismatch 0)", FV, REP),
    row(
        "restricted, uncovered square occupied",
        "initial relation terminal echoflipvertical (sourcesquares K mismatch 1)",
        OCCUPIED,
        EMPTY,
    ),
    row(
        "restricted, uncovered square empty",
        "initial relation terminal echoflipvertical (sourcesquares K mismatch 0)",
        EMPTY,
        OCCUPIED,
    ),
    row(
        "restricted, two squares are compared",
        "initial relation terminal echoflipvertical (sourcesquares K match 2)",
        EMPTY,
        OCCUPIED,
    ),
    // The example of the page, with `countsquares` for the count of CQL 5.0.
    row(
        "chameleon echo",
        "cql(input heijden.pgn variations) K on darksquares relation K on lightsquares (tomove match) echoshift (mismatch \
         0) sort \"Number of pieces\" countsquares 3 32 [Aa]",
        SH,
        NSH,
    ),
];

const H: &str = "8/8/8/8/2k1K3/8/8/8 w - - 0 1 | 1.Ke5 Kc5";
const R90: &str = "8/8/2k5/8/2K5/8/8/8 w - - 0 1 | 1.Kd3 Kb5 2.Ke2 Kb4 3.Ke3 Kc3";
const UP: &str = "8/8/3k4/8/8/3K4/8/8 w - - 0 1 | 1.Kd4 Kd7";
const OCCUPIED: &str = "7k/8/8/8/8/8/4R3/4K3 w - - 0 1 | 1.Kd1 Kg8 2.Re1";
const EMPTY: &str = "7k/8/8/8/8/8/4R3/4K3 w - - 0 1 | 1.Kd1";

/// `[FEN] | moves | Tag value` as PGN.
fn pgn(game: &str) -> String {
    let mut parts = game.split('|').map(str::trim);
    let (fen, moves, tag) = (parts.next(), parts.next(), parts.next());
    let mut tags = String::from("[Event \"?\"]\n");
    let mut result = "*";
    if let Some(fen) = fen.filter(|fen| !fen.is_empty()) {
        tags += &format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
    }
    if let Some((name, value)) = tag.and_then(|tag| tag.split_once(' ')) {
        tags += &format!("[{name} \"{value}\"]\n");
        if name == "Result" {
            result = value;
        }
    }
    format!("{tags}\n{} {result}\n\n", moves.unwrap_or_default())
}

fn check(rows: &[Row]) {
    for row in rows {
        let (_folder, snapshot) = super::indexed::indexed(&format!("{}{}", pgn(row.matches), pgn(row.fails)));
        assert_eq!(snapshot.games(), 2, "{}", row.name);
        let found = positions(row.query, Dialect::Cql5, &snapshot);
        let games: Vec<u64> = found.iter().map(|(game, _)| *game).collect();
        assert_eq!(games, [1], "{}: {}", row.name, row.query);
        // Some queries are CQL 6 as well, and mean the same; only equal variants are not counted twice there.
        if !row.query.starts_with("flip ") {
            assert_eq!(positions(row.query, Dialect::Auto, &snapshot), found, "{}", row.name);
        }
        match language::dialect::cql5::translate(row.query) {
            Ok(text) => {
                assert!(row.translates, "{}: {text}", row.name);
                let again = positions(&text, Dialect::Cql6, &snapshot);
                assert_eq!(again, found, "{}: {} became {text}", row.name, row.query);
            }
            Err(errors) => {
                assert!(
                    !row.translates,
                    "{}: {}",
                    row.name,
                    errors[0].render(row.query, "query")
                );
                assert_eq!(errors[0].code, Code::NoCql6Equivalent, "{}", row.name);
            }
        }
    }
}

#[test]
fn the_worked_examples_hold_and_so_do_their_translations() {
    check(&ROWS);
}

#[test]
fn echoes_are_those_of_the_manual() {
    check(&ECHOES);
}
