use chess::{Branch, MoveKind, MoveTree, Start, TextEncoding};
use proptest::prelude::*;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, Role, fen::Fen, san::SanPlus};

use super::*;

fn read_all(text: &[u8]) -> Vec<Reading> {
    let mut readings = Vec::new();
    GameReader::new().read(text, |reading| readings.push(reading));
    readings
}

/// The only game of a text, and its problems.
fn read(text: &str) -> (Game, Vec<(usize, Reason)>) {
    let mut readings = read_all(text.as_bytes());
    assert_eq!(readings.len(), 1);
    let reading = readings.remove(0);
    (reading.game.unwrap(), reading.problems)
}

fn clean(text: &str) -> Game {
    let (game, problems) = read(text);
    assert_eq!(problems, [], "{text}");
    game
}

/// Moves as pairs of squares.
fn moves(tree: &MoveTree) -> String {
    tree.moves
        .iter()
        .map(|m| format!("{}{}", m.from(), m.to()))
        .collect::<Vec<_>>()
        .join(" ")
}

fn branches(tree: &MoveTree) -> Vec<(u32, u32)> {
    tree.branches
        .iter()
        .map(|&Branch { node, parent }| (node, parent))
        .collect()
}

#[test]
fn positions_are_numbered_as_in_cql() {
    // docs/language/games.md#positions-and-their-numbers.
    let game = clean("1. e4 e5 (1... c5 2. Nf3 (2. Nc3 Nc6) 2... d6) (1... e6 2. d4 d5) 2. Nf3 Nc6 3. Bb5 a6 *");
    assert_eq!(
        moves(&game.tree),
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 c7c5 g1f3 d7d6 b1c3 b8c6 e7e6 d2d4 d7d5"
    );
    assert_eq!(branches(&game.tree), [(7, 1), (10, 7), (12, 1)]);
    // The game `tree` of docs/language.md#games.
    let game = clean(
        "1. e4 e5 2. Qh5 Nc6 (2... Ke7 3. Qxe5#) (2... g6 3. Qxe5+ Qe7 4. Qxe7+ Bxe7 5. Nf3 Nf6) 3. Bc4 Nf6 \
         (3... g6 4. Qf3 Nf6) 4. Qxf7# 1-0",
    );
    assert_eq!(branches(&game.tree), [(8, 5), (11, 3), (13, 3)]);
    assert_eq!(game.tree.mainline_len(), 8);
    // CQL 6.2 loses a variation on the first move of a variation. Here it is one more child.
    let game = clean("1. e4 e5 2. Nf3 (2. Nc3 (2. f4) Nf6) (2. d4) *");
    assert_eq!(branches(&game.tree), [(4, 2), (6, 2), (7, 2)]);
}

#[test]
fn comments_and_glyphs_are_those_of_cql() {
    // Checked against CQL 6.2.
    let game = clean(
        "{ before   first\n move } 1. e4 { a\nb  c } e5 (1... c5 {in var} ) {after var} 2. Nf3 {one} {two} $1 $300 \
         ( {start} 2. Nc3 {x} {a {b} c} ) 2... Nc6!? +/- N D ~ {  } 3. Bb5 { two\nlines } {[%clk 1:00]} ; semi\n\
         3... a6 {gone} {} 1-0",
    );
    let comments: Vec<(u32, &str)> = game
        .text
        .comments
        .iter()
        .map(|(node, text)| (*node, text.as_str()))
        .collect();
    assert_eq!(
        comments,
        [
            (0, "before first move"),
            (1, "a b c"),
            (2, "after var"),
            (3, "two"),
            (4, ""),
            (5, "[%clk 1:00]"),
            (6, ""),
            (7, "a _b_ c"),
            (8, "in var")
        ]
    );
    assert_eq!(game.text.variation_comments, [(7, "start".to_owned())]);
    assert_eq!(
        game.text.nags,
        [(3, 1), (3, 44), (4, 5), (4, 16), (4, 146), (4, 201), (4, 13)]
    );
    assert_eq!(game.text.outcome, Outcome::White);
}

#[test]
fn empty_variations_keep_their_place() {
    let game = clean("1. e4 e5 ( ) (1... c5) ({x}) 2. Nf3 (2. Nc3 ( {a} {b} ) d6) ({}) 2... Nc6 *");
    let empty: Vec<(u32, u32, &str)> = game
        .text
        .empty_variations
        .iter()
        .map(|empty| (empty.node, empty.rank, empty.comment.as_deref().unwrap_or("none")))
        .collect();
    assert_eq!(
        game.tree.branches.iter().map(|branch| branch.node).collect::<Vec<_>>(),
        [5, 7]
    );
    assert_eq!(empty, [(2, 0, "none"), (2, 1, "x"), (3, 1, ""), (5, 0, "b")]);
}

#[test]
fn text_that_is_no_utf8_is_marked() {
    for (text, wanted) in [
        (&b"[Event \"caf\xc3\xa9\"]\n\n1. e4 *"[..], TextEncoding::Utf8),
        (b"[Event \"caf\xe9\"]\n\n1. e4 *", TextEncoding::Windows1252),
        (b"[Event \"caf\xe9\"]\n\n1. e4 e5 ; odd\n *", TextEncoding::Windows1252),
    ] {
        let mut games = Vec::new();
        GameReader::new().read(text, |reading| games.extend(reading.game));
        assert_eq!(games[0].text.encoding, wanted);
        assert_eq!(games[0].text.tags[0].1, "caf\u{e9}");
    }
}

#[test]
fn odd_spellings_are_understood() {
    // Checked against CQL 6.2.
    let game = clean(
        "1. e2-e4 e7e5 2. Ng1f3 Nb8-c6 3. Bf1b5 a7a6 4. Bb5xc6 dc 5. OO Bd6 6. d4 ed 7.Qxd4 -- 8. Z0 null 9. Qxd6 cd \
         1-0",
    );
    assert_eq!(game.tree.moves.len(), 18);
    assert_eq!(game.tree.moves[8].kind(), MoveKind::Castle);
    let nulls: Vec<usize> = (0..18)
        .filter(|&at| game.tree.moves[at].kind() == MoveKind::Null)
        .collect();
    assert_eq!(nulls, [13, 14, 15]);
    assert_eq!(game.tree.moves[13].from(), game.tree.moves[13].to());
    let game = clean("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 30\"]\n\n30. a8Q Kg7 31. Qa8-b8 Kh7 1-0");
    assert_eq!(game.tree.moves[0].kind(), MoveKind::Promotion(Role::Queen));
    assert!(matches!(game.tree.start, Start::Setup { fullmoves: 30, .. }));
    let game = clean("1. e4 c5 2. e5 d5 3. exd6 e.p. Nf6 4. dxe7 Nbd7 5. e7xd8=Q+ *");
    assert_eq!(game.tree.moves[4].kind(), MoveKind::EnPassant);
    // Engines write castling as a king move by two squares or, in Chess960, as king takes rook.
    let game = clean("e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8h8");
    assert_eq!(game.tree.moves[6].kind(), MoveKind::Castle);
    assert_eq!(moves(&game.tree), "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1h1 e8h8");
}

#[test]
fn castling_needs_no_rights() {
    let game = clean("[FEN \"4k2r/8/8/8/8/8/8/R3K3 w - - 0 30\"]\n\n30. O-O-O 0-0 *");
    assert_eq!(moves(&game.tree), "e1a1 e8h8");
    for fen in [
        "4k3/8/8/8/8/8/5r2/4K2R w K - 0 1",
        "4k3/8/8/8/8/8/8/4KR2 w - - 0 1",
        "4k3/8/8/8/8/8/8/4KN1R w K - 0 1",
    ] {
        let (game, problems) = read(&format!("[FEN \"{fen}\"]\n\n1. O-O *"));
        assert_eq!(game.tree.moves, []);
        assert!(
            matches!(&problems[..], [(_, Reason::IllegalMove { text })] if text == "O-O"),
            "{problems:?}"
        );
    }
}

#[test]
fn chess960_castles_with_the_rooks_of_the_fen() {
    for (fen, text, wanted) in [
        ("4k3/8/8/8/8/8/8/4BKR1 w G - 0 1", "1. O-O", "f1g1"),
        (
            "1r2k2r/p7/8/8/8/8/7P/1RK4R b KQkq - 0 1",
            "1... O-O-O 2. O-O-O",
            "e8b8 c1b1",
        ),
        ("4k3/8/8/8/8/8/8/1R1K2RR w G - 0 1", "1. O-O", "d1g1"),
    ] {
        let game = clean(&format!("[Variant \"Chess960\"]\n[FEN \"{fen}\"]\n\n{text} *"));
        assert_eq!(moves(&game.tree), wanted, "{fen}");
    }
    // Without a castling right, Chess960 castling is not accepted.
    let text = "[Variant \"Chess 960\"]\n[FEN \"4k3/8/8/8/8/8/8/1R1K2RR w - - 0 1\"]\n\n1. O-O *";
    assert!(matches!(read(text).1[..], [(_, Reason::IllegalMove { .. })]));
}

#[test]
fn an_illegal_move_ends_its_line_only() {
    let text = "1. e4 e5 2. Nf3 (2. Nc3 Nf6 3. Kd4 {lost} Nc6 (3... d5) 4. d4) 2... Nc6 3. Bb5 a6";
    let (game, problems) = read(text);
    assert_eq!(moves(&game.tree), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b1c3 g8f6");
    assert_eq!(
        problems,
        [(
            text.find("Kd4").unwrap(),
            Reason::IllegalMove { text: "Kd4".to_owned() }
        )]
    );
    let (game, problems) = read("1. e4 e5 2. Nf6 Nc6 (2... d6) 3. Bb5 {no} 1-0");
    assert_eq!(
        (game.tree.moves.len(), game.text.outcome, problems.len()),
        (2, Outcome::White, 1)
    );
    assert_eq!(game.text.comments, []);
    for (moves, is_ambiguous) in [
        ("1. Nd2", true),
        ("1. Nf9", false),
        ("1. axb3", false),
        ("1. e9x1", false),
    ] {
        let (_, problems) = read(&format!("[FEN \"4k3/8/8/8/8/1N6/P7/4KN2 w - - 0 1\"]\n\n{moves} Kd8"));
        assert_eq!(
            matches!(problems[0].1, Reason::AmbiguousMove { .. }),
            is_ambiguous,
            "{moves}"
        );
    }
}

#[test]
fn a_pinned_man_does_not_make_a_move_ambiguous() {
    let game = clean("[FEN \"4k3/8/8/8/4r3/8/2N1N3/4K3 w - - 0 1\"]\n\n1. Nd4 *");
    assert_eq!(moves(&game.tree), "c2d4");
    let (_, problems) = read("[FEN \"4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1\"]\n\n1. Nd4 *");
    assert!(matches!(problems[0].1, Reason::IllegalMove { .. }));
}

#[test]
fn games_that_can_not_be_played_are_skipped() {
    let reason = |tags: &str| {
        let mut readings = read_all(format!("{tags}\n\n1. e4 e5 1-0").as_bytes());
        assert_eq!(readings.len(), 1);
        let reading = readings.remove(0);
        assert!(reading.game.is_none());
        reading
            .problems
            .into_iter()
            .map(|(_, reason)| reason.kind())
            .collect::<Vec<_>>()
    };
    assert_eq!(reason("[FEN \"8/8/8 w\"]"), ["unreadable FEN"]);
    assert_eq!(reason("[FEN \"4k3/8/8/8/8/8/8/4K3\"]"), ["unreadable FEN"]);
    assert_eq!(reason("[FEN \"8/8/8/8/8/8/8/4K3 w - - 0 1\"]"), ["no king or several"]);
    assert_eq!(
        reason("[FEN \"kk6/8/8/8/8/8/8/4K3 w - - 0 1\"]"),
        ["no king or several"]
    );
    assert_eq!(reason("[Variant \"Atomic\"]"), ["other variant"]);
    assert_eq!(
        clean("[Variant \"From Position\"]\n\n1. e4 *").tree.start,
        Start::Standard
    );
}

#[test]
fn text_that_breaks_the_rules_is_read_as_it_is_meant() {
    assert_eq!(clean("[Event \"a\"]\n[Result \"0-1\"]\n").text.outcome, Outcome::Black);
    assert_eq!(clean("[Event \"a\"]\n\n1. e4\n\ne5\n\n2. Nf3").tree.moves.len(), 3);
    assert_eq!(
        clean("[Event \"a \\\"b\\\" c\"]\n\n*").text.tags,
        [("Event".to_owned(), "a \\\"b\\\" c".to_owned())]
    );
    assert_eq!(clean("[Event \"a \"b\" c\"]\n\n*").text.tags[0].1, "a \"b\" c");
    assert_eq!(
        clean("[fen \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. Kd1 *")
            .tree
            .moves
            .len(),
        1
    );
    assert_eq!(clean("1. e4 e5 ( ) 2. Nf3 ({x}) ) *").tree.branches, []);
    assert_eq!(clean("[Result \"1-0\"]\n\n1. e4 0-1").text.outcome, Outcome::Black);
    let (game, problems) = read("[Event \"a\"]\n\n1. e4 e5 {no end 2. Nf3");
    assert_eq!(problems, [(22, Reason::UnterminatedComment)]);
    assert_eq!(game.text.comments, [(2, "no end 2. Nf3".to_owned())]);
    let (game, problems) = read("1. e4 who knows e5 2. Nf3");
    assert_eq!((game.tree.moves.len(), problems.len()), (3, 1));
    assert_eq!(read_all(b"nothing but words\n").len(), 0);
    assert_eq!(read_all(b" \n").len(), 0);
}

#[test]
fn games_without_tags_are_told_apart_by_results() {
    let readings = read_all(b"1. e4 e5 1-0\n\n1. d4 {x} 0-1 {after} \n 1. c4 c5");
    let moves: Vec<String> = readings
        .iter()
        .map(|reading| moves(&reading.game.as_ref().unwrap().tree))
        .collect();
    assert_eq!(moves, ["e2e4 e7e5", "d2d4", "c2c4 c7c5"]);
}

#[test]
fn other_encodings_are_read() {
    let mut latin = b"[White \"J\xf6rg\"]\n[Black \"D\x92A\"]\n\n1. e4 {sch\xf6n} Ke4 *".to_vec();
    let reading = read_all(&latin).remove(0);
    let game = reading.game.unwrap();
    assert_eq!(game.text.tags[0].1, "J\u{f6}rg");
    assert_eq!(game.text.tags[1].1, "D\u{2019}A");
    assert_eq!(game.text.comments[0].1, "sch\u{f6}n");
    assert!(latin[reading.problems[0].0..].starts_with(b"Ke4"));
    latin.truncate(20);
    assert_eq!(read_all(&latin).len(), 1);
    assert_eq!(clean("[White \"J\u{f6}rg\"]\n\n1. e4 *").text.tags[0].1, "J\u{f6}rg");
}

/// Variations in variations, each an alternative to the last move of the line around it.
fn deep(depth: usize) -> String {
    let fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let mut text = format!("[FEN \"{fen}\"]\n\n1. Kd1 Kd8");
    let root: Chess = fen
        .parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Standard)
        .unwrap();
    let mut before = root.clone();
    before.play_unchecked(SanPlus::from_ascii(b"Kd1").unwrap().san.to_move(&root).unwrap());
    for level in 0..depth {
        text.push_str(" (");
        let mut position = before.clone();
        for ply in 0..3 {
            before = position.clone();
            let legal = position.legal_moves();
            let san = SanPlus::from_move_and_play_unchecked(&mut position, legal[(level + ply) % legal.len()]);
            text += &format!(" {san}");
        }
    }
    text + &")".repeat(depth) + " *"
}

#[test]
fn deep_variations_do_not_overflow_the_stack() {
    let text = deep(10_000);
    let (game, problems) = read(&text);
    assert!(problems.is_empty(), "{:?}", problems[0]);
    assert_eq!(game.tree.moves.len(), 30_002);
    assert_eq!(game.tree.branches.len(), 10_000);
    let (_, problems) = read(&(String::from("1. e4") + &" (1. d4".repeat(12_001)));
    assert_eq!(
        problems.iter().map(|(_, reason)| reason.kind()).collect::<Vec<_>>(),
        ["variations too deep"]
    );
}

/// A random game as PGN, with variations, comments and glyphs, and shakmaty's boards of its main line.
fn random_pgn(seed: u64) -> (String, Vec<Chess>) {
    let mut state = seed.wrapping_mul(2_862_933_555_777_941_757) | 1;
    let mut roll = |sides: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % sides.max(1)
    };
    let mut text = String::from("[Event \"random\"]\n[Site \"?\"]\n\n");
    let mut position = Chess::default();
    let mut positions = vec![position.clone()];
    for ply in 0..roll(120) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let write = |position: &Chess, m| {
            let mut after = position.clone();
            let san = SanPlus::from_move_and_play_unchecked(&mut after, m);
            let number = ply / 2 + 1;
            if ply % 2 == 0 {
                format!("{number}. {san} ")
            } else {
                format!("{number}... {san} ")
            }
        };
        let m = legal[roll(legal.len())];
        text += &write(&position, m);
        if roll(6) == 0 {
            text += ["$1 ", "$14 ", "{a comment, (with) $3 things; in it} ", "{}\n"][roll(4)];
        }
        if roll(8) == 0 {
            text += &format!("({}{{x}}) ", write(&position, legal[roll(legal.len())]));
        }
        if roll(9) == 0 {
            text = text.trim_end().to_owned() + "\n";
        }
        position.play_unchecked(m);
        positions.push(position.clone());
    }
    (text + "1/2-1/2\n\n", positions)
}

#[test]
fn both_ways_of_reading_agree_with_each_other_and_with_shakmaty() {
    let mut reader = GameReader::new();
    for seed in 0..300 {
        let (text, positions) = random_pgn(seed);
        let plain = reader.read_plain(&text).unwrap();
        assert!(plain::movetext_of(text.as_bytes()).is_some(), "{text}");
        let mut odd = Vec::new();
        reader.read_odd(&text, |reading| odd.push(reading));
        assert_eq!(odd.len(), 1);
        assert_eq!(odd[0].problems, []);
        assert_eq!(odd[0].game.as_ref(), Some(&plain), "{text}");
        assert_eq!(plain.tree.mainline_len(), positions.len());
        let mut board = plain.tree.start.board();
        for (position, m) in positions.iter().skip(1).zip(&plain.tree.moves) {
            board.play(*m);
            let wanted = chess::Board::from_pieces(position.board().iter(), position.turn());
            assert_eq!(board, wanted, "{text}");
            assert_eq!(
                m.kind() == MoveKind::DoubleStep,
                position.ep_square(EnPassantMode::Always).is_some()
            );
        }
    }
}

proptest! {
    #[test]
    fn any_text_is_read(
        text in "(\\[[A-Z][a-z]{0,3} \"[a-zA-Z0-9/ ]{0,9}\"\\]\n){0,2}\n?([a-hKQRBNO1-8x+#=. ()\\{\\}!?$*;%\n-]|e4 |e5 |1-0 |Nf3 |-- ){0,60}",
        noise: Vec<u8>,
    ) {
        for reading in read_all(text.as_bytes()).into_iter().chain(read_all(&noise)) {
            let Some(game) = reading.game else { continue };
            let nodes = u32::try_from(game.tree.len()).unwrap();
            prop_assert!(game.tree.branches.iter().all(|branch| branch.parent < branch.node && branch.node < nodes));
            prop_assert!(game.tree.branches.is_sorted_by(|a, b| a.node < b.node));
            prop_assert!(game.text.comments.iter().all(|(node, _)| *node < nodes));
            prop_assert!(game.text.nags.iter().all(|(node, _)| (1..nodes).contains(node)));
            prop_assert!(game.text.variation_comments.iter().all(|(node, _)| (1..nodes).contains(node)));
        }
    }
}
