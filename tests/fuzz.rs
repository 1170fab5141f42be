//! PGN that somebody has been at: whatever is read, the database is sound, and the index agrees with the evaluator.
//!
//! `CQLDEX_FUZZ` sets how many files are made, `CQLDEX_SEED` which. A file that fails is kept in the temporary folder of
//! the machine, and its name is told; it belongs into `tests/fuzz/`, where every file is read by each run.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "what was done is told with --nocapture")]
#![expect(clippy::cast_possible_truncation, reason = "a random byte is below 256")]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use indexer::Options;
use language::{Dialect, ParseOptions};
use search::{Route, RunOptions, Search};
use storage::{Database, Snapshot};

/// What is put in where it does not belong.
const PIECES: [&str; 40] = [
    "{",
    "}",
    "(",
    ")",
    ";",
    "%",
    "\n",
    "\n\n",
    "\r",
    "\r\n",
    "[",
    "]",
    "\"",
    "\\",
    "$",
    "$999",
    "$1",
    "*",
    "1-0",
    "1/2-1/2",
    "--",
    "Z0",
    "@@@@",
    "0-0",
    "O-O-O",
    "e8=Q",
    "exd6e.p.",
    "e7-e5",
    "12345.",
    "...",
    "[FEN \"",
    "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n",
    "[Variant \"Chess960\"]\n",
    "[Event \"?\"]\n",
    "\u{feff}",
    "\u{0}",
    "\u{e9}",
    "\u{2654}",
    "(((((((((",
    "{{{{{",
];

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides.max(1)
    }
}

/// Changes a text in a few places.
fn mutate(text: &mut Vec<u8>, dice: &mut Dice) {
    for _ in 0..1 + dice.roll(12) {
        let at = dice.roll(text.len());
        let end = text.len().min(at + 1 + dice.roll(40));
        match dice.roll(6) {
            0 if !text.is_empty() => text[at] ^= 1 << dice.roll(8),
            1 => drop(text.drain(at..end)),
            2 => {
                let copy = text[at..end].to_vec();
                let to = dice.roll(text.len());
                text.splice(to..to, copy);
            }
            3 if !text.is_empty() => text[at] = dice.roll(256) as u8,
            _ => {
                let piece = PIECES[dice.roll(PIECES.len())];
                text.splice(at..at, piece.bytes());
            }
        }
    }
}

/// What a query finds, by one route.
fn ask(snapshot: &Snapshot, text: &str, route: Route) -> Vec<(u64, u32)> {
    let query = language::compile(text, Dialect::Cql6, &ParseOptions::default()).unwrap();
    let options = RunOptions {
        route,
        variations: Some(true),
        ..RunOptions::default()
    };
    let mut found = Vec::new();
    let mut sink = |game: search::GameMatch| {
        found.extend(game.positions.iter().map(|position| (game.number, position.node)));
    };
    Search::new(&query, options).run(snapshot, &mut sink).unwrap();
    found
}

/// Reads a file into a database and asks it.
fn check(folder: &Path, text: &[u8]) {
    let (pgn, path) = (folder.join("games.pgn"), folder.join("db"));
    fs::write(&pgn, text).unwrap();
    let _ = fs::remove_dir_all(&path);
    let mut database = Database::create(&path).unwrap();
    let options = Options {
        threads: 1,
        ..Options::default()
    };
    let summary = indexer::index(&mut database, &[pgn], &options, &()).unwrap();
    let snapshot = database.snapshot();
    assert_eq!(summary.games, snapshot.games());
    let report = snapshot.verify(&mut |_| {}).unwrap();
    assert!(report.is_clean(), "{:?}", report.problems);
    for query in [
        "check",
        "mate",
        "move to . capture .",
        "R attacks k",
        "initial",
        "terminal stalemate",
    ] {
        assert_eq!(
            ask(&snapshot, query, Route::Plan),
            ask(&snapshot, query, Route::Scan),
            "{query}"
        );
    }
}

fn check_and_keep(folder: &Path, text: &[u8]) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check(folder, text))) {
        let kept = std::env::temp_dir().join(format!("cqldex-fuzz-{}.pgn", std::process::id()));
        fs::write(&kept, text).unwrap();
        println!("the input is kept: {}", kept.display());
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn no_pgn_makes_a_database_unsound() {
    let folder = tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap());
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seeds = Vec::new();
    for name in ["samples/games.pgn", "samples/studies.pgn"] {
        let text = fs::read_to_string(root.join(name)).unwrap();
        let mut starts: Vec<usize> = text.match_indices("[Event \"").map(|(at, _)| at).collect();
        starts.push(text.len());
        seeds.extend(starts.windows(2).map(|two| text.as_bytes()[two[0]..two[1]].to_vec()));
    }
    for entry in fs::read_dir(root.join("tests/fuzz")).unwrap() {
        let text = fs::read(entry.unwrap().path()).unwrap();
        check_and_keep(folder.path(), &text);
        seeds.push(text);
    }
    let (seed, rounds) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_FUZZ", 60));
    for round in 0..rounds {
        let mut dice = Dice(seed.wrapping_mul(1_000_003).wrapping_add(round));
        dice.roll(2);
        let mut text = Vec::new();
        for _ in 0..1 + dice.roll(30) {
            let mut game = seeds[dice.roll(seeds.len())].clone();
            if dice.roll(3) > 0 {
                mutate(&mut game, &mut dice);
            }
            text.extend(game);
        }
        check_and_keep(folder.path(), &text);
    }
}
