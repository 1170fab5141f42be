//! Games of a test as a database.

use storage::{Database, Snapshot};

/// A database of a text, in a folder that goes away.
pub(crate) fn indexed(pgn: &str) -> (tempfile::TempDir, Snapshot) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("games.pgn");
    std::fs::write(&file, pgn).expect("a temporary file can be written");
    let mut database = Database::create(folder.path().join("db")).expect("a database can be created");
    indexer::index(&mut database, &[file], &indexer::Options::default(), &()).expect("games are indexed");
    let snapshot = database.snapshot();
    (folder, snapshot)
}
