//! RocksDB behind typed columns and checked values.

use std::{
    cell::RefCell,
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rocksdb::{ColumnFamily, DB, ErrorKind, IngestExternalFileOptions, IteratorMode, SstFileWriter, WriteOptions};

use crate::{
    column::{Column, column_options, database_options},
    error::{Damage, Error, Result},
    frame::{self, Sealer},
    id::SegmentId,
    key::{Key, hex},
    postings::Postings,
    record::Manifest,
    runs::{self, Run},
    term::Term,
};

/// The version of everything on disk; see `docs/format.md`.
pub(crate) const FORMAT_VERSION: u32 = 2;

/// The first bytes of the value that says what the directory is.
const MAGIC: &[u8; 8] = b"cqldex\0\0";
const FORMAT_KEY: &[u8] = b"format";
const MANIFEST_KEY: &[u8] = b"manifest";

/// Where files of a segment are written before RocksDB takes them over.
const INGEST: &str = "ingest";

/// How many bytes of posting lists are kept in memory.
const CACHE_BYTES: usize = 512 << 20;

/// An open database.
pub(crate) struct Store {
    db: DB,
    path: PathBuf,
    read_only: bool,
    cache: Mutex<Cache>,
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
    /// Makes a directory with an empty database in it.
    pub(crate) fn create(path: &Path) -> Result<Store> {
        match fs::read_dir(path) {
            Ok(mut entries) => {
                if entries.next().is_some() {
                    return Err(Error::AlreadyExists { path: path.to_owned() });
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(path).map_err(|source| Error::Io {
                    path: path.to_owned(),
                    source,
                })?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                return Err(Error::AlreadyExists { path: path.to_owned() });
            }
            Err(source) => {
                return Err(Error::Io {
                    path: path.to_owned(),
                    source,
                });
            }
        }
        let mut options = database_options();
        options.create_if_missing(true);
        options.create_missing_column_families(true);
        let db = DB::open_cf_descriptors(&options, path, Column::ALL.map(Column::descriptor))
            .map_err(|error| rocks(path, error))?;
        let store = Store::new(db, path, Access::Write);
        let mut format = MAGIC.to_vec();
        format.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
        store.put_meta(FORMAT_KEY, &format)?;
        store.write_manifest(&Manifest::default())?;
        Ok(store)
    }

    /// Opens a database and checks that it is one of ours, of our version.
    pub(crate) fn open(path: &Path, access: Access) -> Result<Store> {
        let no_database = |reason: &str| Error::NotADatabase {
            path: path.to_owned(),
            reason: reason.to_owned(),
        };
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_dir() => return Err(no_database("it is a file")),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(no_database("there is nothing")),
            Err(source) => {
                return Err(Error::Io {
                    path: path.to_owned(),
                    source,
                });
            }
        }
        if !path.join("CURRENT").is_file() {
            return Err(no_database("the directory holds something else"));
        }
        let options = database_options();
        let open = || {
            let columns = Column::ALL.map(Column::descriptor);
            match access {
                Access::Write => DB::open_cf_descriptors(&options, path, columns),
                Access::Read => DB::open_cf_descriptors_read_only(&options, path, columns, false),
            }
        };
        let db = open().map_err(|error| {
            let foreign = error.kind() == ErrorKind::InvalidArgument && error.as_ref().contains("olumn famil");
            if foreign {
                no_database("it is a RocksDB of another program")
            } else {
                rocks(path, error)
            }
        })?;
        let store = Store::new(db, path, access);
        let format = store.db.get_pinned_cf(store.column(Column::Meta)?, FORMAT_KEY);
        let format = format.map_err(|error| rocks(path, error))?;
        let version = format
            .as_deref()
            .and_then(|value| value.strip_prefix(MAGIC))
            .and_then(|rest| rest.try_into().ok());
        match version.map(u32::from_le_bytes) {
            None => return Err(no_database("it has no format version")),
            Some(FORMAT_VERSION) => {}
            Some(found) => {
                return Err(Error::FormatVersion {
                    path: path.to_owned(),
                    found,
                    supported: FORMAT_VERSION,
                });
            }
        }
        drop(format);
        Ok(store)
    }

    fn new(db: DB, path: &Path, access: Access) -> Store {
        Store {
            db,
            path: path.to_owned(),
            read_only: access == Access::Read,
            cache: Mutex::new(Cache::default()),
        }
    }

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
            .map_err(|error| match error.kind() {
                ErrorKind::Corruption => Store::corrupt(column, key, Damage::Checksum),
                _ => rocks(&self.path, error),
            })?;
        let value = value.ok_or(Damage::Missing);
        value
            .and_then(|value| decode(&value))
            .map_err(|reason| Store::corrupt(column, key, reason))
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

    pub(crate) fn manifest(&self) -> Result<Manifest> {
        self.read(Column::Meta, MANIFEST_KEY, |sealed| {
            Manifest::decode(&frame::open(sealed)?)
        })
    }

    pub(crate) fn write_manifest(&self, manifest: &Manifest) -> Result<()> {
        let sealed = Sealer::new(1)?.seal(&manifest.encode())?;
        self.put_meta(MANIFEST_KEY, &sealed)
    }

    /// Writes a small record; it is on the disk when this returns.
    pub(crate) fn put_meta(&self, key: &[u8], value: &[u8]) -> Result<()> {
        self.check_writable()?;
        let mut durable = WriteOptions::default();
        durable.set_sync(true);
        let column = self.column(Column::Meta)?;
        self.db
            .put_cf_opt(column, key, value, &durable)
            .map_err(|error| rocks(&self.path, error))
    }

    /// Adds values of a segment to a column, ascending by key, as one sorted file; gives back its size.
    pub(crate) fn ingest<'a>(
        &self,
        column: Column,
        segment: SegmentId,
        values: impl Iterator<Item = (Key, &'a [u8])>,
    ) -> Result<u64> {
        self.check_writable()?;
        let directory = self.path.join(INGEST);
        fs::create_dir_all(&directory).map_err(|source| Error::Io {
            path: directory.clone(),
            source,
        })?;
        let file = directory.join(format!("{segment}-{}.sst", column.name()));
        let options = column_options();
        let mut writer = SstFileWriter::create(&options);
        let failed = |error| rocks(&self.path, error);
        writer.open(&file).map_err(failed)?;
        for (key, value) in values {
            writer.put(key.as_bytes(), value).map_err(failed)?;
        }
        writer.finish().map_err(failed)?;
        let size = writer.file_size();
        let mut ingest = IngestExternalFileOptions::default();
        ingest.set_move_files(true);
        self.db
            .ingest_external_file_cf_opts(self.column(column)?, &ingest, vec![&file])
            .map_err(failed)?;
        Ok(size)
    }

    /// Removes segments from this number on: what an interrupted run left.
    pub(crate) fn remove_from(&self, first: SegmentId) -> Result<()> {
        self.check_writable()?;
        let directory = self.path.join(INGEST);
        match fs::remove_dir_all(&directory) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(Error::Io {
                    path: directory,
                    source,
                });
            }
            _ => {}
        }
        let failed = |error| rocks(&self.path, error);
        let (from, to) = (Key::segment(first), [0xff; 9]);
        for column in Column::OF_SEGMENTS {
            let handle = self.column(column)?;
            let mode = IteratorMode::From(from.as_bytes(), rocksdb::Direction::Forward);
            if self
                .db
                .iterator_cf(handle, mode)
                .next()
                .transpose()
                .map_err(failed)?
                .is_some()
            {
                self.db
                    .delete_file_in_range_cf(handle, from.as_bytes(), &to)
                    .map_err(failed)?;
                self.db
                    .delete_range_cf(handle, from.as_bytes(), &to[..])
                    .map_err(failed)?;
            }
        }
        Ok(())
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

    /// A posting list from the cache, or from the disk.
    pub(crate) fn postings(&self, segment: SegmentId, term: Term) -> Result<Arc<Postings>> {
        let cached = self.cache().get((segment, term));
        if let Some(postings) = cached {
            return Ok(postings);
        }
        let key = Key::term(segment, term);
        let postings = self.read(Column::Postings, key.as_bytes(), read_postings)?;
        let postings = Arc::new(postings);
        self.cache().put((segment, term), Arc::clone(&postings));
        Ok(postings)
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Unpacks a posting list; the memory for the steps between is used again.
fn read_postings(sealed: &[u8]) -> Result<Postings, Damage> {
    thread_local! {
        static SCRATCH: RefCell<(Vec<u8>, Vec<Run>)> = const { RefCell::new((Vec::new(), Vec::new())) };
    }
    SCRATCH.with_borrow_mut(|(bytes, runs)| {
        frame::open_into(sealed, bytes)?;
        runs::decode_into(bytes, runs)?;
        Ok(Postings::from_runs(runs))
    })
}

/// What RocksDB says, with the cases told apart that a user can do something about.
fn rocks(path: &Path, source: rocksdb::Error) -> Error {
    let path = path.to_owned();
    let text = source.as_ref();
    if source.kind() == ErrorKind::IOError && (text.contains("lock hold by") || text.contains("LOCK: Resource")) {
        Error::Locked { path }
    } else {
        Error::Rocks { path, source }
    }
}

type CacheKey = (SegmentId, Term);

/// Lists that were read lately. When the young ones are half of what may be kept, they become the old ones and the
/// old ones go: every list that was used since survives.
#[derive(Debug, Default)]
struct Cache {
    young: HashMap<CacheKey, Arc<Postings>>,
    old: HashMap<CacheKey, Arc<Postings>>,
    young_bytes: usize,
}

impl Cache {
    fn get(&mut self, key: CacheKey) -> Option<Arc<Postings>> {
        if let Some(postings) = self.young.get(&key) {
            return Some(Arc::clone(postings));
        }
        let postings = self.old.remove(&key)?;
        self.put(key, Arc::clone(&postings));
        Some(postings)
    }

    fn put(&mut self, key: CacheKey, postings: Arc<Postings>) {
        let size = postings.as_bytes().len() + 256;
        if self.young_bytes + size > CACHE_BYTES / 2 {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        self.young_bytes += size;
        self.young.insert(key, postings);
    }
}
