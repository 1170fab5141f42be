//! A file whose name counts the commits: what shows that RocksDB's own list of files was cut.
//!
//! RocksDB takes a list that ends too early for one that was being written when the power failed, and opens the
//! database as it was before. So each commit makes this file anew, and nothing older is ever opened. In it is a copy of
//! the records of the commit, for the case that their column is damaged.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use crate::error::{Error, Result};

const PREFIX: &str = "commit.";

fn file(directory: &Path, generation: u64) -> PathBuf {
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
    let written = fs::write(&new, records).and_then(|()| fs::rename(&new, &to));
    match (found, written) {
        (Ok(Some(found)), Ok(())) if found != generation => drop(fs::remove_file(file(directory, found))),
        // Counting matters more than the copy, and needs no room.
        (Ok(Some(found)), Err(_)) if found < generation => drop(fs::rename(file(directory, found), to)),
        (Ok(None), Err(_)) => drop(File::create(to)),
        _ => {}
    }
}

/// The number in the name, and the records in the file.
pub(super) fn read(directory: &Path) -> Result<Option<(u64, Vec<u8>)>> {
    let Some(generation) = find(directory)? else {
        return Ok(None);
    };
    let path = file(directory, generation);
    match fs::read(&path) {
        Ok(records) => Ok(Some((generation, records))),
        Err(source) => Err(Error::Io { path, source }),
    }
}

/// Whether an error is that there is nothing.
pub(super) fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}
