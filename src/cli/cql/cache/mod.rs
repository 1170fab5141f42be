//! The database of a PGN file: created beside it, used again, and kept up to date.
//!
//! A folder `games.pgn.cqldex` holds a database and a record of what was read into it. The record tells whether the
//! database is up to date: by checksums of the file, or by its times if the system has times that programs can't set. A
//! file that only grew has its new games added; after any other change everything is indexed anew.
//!
//! Programs that search share the lock of a folder, and one that writes holds it alone, so that several programs can
//! use the same games at once.

mod fingerprint;
mod folder;
mod record;

use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use cqldex::{Database, IndexOptions, IndexProgress, Observer, Skipped};
use fingerprint::{Watch, watch};
use folder::{Folder, Lock};
use record::{Ending, Record, Stamp};
use tempfile::TempDir;

use crate::exit::Failure;

/// How often reading starts again if the file changes meanwhile.
const ATTEMPTS: u32 = 3;

/// How many of the appended bytes are checked before they are indexed.
const HEAD: u64 = 1 << 16;

/// How databases are made and opened.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// The memory and threads of the database.
    pub(super) database: cqldex::Options,
    /// How games are read into it.
    pub(super) index: IndexOptions,
}

impl Options {
    /// For a database that is only searched.
    fn reading(&self) -> cqldex::Options {
        cqldex::Options {
            read_only: true,
            ..self.database
        }
    }
}

/// The database of a file, open for searching.
#[derive(Debug)]
pub(super) struct Cached {
    /// The database.
    pub(super) database: Database,
    /// How many games of the file are not in it, and how many lack something.
    pub(super) lost_games: [u64; 2],
    /// Whether the file was read now.
    pub(super) is_new: bool,
    _keep: Keep,
}

/// Keeps the files of a database as long as it is used.
#[derive(Debug)]
enum Keep {
    Lock { _lock: Lock },
    Folder { _folder: TempDir },
}

/// Opens the database of a file, after making it or bringing it up to date.
///
/// # Errors
///
/// When the file can't be read or keeps changing, when there is no place for a database, or when it can't be written.
pub(super) fn open(pgn: &Path, options: &Options, observer: &dyn Observer) -> Result<Cached, Failure> {
    let source = Source::find(pgn)?;
    let folders = folder::candidates(&source.path);
    let mut is_new = false;
    for _ in 0..ATTEMPTS {
        for folder in &folders {
            if let Some(lock) = folder.lock_shared()
                && let Some((database, record)) = current(folder, &source, options)?
            {
                return Ok(Cached {
                    database,
                    lost_games: [record.skipped_games, record.damaged_games],
                    is_new,
                    _keep: Keep::Lock { _lock: lock },
                });
            }
        }
        let (folder, _lock) = folder::writable(&folders, pgn)?;
        // Another program may have done it in the meantime.
        if current(folder, &source, options)?.is_none() {
            update(folder, &source, options, observer)?;
            is_new = true;
        }
    }
    Err(Failure::message(format!(
        "{}: the file changes while it is read; try again when it does not",
        pgn.display()
    )))
}

/// Reads games from standard input into a temporary database.
///
/// # Errors
///
/// When they can't be read, or there is no place for them.
pub(super) fn read_stdin(options: &Options, observer: &dyn Observer) -> Result<Cached, Failure> {
    let folder = tempfile::tempdir().map_err(|error| Failure::message(format!("no temporary folder: {error}")))?;
    let mut database = Database::create(folder.path().join("db"), options.database)?;
    let summary = database.index(&["-"], &options.index, observer)?;
    if summary.cancelled {
        return Err(interrupted());
    }
    Ok(Cached {
        database,
        lost_games: [summary.skipped_games, summary.damaged_games],
        is_new: true,
        _keep: Keep::Folder { _folder: folder },
    })
}

fn interrupted() -> Failure {
    Failure::message("interrupted while the games were indexed")
}

/// A file with games.
#[derive(Debug)]
struct Source {
    /// The path as the user gave it.
    named: PathBuf,
    /// The real path.
    path: PathBuf,
}

impl Source {
    fn find(pgn: &Path) -> Result<Source, Failure> {
        let failed = |error: io::Error| Failure::message(format!("{}: {error}", pgn.display()));
        let path = pgn.canonicalize().map_err(failed)?;
        if !path.metadata().map_err(failed)?.is_file() {
            return Err(Failure::message(format!("{}: not a file with games", pgn.display())));
        }
        Ok(Source {
            named: pgn.to_owned(),
            path,
        })
    }

    fn open(&self) -> Result<File, Failure> {
        File::open(&self.path).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> Failure {
        Failure::message(format!("{}: {error}", self.named.display()))
    }
}

/// The database in a folder, which has to be locked, if it is up to date with the file.
fn current(folder: &Folder, source: &Source, options: &Options) -> Result<Option<(Database, Record)>, Failure> {
    let Some(record) = record_of(folder, source)? else {
        return Ok(None);
    };
    // A damaged database, or one of another version of the format, is created again.
    let Ok(database) = Database::open(folder.database(), options.reading()) else {
        return Ok(None);
    };
    let complete = database.games() == record.games;
    Ok(complete.then_some((database, record)))
}

/// The record in a folder, if it is up to date with the file.
fn record_of(folder: &Folder, source: &Source) -> Result<Option<Record>, Failure> {
    let path = source.path.to_string_lossy();
    let Some(mut record) = folder.record().filter(|record| record.path == path) else {
        return Ok(None);
    };
    let mut file = source.open()?;
    let metadata = file.metadata().map_err(|error| source.failed(&error))?;
    if metadata.len() != record.fingerprint.length {
        return Ok(None);
    }
    let stamp = Stamp::of(&metadata);
    if stamp.is_some() && stamp == record.stamp {
        return Ok(Some(record));
    }
    let same = record.fingerprint.is_prefix_of(&mut file);
    if !same.map_err(|error| source.failed(&error))? {
        return Ok(None);
    }
    if stamp.is_some() {
        // From now on the file is recognised by its times. If this can't be written, the file is read again the next
        // time.
        record.stamp = stamp;
        let _ = record.write(folder.path());
    }
    Ok(Some(record))
}

/// Brings a folder up to date, whose lock has to be held: adds the games that were appended, or indexes all.
fn update(folder: &Folder, source: &Source, options: &Options, observer: &dyn Observer) -> Result<(), Failure> {
    let (file, place) = (source.named.display(), folder.path().display());
    if let Some((old, mut database, reading)) = extendable(folder, source, options)? {
        note(&format!("{file} has grown: its new games are added to {place}"));
        return fill(folder, source, reading, &mut database, Some(&old), (options, observer));
    }
    note(&format!(
        "{file} is indexed into {place}, to be used again until the file changes"
    ));
    folder.clear()?;
    let reading = Reading::begin(source)?;
    let mut database = Database::create(folder.database(), options.database)?;
    fill(folder, source, reading, &mut database, None, (options, observer))
}

/// A file that is being read.
struct Reading {
    reader: Box<dyn Read + Send>,
    watch: Watch,
    /// As it was when the reading began.
    metadata: Metadata,
    /// How many bytes are not to be indexed.
    skipped: u64,
}

impl Reading {
    fn begin(source: &Source) -> Result<Reading, Failure> {
        let file = source.open()?;
        let metadata = file.metadata().map_err(|error| source.failed(&error))?;
        let (watched, watch) = watch(file);
        Ok(Reading {
            reader: Box::new(watched),
            watch,
            metadata,
            skipped: 0,
        })
    }

    /// Skips the bytes that are in the database, if the file still begins with them and a game begins behind them.
    fn skip(mut self, old: &Record) -> io::Result<Option<Reading>> {
        self.skipped = old.fingerprint.length;
        io::copy(&mut (&mut self.reader).take(self.skipped), &mut io::sink())?;
        if !self.watch.has_seen(&old.fingerprint) {
            return Ok(None);
        }
        let mut head = Vec::new();
        (&mut self.reader).take(HEAD).read_to_end(&mut head)?;
        let is_all = (head.len() as u64) < HEAD;
        if !old.ending.fits(&head, is_all) {
            return Ok(None);
        }
        self.reader = Box::new(io::Cursor::new(head).chain(self.reader));
        Ok(Some(self))
    }
}

/// The database with its record, and the file where the new games begin; `None` unless the file only has new games at
/// its end.
fn extendable(
    folder: &Folder,
    source: &Source,
    options: &Options,
) -> Result<Option<(Record, Database, Reading)>, Failure> {
    let path = source.path.to_string_lossy();
    let Some(record) = folder.record().filter(|record| record.path == path) else {
        return Ok(None);
    };
    let reading = Reading::begin(source)?;
    if reading.metadata.len() <= record.fingerprint.length {
        return Ok(None);
    }
    let skipped = reading.skip(&record);
    let Some(reading) = skipped.map_err(|error| source.failed(&error))? else {
        return Ok(None);
    };
    let Ok(database) = Database::open(folder.database(), options.database) else {
        return Ok(None);
    };
    let complete = database.games() == record.games;
    Ok(complete.then_some((record, database, reading)))
}

/// Reads a file into a database, and notes what was read. `old` is the record of what the database has already.
fn fill(
    folder: &Folder,
    source: &Source,
    reading: Reading,
    database: &mut Database,
    old: Option<&Record>,
    (options, observer): (&Options, &dyn Observer),
) -> Result<(), Failure> {
    let [skipped, damaged] = old.map_or([0; 2], |old| [old.skipped_games, old.damaged_games]);
    let shifted = Shifted {
        observer,
        lines: old.map_or(0, |old| old.lines),
        bytes: reading.skipped,
        games: old.map_or(0, |old| old.games + old.skipped_games),
    };
    let size = reading.metadata.len().saturating_sub(reading.skipped);
    let input = (source.named.as_path(), Some(size));
    let summary = database.index_stream(reading.reader, input, &options.index, &shifted)?;
    if summary.cancelled {
        return Err(interrupted());
    }
    let seen = reading.watch.seen();
    let ending = match summary.reasons.contains_key("unterminated comment") {
        true => Ending::Open,
        false => Ending::of(&seen.tail),
    };
    let record = Record {
        program: env!("CARGO_PKG_VERSION").to_owned(),
        path: source.path.to_string_lossy().into_owned(),
        fingerprint: seen.fingerprint,
        stamp: Stamp::of(&reading.metadata),
        lines: seen.lines,
        ending,
        games: database.games(),
        skipped_games: skipped + summary.skipped_games,
        damaged_games: damaged + summary.damaged_games,
    };
    let written = record.write(folder.path());
    written.map_err(|error| Failure::message(format!("{}: {error}", folder.path().display())))
}

/// Translates places in the appended part of a file to places in the whole file, for an observer.
struct Shifted<'a> {
    observer: &'a dyn Observer,
    lines: u64,
    bytes: u64,
    games: u64,
}

impl Observer for Shifted<'_> {
    fn progress(&self, progress: &IndexProgress) {
        self.observer.progress(progress);
    }

    fn skipped(&self, skipped: &Skipped) {
        let mut skipped = skipped.clone();
        skipped.line += self.lines;
        skipped.offset += self.bytes;
        skipped.game += self.games;
        self.observer.skipped(&skipped);
    }

    fn file(&self, path: &Path) {
        self.observer.file(path);
    }
}

/// Tells the user what is done besides the search.
fn note(text: &str) {
    let _ = writeln!(io::stderr(), "note: {text}");
}
