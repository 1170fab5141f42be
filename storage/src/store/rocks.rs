//! What we know of RocksDB beside its interface: the names of its files, the headers of its logs, the words of its
//! errors. No other file of this crate knows any of it.
//!
//! Each part is needed for a reason:
//!
//! - **Names.** A reader that opens a database while another process writes to it may find that a file has just been
//!   replaced. It tries again if the list of files (the `MANIFEST-*` that `CURRENT` names) has changed since.
//! - **Logs** ([`log`]). RocksDB never returns from some logs that are damaged, so they are checked before it reads
//!   them.
//! - **Errors** ([`errors`]). The C interface gives an error as one line of text. `rocksdb::ErrorKind` is the first
//!   word of it, which does not tell a full disk from a missing right.
//!
//! Checked with RocksDB 11.8.1 (`rocksdb` 0.25.0, `librocksdb-sys` 0.19.0). The tests make RocksDB write these files
//! and give these errors, so an upgrade that changes one of them fails a test.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rocksdb::{DB, Options};

use crate::{column::Column, error::Result};

mod errors;
mod log;

pub(super) use errors::{error, is_file_missing};
pub(super) use log::check as check_logs;

/// The file that names the list of files.
const CURRENT: &str = "CURRENT";

/// How the names of logs of changes end.
const LOG_EXTENSION: &str = "log";

/// Whether RocksDB has finished creating a database in a directory.
pub(super) fn is_created(directory: &Path) -> bool {
    directory.join(CURRENT).is_file()
}

/// A list of files at some moment. RocksDB appends to the list or replaces it whenever a file comes or goes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ListOfFiles {
    name: String,
    length: u64,
}

impl ListOfFiles {
    /// The list of a directory; `None` while it is being replaced, or if there is none.
    pub(super) fn of(directory: &Path) -> Option<ListOfFiles> {
        let name = list_name(directory)?;
        let length = fs::metadata(directory.join(&name)).ok()?.len();
        Some(ListOfFiles { name, length })
    }
}

/// The name of the list of files.
fn list_name(directory: &Path) -> Option<String> {
    let current = fs::read(directory.join(CURRENT)).ok()?;
    Some(String::from_utf8_lossy(&current).trim_end().to_owned())
}

/// A sorted file that RocksDB has on its list.
#[derive(Debug)]
pub(super) struct LiveFile {
    pub(super) column: Option<Column>,
    pub(super) path: PathBuf,
    pub(super) bytes: u64,
    /// The smallest key.
    pub(super) first_key: Option<Vec<u8>>,
}

/// The sorted files of a database.
pub(super) fn live_files(db: &DB, directory: &Path) -> Result<Vec<LiveFile>> {
    let files = db.live_files().map_err(|cause| error(directory, cause))?;
    let files = files.into_iter().map(|file| LiveFile {
        column: Column::ALL
            .into_iter()
            .find(|column| column.family() == file.column_family_name),
        // RocksDB puts a slash before the name.
        path: directory.join(file.name.trim_start_matches('/')),
        bytes: file.size as u64,
        first_key: file.start_key,
    });
    Ok(files.collect())
}

/// Whether a RocksDB has other column families than ours; false if that can't be read.
pub(super) fn has_other_columns(directory: &Path) -> bool {
    DB::list_cf(&Options::default(), directory).is_ok_and(|names| {
        let is_ours = |name: &String| Column::ALL.iter().any(|column| column.family() == name);
        names.len() != Column::ALL.len() || !names.iter().all(is_ours)
    })
}

#[cfg(test)]
mod tests;
