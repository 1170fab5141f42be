//! Creating, opening and recovering a database, also while other processes write to it.

use std::{fs, io, path::Path, thread, time::Duration};

use rocksdb::{DB, ErrorKind};

use super::{
    Access, FORMAT_KEY, FORMAT_VERSION, MAGIC, MetaChange, OLDEST_GAMES, OLDEST_READ, REMOVED_PREFIX, Store,
    cache::Cache,
    copy, generation, numbered,
    rocks::{self, ListOfFiles},
    writing::{Mend, SMALL, mend},
};
use crate::{
    column::{Column, column_options, database_options},
    error::{Error, NotADatabase, Result, is_missing},
    frame::Sealer,
    record::{Manifest, Records},
    steps,
};

/// How often a reader tries to open a database that a writer is changing, and how long it waits between two attempts.
const ATTEMPTS: u32 = 40;
const PAUSE: Duration = Duration::from_millis(5);

/// How many files a writer keeps open at once: the fewest that RocksDB takes. It opens a quarter of those beyond ten at
/// once, which a small addition never reads.
const WRITER_FILES: i32 = 20;

/// What exists at a path.
enum Place {
    /// Nothing, or an empty directory.
    Vacant,
    /// A database whose creation was interrupted.
    Unfinished,
    /// Something else; it may be a database.
    Taken,
}

fn look(path: &Path) -> Result<Place> {
    match fs::read_dir(path) {
        Ok(mut entries) => Ok(match entries.next() {
            None => Place::Vacant,
            Some(_) if generation::find(path)? == Some(0) => Place::Unfinished,
            Some(_) => Place::Taken,
        }),
        Err(error) if is_missing(&error) => Ok(Place::Vacant),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(Place::Taken),
        Err(error) => Err(Error::io(path)(error)),
    }
}

impl Store {
    /// Makes a directory with an empty database, or finishes a creation that was interrupted.
    pub(crate) fn create(path: &Path) -> Result<Store> {
        if let Place::Taken = look(path)? {
            return Err(Error::AlreadyExists { path: path.to_owned() });
        }
        fs::create_dir_all(path).map_err(Error::io(path))?;
        generation::create(path)?;
        steps::reached("creation begun");
        let mut options = database_options();
        options.create_if_missing(true);
        options.create_missing_column_families(true);
        let db = DB::open_cf_descriptors(&options, path, Column::ALL.map(Column::descriptor))
            .map_err(|error| rocks::error(path, error))?;
        steps::reached("columns created");
        let store = Store::new(db, path, Access::Write);
        store.clear_leftovers(|_| false)?;
        let mut records = Records::default();
        records.manifest.generation = 1;
        store.commit(&records, new_records())?;
        Ok(store)
    }

    /// Whether a database can be created at a path: it is vacant, or a creation there was interrupted.
    pub(crate) fn is_vacant(path: &Path) -> Result<bool> {
        Ok(!matches!(look(path)?, Place::Taken))
    }

    /// Opens a database. Checks that it is one of ours, has a format that we read, and has its last commit.
    pub(crate) fn open(path: &Path, access: Access) -> Result<Store> {
        Store::open_formats(path, access, OLDEST_READ)
    }

    /// Opens a database whose index is to be made again, for writing; it may have an older format.
    pub(crate) fn open_to_rebuild(path: &Path) -> Result<Store> {
        Store::open_formats(path, Access::Write, OLDEST_GAMES)
    }

    /// Opens a database of a format from the oldest one up to ours.
    fn open_formats(path: &Path, access: Access, oldest: u32) -> Result<Store> {
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_dir() => return Err(Error::not_a_database(path, NotADatabase::File)),
            Ok(_) => {}
            Err(error) if is_missing(&error) => return Err(Error::not_a_database(path, NotADatabase::Missing)),
            Err(error) => return Err(Error::io(path)(error)),
        }
        let mut list = ListOfFiles::of(path);
        for attempt in 1.. {
            // A writer changes the list before it removes a file. So when the list stayed the same from one attempt to
            // the next, no writer is to blame.
            let before = std::mem::replace(&mut list, ListOfFiles::of(path));
            let is_quiet = attempt > 1 && list == before;
            let is_last = attempt == ATTEMPTS || is_quiet || access == Access::Write;
            match Store::try_open(path, access, oldest) {
                Ok(store) if is_last || store.has_all_files()? => return Ok(store),
                // A writer has just replaced the list, or a file on it.
                Ok(_) => {}
                Err(error) if is_last || !may_be_a_race(&error) => return Err(error),
                Err(_) => {}
            }
            thread::sleep(PAUSE);
        }
        unreachable!("the last attempt returns")
    }

    fn try_open(path: &Path, access: Access, oldest: u32) -> Result<Store> {
        // This is read first: a commit that another process makes from here on is newer than the number, which is
        // right.
        let committed = generation::find(path)?;
        if committed == Some(0) {
            return Err(Error::not_a_database(path, NotADatabase::Unfinished));
        }
        if !rocks::is_created(path) {
            let reason = match committed {
                None => NotADatabase::OtherDirectory,
                Some(_) => NotADatabase::NoCurrent,
            };
            return Err(Error::not_a_database(path, reason));
        }
        if access == Access::Write {
            // What is wrong with the database is said below.
            let _ = mend(path);
        }
        let store = Store::open_unchecked(path, access, false)?;
        store.check_format(oldest)?;
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

    /// Opens a database without reading its records. Missing columns are created on request.
    pub(super) fn open_unchecked(path: &Path, access: Access, creates_columns: bool) -> Result<Store> {
        rocks::check_logs(path)?;
        let mut options = database_options();
        options.create_missing_column_families(creates_columns);
        let columns = Column::ALL.map(Column::descriptor);
        let db = match access {
            Access::Write => {
                // A writer reads few files. A reader opens all of them at once, because a writer may remove them.
                options.set_max_open_files(WRITER_FILES);
                DB::open_cf_descriptors(&options, path, columns)
            }
            Access::Read => DB::open_cf_descriptors_read_only(&options, path, columns, false),
        };
        let db = db.map_err(|error| {
            if error.kind() == ErrorKind::InvalidArgument && rocks::has_other_columns(path) {
                match access {
                    Access::Write => Store::other_columns(path),
                    Access::Read => Error::not_a_database(path, NotADatabase::OtherProgram),
                }
            } else {
                rocks::error(path, error)
            }
        })?;
        Ok(Store::new(db, path, access))
    }

    /// Writes the `meta` column anew if something in it can't be read: from what can be read, or from the copy that
    /// each commit leaves. The sources are lost then. Returns whether that was necessary.
    pub(crate) fn recover(path: &Path) -> Result<bool> {
        let damage = match Store::open_to_rebuild(path).and_then(|store| store.records()) {
            Ok(_) => return Ok(false),
            Err(error @ (Error::Corrupt { .. } | Error::NotADatabase { .. })) => error,
            Err(error) => return Err(error),
        };
        // Without a copy, this may not be a database of ours at all.
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
        let name = Column::Meta.family();
        let failed = |error| rocks::error(path, error);
        store.db.drop_cf(name).map_err(failed)?;
        store.db.create_cf(name, &column_options()).map_err(failed)?;
        store.commit(&records, change)?;
        Ok(true)
    }

    /// Reads the whole `meta` column. The sources are read too, but not returned.
    fn records(&self) -> Result<Records> {
        self.sources()?;
        self.current_records()
    }

    /// The records that the copy of the last commit has.
    pub(super) fn current_records(&self) -> Result<Records> {
        self.removed_of(self.manifest()?)
    }

    fn removed_of(&self, manifest: Manifest) -> Result<Records> {
        let mut removed = Vec::new();
        for record in manifest.segments.iter().filter(|record| record.removed_games > 0) {
            let games = self.removed(record.id, record.games, record.removed_games)?;
            removed.push((record.id, games.encode()));
        }
        Ok(Records { manifest, removed })
    }

    /// The format that the database says it has; `None` if it does not say.
    pub(crate) fn format(&self) -> Result<Option<u32>> {
        let format = self
            .db
            .get_pinned_cf(self.column(Column::Meta)?, FORMAT_KEY)
            .map_err(|error| self.failed_read(Column::Meta, FORMAT_KEY, error))?;
        let version = format
            .as_deref()
            .and_then(|value| value.strip_prefix(MAGIC))
            .and_then(|rest| rest.try_into().ok());
        Ok(version.map(u32::from_le_bytes))
    }

    fn check_format(&self, oldest: u32) -> Result<()> {
        match self.format()? {
            None => Err(Error::not_a_database(&self.path, NotADatabase::NoFormat)),
            Some(found) if (oldest..=FORMAT_VERSION).contains(&found) => Ok(()),
            Some(found) => Err(self.other_format(found)),
        }
    }

    fn other_format(&self, found: u32) -> Error {
        Error::FormatVersion {
            path: self.path.clone(),
            found,
            supported: FORMAT_VERSION,
            help: if found > FORMAT_VERSION {
                "a newer program wrote it: use that one, or a later one; nothing is changed"
            } else if found >= OLDEST_GAMES {
                "`cqldex rebuild DB` makes its index anew from the games in it"
            } else {
                "index the games again, or use the program that wrote it"
            },
        }
    }

    /// The error for a database that has columns which we do not know: it is of a newer format, or of another program.
    fn other_columns(path: &Path) -> Error {
        // For reading, RocksDB needs no more columns than are asked for.
        let format = Store::open_unchecked(path, Access::Read, false).and_then(|store| Ok((store.format()?, store)));
        match format {
            Ok((Some(found), store)) if found > FORMAT_VERSION => store.other_format(found),
            _ => Error::not_a_database(path, NotADatabase::OtherProgram),
        }
    }

    /// Says that the database has our format from now on.
    pub(crate) fn set_format(&self) -> Result<Records> {
        let mut records = self.current_records()?;
        records.manifest.generation += 1;
        self.commit(&records, new_records())?;
        Ok(records)
    }

    /// Whether all files that RocksDB lists exist: a writer may have removed one before it was opened.
    fn has_all_files(&self) -> Result<bool> {
        Ok(self.live_files()?.iter().all(|file| file.path.exists()))
    }

    fn new(db: DB, path: &Path, access: Access) -> Store {
        Store {
            db,
            path: path.to_owned(),
            access,
            cache: Cache::new(),
            small: SMALL.into(),
            mend: Mend::new(path),
        }
    }
}

/// What a new `meta` column begins with.
fn new_records() -> MetaChange {
    let mut format = MAGIC.to_vec();
    format.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
    let mut change = MetaChange::default();
    change.put(FORMAT_KEY.to_vec(), format);
    change
}

/// Whether an error can come from a writer that was replacing files at that moment.
fn may_be_a_race(error: &Error) -> bool {
    match error {
        Error::Rocks { .. } | Error::Corrupt { .. } | Error::Outdated { .. } | Error::DamagedLog { .. } => true,
        Error::NotADatabase { reason, .. } => matches!(reason, NotADatabase::NoCurrent | NotADatabase::NoFormat),
        _ => false,
    }
}
