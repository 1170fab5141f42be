//! A folder of kept files: listing, reading, and writing as a whole.
//!
//! A file is written under a temporary name and then renamed, so a reader finds either the old file or the new
//! one. Temporary names begin with a dot; names of kept files do not.

use std::{
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, SystemTime},
};

use crate::{
    error::{Error, Result, is_missing},
    steps,
};

/// A temporary file of this age was left by a process that was killed.
const ABANDONED: Duration = Duration::from_secs(3600);

/// What the names of temporary files begin with.
const TEMPORARY: &str = ".new-";

/// A folder of kept files. It may not exist yet.
#[derive(Clone, Debug)]
pub(super) struct Folder(PathBuf);

/// A kept file, without its content.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) bytes: u64,
    /// When it was last written or marked as used.
    pub(super) modified: SystemTime,
}

/// When a new file is on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Durability {
    /// When the write returns.
    Now,
    /// At some time; until then, a power failure may leave a damaged file.
    Later,
    /// The same; and the file keeps the time when it was last used.
    LaterUsedAt(SystemTime),
}

impl Folder {
    pub(super) fn new(path: PathBuf) -> Folder {
        Folder(path)
    }

    /// The path of a file.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Makes the folder if it does not exist.
    pub(super) fn create(&self) -> Result<()> {
        match fs::create_dir(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(Error::io(&self.0)(error)),
            _ => Ok(()),
        }
    }

    /// The kept files; none if the folder does not exist. Other files whose names begin with a dot are left out.
    pub(super) fn entries(&self) -> Result<Vec<Entry>> {
        let mut entries = self.all()?;
        entries.retain(|entry| !entry.name.starts_with('.'));
        Ok(entries)
    }

    /// The kept files. Temporary files that were left by killed processes are removed.
    pub(super) fn tidy(&self) -> Result<Vec<Entry>> {
        let mut entries = self.all()?;
        let now = SystemTime::now();
        entries.retain(|entry| {
            let age = now.duration_since(entry.modified).unwrap_or_default();
            if entry.name.starts_with(TEMPORARY) && age > ABANDONED {
                let _ = fs::remove_file(self.file(&entry.name));
            }
            !entry.name.starts_with('.')
        });
        Ok(entries)
    }

    fn all(&self) -> Result<Vec<Entry>> {
        let failed = Error::io(&self.0);
        let found = match fs::read_dir(&self.0) {
            Err(error) if is_missing(&error) => return Ok(Vec::new()),
            found => found.map_err(&failed)?,
        };
        let mut entries = Vec::new();
        for entry in found {
            let entry = entry.map_err(&failed)?;
            // A file may be removed between these two calls; a name that is no UTF-8 is not ours.
            let (Ok(metadata), Ok(name)) = (entry.metadata(), entry.file_name().into_string()) else {
                continue;
            };
            if metadata.is_file() {
                entries.push(Entry {
                    name,
                    bytes: metadata.len(),
                    modified: metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH),
                });
            }
        }
        Ok(entries)
    }

    /// The content of a file; `None` if it does not exist.
    pub(super) fn read(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let path = self.file(name);
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(Error::io(&path)(error)),
        }
    }

    /// The content of a file that can be read, which is marked as used now.
    pub(super) fn use_file(&self, name: &str) -> Option<Vec<u8>> {
        let mut file = File::open(self.file(name)).ok()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        // Not everybody who may read a file may mark it.
        let _ = file.set_modified(SystemTime::now());
        Some(bytes)
    }

    /// Removes a file. Returns false if it does not exist.
    pub(super) fn remove(&self, name: &str) -> Result<bool> {
        let path = self.file(name);
        match fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if is_missing(&error) => Ok(false),
            Err(error) => Err(Error::io(&path)(error)),
        }
    }

    /// Writes or replaces a file. The folder is made if necessary.
    pub(super) fn write(&self, name: &str, bytes: &[u8], durability: Durability) -> Result<()> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        self.create()?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let temporary = self.file(&format!("{TEMPORARY}{}-{number}", process::id()));
        let written = self.write_and_rename(&temporary, name, bytes, durability);
        if written.is_err() {
            // The disk may be full.
            let _ = fs::remove_file(&temporary);
        }
        written.map_err(Error::io(&temporary))
    }

    fn write_and_rename(&self, temporary: &Path, name: &str, bytes: &[u8], durability: Durability) -> io::Result<()> {
        let mut file = File::create(temporary)?;
        file.write_all(bytes)?;
        if durability == Durability::Now {
            file.sync_all()?;
        }
        if let Durability::LaterUsedAt(time) = durability {
            file.set_modified(time)?;
        }
        steps::reached("kept file written");
        fs::rename(temporary, self.file(name))?;
        steps::reached("kept file named");
        if durability == Durability::Now {
            self.sync();
        }
        Ok(())
    }

    /// Waits until the names of the files are on the disk. Some systems can't do that.
    pub(super) fn sync(&self) {
        let _ = File::open(&self.0).and_then(|folder| folder.sync_all());
    }
}
