//! The library as other programs use it: its examples, searches that are dropped and cancelled, and the command line as
//! a client that knows nothing else.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "library/client.rs"]
mod client;
#[path = "library/examples.rs"]
mod examples;
#[path = "library/searches.rs"]
mod searches;
#[path = "library/sets.rs"]
mod sets;

use std::path::PathBuf;

use cqldex::{Database, IndexOptions, Options};

/// A folder with a file of some games, and their database.
fn games(count: usize, options: Options) -> (tempfile::TempDir, PathBuf, Database) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let game = |number| format!("[White \"Player {number}\"]\n\n1. f3 e5 (1... d5 {{better?}}) 2. g4 Qh4# 0-1\n\n");
    std::fs::write(&file, (1..=count).map(game).collect::<String>()).unwrap();
    let mut database = Database::create(folder.path().join("db"), options).unwrap();
    let few = IndexOptions {
        segment_positions: 4096,
        ..IndexOptions::default()
    };
    database.index(&[&file], &few, &()).unwrap();
    (folder, file, database)
}
