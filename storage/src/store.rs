//! RocksDB behind typed columns and checked values.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use postings::{Damage, Postings, Term};
use rocksdb::{ColumnFamily, DB, ErrorKind, IteratorMode};

use crate::{
    column::Column,
    error::{Error, Result},
    frame,
    id::SegmentId,
    key::{Key, hex},
    record::{self, Manifest},
    removed::Removed,
    source::Source,
};

mod cache;
mod copy;
mod generation;
mod log;
mod opening;
mod writing;

use cache::Cache;
pub(crate) use writing::MetaChange;

/// The version of everything on disk; see `docs/format.md`.
pub(crate) const FORMAT_VERSION: u32 = 5;

/// The first bytes of the value that says what the directory is.
const MAGIC: &[u8; 8] = b"cqldex\0\0";
const FORMAT_KEY: &[u8] = b"format";
const MANIFEST_KEY: &[u8] = b"manifest";
/// Before the number of a segment: its removed games.
const REMOVED_PREFIX: &[u8] = b"removed";
/// Before the number of a source.
const SOURCE_PREFIX: &[u8] = b"source";

/// A key of the `meta` column that ends in a number.
fn numbered(prefix: &[u8], number: u32) -> Vec<u8> {
    [prefix, &number.to_be_bytes()].concat()
}

/// An open database.
pub(crate) struct Store {
    db: DB,
    path: PathBuf,
    read_only: bool,
    cache: Cache,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store")
            .field("path", &self.path)
            .field("read_only", &self.read_only)
            .finish_non_exhaustive()
    }
}

/// How a database is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

impl Store {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn column(&self, column: Column) -> Result<&ColumnFamily> {
        self.db.cf_handle(column.name()).ok_or_else(|| Error::NotADatabase {
            path: self.path.clone(),
            reason: format!("column `{}` is missing", column.name()),
        })
    }

    pub(crate) fn check_writable(&self) -> Result<()> {
        if self.read_only {
            Err(Error::ReadOnly {
                path: self.path.clone(),
            })
        } else {
            Ok(())
        }
    }

    /// The error for a damaged value.
    pub(crate) fn corrupt(column: Column, key: &[u8], reason: Damage) -> Error {
        Error::Corrupt {
            column: column.name(),
            key: hex(key),
            reason,
        }
    }

    /// Reads a value, checks it, unpacks it with `decode`.
    pub(crate) fn read<T>(
        &self,
        column: Column,
        key: &[u8],
        decode: impl FnOnce(&[u8]) -> Result<T, Damage>,
    ) -> Result<T> {
        let value = self
            .db
            .get_pinned_cf(self.column(column)?, key)
            .map_err(|error| self.failed_read(column, key, error))?;
        let value = value.ok_or(Damage::Missing);
        value
            .and_then(|value| decode(&value))
            .map_err(|reason| Store::corrupt(column, key, reason))
    }

    /// What RocksDB could not read is damage, whatever it says, as long as the disk works.
    fn failed_read(&self, column: Column, key: &[u8], error: rocksdb::Error) -> Error {
        let text = error.as_ref();
        match error.kind() {
            ErrorKind::Corruption => Store::corrupt(column, key, Damage::Checksum),
            ErrorKind::NotFound => Store::corrupt(column, key, Damage::FileMissing),
            ErrorKind::IOError if text.contains("No such file") => Store::corrupt(column, key, Damage::FileMissing),
            _ => rocks(&self.path, error),
        }
    }

    /// Reads a value that is wrapped in a frame.
    pub(crate) fn read_framed<T>(
        &self,
        column: Column,
        key: Key,
        decode: impl FnOnce(Vec<u8>) -> Result<T, Damage>,
    ) -> Result<T> {
        self.read(column, key.as_bytes(), |sealed| decode(frame::open(sealed)?))
    }

    /// A value as it is on disk, after a check of its frame.
    pub(crate) fn sealed(&self, column: Column, key: Key) -> Result<Vec<u8>> {
        self.read(column, key.as_bytes(), |sealed| {
            frame::check(sealed)?;
            Ok(sealed.to_vec())
        })
    }

    /// Goes through all values of a segment in a column, ascending by key. Damage that is told is that of the value.
    pub(crate) fn scan(
        &self,
        column: Column,
        segment: SegmentId,
        mut visit: impl FnMut(&[u8], &[u8]) -> Result<(), Damage>,
    ) -> Result<()> {
        let first = Key::segment(segment);
        let mut entries = self.db.raw_iterator_cf(self.column(column)?);
        entries.seek(first.as_bytes());
        while let Some((key, value)) = entries.item().filter(|(key, _)| key.starts_with(first.as_bytes())) {
            visit(key, value).map_err(|reason| Store::corrupt(column, key, reason))?;
            entries.next();
        }
        entries
            .status()
            .map_err(|error| self.failed_read(column, first.as_bytes(), error))
    }

    pub(crate) fn manifest(&self) -> Result<Manifest> {
        self.read(Column::Meta, MANIFEST_KEY, |sealed| {
            Manifest::decode(&frame::open(sealed)?)
        })
    }

    /// The removed games of a segment that has so many games, so many of them removed.
    pub(crate) fn removed(&self, segment: SegmentId, games: u32, count: u32) -> Result<Removed> {
        if count == 0 {
            return Ok(Removed::default());
        }
        self.read(Column::Meta, &numbered(REMOVED_PREFIX, segment.get()), |sealed| {
            Removed::decode(&frame::open(sealed)?, games, count)
        })
    }

    /// The texts that games came from, with their numbers.
    pub(crate) fn sources(&self) -> Result<Vec<(u32, Source)>> {
        let mode = IteratorMode::From(SOURCE_PREFIX, rocksdb::Direction::Forward);
        let mut sources = Vec::new();
        for entry in self.db.iterator_cf(self.column(Column::Meta)?, mode) {
            let (key, value) = entry.map_err(|error| self.failed_read(Column::Meta, SOURCE_PREFIX, error))?;
            let Some(number) = key.strip_prefix(SOURCE_PREFIX).and_then(|rest| rest.try_into().ok()) else {
                break;
            };
            let source = frame::open(&value)
                .and_then(|bytes| record::decode_source(&bytes))
                .map_err(|reason| Store::corrupt(Column::Meta, &key, reason))?;
            sources.push((u32::from_be_bytes(number), source));
        }
        Ok(sources)
    }

    /// How many bytes the sorted files of each column take.
    pub(crate) fn column_sizes(&self) -> Result<Vec<(&'static str, u64)>> {
        let files = self.db.live_files().map_err(|error| rocks(&self.path, error))?;
        Ok(Column::ALL
            .into_iter()
            .map(|column| {
                let own = files.iter().filter(|file| file.column_family_name == column.name());
                (column.name(), own.map(|file| file.size as u64).sum())
            })
            .collect())
    }

    /// The files that hold segments, as RocksDB lists them, with the column and the segment of each.
    pub(crate) fn segment_files(&self) -> Result<Vec<(Column, SegmentId, PathBuf)>> {
        let files = self.db.live_files().map_err(|error| rocks(&self.path, error))?;
        let found = files.into_iter().filter_map(|file| {
            let column = Column::OF_SEGMENTS
                .into_iter()
                .find(|column| column.name() == file.column_family_name)?;
            let segment = u32::from_be_bytes(*file.start_key.as_ref()?.first_chunk()?);
            let path = self.path.join(file.name.trim_start_matches('/'));
            Some((column, SegmentId::new(segment), path))
        });
        Ok(found.collect())
    }

    /// A posting list of so many positions, from the cache or from the disk.
    pub(crate) fn postings(&self, segment: SegmentId, term: Term, total: u32) -> Result<Arc<Postings>> {
        if let Some(postings) = self.cache.get(&(segment, term)) {
            return Ok(postings);
        }
        let key = Key::term(segment, term);
        let postings = self.read(Column::Postings, key.as_bytes(), |sealed| {
            Postings::from_bytes(frame::stored(sealed)?.to_vec(), total)
        })?;
        let postings = Arc::new(postings);
        self.cache.insert((segment, term), Arc::clone(&postings));
        Ok(postings)
    }
}

/// What the system said that RocksDB tells in words, with the file.
const REFUSALS: [(&str, io::ErrorKind); 2] = [
    (": Permission denied", io::ErrorKind::PermissionDenied),
    (": Read-only file system", io::ErrorKind::ReadOnlyFilesystem),
];

/// What RocksDB says, with the cases told apart that a user can do something about.
fn rocks(path: &Path, source: rocksdb::Error) -> Error {
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
    let is_io = source.kind() == ErrorKind::IOError;
    if is_io && (text.contains("lock hold by") || text.contains("LOCK: Resource")) {
        Error::Locked { path }
    } else if text.contains("Too many open files") {
        Error::TooManyFiles { path }
    } else if text.contains("No space left") || source.kind() == ErrorKind::Aborted && text.contains("space") {
        Error::DiskFull { path }
    } else {
        Error::Rocks { path, source }
    }
}
