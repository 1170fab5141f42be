//! Errors that stop an indexing run. Problems with single games are reported, not returned.

use std::{io, path::PathBuf};

use crate::report::Skipped;

/// The result of this crate's functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why games could not be indexed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or directory can't be opened.
    #[error("{}: {source}", path.display())]
    Open {
        /// The file or directory.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file can't be read to its end: a broken archive, or a failing disk.
    #[error("{}: cannot be read after byte {offset} of its text: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The number of unpacked bytes that were read.
        offset: u64,
        /// The cause.
        source: io::Error,
    },
    /// A file has no game, or several, where exactly one is expected.
    #[error("{}: {found}, where one is wanted", path.display())]
    NotOneGame {
        /// The file.
        path: PathBuf,
        /// What the file has instead.
        found: &'static str,
    },
    /// Part of a game would be left out where the whole game is required.
    #[error("{0}")]
    Incomplete(Box<Skipped>),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] storage::Error),
}
