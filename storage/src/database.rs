//! A database on disk: creating, opening, committing segments.

use std::path::{Path, PathBuf};

use crate::{batch::SegmentData, error::Result, id::SegmentId, snapshot::Snapshot};

/// A directory with indexed games.
#[derive(Debug)]
pub struct Database {
    path: PathBuf,
}

impl Database {
    /// Creates an empty database, opened for writing.
    ///
    /// # Errors
    ///
    /// When something stands there already, or the directory can't be made.
    pub fn create(_path: impl AsRef<Path>) -> Result<Database> {
        unimplemented!()
    }

    /// Opens a database for writing; one process at a time can. What an interrupted run left is removed.
    ///
    /// # Errors
    ///
    /// When there is no database, it has another format, or somebody else writes to it.
    pub fn open(_path: impl AsRef<Path>) -> Result<Database> {
        unimplemented!()
    }

    /// Opens a database for reading, whoever else reads or writes it.
    ///
    /// # Errors
    ///
    /// When there is no database or it has another format.
    pub fn open_read_only(_path: impl AsRef<Path>) -> Result<Database> {
        unimplemented!()
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is committed now; it stays as it is whatever is committed later.
    pub fn snapshot(&self) -> Snapshot {
        unimplemented!()
    }

    /// Adds a segment; it is visible to snapshots taken later, wholly or not at all.
    ///
    /// # Errors
    ///
    /// When the database was opened for reading or the disk fails.
    pub fn commit(&mut self, _data: SegmentData) -> Result<SegmentId> {
        unimplemented!()
    }
}
