//! Where the database of a file is kept, and who may use it.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use super::note;
use super::record::Record;
use crate::exit::Failure;

/// A folder with a database, the record of what is in it, and a lock.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

/// A lock on a folder; it is released when this is dropped.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

/// Where the database of a file may be: beside it, or in the user's cache folder.
pub(super) fn candidates(pgn: &Path) -> Vec<Folder> {
    let mut beside = pgn.as_os_str().to_owned();
    beside.push(".cqldex");
    let mut folders = vec![Folder { path: beside.into() }];
    if let Ok(strategy) = etcetera::choose_base_strategy() {
        let name = pgn.file_name().unwrap_or_default().to_string_lossy();
        // Files of the same name in different folders are told apart.
        let checksum = crc32fast::hash(pgn.as_os_str().as_encoded_bytes());
        folders.push(Folder {
            path: strategy
                .cache_dir()
                .join("cqldex")
                .join(format!("{name}-{checksum:08x}")),
        });
    }
    folders
}

/// The first folder that can be written to, with its lock held alone.
pub(super) fn writable<'f>(folders: &'f [Folder], pgn: &Path) -> Result<(&'f Folder, Lock), Failure> {
    let mut reasons = Vec::new();
    for folder in folders {
        match folder.lock_alone(pgn) {
            Ok(lock) => return Ok((folder, lock)),
            Err(error) => reasons.push(format!("{}: {error}", folder.path.display())),
        }
    }
    let reasons = reasons.join("; ");
    Err(Failure::message(format!(
        "there is no place for the database of {}: {reasons}",
        pgn.display()
    )))
}

impl Folder {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Where the database is.
    pub(super) fn database(&self) -> PathBuf {
        self.path.join("db")
    }

    /// The record of what is in the database.
    pub(super) fn record(&self) -> Option<Record> {
        Record::read(&self.path)
    }

    fn lock_path(&self) -> PathBuf {
        self.path.join("cqldex.lock")
    }

    /// Keeps others from writing; `None` if there is no such folder.
    pub(super) fn lock_shared(&self) -> Option<Lock> {
        let file = File::open(self.lock_path()).ok()?;
        file.lock_shared().ok()?;
        Some(Lock { _file: file })
    }

    /// Keeps others from reading and writing; creates the folder if needed, and waits for programs that use it.
    fn lock_alone(&self, pgn: &Path) -> io::Result<Lock> {
        fs::create_dir_all(&self.path)?;
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(self.lock_path())?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                note(&format!(
                    "waiting for another program that uses the database of {}",
                    pgn.display()
                ));
                file.lock()?;
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
        Ok(Lock { _file: file })
    }

    /// Removes everything in the folder except the lock, which has to be held.
    pub(super) fn clear(&self) -> Result<(), Failure> {
        let failed = |error: io::Error| Failure::message(format!("{}: {error}", self.path.display()));
        Record::remove(&self.path).map_err(failed)?;
        match fs::remove_dir_all(self.database()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
            _ => Ok(()),
        }
    }
}
