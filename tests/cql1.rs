//! CQL 1 and CQL-S: the worked examples of the reference, by plan and by scan, beside what CQL 6.2 says.

#![expect(
    clippy::cast_possible_truncation,
    reason = "random numbers are reduced to small ones, and texts are short"
)]

#[path = "cql1/random.rs"]
mod random;
#[path = "cql1/rows.rs"]
mod rows;
#[path = "cql1/seeds.rs"]
mod seeds;

mod indexed;

use indexer::Options;
use language::{Code, Dialect, ParseOptions};
use random::Lists;
use rows::ROWS;
use search::{Detail, Route, RunOptions, Search};
use seeds::TRANSFORMED;
use storage::{Database, Snapshot};

/// The first line of a file of CQL-S, which searches the first position of a game too.
const CQLS: &str = "; CQL-S 1.0 (Normal) ()\n";

/// A game as PGN: a FEN or `std`, tags and moves behind a semicolon.
fn pgn(game: &str) -> String {
    let (start, rest) = game.split_once(';').unwrap_or((game, ""));
    let mut tags = match start.trim() {
        "std" => "[Event \"?\"]\n".to_owned(),
        fen => {
            // Some are given up to the side to move.
            let fen = if fen.split(' ').count() < 3 {
                format!("{fen} - - 0 1")
            } else {
                fen.to_owned()
            };
            format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n")
        }
    };
    let mut moves = rest.trim();
    while let Some((tag, behind)) = moves.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        tags += &format!("[{tag}]\n");
        moves = behind.trim_start();
    }
    let result = moves
        .split(' ')
        .next_back()
        .filter(|word| ["1-0", "0-1", "1/2-1/2"].contains(word));
    if let Some(result) = result {
        tags += &format!("[Result \"{result}\"]\n");
    }
    let end = if result.is_some() { "" } else { " *" };
    format!("{tags}\n{moves}{end}\n\n")
}

/// Matching games with their positions; both routes have to agree.
fn answer(text: &str, dialect: Dialect, snapshot: &Snapshot) -> Vec<(u64, Vec<u32>)> {
    let parsed = language::compile(text, dialect, &ParseOptions::default());
    let query = parsed.unwrap_or_else(|errors| panic!("{text}: {}", errors[0].render(text, "query")));
    let run = |route| {
        let options = RunOptions {
            route,
            detail: Detail::Positions,
            ..RunOptions::default()
        };
        let mut found = Vec::new();
        let summary = Search::new(&query, options).run(snapshot, &mut |game| {
            found.push((
                game.number,
                game.positions.iter().map(|position| position.node).collect(),
            ));
        });
        let summary = summary.unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(summary.games, found.len() as u64, "{text}");
        found
    };
    let (plan, scan) = (run(Route::Plan), run(Route::Definition));
    assert_eq!(plan, scan, "plan and scan differ: {text}");
    scan
}

fn games(text: &str, dialect: Dialect, snapshot: &Snapshot) -> Vec<u64> {
    answer(text, dialect, snapshot)
        .into_iter()
        .map(|(game, _)| game)
        .collect()
}

/// All games of the worked examples: those of row n are 2n + 1, which matches, and 2n + 2.
fn examples() -> (tempfile::TempDir, Snapshot) {
    let text: String = ROWS.iter().flat_map(|row| [row.matches, row.fails]).map(pgn).collect();
    let (folder, snapshot) = indexed::indexed(&text);
    assert_eq!(snapshot.games(), 2 * ROWS.len() as u64, "an example is no PGN");
    (folder, snapshot)
}

#[test]
fn the_worked_examples_match_where_they_should() {
    let (_folder, snapshot) = examples();
    let mut wrong = Vec::new();
    for (index, row) in (0..).zip(ROWS) {
        let found = games(&format!("{CQLS}{}", row.query), Dialect::Auto, &snapshot);
        if !found.contains(&(2 * index + 1)) || found.contains(&(2 * index + 2)) {
            wrong.push(row.name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn the_worked_examples_find_what_their_modern_forms_find() {
    let (_folder, snapshot) = examples();
    let mut wrong = Vec::new();
    for row in ROWS {
        let old = answer(&format!("{CQLS}{}", row.query), Dialect::Cql1, &snapshot);
        let new = answer(row.modern, Dialect::Cql6, &snapshot);
        if old != new {
            wrong.push(format!("{}: {}\n  {old:?}\n  {new:?}", row.name, row.query));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn translations_find_what_the_worked_examples_find() {
    let (_folder, snapshot) = examples();
    let mut wrong = Vec::new();
    for row in ROWS {
        for first_line in ["", CQLS] {
            let text = format!("{first_line}{}", row.query);
            match language::dialect::translate(&text, Dialect::Cql1) {
                Ok(modern) => {
                    if answer(&text, Dialect::Cql1, &snapshot) != answer(&modern, Dialect::Cql6, &snapshot) {
                        wrong.push(format!("{}: {text}\n{modern}", row.name));
                    }
                }
                Err(errors) => wrong.push(format!("{}: {}", row.name, errors[0].render(&text, "query"))),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_manuals_transforms_make_their_copies() {
    let mut wrong = Vec::new();
    for (list, copies) in TRANSFORMED {
        let text = format!("{CQLS}(position {list})");
        let found = language::dialect::translate(&text, Dialect::Cql1)
            .unwrap_or_else(|errors| panic!("{text}: {}", errors[0].message));
        if found.replace('\n', " ") != format!("cql() {copies}") {
            wrong.push(format!("{list}: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn random_lists_are_translated_or_refused() {
    let (_folder, snapshot) = samples();
    let (mut translated, mut wrong) = (0, Vec::new());
    for number in 0..40 {
        let text = Lists::new(77_000 + number).match_list();
        match language::dialect::translate(&text, Dialect::Cql1) {
            // Hundreds of copies take long to scan.
            Ok(modern) if modern.len() > 2_000 => {}
            Ok(modern) => {
                translated += 1;
                if answer(&text, Dialect::Cql1, &snapshot) != answer(&modern, Dialect::Cql6, &snapshot) {
                    wrong.push(format!("{text}\n{modern}"));
                }
            }
            Err(errors) => assert!(errors.iter().all(|error| error.code == Code::NoTranslation), "{text}"),
        }
    }
    println!("{translated} of 40 match lists are translated");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(translated > 15, "hardly any list is translated");
}

/// The games that come with the project.
fn samples() -> (tempfile::TempDir, Snapshot) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut database = Database::create(folder.path().join("db")).expect("a database can be created");
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    indexer::index(&mut database, &[samples], &Options::default(), &()).expect("the samples are indexed");
    let snapshot = database.snapshot();
    (folder, snapshot)
}

#[test]
fn random_lists_match_by_plan_where_they_match_by_scan() {
    let (_folder, snapshot) = samples();
    let setting = |name: &str, default: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 1_500) / 15);
    let (mut selective, mut large, all) = (0, 0, snapshot.games() as usize);
    for number in 0..count {
        let text = Lists::new(seed.wrapping_mul(1_000_003).wrapping_add(number)).match_list();
        // Rows of positions are written out several times, and some copies have many copies themselves.
        let compiled = language::compile(&text, Dialect::Cql1, &ParseOptions::default());
        if compiled.is_err_and(|errors| errors[0].code == Code::TooManyVariants) {
            large += 1;
            continue;
        }
        let found = answer(&text, Dialect::Cql1, &snapshot);
        selective += u64::from(!found.is_empty() && found.len() < all);
    }
    println!("{count} match lists, {selective} of them match some games and not all, {large} are too large");
    assert!(
        large * 10 <= count,
        "many lists are too large: the generator is at fault"
    );
    assert!(
        selective * 4 >= count,
        "hardly any list tells games apart: the generator is at fault"
    );
}

#[test]
fn nearly_the_same_diagrams_are_found_by_plan_as_by_scan() {
    let (_folder, snapshot) = samples();
    let mut selective = 0;
    for relation in [
        ":missingpiececount A 1 10",
        ":missingpiececount U 1 3",
        ":newpiececount a 1 2",
        ":missingpiececount A 0 2 :newpiececount a 0 2",
        ":changesidetomove",
        ":ignoresidetomove :missingpiececount P 1 2",
        ":originaldifferentcount 1 6",
        ":originalsamecount 10 30 :missingpiececount U 0 9",
        ":shift :missingpiececount A 0 3",
        ":flip :missingpiececount a 1 1",
        ":variations :missingpiececount A 1 1",
        ":shift :originaldifferentcount 2 9",
    ] {
        for around in ["", ":wtm", ":variations"] {
            let found = answer(
                &format!("(match (position {around} :relation ({relation})))"),
                Dialect::Cql1,
                &snapshot,
            );
            selective += u32::from(!found.is_empty());
        }
    }
    assert!(selective > 12, "{selective} of them match");
}

#[test]
fn the_first_position_is_searched_by_cql_s_only() {
    let (_folder, snapshot) = indexed::indexed(&pgn("std; 1.e4 e5 2.Nf3"));
    let positions = |text: &str| {
        answer(text, Dialect::Auto, &snapshot)
            .pop()
            .map_or(Vec::new(), |(_, nodes)| nodes)
    };
    assert_eq!(positions("(match (position A))"), [1, 2, 3]);
    assert_eq!(positions(&format!("{CQLS}(match (position A))")), [0, 1, 2, 3]);
    assert_eq!(positions("; CQL 1.0\n(match (position \u{25cb}))"), [1, 2, 3]);
    // What only CQL-S has says that the text is one.
    assert_eq!(positions("(match (position \u{25cb}))"), [0, 1, 2, 3]);
    assert_eq!(positions("(position :initial)"), [0]);
    assert_eq!(positions("(position !:check)"), [0, 1, 2, 3]);
    assert_eq!(positions("(match :result *)"), [0]);
    assert_eq!(positions("(position Pe2)"), [] as [u32; 0]);
    assert_eq!(positions("(position Pe2 :piececount U >30)"), [0]);
}

#[test]
fn each_list_is_a_test_of_its_own() {
    let (_folder, snapshot) = indexed::indexed(&[pgn("std; 1.e4 e5 2.Nf3"), pgn("std; 1.e4 c5 2.Nf3")].concat());
    let found = |text: &str| answer(text, Dialect::Cql1, &snapshot);
    // The pawn is on e5 before the knight is on f3; where it is on c5, there is no game.
    assert_eq!(found("(match (position pe5 Ng1) (position Nf3))"), [(1, vec![2, 3])]);
    assert_eq!(
        found("(match (position pe5 :noannotate) (position Nf3))"),
        [(1, vec![3])]
    );
    assert_eq!(
        found("(match (position pe5 :matchcount 2) (position Nf3))"),
        [(1, vec![2, 3])]
    );
    assert_eq!(found("(match (position pe5 :matchcount 3 9))"), []);
    // Where no position is asked for, the first one stands for the game.
    assert_eq!(found("(match (position pe5 :matchcount 0))"), [(2, vec![0])]);
    assert_eq!(
        found("(match (position pe5 :matchcount 0 2))"),
        [(1, vec![2, 3]), (2, vec![0])]
    );
    assert_eq!(found("(match (position Pe4) (position pc5))"), [(2, vec![1, 2, 3])]);
}

#[test]
fn a_position_that_comes_back_has_the_same_rights() {
    let three = |text: &str| {
        let (_folder, snapshot) = indexed::indexed(&pgn(text));
        answer("(position :threefoldrepetition)", Dialect::Auto, &snapshot)
            .pop()
            .map_or(Vec::new(), |(_, nodes)| nodes)
    };
    let dance = "std; 1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 Ng8 5.Nf3 Nf6 6.Ng1 Ng8";
    // The first position of the game counts, and the fourth time is none.
    assert_eq!(three(dance), [8, 9, 10, 11]);
    assert_eq!(three("std; 1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 Nd5"), [] as [u32; 0]);
    // Black's king may no longer castle when the board is there again: the first time does not count.
    assert_eq!(
        three("4k2r/8/8/8/8/8/8/4K3 w - - 0 1; 1.Kd1 Ke7 2.Ke1 Ke8 3.Kd1 Ke7 4.Ke1 Ke8 5.Kd1 Ke7 6.Ke1 Ke8"),
        [10, 11, 12]
    );
    // A pawn could be captured en passant the first time.
    assert_eq!(
        three("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1; 1.e4 Ke7 2.Kd1 Ke8 3.Ke1 Ke7 4.Kd1 Ke8 5.Ke1 Ke7 6.Kd1 Ke8 7.Ke1"),
        [10, 11, 12, 13]
    );
    let (_folder, snapshot) = indexed::indexed(&pgn("std; 1.Nf3 Nf6 2.Ng1 Ng8 3.Nf3 Nf6 4.Ng1 (4.d4) Ng8"));
    assert_eq!(
        answer("(position :threefoldrepetition :variations)", Dialect::Auto, &snapshot),
        [(1, vec![8])]
    );
    assert_eq!(answer("(position :fivefoldrepetition)", Dialect::Auto, &snapshot), []);
}

#[test]
fn rows_of_positions_are_as_long_as_they_can_be() {
    let (_folder, snapshot) = samples();
    for list in [":moveto U", ":check", "Ng1", ":btm", ":movefrom [NB] :wtm"] {
        let list = format!("{CQLS}(position {list})");
        let matching = answer(&list, Dialect::Auto, &snapshot);
        for (least, most) in [(1, 1), (2, 3), (4, 400)] {
            let mut expected = Vec::new();
            for (game, nodes) in &matching {
                let rows = nodes.chunk_by(|a, b| a + 1 == *b);
                let rows = rows.filter(|row| (least..=most).contains(&row.len()));
                let nodes: Vec<u32> = rows.flatten().copied().collect();
                expected.extend((!nodes.is_empty()).then_some((*game, nodes)));
            }
            let counted = list.replace("(position", &format!("(position :repetitioncount {least} {most}"));
            assert_eq!(answer(&counted, Dialect::Auto, &snapshot), expected, "{counted}");
        }
        let never = list.replace("(position", "(position :repetitioncount 0");
        let found = games(&never, Dialect::Auto, &snapshot);
        let with: Vec<u64> = matching.iter().map(|(game, _)| *game).collect();
        let without: Vec<u64> = (1..=snapshot.games()).filter(|game| !with.contains(game)).collect();
        assert_eq!(found, without, "{never}");
    }
}

#[test]
fn variations_are_searched_by_the_lists_that_ask() {
    let (_folder, snapshot) = indexed::indexed(&pgn("std; 1.e4 (1.d4 d5 2.c4) 1...e5 2.Nf3"));
    let positions = |text: &str| {
        answer(text, Dialect::Cql1, &snapshot)
            .pop()
            .map_or(Vec::new(), |(_, nodes)| nodes)
    };
    // Nodes 1 to 3 are the main line, 4 to 6 the variation.
    assert_eq!(positions("(position P?2)"), [1, 2, 3]);
    assert_eq!(positions("(position P?2 :variations)"), [1, 2, 3, 4, 5, 6]);
    assert_eq!(positions("(position P?2 :variationsonly)"), [4, 5, 6]);
    assert_eq!(
        positions("(match (position Pd4 :variations) (position Pe4))"),
        [1, 2, 3, 4, 5, 6]
    );
    assert_eq!(positions("(match (position Pd4) (position Pe4))"), [] as [u32; 0]);
    assert_eq!(
        positions("(match (position :btm :variations) (position :sequence ((position :btm) (position pe5))))"),
        [1, 3, 4, 6]
    );
    assert_eq!(positions("(position :movefrom Pc2 :variations)"), [5]);
}

#[test]
fn no_bytes_crash_the_front_end() {
    let mut lists = Lists::new(7);
    let pieces = [
        "(", ")", ":", "[", "]", "\"", "~", "$", "!", "-", ",", "?", ";", " ", "\n", "position", "match", ":not",
        "\u{2656}", "9",
    ];
    for number in 0..3_000u64 {
        let text = Lists::new(number).match_list();
        let mut bytes = text.into_bytes();
        for _ in 0..=lists.number(4) {
            let at = lists.number(bytes.len() as u32) as usize;
            match lists.number(4) {
                0 => {
                    bytes.remove(at);
                }
                1 => bytes[at] = lists.number(256) as u8,
                2 => bytes.truncate(at.max(1)),
                _ => {
                    let piece = pieces[lists.number(pieces.len() as u32) as usize];
                    bytes.splice(at..at, piece.bytes());
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        for dialect in [Dialect::Auto, Dialect::Cql1] {
            match language::dialect::parse_bytes(&bytes, dialect, &ParseOptions::default()) {
                Ok(query) => drop(language::expand(query)),
                Err(errors) => {
                    let text = String::from_utf8_lossy(&bytes);
                    assert!(errors.iter().all(|error| !error.render(&text, "query").is_empty()));
                }
            }
        }
    }
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(3_000), close.repeat(3_000));
    for text in [
        deep("(position :not ", ")"),
        deep("(", ")"),
        deep(":and ((position ", "))"),
    ] {
        assert!(language::dialect::parse(&text, Dialect::Cql1, &ParseOptions::default()).is_err());
    }
}
