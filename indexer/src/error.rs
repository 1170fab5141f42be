//! What stops an indexing run; what is wrong with single games is in the report.

use std::{io, path::PathBuf};

use crate::report::Skipped;

/// What the functions of this crate return.
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
        /// Why.
        source: io::Error,
    },
    /// A file can't be read to its end: a broken archive, or a failing disk.
    #[error("{}: cannot be read after byte {offset} of its text: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// How many bytes, unpacked, were read.
        offset: u64,
        /// Why.
        source: io::Error,
    },
    /// A file has no game, or several, where one is wanted.
    #[error("{}: {found}, where one is wanted", path.display())]
    NotOneGame {
        /// The file.
        path: PathBuf,
        /// What it has.
        found: &'static str,
    },
    /// A game that is wanted whole has something that would be left out.
    #[error("{0}")]
    Incomplete(Box<Skipped>),
    /// The database failed.
    #[error(transparent)]
    Storage(#[from] storage::Error),
}
