//! RocksDB behind typed columns and checked values.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicUsize},
};

use postings::{Damage, Postings, Term, TermStats};
use rocksdb::{ColumnFamily, DB, ErrorKind, IteratorMode};

use crate::{
    column::Column,
    error::{Error, NotADatabase, Result},
    frame,
    id::SegmentId,
    key::Key,
    record::{self, Manifest, SegmentRecord},
    removed::Removed,
    segment_key::SegmentKey,
    source::Source,
    trees::TreeBlock,
};

mod cache;
mod copy;
mod generation;
mod opening;
mod rocks;
mod writing;

use cache::Cache;
use rocks::LiveFile;
use writing::Mend;
pub(crate) use writing::MetaChange;

/// The version of the format on disk; see `docs/format.md`.
pub(crate) const FORMAT_VERSION: u32 = 10;

/// The oldest format that is read and grown as it is: in version 7, segments have no annotations.
const OLDEST_READ: u32 = 7;

/// The oldest format whose games are stored as they are today, so that `rebuild` can make a database of ours of it.
const OLDEST_GAMES: u32 = 5;

/// What the value of `format` begins with.
const MAGIC: &[u8; 8] = b"cqldex\0\0";
const FORMAT_KEY: &[u8] = b"format";
const MANIFEST_KEY: &[u8] = b"manifest";
/// The removed games of a segment; its number follows.
const REMOVED_PREFIX: &[u8] = b"removed";
/// A source; its number follows.
const SOURCE_PREFIX: &[u8] = b"source";

/// A key of the `meta` column that ends in a number.
fn numbered(prefix: &[u8], number: u32) -> Vec<u8> {
    [prefix, &number.to_be_bytes()].concat()
}

/// An open database.
pub(crate) struct Store {
    db: DB,
    path: PathBuf,
    access: Access,
    cache: Cache,
    /// A segment with fewer bytes is put into one file.
    small: AtomicUsize,
    /// After `db`: it works when that is closed.
    mend: Mend,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store")
            .field("path", &self.path)
            .field("access", &self.access)
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
    /// The number of the last commit that has left its file; `None` in a directory without one.
    pub(crate) fn newest_commit(&self) -> Result<Option<u64>> {
        generation::find(&self.path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn column(&self, column: Column) -> Result<&ColumnFamily> {
        self.db
            .cf_handle(column.family())
            .ok_or_else(|| Error::not_a_database(&self.path, NotADatabase::NoColumn(column.name())))
    }

    pub(crate) fn check_writable(&self) -> Result<()> {
        match self.access {
            Access::Write => Ok(()),
            Access::Read => Err(Error::ReadOnly {
                path: self.path.clone(),
            }),
        }
    }

    /// Reads a record of the `meta` column and decodes it with `decode`, which has to check it.
    fn read_record<T>(&self, key: &[u8], decode: impl FnOnce(&[u8]) -> Result<T, Damage>) -> Result<T> {
        self.read(Column::Meta, Column::Meta, key, decode)
    }

    /// The same for a value of a segment.
    pub(crate) fn read_value<T>(&self, key: Key, decode: impl FnOnce(&[u8]) -> Result<T, Damage>) -> Result<T> {
        self.read(key.host(), key.column(), key.as_bytes(), decode)
    }

    /// Reads a value from the column `host`, which belongs to `column`.
    fn read<T>(
        &self,
        host: Column,
        column: Column,
        key: &[u8],
        decode: impl FnOnce(&[u8]) -> Result<T, Damage>,
    ) -> Result<T> {
        let value = self
            .db
            .get_pinned_cf(self.column(host)?, key)
            .map_err(|error| self.failed_read(column, key, error))?;
        let value = value.ok_or(Damage::Missing);
        value
            .and_then(|value| decode(&value))
            .map_err(|reason| Error::corrupt(column, key, reason))
    }

    /// The error for a value that RocksDB could not read. Bytes and files that are not as written are damage; a disk
    /// that fails is not.
    fn failed_read(&self, column: Column, key: &[u8], error: rocksdb::Error) -> Error {
        if error.kind() == ErrorKind::Corruption {
            Error::corrupt(column, key, Damage::Checksum)
        } else if rocks::is_file_missing(&error) {
            Error::corrupt(column, key, Damage::FileMissing)
        } else {
            rocks::error(&self.path, error)
        }
    }

    /// Reads a value of a segment in a frame; `decode` gets the unpacked payload.
    pub(crate) fn read_framed<T>(&self, key: Key, decode: impl FnOnce(Vec<u8>) -> Result<T, Damage>) -> Result<T> {
        self.read_value(key, |sealed| decode(frame::open(sealed)?))
    }

    /// A value of a segment as it is on disk, with its frame. The checksum is checked.
    pub(crate) fn sealed(&self, key: Key) -> Result<Vec<u8>> {
        self.read_value(key, |sealed| {
            frame::check(sealed)?;
            Ok(sealed.to_vec())
        })
    }

    /// Visits all values of a segment in a column, ascending by key. Damage that `visit` returns is reported for the
    /// key that it was called with.
    pub(crate) fn scan(
        &self,
        segment: SegmentId,
        column: Column,
        mut visit: impl FnMut(&[u8], &[u8]) -> Result<(), Damage>,
    ) -> Result<()> {
        let first = Key::segment(segment, column);
        let mut entries = self.db.raw_iterator_cf(self.column(first.host())?);
        entries.seek(first.as_bytes());
        while let Some((key, value)) = entries.item().filter(|(key, _)| key.starts_with(first.as_bytes())) {
            visit(key, value).map_err(|reason| Error::corrupt(column, key, reason))?;
            entries.next();
        }
        entries
            .status()
            .map_err(|error| self.failed_read(column, first.as_bytes(), error))
    }

    pub(crate) fn manifest(&self) -> Result<Manifest> {
        self.read_record(MANIFEST_KEY, |sealed| Manifest::decode(&frame::open(sealed)?))
    }

    /// The keys of the segments that the database in a directory has at this moment.
    pub(crate) fn current_keys(path: &Path) -> Result<Vec<SegmentKey>> {
        let manifest = Store::open(path, Access::Read)?.manifest()?;
        Ok(manifest.segments.iter().map(SegmentRecord::key).collect())
    }

    /// The keys of the segments of the last commit, from the copy of its records; `None` if it can't be read. The copy
    /// may be one commit behind.
    pub(crate) fn copied_keys(path: &Path) -> Option<Vec<SegmentKey>> {
        let records = copy::read(path)?;
        Some(records.manifest.segments.iter().map(SegmentRecord::key).collect())
    }

    /// The removed games of a segment with `games` games, `count` of which are removed.
    pub(crate) fn removed(&self, segment: u32, games: u32, count: u32) -> Result<Removed> {
        if count == 0 {
            return Ok(Removed::default());
        }
        self.read_record(&numbered(REMOVED_PREFIX, segment), |sealed| {
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
                .map_err(|reason| Error::corrupt(Column::Meta, &key, reason))?;
            sources.push((u32::from_be_bytes(number), source));
        }
        Ok(sources)
    }

    fn live_files(&self) -> Result<Vec<LiveFile>> {
        rocks::live_files(&self.db, &self.path)
    }

    /// How many bytes the sorted files of each column take.
    pub(crate) fn column_sizes(&self) -> Result<Vec<(&'static str, u64)>> {
        let files = self.live_files()?;
        let size = |column: Column| {
            let own = files.iter().filter(|file| file.column == Some(column));
            (column.name(), own.map(|file| file.bytes).sum())
        };
        Ok(Column::ALL.into_iter().map(size).collect())
    }

    /// The files of segments, in the order of RocksDB, with the column and the number of the segment of each.
    pub(crate) fn segment_files(&self) -> Result<Vec<(Column, u32, PathBuf)>> {
        let found = self.live_files()?.into_iter().filter_map(|file| {
            let column = file.column.filter(|column| *column != Column::Meta)?;
            let segment = u32::from_be_bytes(*file.first_key.as_ref()?.first_chunk()?);
            Some((column, segment, file.path))
        });
        Ok(found.collect())
    }

    /// Sets how many bytes of posting lists and move trees are kept in memory.
    pub(crate) fn set_cache(&self, bytes: u64) {
        self.cache.set_capacity(bytes);
    }

    /// Whether the posting list of a term is in the cache.
    pub(crate) fn has_in_memory(&self, segment: SegmentId, term: Term) -> bool {
        self.cache.has(cache::Key::List(segment, term))
    }

    /// The posting list of a term, which the directory describes, from the cache or from the disk.
    pub(crate) fn postings(&self, segment: SegmentId, term: Term, stats: TermStats) -> Result<Arc<Postings>> {
        if let Some(postings) = self.cache.list(segment, term) {
            return Ok(postings);
        }
        let key = Key::term(segment, term);
        let postings = self.read_value(key, |sealed| {
            if sealed.len() != stats.bytes as usize {
                return Err(Damage::Invalid("the list is not as long as the directory says"));
            }
            Postings::from_bytes(frame::open(sealed)?, stats.cardinality)
        })?;
        let postings = Arc::new(postings);
        self.cache.keep_list(segment, term, &postings);
        Ok(postings)
    }

    /// A block of move trees from the cache, or from `read`, and then kept there if `keep` says so.
    pub(crate) fn trees(
        &self,
        segment: SegmentId,
        block: u32,
        keep: bool,
        read: impl FnOnce() -> Result<TreeBlock>,
    ) -> Result<Arc<TreeBlock>> {
        if let Some(trees) = self.cache.trees(segment, block) {
            return Ok(trees);
        }
        let trees = Arc::new(read()?);
        if keep {
            self.cache.keep_trees(segment, block, &trees);
        }
        Ok(trees)
    }
}
