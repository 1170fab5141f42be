//! A database: opening, searching, changing.

use std::num::NonZeroUsize;
use std::path::Path;
use std::thread::available_parallelism;

use search::Threads;
use storage::Snapshot;

use crate::cancel::Cancel;
use crate::error::Result;
use crate::leaders::Leaders;
use crate::matches::{Detail, Matches, Summary};
use crate::options::{Planned, SearchOptions};
use crate::query::Query;

#[doc(inline)]
pub use storage::{AnswersUsage, Compaction, Moved, Rebuilt, Report, Source, Stats, end_background_threads};

#[doc(inline)]
pub use indexer::{Observer, Progress as IndexProgress, Reason, Skipped, Summary as IndexSummary};

/// How a database is opened.
///
/// ```
/// use std::num::NonZeroUsize;
///
/// let options = cqldex::Options {
///     cache: 64 << 20,
///     threads: NonZeroUsize::MIN,
///     read_only: true,
///     answers: Some(10 << 20),
/// };
/// # let _ = options;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many bytes of posting lists and of moves are kept in memory. The default, 768 MiB, holds nearly all lists of two
    /// million games.
    pub cache: u64,
    /// How many threads each search and each change may use; one for each core by default. They are started when they
    /// are first needed.
    pub threads: NonZeroUsize,
    /// Whether the database is only read. Any number of processes can read a database while one writes to it.
    pub read_only: bool,
    /// How many bytes kept answers may take; by default 2 % of the database, but at least a megabyte. Beyond that, those
    /// go that were not used for the longest time.
    pub answers: Option<u64>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            cache: 768 << 20,
            threads: available_parallelism().unwrap_or(NonZeroUsize::MIN),
            read_only: false,
            answers: None,
        }
    }
}

/// A directory with indexed games.
///
/// A search sees the database as it was when the search began, whatever this or another process changes later.
///
/// Several processes can read a database while one writes to it. Within a process, share it between threads with
/// [`Arc`](std::sync::Arc): searches take `&self`, and run at the same time on the same threads.
///
/// ```
/// use cqldex::{Database, Options, RebuildOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// assert_eq!((database.games(), database.last_number()), (1, 1));
/// assert!(database.verify(&mut |_games| ())?.is_clean());
/// assert!(database.replace(1, &pgn)?);
/// let all = RebuildOptions { all: true, ..RebuildOptions::default() };
/// assert_eq!(database.rebuild(all, &mut |_games| ())?.rebuilt.len(), 1);
/// assert_eq!(database.remove([1, 2, 3])?, 1);
/// assert!(!database.has_game(1));
/// assert_eq!(database.compact()?.dropped, 1);
/// assert_eq!(database.stats()?.games, 0);
/// drop(database);
/// let database = Database::open(&path, Options { read_only: true, ..Options::default() })?;
/// assert_eq!(database.path(), path);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Database {
    inner: storage::Database,
    options: Options,
    threads: Threads,
    leaders: Leaders,
}

/// How games are added.
///
/// ```
/// use cqldex::{Database, IndexOptions, Options};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let options = IndexOptions { repeat: true, skip_duplicates: true, ..IndexOptions::default() };
/// let summary = database.index(&[&pgn], &options, &())?;
/// assert_eq!((summary.games, summary.duplicates), (0, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct IndexOptions {
    /// Games are committed in segments of this many positions. Small segments cost searches time, large ones memory.
    pub segment_positions: u32,
    /// Whether files are added whose games are in the database already. Otherwise only what is new in them is.
    pub repeat: bool,
    /// Whether a game is left out that is the same as another: same players, date, result, start and main line.
    pub skip_duplicates: bool,
    /// What stops the run; what is complete is committed, and the summary says that it was cancelled.
    pub cancel: Cancel,
}

impl Default for IndexOptions {
    fn default() -> IndexOptions {
        let indexer::Options {
            segment_positions,
            repeat,
            skip_duplicates,
            ..
        } = indexer::Options::default();
        IndexOptions {
            segment_positions,
            repeat,
            skip_duplicates,
            cancel: Cancel::default(),
        }
    }
}

impl Database {
    /// Opens a database.
    ///
    /// # Errors
    ///
    /// When there is none, when its format is not the one of this version, or when it is to be written to and another
    /// process does that.
    pub fn open(path: impl AsRef<Path>, options: Options) -> Result<Database> {
        let inner = match options.read_only {
            true => storage::Database::open_read_only(path)?,
            false => storage::Database::open(path)?,
        };
        Ok(Database::new(inner, options))
    }

    /// Opens a database, for reading, that is a part of a greater whole, with `before` games in the parts before it. All
    /// numbers of its games are that much higher, those that queries see, too.
    ///
    /// ```
    /// use cqldex::{Database, Dialect, Options, Query, SearchOptions};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let part = Database::open_part(&path, Options::default(), 1000)?;
    /// let query = Query::parse("cql(gamenumber 1001) mate gamenumber == 1001", Dialect::Auto)?;
    /// let game = part.search(&query, SearchOptions::default()).next().expect("a game matches")?;
    /// assert_eq!(game.number, 1001);
    /// assert_eq!(part.last_number(), 1001);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Database::open`].
    pub fn open_part(path: impl AsRef<Path>, options: Options, before: u64) -> Result<Database> {
        let inner = storage::Database::open_part(path, before)?;
        let options = Options {
            read_only: true,
            ..options
        };
        Ok(Database::new(inner, options))
    }

    /// Creates an empty database. The directory may exist if it is empty.
    ///
    /// # Errors
    ///
    /// When there is something already, or the directory can't be made.
    pub fn create(path: impl AsRef<Path>, options: Options) -> Result<Database> {
        Ok(Database::new(storage::Database::create(path)?, options))
    }

    /// Opens a database for writing, or creates it if there is none.
    ///
    /// # Errors
    ///
    /// As [`Database::create`] and [`Database::open`].
    pub fn open_or_create(path: impl AsRef<Path>, options: Options) -> Result<Database> {
        Ok(Database::new(storage::Database::open_or_create(path)?, options))
    }

    /// Opens a database to [`rebuild`](Database::rebuild) it. It may have been written by an older version of this
    /// program, whose index can't be read, as long as its games can.
    ///
    /// # Errors
    ///
    /// As [`Database::open`].
    pub fn open_to_rebuild(path: impl AsRef<Path>, options: Options) -> Result<Database> {
        Ok(Database::new(storage::Database::open_to_rebuild(path)?, options))
    }

    /// Restores the list of segments of a damaged database from its copy, if it can't be read. The database then no
    /// longer knows which files its games came from. Returns whether that was necessary.
    ///
    /// # Errors
    ///
    /// When there is no copy either, another process writes to the database, or the disk fails.
    pub fn recover(path: impl AsRef<Path>) -> Result<bool> {
        Ok(storage::Database::recover(path)?)
    }

    fn new(inner: storage::Database, options: Options) -> Database {
        inner.set_cache(options.cache);
        Database {
            inner,
            options,
            threads: Threads::new(options.threads),
            leaders: Leaders::default(),
        }
    }

    /// Its directory.
    pub fn path(&self) -> &Path {
        self.inner.path()
    }

    /// How many games it has, without removed ones.
    pub fn games(&self) -> u64 {
        self.snapshot().games()
    }

    /// The number of its last game; removed games keep their numbers until [`Database::compact`].
    pub fn last_number(&self) -> u64 {
        self.snapshot().last_number()
    }

    /// Whether there is a game with this number.
    pub fn has_game(&self, number: u64) -> bool {
        let number = number.checked_sub(1);
        number.is_some_and(|number| self.snapshot().locate(number).is_some())
    }

    /// Whether the directory has another state than this sees: another process, or another value of this process, has
    /// added or removed games since this was opened. To see them, open it again.
    ///
    /// # Errors
    ///
    /// When the directory can't be read.
    pub fn is_outdated(&self) -> Result<bool> {
        Ok(self.inner.is_outdated()?)
    }

    /// Whether the database has an older format than the one that is written now. It is searched and grown all the same;
    /// [`rebuild`](Database::rebuild) gives it the new one.
    ///
    /// # Errors
    ///
    /// When the database can't be read.
    pub fn is_of_older_format(&self) -> Result<bool> {
        Ok(self.inner.is_of_older_format()?)
    }

    /// Counts and sizes.
    ///
    /// # Errors
    ///
    /// When the database can't be read.
    pub fn stats(&self) -> Result<Stats> {
        Ok(self.snapshot().stats()?)
    }

    /// Starts a search and returns at once; errors come from the iterator.
    pub fn search(&self, query: &Query, options: SearchOptions) -> Matches {
        let cancel = options.cancel.clone();
        let plan = self.planned(options);
        Matches::start(query.clone(), self.snapshot(), plan, &cancel, &self.leaders)
    }

    /// How many answers are kept, and how many bytes they take. Additions leave kept answers valid, and they are used
    /// again and again; see [`SearchOptions::kept_answers`].
    ///
    /// ```
    /// use std::time::Duration;
    /// use cqldex::{Database, Dialect, Options, Query, SearchOptions};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let query = Query::parse("child mate", Dialect::Auto)?;
    /// // Every answer is kept, however quickly it was found.
    /// let options = SearchOptions { kept_answers: Some(Duration::ZERO), ..SearchOptions::default() };
    /// assert_eq!(database.search(&query, options.clone()).summary()?.kept.games, 0);
    /// assert_eq!(database.search(&query, options).summary()?.kept.games, 1);
    /// assert_eq!(database.answers()?.count, 1);
    /// assert_eq!(database.clear_answers()?.count, 1);
    /// assert_eq!(database.answers()?.count, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the folder of the answers can't be read.
    pub fn answers(&self) -> Result<AnswersUsage> {
        let answers = self.snapshot().answers();
        let answers = match self.options.answers {
            Some(bytes) => answers.with_bound(bytes),
            None => answers,
        };
        Ok(answers.usage()?)
    }

    /// Drops all kept answers, and returns how many there were. A database that is only read drops them, too. Nothing but
    /// time is lost by that.
    ///
    /// # Errors
    ///
    /// When a file can't be removed.
    pub fn clear_answers(&self) -> Result<AnswersUsage> {
        Ok(self.snapshot().answers().clear()?)
    }

    /// The threads on which its searches run.
    pub(crate) fn leaders(&self) -> &Leaders {
        &self.leaders
    }

    /// The threads of its searches.
    pub(crate) fn threads(&self) -> &Threads {
        &self.threads
    }

    /// A search of it.
    pub(crate) fn planned(&self, options: SearchOptions) -> Planned {
        options.planned(self.threads.clone(), self.options.answers)
    }

    /// Counts the games and positions that match.
    ///
    /// ```
    /// use cqldex::{Database, Dialect, Options, Query};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let summary = database.count(&Query::parse("check", Dialect::Auto)?)?;
    /// assert_eq!((summary.games, summary.positions), (1, 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the database can't be read, or the query stops with an error.
    pub fn count(&self, query: &Query) -> Result<Summary> {
        let options = SearchOptions {
            detail: Detail::Count,
            ..SearchOptions::default()
        };
        self.search(query, options).summary()
    }

    /// Adds the games of PGN files (plain, zst, gz or bz2), of directories with such files, and of standard input (`-`).
    ///
    /// Games are committed in segments, and what was committed stays whatever happens later. The same call again adds
    /// only what is new in the files. Games that can't be read are reported to the observer and counted; they are not an
    /// error. An observer `&()` ignores everything.
    ///
    /// ```
    /// use std::cell::Cell;
    /// use cqldex::{Database, IndexOptions, IndexProgress, Observer, Options};
    ///
    /// #[derive(Default)]
    /// struct Counter(Cell<u64>);
    ///
    /// impl Observer for Counter {
    ///     fn progress(&self, progress: &IndexProgress) {
    ///         self.0.set(progress.games);
    ///     }
    /// }
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let counter = Counter::default();
    /// database.index(&[&pgn], &IndexOptions { repeat: true, ..IndexOptions::default() }, &counter)?;
    /// assert_eq!(counter.0.get(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a file can't be read, or the database can't be written.
    pub fn index<P: AsRef<Path>>(
        &mut self,
        files: &[P],
        options: &IndexOptions,
        observer: &dyn Observer,
    ) -> Result<IndexSummary> {
        let files: Vec<_> = files.iter().map(|file| file.as_ref().to_owned()).collect();
        let run = options.cancel.run();
        let options = self.index_options(options, &run);
        Ok(indexer::index(&mut self.inner, &files, &options, observer)?)
    }

    /// Adds the games of a stream; `name` is what reports call it, `size` how long it is, if that is known.
    ///
    /// # Errors
    ///
    /// As [`Database::index`].
    pub fn index_stream(
        &mut self,
        stream: impl std::io::Read + Send + 'static,
        (name, size): (&Path, Option<u64>),
        options: &IndexOptions,
        observer: &dyn Observer,
    ) -> Result<IndexSummary> {
        let run = options.cancel.run();
        let options = self.index_options(options, &run);
        let stream = Box::new(stream);
        Ok(indexer::index_stream(
            &mut self.inner,
            stream,
            (name, size),
            &options,
            observer,
        )?)
    }

    fn index_options(&self, options: &IndexOptions, run: &crate::cancel::Run) -> indexer::Options {
        indexer::Options {
            threads: self.options.threads.get(),
            segment_positions: options.segment_positions,
            repeat: options.repeat,
            skip_duplicates: options.skip_duplicates,
            cancel: std::sync::Arc::clone(&run.stop),
        }
    }

    /// Removes games by number; numbers without a game are passed over. The others keep their numbers. Returns how many
    /// were removed.
    ///
    /// # Errors
    ///
    /// When the database can't be written.
    pub fn remove(&mut self, numbers: impl IntoIterator<Item = u64>) -> Result<u64> {
        let numbers = numbers.into_iter().filter_map(|number| number.checked_sub(1));
        Ok(self.inner.remove(numbers)?)
    }

    /// Puts the only game of a PGN file (`-` for standard input) in the place of a game. Returns whether there is a game
    /// with that number.
    ///
    /// # Errors
    ///
    /// When the file has not exactly one game that can be read whole, or the database can't be written.
    pub fn replace(&mut self, number: u64, file: impl AsRef<Path>) -> Result<bool> {
        let game = indexer::read_game(file.as_ref())?;
        let Some(number) = number.checked_sub(1) else {
            return Ok(false);
        };
        Ok(self.inner.replace(number, &game, self.options.threads.get())?)
    }

    /// Drops removed games for good and joins small segments. Games behind a dropped one get other numbers.
    ///
    /// # Errors
    ///
    /// When the database can't be read or written.
    pub fn compact(&mut self) -> Result<Compaction> {
        Ok(self.inner.compact(self.options.threads.get())?)
    }

    /// Reads everything and checks it: every checksum, list and game. `progress` is given how many games are checked.
    ///
    /// # Errors
    ///
    /// When the check itself can't go on; damage is in the report.
    pub fn verify(&self, progress: &mut (dyn FnMut(u64) + Send)) -> Result<Report> {
        let report = self.snapshot().verify(&mut |step| progress(step.games_done));
        Ok(report?)
    }

    /// Makes the index anew from the stored games: of damaged segments, of all on demand and in a database of an older
    /// format. `progress` is given how many games are done.
    ///
    /// # Errors
    ///
    /// When games are damaged and are to be kept, or the database can't be written.
    pub fn rebuild(&mut self, options: RebuildOptions, progress: &mut (dyn FnMut(u64) + Send)) -> Result<Rebuilt> {
        let RebuildOptions { all, give_up_damaged } = options;
        let threads = self.options.threads.get();
        let rebuilt = self
            .inner
            .rebuild(all, give_up_damaged, threads, &mut |step| progress(step.games_done));
        Ok(rebuilt?)
    }

    /// What is committed now.
    pub(crate) fn snapshot(&self) -> Snapshot {
        self.inner.snapshot()
    }
}

/// What [`Database::rebuild`] does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RebuildOptions {
    /// Whether all segments are rebuilt, not only damaged ones.
    pub all: bool,
    /// Whether games that can't be read are removed; otherwise they are an error, and nothing is changed.
    pub give_up_damaged: bool,
}
