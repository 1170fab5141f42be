//! The lock that keeps changes of sets and commits apart.

use std::{
    fs::{File, OpenOptions, TryLockError},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use super::folder::Folder;
use crate::error::{Error, Result};

/// The file that is locked. It has no content.
const NAME: &str = ".lock";

/// How long a process waits for the lock, which others hold for a fraction of a second.
const PATIENCE: Duration = Duration::from_secs(30);

const PAUSE: Duration = Duration::from_millis(2);

/// Held by a process that changes a set, or that commits a change of segments whose sections it has carried over.
/// Dropping it releases the lock; so does the end of the process, whatever the reason.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits for the lock of a folder of sets, which is made if necessary. `database` is for the error.
    pub(super) fn take(folder: &Folder, database: &Path) -> Result<Lock> {
        folder.create()?;
        let path = folder.file(NAME);
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(Error::io(&path))?;
        let started = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock { _file: file }),
                Err(TryLockError::Error(error)) => return Err(Error::io(&path)(error)),
                Err(TryLockError::WouldBlock) if started.elapsed() > PATIENCE => {
                    return Err(Error::Locked {
                        path: database.to_owned(),
                    });
                }
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            }
        }
    }
}
