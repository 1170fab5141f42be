//! The cases of the conformance tests: where they are, and how their answers are compared.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Display;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use sha2::{Digest as _, Sha256};

/// A query, and what CQL 6.2 finds in the games of `games.pgn`.
#[derive(Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) query: String,
    pub(crate) variations: bool,
    pub(crate) games: u64,
    pub(crate) positions: u64,
    pub(crate) digest: String,
}

/// The folder that `CQLDEX_CONFORMANCE` names, else `shared/conformance` beside the project; nothing if there is none.
pub(crate) fn folder() -> Option<PathBuf> {
    let given = std::env::var_os("CQLDEX_CONFORMANCE").map(PathBuf::from);
    // The crate is the project, or a folder of it.
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().take(2);
    let mut beside = crates.map(|folder| folder.join("../shared/conformance"));
    given.or_else(|| beside.find(|folder| folder.join("games.pgn").exists()))
}

/// Whether the cases have to be there.
pub(crate) fn are_needed() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

/// The cases of a file.
pub(crate) fn cases<T: for<'de> Deserialize<'de>>(path: &Path) -> Vec<T> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a case is one JSON object"))
        .collect()
}

/// The digest of an answer: of a line for each matching game, in the order of the database.
#[derive(Default)]
pub(crate) struct Digest(Sha256);

impl Digest {
    /// Adds a game and its matching positions.
    pub(crate) fn add(&mut self, game: impl Display, positions: impl Iterator<Item = impl Display>) {
        let positions: Vec<String> = positions.map(|position| position.to_string()).collect();
        self.0.update(format!("{game}:{}\n", positions.join(",")));
    }

    /// The digest.
    pub(crate) fn finish(self) -> String {
        self.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
