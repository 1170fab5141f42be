//! A look at RocksDB's logs before RocksDB reads them: its reader never comes to an end on some that are damaged.

use std::{fs, path::Path};

use super::generation;
use crate::error::{Error, Result};

/// Records lie in blocks of this length, none across two.
const BLOCK: usize = 1 << 15;
/// Checksum, length, kind.
const HEADER: usize = 7;
/// Whole records, and first, middle and last parts; RocksDB knows more, but writes none of them here.
const KINDS: std::ops::RangeInclusive<u8> = 1..=4;

/// Checks the list of files that `CURRENT` names, and the log of changes, which is empty.
pub(super) fn check(directory: &Path) -> Result<()> {
    let current = fs::read(directory.join("CURRENT")).unwrap_or_default();
    let list = String::from_utf8_lossy(&current).trim_end().to_owned();
    let entries = fs::read_dir(directory).map_err(|source| Error::Io {
        path: directory.to_owned(),
        source,
    })?;
    for entry in entries.flatten() {
        let path = entry.path();
        let is_log = path.extension().is_some_and(|extension| extension == "log");
        if is_log || entry.file_name().to_str() == Some(list.as_str()) {
            check_file(&path)?;
        }
    }
    Ok(())
}

fn check_file(path: &Path) -> Result<()> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        // Another process has just replaced it.
        Err(error) if generation::is_missing(&error) => return Ok(()),
        Err(source) => {
            return Err(Error::Io {
                path: path.to_owned(),
                source,
            });
        }
    };
    match bad_record(&bytes) {
        None => Ok(()),
        Some(offset) => Err(Error::DamagedLog {
            path: path.to_owned(),
            offset: offset as u64,
        }),
    }
}

/// Where the first header is that is none. A record that ends too early at the end is being written, or was.
fn bad_record(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some([_, _, _, _, low, high, kind]) = bytes.get(at..at + HEADER) {
        let left = BLOCK - at % BLOCK;
        let length = HEADER + usize::from(u16::from_le_bytes([*low, *high]));
        if left < HEADER || *kind == 0 && length == HEADER {
            at += left;
        } else if KINDS.contains(kind) && length <= left {
            at += length;
        } else {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u8, length: usize) -> Vec<u8> {
        let [low, high] = (length as u16).to_le_bytes();
        let mut record = vec![1, 2, 3, 4, low, high, kind];
        record.resize(HEADER + length, 9);
        record
    }

    #[test]
    fn only_kinds_that_are_written_are_let_through() {
        let sound = [record(1, 20), record(2, 5), record(4, 0)].concat();
        assert_eq!(bad_record(&sound), None);
        assert_eq!(bad_record(&sound[..30]), None, "the last one is cut");
        let garbage = [sound.as_slice(), &[7; 99]].concat();
        assert_eq!(bad_record(&garbage), Some(sound.len()));
        assert_eq!(bad_record(&record(1, BLOCK)), Some(0), "longer than a block");
        let mut padded = record(1, BLOCK - HEADER - 3);
        padded.extend([0; 3]);
        padded.extend(record(5, 1));
        assert_eq!(bad_record(&padded), Some(BLOCK));
    }
}
