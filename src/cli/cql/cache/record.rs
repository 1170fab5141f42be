//! The record beside a database about the file that its games come from.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;

/// The file in the folder of a database.
const NAME: &str = "source.json";

/// The age from which times identify a file: within one step of the clock a file can change again.
const SETTLED: Duration = Duration::from_secs(2);

/// What the games of a database were read from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// The version of the program that read it: another version may read it differently.
    pub(super) program: String,
    /// The file.
    pub(super) path: String,
    /// What was read of it.
    pub(super) fingerprint: Fingerprint,
    /// Its times and number before it was read, if they are enough to recognise it.
    pub(super) stamp: Option<Stamp>,
    /// How many lines it has.
    pub(super) lines: u64,
    /// How it ends.
    pub(super) ending: Ending,
    /// How many games there are in the database.
    pub(super) games: u64,
    /// How many could not be read.
    pub(super) skipped_games: u64,
    /// How many lack something.
    pub(super) damaged_games: u64,
}

/// How a file ends: it decides whether games can be read from there on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Ending {
    /// The last game may go on.
    Open,
    /// With the result of a game.
    Result,
    /// With the result of a game and the end of its line.
    ResultLine,
}

/// What the file system tells about a file. If all of it is the same, so is the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    length: u64,
    /// Nanoseconds since 1970.
    modified: i128,
    /// When anything about the file changed last; programs can't set this one.
    changed: i128,
    device: u64,
    inode: u64,
}

impl Stamp {
    /// The stamp of a file, if the system tells enough and the file was not changed just now.
    pub(super) fn of(metadata: &Metadata) -> Option<Stamp> {
        let stamp = Stamp::read(metadata)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
        let latest = stamp.modified.max(stamp.changed);
        let settled = now.checked_sub(SETTLED)?.as_nanos();
        (latest <= i128::try_from(settled).ok()?).then_some(stamp)
    }

    #[cfg(unix)]
    fn read(metadata: &Metadata) -> Option<Stamp> {
        use std::os::unix::fs::MetadataExt;
        let nanoseconds = |seconds: i64, rest: i64| i128::from(seconds) * 1_000_000_000 + i128::from(rest);
        Some(Stamp {
            length: metadata.len(),
            modified: nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
            changed: nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
            device: metadata.dev(),
            inode: metadata.ino(),
        })
    }

    #[cfg(not(unix))]
    fn read(_metadata: &Metadata) -> Option<Stamp> {
        None
    }
}

impl Record {
    /// The record in a folder; `None` if there is none that this program can use.
    pub(super) fn read(folder: &Path) -> Option<Record> {
        let text = fs::read(folder.join(NAME)).ok()?;
        let record: Record = serde_json::from_slice(&text).ok()?;
        (record.program == env!("CARGO_PKG_VERSION")).then_some(record)
    }

    /// Writes the record, completely or not at all.
    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(&mut file, self)?;
        file.as_file().sync_all()?;
        file.persist(folder.join(NAME))?;
        Ok(())
    }

    /// Removes the record: from now on the database is not to be used.
    pub(super) fn remove(folder: &Path) -> io::Result<()> {
        match fs::remove_file(folder.join(NAME)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

impl Ending {
    /// The ending of a text, from its last bytes.
    pub(super) fn of(tail: &[u8]) -> Ending {
        let text = tail.trim_ascii_end();
        let has_result = [&b"*"[..], b"1-0", b"0-1", b"1/2-1/2"].into_iter().any(|result| {
            text.strip_suffix(result)
                .and_then(<[u8]>::last)
                .is_some_and(u8::is_ascii_whitespace)
        });
        match has_result {
            false => Ending::Open,
            true if tail[text.len()..].contains(&b'\n') => Ending::ResultLine,
            true => Ending::Result,
        }
    }

    /// Whether appended text can be read alone: it has only blanks, or a new game begins on a line of its own. `new` is
    /// the beginning of that text; `is_all` says that there is no more.
    pub(super) fn fits(self, new: &[u8], is_all: bool) -> bool {
        let text = new.trim_ascii_start();
        let ends_line = match self {
            Ending::Open => return false,
            Ending::Result => new[..new.len() - text.len()].contains(&b'\n'),
            Ending::ResultLine => true,
        };
        if text.is_empty() {
            return is_all;
        }
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let line = line.trim_ascii_end();
        ends_line && line.len() >= 2 && line[0] == b'[' && line[1].is_ascii_alphabetic() && line.ends_with(b"\"]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_end_with_results() {
        for (text, ending) in [
            ("1. e4 *\n", Ending::ResultLine),
            ("1. e4 1-0", Ending::Result),
            ("1. e4\n0-1\n\n", Ending::ResultLine),
            ("1/2 1/2-1/2\r\n", Ending::ResultLine),
            ("", Ending::Open),
            ("*", Ending::Open),
            ("1. e4", Ending::Open),
            ("{ 1-0 }", Ending::Open),
            ("1. e4 11-0", Ending::Open),
            ("[Result \"*\"]\n\n", Ending::Open),
        ] {
            assert_eq!(Ending::of(text.as_bytes()), ending, "{text:?}");
        }
    }

    #[test]
    fn what_is_appended_begins_a_game() {
        assert!(Ending::ResultLine.fits(b"[Event \"?\"]\n", true));
        assert!(Ending::Result.fits(b"\n\n[Event \"?\"]\r\n", true));
        assert!(Ending::Result.fits(b" \n", true));
        assert!(!Ending::Result.fits(b" \n", false));
        assert!(!Ending::Result.fits(b" [Event \"?\"]\n", true));
        assert!(!Ending::Open.fits(b"\n[Event \"?\"]\n", true));
        assert!(!Ending::ResultLine.fits(b"1. e4 *\n", true));
        assert!(!Ending::ResultLine.fits(b"[%clk 1]\n", true));
    }
}
