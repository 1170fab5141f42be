//! A check of RocksDB's logs before RocksDB reads them.
//!
//! The list of files and the log of changes have one format: blocks of 32 KiB with records in them, each with a
//! checksum, a length and a kind. RocksDB reuses old logs in some configurations; records of such logs have kinds of
//! their own (5 to 8, 11 and 131). When its reader meets one of these behind a record of another kind, it reports a bad
//! record without skipping it, and reads the same bytes again, forever (`ReadPhysicalRecord` in `db/log_reader.cc`). We
//! never reuse logs. So a kind that is never written here is damage, and RocksDB does not get to read it.
//!
//! Everything else that can be wrong with a log, RocksDB finds itself: the checksums are left to it.

use std::{fs, path::Path};

use super::{LOG_EXTENSION, list_name};
use crate::error::{Error, Result, is_missing};

/// Records lie in blocks of this length; none crosses the end of a block.
const BLOCK: usize = 1 << 15;
/// Checksum (4 bytes), length (2), kind (1).
const HEADER: usize = 7;
/// Whole records, and first, middle and last parts of records.
const KINDS: std::ops::RangeInclusive<u8> = 1..=4;

/// Checks the list of files that `CURRENT` names, and the log of changes, which is empty.
pub(in crate::store) fn check(directory: &Path) -> Result<()> {
    let list = list_name(directory).unwrap_or_default();
    for entry in fs::read_dir(directory).map_err(Error::io(directory))?.flatten() {
        let path = entry.path();
        let is_log = path.extension().is_some_and(|extension| extension == LOG_EXTENSION);
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
        Err(error) if is_missing(&error) => return Ok(()),
        Err(source) => return Err(Error::io(path)(source)),
    };
    match read_headers(&bytes).bad {
        None => Ok(()),
        Some(offset) => Err(Error::DamagedLog {
            path: path.to_owned(),
            offset: offset as u64,
        }),
    }
}

/// What the headers of a log say.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Headers {
    /// How many records there are, parts counted one by one.
    pub(super) records: usize,
    /// Where the last of them ends.
    pub(super) end: usize,
    /// Where the first header is that can't be one.
    pub(super) bad: Option<usize>,
}

/// Reads all headers of a log up to the first bad one. A record that is cut off at the end is not bad: it is being
/// written, or was when its writer was killed.
pub(super) fn read_headers(bytes: &[u8]) -> Headers {
    let mut headers = Headers::default();
    let mut at = 0;
    while let Some([_, _, _, _, low, high, kind]) = bytes.get(at..at + HEADER) {
        let left = BLOCK - at % BLOCK;
        let length = HEADER + usize::from(u16::from_le_bytes([*low, *high]));
        if left < HEADER || *kind == 0 && length == HEADER {
            // The rest of the block is empty.
            at += left;
        } else if KINDS.contains(kind) && length <= left {
            at += length;
            headers.records += 1;
            headers.end = at;
        } else {
            headers.bad = Some(at);
            break;
        }
    }
    headers
}

#[cfg(test)]
#[expect(clippy::cast_possible_truncation, reason = "a record fits a block of 32 KiB")]
mod tests {
    use super::*;

    fn record(kind: u8, length: usize) -> Vec<u8> {
        let [low, high] = (length as u16).to_le_bytes();
        let mut record = vec![1, 2, 3, 4, low, high, kind];
        record.resize(HEADER + length, 9);
        record
    }

    fn bad_record(bytes: &[u8]) -> Option<usize> {
        read_headers(bytes).bad
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
