//! What can go wrong below the query: one enum, by cause.

use std::{io, path::PathBuf};

pub use postings::Damage;
use postings::TooManyPositions;

/// What the functions of this crate return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why the storage could not do what it was asked to.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The directory is missing, or it is something else than a database of ours.
    #[error("{}: not a cqldex database ({reason})", path.display())]
    NotADatabase {
        /// The directory.
        path: PathBuf,
        /// What was found instead.
        reason: String,
    },
    /// A database was to be created where something stands already.
    #[error("{}: already exists", path.display())]
    AlreadyExists {
        /// The directory.
        path: PathBuf,
    },
    /// The database was written in a format that this program can't read.
    #[error(
        "{}: written in format {found}, this program reads format {supported}; index the games again, or use the \
         program that wrote it",
        path.display()
    )]
    FormatVersion {
        /// The directory.
        path: PathBuf,
        /// The version in the database.
        found: u32,
        /// The version of this program.
        supported: u32,
    },
    /// Another process writes to the database.
    #[error("{}: another process is writing to this database", path.display())]
    Locked {
        /// The directory.
        path: PathBuf,
    },
    /// The database is as it was before its last commits: RocksDB's list of files was cut or replaced.
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
    /// One of RocksDB's logs, its list of files perhaps, is damaged.
    #[error("{}: damaged at byte {offset}", path.display())]
    DamagedLog {
        /// The file.
        path: PathBuf,
        /// Where.
        offset: u64,
    },
    /// The process may not open as many files as the database has.
    #[error("{}: too many files: raise the limit (`ulimit -n`), or run `cqldex compact`", path.display())]
    TooManyFiles {
        /// The directory.
        path: PathBuf,
    },
    /// There is no room for what was to be written.
    #[error("{}: the disk is full; what was committed before is safe", path.display())]
    DiskFull {
        /// The directory.
        path: PathBuf,
    },
    /// A database that was opened for reading was asked to write.
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
    /// A file of the database is not as it was written.
    #[error("damaged file {} of column `{column}`: {reason}", path.display())]
    DamagedFile {
        /// The file.
        path: PathBuf,
        /// The column family.
        column: &'static str,
        /// What is wrong with the file.
        reason: Damage,
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
        /// Why.
        source: io::Error,
    },
    /// RocksDB failed.
    #[error("{}: {source}", path.display())]
    Rocks {
        /// The database.
        path: PathBuf,
        /// Why.
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
    /// Whether something stored is damaged or missing, so that the rest may still be sound.
    pub fn is_damage(&self) -> bool {
        matches!(self, Error::Corrupt { .. } | Error::DamagedFile { .. })
    }
}
