//! Any bytes as PGN that is indexed: the database is sound, and the index says what the games say.

#![no_main]

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use cqldex_fuzz::{Asked, ask, folder};
use indexer::{Options, index};
use language::hir::Query;
use language::{Dialect, ParseOptions, compile};
use libfuzzer_sys::fuzz_target;
use search::{Detail, Route};
use storage::Database;

const LONGEST: usize = 20_000;

static FOLDER: LazyLock<PathBuf> = LazyLock::new(folder);

/// What the index answers alone, what is evaluated, what reads headers, clocks and comments.
static QUERIES: LazyLock<Vec<Query>> = LazyLock::new(|| {
    let texts = [
        "check",
        "mate",
        "move to . capture .",
        "R attacks k",
        "initial",
        "terminal stalemate",
        "move legal count > 40",
        "cql(variations) variation primary",
        "player \"a\" or event \"b\" or elo > 2000",
        "originalcomment \"a\"",
        "find 3 check",
        "pin from A through a to k",
        "move enpassant or move castle",
        "#[Aa] < 6",
    ];
    let compiled = |text: &&str| compile(text, Dialect::Cql6, &ParseOptions::default()).expect("these are queries");
    texts.iter().map(compiled).collect()
});

fuzz_target!(|data: &[u8]| {
    if data.len() > LONGEST {
        return;
    }
    let (pgn, path) = (FOLDER.join("games.pgn"), FOLDER.join("db"));
    fs::write(&pgn, data).expect("the folder can be written to");
    let _ = fs::remove_dir_all(&path);
    let mut database = Database::create(&path).expect("a database can be made");
    let options = Options {
        threads: 1,
        segment_positions: 300,
        skip_duplicates: data.len() % 2 == 0,
        ..Options::default()
    };
    // A packed file may be broken.
    let read = index(&mut database, &[pgn], &options, &());
    let snapshot = database.snapshot();
    if let Ok(summary) = read {
        assert_eq!(summary.games, snapshot.games());
    }
    if snapshot.games() == 0 || snapshot.positions() > 20_000 {
        return;
    }
    let report = snapshot.verify(&mut |_| {}).expect("it can be read");
    assert!(report.is_clean(), "{:?}", report.problems);
    for query in QUERIES.iter() {
        let asked = |route| Asked {
            route,
            variations: Some(data.len() % 3 != 0),
            boards: None,
            detail: Detail::Positions,
        };
        let by_plan = ask(&snapshot, query, asked(Route::Plan));
        let by_scan = ask(&snapshot, query, asked(Route::Definition));
        if by_plan.is_some() && by_scan.is_some() {
            assert_eq!(by_plan, by_scan);
        }
    }
});
