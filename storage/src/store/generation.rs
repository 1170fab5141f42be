//! A file whose name counts the commits: what shows that RocksDB's own list of files was cut.
//!
//! RocksDB takes a list that ends too early for one that was being written when the power failed, and opens the
//! database as it was before. So each commit makes this file anew, and nothing older is ever opened. In it is a copy of
//! the records of the commit, for the case that their column is damaged.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{
    error::{Error, Result},
    steps,
};

const PREFIX: &str = "commit.";

/// The file that a commit leaves.
pub(super) fn file(directory: &Path, generation: u64) -> PathBuf {
    directory.join(format!("{PREFIX}{generation}"))
}

/// The number in the name; nothing if there is no such file.
pub(super) fn find(directory: &Path) -> Result<Option<u64>> {
    let failed = |source| Error::Io {
        path: directory.to_owned(),
        source,
    };
    let mut highest = None;
    for entry in fs::read_dir(directory).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.strip_prefix(PREFIX))
            .and_then(|number| number.parse::<u64>().ok());
        highest = highest.max(number);
    }
    Ok(highest)
}

/// Makes the file for a database that is about to be created.
pub(super) fn create(directory: &Path) -> Result<()> {
    let path = file(directory, 0);
    File::create(&path)
        .map(drop)
        .map_err(|source| Error::Io { path, source })
}

/// Counts a commit. It has happened, so a failure is none: the next one catches up.
pub(super) fn advance(directory: &Path, generation: u64, records: &[u8]) {
    let (new, to) = (directory.join("commit.new"), file(directory, generation));
    let found = find(directory);
    let written = write_whole(&new, records).and_then(|()| {
        steps::reached("copy written");
        fs::rename(&new, &to)
    });
    steps::reached("copy named");
    if written.is_err() {
        let _ = fs::remove_file(&new);
    }
    match (found, written) {
        (Ok(Some(found)), Ok(())) if found != generation => {
            // The old one goes when the new one is sure to be there. Where this can't be asked for, it is not to be had.
            let _ = sync_names(directory);
            let _ = fs::remove_file(file(directory, found));
        }
        // Counting matters more than the copy, and needs no room.
        (Ok(Some(found)), Err(_)) if found < generation => drop(fs::rename(file(directory, found), to)),
        (Ok(None), Err(_)) => drop(File::create(to)),
        _ => {}
    }
}

/// Writes a file that is on the disk as a whole before it gets its name.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Waits until the names of files are on the disk.
fn sync_names(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

/// The file, the number in its name, and the records in it.
pub(super) fn read(directory: &Path) -> Result<Option<(PathBuf, u64, Vec<u8>)>> {
    for is_last in [false, false, true] {
        let Some(generation) = find(directory)? else { break };
        let path = file(directory, generation);
        match fs::read(&path) {
            Ok(records) => return Ok(Some((path, generation, records))),
            // A writer has just left the next one.
            Err(error) if is_missing(&error) && !is_last => {}
            Err(source) => return Err(Error::Io { path, source }),
        }
    }
    Ok(None)
}

/// Whether an error is that there is nothing.
pub(super) fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}
