//! The file `commit.N`, where N is the number of commits. It shows that RocksDB's list of files was cut off.
//!
//! When the list ends too early, RocksDB assumes that the power failed while it was being written, and opens the
//! database as it was before. So each commit replaces this file, and a database that has fewer commits than the file
//! says is refused. The file contains a copy of the records of the commit, for the case that their column is damaged.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{
    error::{Error, Result, is_missing},
    steps,
};

const PREFIX: &str = "commit.";

/// The file that a commit leaves.
pub(super) fn file(directory: &Path, generation: u64) -> PathBuf {
    directory.join(format!("{PREFIX}{generation}"))
}

/// The number in the name; `None` if there is no such file.
pub(super) fn find(directory: &Path) -> Result<Option<u64>> {
    let failed = Error::io(directory);
    let mut highest = None;
    for entry in fs::read_dir(directory).map_err(&failed)? {
        let name = entry.map_err(&failed)?.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.strip_prefix(PREFIX))
            .and_then(|number| number.parse::<u64>().ok());
        highest = highest.max(number);
    }
    Ok(highest)
}

/// Makes the file `commit.0`, which marks a database that is being created.
pub(super) fn create(directory: &Path) -> Result<()> {
    let path = file(directory, 0);
    File::create(&path).map(drop).map_err(Error::io(&path))
}

/// Makes the file of a commit. The commit is complete already, so a failure here is ignored; the next commit makes up
/// for it.
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
            // The old file is removed when the new one is on the disk under its name. Some systems can't sync a
            // directory; there it is removed at once.
            let _ = sync_names(directory);
            let _ = fs::remove_file(file(directory, found));
        }
        // The number is more important than the copy, and a new name needs no space on the disk.
        (Ok(Some(found)), Err(_)) if found < generation => drop(fs::rename(file(directory, found), to)),
        (Ok(None), Err(_)) => drop(File::create(to)),
        _ => {}
    }
}

/// Writes a file and waits until all of it is on the disk.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Waits until the names of files are on the disk.
fn sync_names(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

/// The path of the file, the number in its name, and its content.
pub(super) fn read(directory: &Path) -> Result<Option<(PathBuf, u64, Vec<u8>)>> {
    for is_last in [false, false, true] {
        let Some(generation) = find(directory)? else { break };
        let path = file(directory, generation);
        match fs::read(&path) {
            Ok(records) => return Ok(Some((path, generation, records))),
            // A writer has just replaced it.
            Err(error) if is_missing(&error) && !is_last => {}
            Err(error) => return Err(Error::io(&path)(error)),
        }
    }
    Ok(None)
}
