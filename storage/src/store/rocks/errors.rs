//! RocksDB's errors as ours.
//!
//! An error is one line: `KIND: DETAIL`, and for the system's errors `IO error: WHAT WAS DONE: FILE: WHAT THE SYSTEM
//! SAID`. What the system says is the text of `strerror`, in English because nothing here sets a locale.

use std::{io, path::Path};

use rocksdb::ErrorKind;

use crate::error::Error;

/// What the system says when it refuses access to a file.
const REFUSALS: [(&str, io::ErrorKind); 2] = [
    (": Permission denied", io::ErrorKind::PermissionDenied),
    (": Read-only file system", io::ErrorKind::ReadOnlyFilesystem),
];

/// How RocksDB says that this process has the database open for writing, and that another one has.
const LOCKS: [&str; 2] = ["lock hold by", "LOCK: Resource"];

const TOO_MANY_FILES: &str = "Too many open files";
const DISK_FULL: &str = "No space left";
const FILE_MISSING: &str = "No such file";

/// An error of RocksDB, with the cases told apart that a user can do something about.
pub(in crate::store) fn error(path: &Path, source: rocksdb::Error) -> Error {
    let path = path.to_owned();
    let text = source.as_ref();
    for (words, kind) in REFUSALS {
        if let Some((before, _)) = text.split_once(words) {
            let file = before.rsplit_once(": ").map_or(before, |(_, file)| file);
            return Error::Io {
                path: file.into(),
                source: kind.into(),
            };
        }
    }
    if source.kind() == ErrorKind::IOError && LOCKS.iter().any(|words| text.contains(words)) {
        Error::Locked { path }
    } else if text.contains(TOO_MANY_FILES) {
        Error::TooManyFiles { path }
    } else if text.contains(DISK_FULL) {
        Error::DiskFull { path }
    } else {
        Error::Rocks { path, source }
    }
}

/// Whether an error says that a file does not exist.
pub(in crate::store) fn is_file_missing(error: &rocksdb::Error) -> bool {
    match error.kind() {
        ErrorKind::NotFound => true,
        ErrorKind::IOError => error.as_ref().contains(FILE_MISSING),
        _ => false,
    }
}
