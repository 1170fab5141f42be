//! Creating and opening: what is a database, and what is one that others are writing to.

use std::{fs, io, path::Path, thread, time::Duration};

use rocksdb::{DB, ErrorKind};

use super::{
    Access, FORMAT_KEY, FORMAT_VERSION, MAGIC, MetaChange, REMOVED_PREFIX, Store, cache, copy, generation, log,
    numbered, rocks,
};
use crate::{
    column::{Column, column_options, database_options},
    error::{Error, Result},
    frame::Sealer,
    id::SegmentId,
    record::{Manifest, Records},
    steps,
};

/// How often a reader looks again when a writer took away what it was about to open, and how long it waits between.
const ATTEMPTS: u32 = 40;
const PAUSE: Duration = Duration::from_millis(5);

/// How many files a writer keeps open at once.
const WRITER_FILES: i32 = 64;

/// What stands at a path.
enum Place {
    /// Nothing, or an empty directory.
    Vacant,
    /// A database whose creation was interrupted.
    Unfinished,
    /// Something, a database perhaps.
    Taken,
}

fn look(path: &Path) -> Result<Place> {
    match fs::read_dir(path) {
        Ok(mut entries) => Ok(match entries.next() {
            None => Place::Vacant,
            Some(_) if generation::find(path)? == Some(0) => Place::Unfinished,
            Some(_) => Place::Taken,
        }),
        Err(error) if generation::is_missing(&error) => Ok(Place::Vacant),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(Place::Taken),
        Err(source) => Err(Error::Io {
            path: path.to_owned(),
            source,
        }),
    }
}

fn no_database(path: &Path, reason: &str) -> Error {
    Error::NotADatabase {
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
}

impl Store {
    /// Makes a directory with an empty database in it, or ends what an interrupted run began.
    pub(crate) fn create(path: &Path) -> Result<Store> {
        if let Place::Taken = look(path)? {
            return Err(Error::AlreadyExists { path: path.to_owned() });
        }
        fs::create_dir_all(path).map_err(|source| Error::Io {
            path: path.to_owned(),
            source,
        })?;
        generation::create(path)?;
        steps::reached("creation begun");
        let mut options = database_options();
        options.create_if_missing(true);
        options.create_missing_column_families(true);
        let db = DB::open_cf_descriptors(&options, path, Column::ALL.map(Column::descriptor))
            .map_err(|error| rocks(path, error))?;
        steps::reached("columns created");
        let store = Store::new(db, path, Access::Write);
        store.clear_leftovers(|_| false)?;
        let mut records = Records::default();
        records.manifest.generation = 1;
        store.commit(&records, new_records())?;
        Ok(store)
    }

    /// Whether there is nothing, or no more than an interrupted creation.
    pub(crate) fn is_vacant(path: &Path) -> Result<bool> {
        Ok(!matches!(look(path)?, Place::Taken))
    }

    /// Opens a database and checks that it is one of ours, of our version, and as new as its last commit.
    pub(crate) fn open(path: &Path, access: Access) -> Result<Store> {
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_dir() => return Err(no_database(path, "it is a file")),
            Ok(_) => {}
            Err(error) if generation::is_missing(&error) => return Err(no_database(path, "there is nothing")),
            Err(source) => {
                return Err(Error::Io {
                    path: path.to_owned(),
                    source,
                });
            }
        }
        let mut stamp = list_of_files(path);
        for attempt in 1.. {
            // Who takes a file away has told so in the list of files before.
            let before = std::mem::replace(&mut stamp, list_of_files(path));
            let is_quiet = attempt > 1 && stamp == before;
            let is_last = attempt == ATTEMPTS || is_quiet || access == Access::Write;
            match Store::try_open(path, access) {
                Ok(store) if is_last || store.has_all_files()? => return Ok(store),
                // A writer has just replaced the list of files that was to be read, or a file on it.
                Ok(_) => {}
                Err(error) if is_last || !may_be_a_race(&error) => return Err(error),
                Err(_) => {}
            }
            thread::sleep(PAUSE);
        }
        unreachable!("the last attempt returns")
    }

    fn try_open(path: &Path, access: Access) -> Result<Store> {
        // Before the rest: what is committed in between is newer, and that is no fault.
        let committed = generation::find(path)?;
        if committed == Some(0) {
            return Err(no_database(
                path,
                "its creation was interrupted; index again to finish it",
            ));
        }
        if !path.join("CURRENT").is_file() {
            return Err(no_database(
                path,
                match committed {
                    None => "the directory holds something else",
                    Some(_) => "its file CURRENT is missing",
                },
            ));
        }
        let store = Store::open_unchecked(path, access, false)?;
        store.check_format()?;
        let found = store.manifest()?.generation;
        match committed {
            Some(committed) if committed > found => Err(Error::Outdated {
                path: path.to_owned(),
                found,
                committed,
            }),
            _ => Ok(store),
        }
    }

    /// Opens a database whatever its records are; missing columns are made on request.
    fn open_unchecked(path: &Path, access: Access, makes_columns: bool) -> Result<Store> {
        log::check(path)?;
        let mut options = database_options();
        options.create_missing_column_families(makes_columns);
        let columns = Column::ALL.map(Column::descriptor);
        if access == Access::Write {
            // A writer reads few of the files, if any; readers open all, because a writer may take them away.
            options.set_max_open_files(WRITER_FILES);
        }
        let db = match access {
            Access::Write => DB::open_cf_descriptors(&options, path, columns),
            Access::Read => DB::open_cf_descriptors_read_only(&options, path, columns, false),
        };
        let db = db.map_err(|error| {
            let foreign = error.kind() == ErrorKind::InvalidArgument && error.as_ref().contains("olumn famil");
            if foreign {
                no_database(path, "it is a RocksDB of another program")
            } else {
                rocks(path, error)
            }
        })?;
        Ok(Store::new(db, path, access))
    }

    /// Makes the `meta` column anew if something in it can't be read: from what can, or from the copy that each commit
    /// leaves. The sources are gone then. Gives whether that was necessary.
    pub(crate) fn recover(path: &Path) -> Result<bool> {
        let damage = match Store::open(path, Access::Write).and_then(|store| store.records()) {
            Ok(_) => return Ok(false),
            Err(error @ (Error::Corrupt { .. } | Error::NotADatabase { .. })) => error,
            Err(error) => return Err(error),
        };
        // Without it nobody knows whether this is a database at all.
        let Some(copy) = copy::read(path) else {
            return Err(damage);
        };
        let mut store = Store::open_unchecked(path, Access::Write, true)?;
        // A copy may be one commit behind.
        let mut records = match store.manifest().and_then(|manifest| store.removed_of(manifest)) {
            Ok(records) if records.manifest.generation >= copy.manifest.generation => records,
            _ => copy,
        };
        records.manifest.generation += 1;
        let mut change = new_records();
        for (segment, removed) in &records.removed {
            change.put(numbered(REMOVED_PREFIX, *segment), Sealer::new(3).seal(removed)?);
        }
        let name = Column::Meta.name();
        let failed = |error| rocks(path, error);
        store.db.drop_cf(name).map_err(failed)?;
        store.db.create_cf(name, &column_options()).map_err(failed)?;
        store.commit(&records, change)?;
        Ok(true)
    }

    /// All that the `meta` column has, sources read and left out.
    fn records(&self) -> Result<Records> {
        self.sources()?;
        self.current_records()
    }

    /// What the last commit has left a copy of.
    pub(super) fn current_records(&self) -> Result<Records> {
        self.removed_of(self.manifest()?)
    }

    fn removed_of(&self, manifest: Manifest) -> Result<Records> {
        let mut removed = Vec::new();
        for record in manifest.segments.iter().filter(|record| record.removed_games > 0) {
            let games = self.removed(SegmentId::new(record.id), record.games, record.removed_games)?;
            removed.push((record.id, games.encode()));
        }
        Ok(Records { manifest, removed })
    }

    fn check_format(&self) -> Result<()> {
        let format = self
            .db
            .get_pinned_cf(self.column(Column::Meta)?, FORMAT_KEY)
            .map_err(|error| self.failed_read(Column::Meta, FORMAT_KEY, error))?;
        let version = format
            .as_deref()
            .and_then(|value| value.strip_prefix(MAGIC))
            .and_then(|rest| rest.try_into().ok());
        match version.map(u32::from_le_bytes) {
            None => Err(no_database(&self.path, "it has no format version")),
            Some(FORMAT_VERSION) => Ok(()),
            Some(found) => Err(Error::FormatVersion {
                path: self.path.clone(),
                found,
                supported: FORMAT_VERSION,
            }),
        }
    }

    /// Whether the files that RocksDB has listed are there: a writer may have taken one away before it was opened.
    fn has_all_files(&self) -> Result<bool> {
        let files = self.db.live_files().map_err(|error| rocks(&self.path, error))?;
        Ok(files
            .iter()
            .all(|file| self.path.join(file.name.trim_start_matches('/')).exists()))
    }

    fn new(db: DB, path: &Path, access: Access) -> Store {
        Store {
            db,
            path: path.to_owned(),
            read_only: access == Access::Read,
            cache: cache::new(),
        }
    }
}

/// What a `meta` column begins with.
fn new_records() -> MetaChange {
    let mut format = MAGIC.to_vec();
    format.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
    let mut change = MetaChange::default();
    change.put(FORMAT_KEY.to_vec(), format);
    change
}

/// The name of RocksDB's list of files, and how long it is.
fn list_of_files(path: &Path) -> Option<(String, u64)> {
    let name = fs::read_to_string(path.join("CURRENT")).ok()?;
    let length = fs::metadata(path.join(name.trim_end())).ok()?.len();
    Some((name, length))
}

/// Whether an error may come from a writer that was replacing files at that moment.
fn may_be_a_race(error: &Error) -> bool {
    match error {
        Error::Rocks { .. } | Error::Corrupt { .. } | Error::Outdated { .. } | Error::DamagedLog { .. } => true,
        Error::NotADatabase { reason, .. } => reason.contains("CURRENT") || reason.contains("format version"),
        _ => false,
    }
}
