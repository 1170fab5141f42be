//! What can go wrong below the query: one enum, by cause.

use std::{
    fmt::Write,
    io,
    path::{Path, PathBuf},
};

pub use postings::Damage;
use postings::TooManyPositions;

use crate::column::Column;

/// What the functions of this crate return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operation of the storage failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no database of ours at a path.
    #[error("{}: not a cqldex database ({reason})", path.display())]
    NotADatabase {
        /// The path.
        path: PathBuf,
        /// What was found instead.
        reason: NotADatabase,
    },
    /// A database was to be created where something exists already.
    #[error("{}: already exists", path.display())]
    AlreadyExists {
        /// The directory.
        path: PathBuf,
    },
    /// The database was written in a format that this program can't read.
    #[error(
        "{}: written in format {found}, this program reads format {supported}; {help}",
        path.display()
    )]
    FormatVersion {
        /// The directory.
        path: PathBuf,
        /// The version of the database.
        found: u32,
        /// The version that this program reads.
        supported: u32,
        /// What can be done.
        help: &'static str,
    },
    /// Another process has the database open for writing.
    #[error("{}: another process is writing to this database", path.display())]
    Locked {
        /// The directory.
        path: PathBuf,
    },
    /// The last commits are missing: RocksDB's list of files was cut or replaced.
    #[error(
        "{}: its list of files (MANIFEST-* in the directory) ends at commit {found}, but {committed} were made: the list \
         was cut or replaced",
        path.display()
    )]
    Outdated {
        /// The directory.
        path: PathBuf,
        /// The last commit on the list.
        found: u64,
        /// The last commit that was made.
        committed: u64,
    },
    /// A log of RocksDB is damaged: its list of files, or its log of changes.
    #[error("{}: damaged at byte {offset}", path.display())]
    DamagedLog {
        /// The file.
        path: PathBuf,
        /// Where the damage begins.
        offset: u64,
    },
    /// The database has more files than the process may open.
    #[error("{}: too many files: raise the limit (`ulimit -n`), or run `cqldex compact`", path.display())]
    TooManyFiles {
        /// The directory.
        path: PathBuf,
    },
    /// The disk is full.
    #[error("{}: the disk is full; what was committed before is safe", path.display())]
    DiskFull {
        /// The directory.
        path: PathBuf,
    },
    /// A change was asked of a database that was opened for reading.
    #[error("{}: opened for reading only", path.display())]
    ReadOnly {
        /// The directory.
        path: PathBuf,
    },
    /// A stored value is damaged or missing.
    #[error("damaged data in column `{column}`, key {key}: {reason}")]
    Corrupt {
        /// The column family.
        column: &'static str,
        /// The key, in hexadecimal.
        key: String,
        /// What is wrong with the value.
        reason: Damage,
    },
    /// A file of the database differs from what was written.
    #[error("damaged file {} of column `{column}`: {reason}", path.display())]
    DamagedFile {
        /// The file.
        path: PathBuf,
        /// The column family.
        column: &'static str,
        /// What is wrong with the file.
        reason: Damage,
    },
    /// A name that no set can have.
    #[error(
        "{name:?} can't be the name of a set: a letter, then letters, digits, `_` and `-`, at most 64 characters, and no \
         name that a system reserves, such as `con`"
    )]
    SetName {
        /// The name.
        name: String,
    },
    /// There is no set with this name.
    #[error("there is no set `{name}`")]
    NoSuchSet {
        /// The name.
        name: String,
    },
    /// There is a set with this name, or with one that differs only in upper and lower case.
    #[error("there is a set `{name}` already")]
    SetExists {
        /// The name of the set that exists.
        name: String,
    },
    /// The file of a set is damaged. Nothing else is.
    #[error("the set `{name}` is damaged: {reason}")]
    DamagedSet {
        /// The name of the set.
        name: String,
        /// What is wrong with its file.
        reason: Damage,
    },
    /// Segments of a snapshot are not in the database any more. The same can be done again with a new snapshot.
    #[error("{}: the database was changed in the meantime; do it again", path.display())]
    Stale {
        /// The directory.
        path: PathBuf,
    },
    /// A game or a segment is larger than the format can hold.
    #[error("too large for the database: {what}")]
    TooLarge {
        /// What is too large.
        what: &'static str,
    },
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// RocksDB failed.
    #[error("{}: {source}", path.display())]
    Rocks {
        /// The database.
        path: PathBuf,
        /// The cause.
        source: rocksdb::Error,
    },
    /// A value could not be compressed: out of memory, or a defect of ours.
    #[error("compression failed: {0}")]
    Compression(io::Error),
}

impl From<TooManyPositions> for Error {
    fn from(_: TooManyPositions) -> Error {
        Error::TooLarge {
            what: "a segment of more than two thousand million positions",
        }
    }
}

impl Error {
    /// Whether stored data is damaged or missing. The rest of the database may still be sound.
    pub fn is_damage(&self) -> bool {
        matches!(
            self,
            Error::Corrupt { .. } | Error::DamagedFile { .. } | Error::DamagedSet { .. }
        )
    }

    /// The error for a damaged value.
    pub(crate) fn corrupt(column: Column, key: &[u8], reason: Damage) -> Error {
        Error::Corrupt {
            column: column.name(),
            key: hex(key),
            reason,
        }
    }

    /// Makes the error for a file or directory from that of the system.
    pub(crate) fn io(path: &Path) -> impl Fn(io::Error) -> Error + '_ {
        |source| Error::Io {
            path: path.to_owned(),
            source,
        }
    }

    /// The error for a path without a database.
    pub(crate) fn not_a_database(path: &Path, reason: NotADatabase) -> Error {
        Error::NotADatabase {
            path: path.to_owned(),
            reason,
        }
    }
}

/// Whether the system says that a file or directory does not exist.
pub(crate) fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

/// What was found where a database was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotADatabase {
    /// The path does not exist.
    #[error("there is nothing")]
    Missing,
    /// A file.
    #[error("it is a file")]
    File,
    /// A directory with other files.
    #[error("the directory holds something else")]
    OtherDirectory,
    /// A database whose creation was interrupted.
    #[error("its creation was interrupted; index again to finish it")]
    Unfinished,
    /// A database without the file that names its list of files.
    #[error("its file CURRENT is missing")]
    NoCurrent,
    /// A RocksDB with other column families.
    #[error("it is a RocksDB of another program")]
    OtherProgram,
    /// A database without a format version.
    #[error("it has no format version")]
    NoFormat,
    /// A database without one of its column families.
    #[error("column `{0}` is missing")]
    NoColumn(&'static str),
}

/// Bytes in hexadecimal, for messages.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
