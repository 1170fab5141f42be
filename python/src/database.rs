//! An open database.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use cqldex::{Cancel, Options};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use crate::errors::{self, OrRaise};
use crate::forking::Writing;
use crate::game::{self, Game};
use crate::indexing::{self, Adding, IndexSummary, Sources, with_threads};
use crate::local::Local;
use crate::query::QueryLike;
use crate::result::{Asking, Matches, checked_timeout};
use crate::summary::{SetInfo, Stats};
use crate::waiting;

/// An open database.
///
/// It is open for reading; `add` and `remove` open it for writing as long as they take. Any number of processes can read it
/// meanwhile. Results see the database as it was when they were asked for. Threads can share it. After `fork`, it has to be
/// opened again. As a context manager it is closed at the end.
#[pyclass(frozen, module = "cqldex")]
pub(crate) struct Database {
    path: PathBuf,
    options: Options,
    open: Mutex<Option<Arc<Local<cqldex::Database>>>>,
}

/// One name or several.
#[derive(FromPyObject)]
pub(crate) enum Names {
    One(String),
    Several(Vec<String>),
}

impl Names {
    fn list(self) -> Vec<String> {
        match self {
            Names::One(name) => vec![name],
            Names::Several(names) => names,
        }
    }
}

/// One number or several.
#[derive(FromPyObject)]
pub(crate) enum Numbers {
    One(u64),
    Several(Vec<u64>),
}

/// Opens a database.
///
/// `threads` are for each search, by default one for each core. `cache` is how many bytes of the index stay in memory, by
/// default 768 MiB. Raises `DatabaseError` if there is no database, or of another format.
#[pyfunction]
#[pyo3(signature = (path, *, threads = None, cache = None))]
pub(crate) fn open(
    py: Python<'_>,
    path: PathBuf,
    threads: Option<NonZeroUsize>,
    cache: Option<u64>,
) -> PyResult<Database> {
    let usual = with_threads(threads);
    let options = Options {
        read_only: true,
        cache: cache.unwrap_or(usual.cache),
        ..usual
    };
    let database = py.detach(|| cqldex::Database::open(&path, options)).or_raise(py)?;
    Ok(Database {
        path,
        options,
        open: Mutex::new(Some(Arc::new(Local::new(database)))),
    })
}

impl Database {
    /// The database as it is read now.
    fn reading(&self, py: Python<'_>) -> PyResult<Arc<Local<cqldex::Database>>> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let open = open.ok_or_else(|| errors::closed(py))?;
        open.get()?;
        Ok(open)
    }

    /// Opens the database again, to see what has changed. Results that there are keep what they have.
    fn reopen(&self, py: Python<'_>) -> PyResult<()> {
        let database = py
            .detach(|| cqldex::Database::open(&self.path, self.options))
            .or_raise(py)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // It may have been closed in the meantime.
        if open.is_some() {
            *open = Some(Arc::new(Local::new(database)));
        }
        Ok(())
    }

    /// How it is opened for changes.
    fn writing(&self) -> Options {
        Options {
            read_only: false,
            ..self.options
        }
    }
}

#[pymethods]
impl Database {
    /// The directory.
    #[getter]
    fn path(&self) -> &PathBuf {
        &self.path
    }

    /// How much it has, as `Stats`. Raises `DatabaseError`.
    #[getter]
    fn stats(&self, py: Python<'_>) -> PyResult<Stats> {
        let database = self.reading(py)?;
        let database = database.get()?;
        Ok(py.detach(|| database.stats()).or_raise(py)?.into())
    }

    /// The named sets of positions, by name. Live sets grow first. Raises `DatabaseError`.
    #[getter]
    fn sets(&self, py: Python<'_>) -> PyResult<Vec<SetInfo>> {
        let (database, cancel) = (self.reading(py)?, Cancel::default());
        let sets = database.get()?.sets().with_cancel(cancel.clone());
        let list = waiting::run(py, (&cancel, None), &mut |_| Ok(()), || sets.list())?;
        Ok(list.into_iter().map(SetInfo::from).collect())
    }

    /// Combines sets: `"good = forks & !drawn"`. `&`, `|`, `-` and `!` are and, or, without, not. Returns the new `SetInfo`.
    ///
    /// Raises `SetError` for unknown and bad names, and if the set is there already, unless `replace`.
    #[pyo3(signature = (definition, *, replace = false))]
    fn make_set(&self, py: Python<'_>, definition: &str, replace: bool) -> PyResult<SetInfo> {
        let (database, cancel) = (self.reading(py)?, Cancel::default());
        let sets = database.get()?.sets().with_cancel(cancel.clone());
        let made = waiting::run(py, (&cancel, None), &mut |_| Ok(()), || sets.make(definition, replace))?;
        Ok(made.into())
    }

    /// Deletes a set. Raises `SetError` if there is none of this name.
    fn delete_set(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        let database = self.reading(py)?;
        let database = database.get()?;
        py.detach(|| database.sets().delete(name)).or_raise(py)
    }

    /// Adds the games of PGN files: plain, zst, gz or bz2, and folders with such files.
    ///
    /// What is in the database already is passed over, unless `repeat`; with `skip_duplicates` a game that is the same as another
    /// is left out. `progress` is `True` for a bar of tqdm, or a function that gets a `Progress` several times a second. Returns
    /// an `IndexSummary`. Ctrl-C ends it; what is complete stays. Raises `PgnError`, `LockedError`, `DatabaseError`.
    #[pyo3(signature = (sources, *, progress = None, repeat = false, skip_duplicates = false))]
    fn add(
        &self,
        py: Python<'_>,
        sources: Sources,
        progress: Option<Py<PyAny>>,
        repeat: bool,
        skip_duplicates: bool,
    ) -> PyResult<IndexSummary> {
        self.reading(py)?;
        let adding = Adding {
            sources,
            repeat,
            skip_duplicates,
            progress: progress.as_ref(),
        };
        let options = self.writing();
        let added = indexing::add(py, adding, || cqldex::Database::open(&self.path, options));
        // What was added before an error is there.
        self.reopen(py)?;
        added
    }

    /// Removes games by number. The others keep their numbers; numbers without a game are passed over. Returns how many
    /// were removed. Raises `LockedError`, `DatabaseError`.
    fn remove(&self, py: Python<'_>, numbers: Numbers) -> PyResult<u64> {
        self.reading(py)?;
        let numbers = match numbers {
            Numbers::One(number) => vec![number],
            Numbers::Several(numbers) => numbers,
        };
        let remove = || {
            let _writing = Writing::begin();
            cqldex::Database::open(&self.path, self.writing())?.remove(numbers)
        };
        let removed = py.detach(remove).or_raise(py)?;
        self.reopen(py)?;
        Ok(removed)
    }

    /// Looks for what other processes have added or removed. Returns whether there was something.
    fn refresh(&self, py: Python<'_>) -> PyResult<bool> {
        let database = self.reading(py)?;
        let is_outdated = database.get()?.is_outdated().or_raise(py)?;
        if is_outdated {
            self.reopen(py)?;
        }
        Ok(is_outdated)
    }

    /// A game by its number, from 1. Raises `KeyError` if there is none.
    fn game(&self, py: Python<'_>, number: u64) -> PyResult<Game> {
        let database = self.reading(py)?;
        let database = database.get()?;
        let found = py.detach(|| game::found(database.game(number))).or_raise(py)?;
        found.ok_or_else(|| PyKeyError::new_err(number))
    }

    /// Asks a query: a text, or a compiled `Query`. Returns `Matches`; nothing is searched before something is wanted of it.
    ///
    /// - `dialect`: `"auto"`, `"cql6"`, `"cql5"`, `"cql1"` or `"cqli"`, for a text
    /// - `variations`: whether variations are searched; `None` leaves it to `cql( )` of the query
    /// - `limit`: at most so many matches are listed; counts, groups, sets and PGN are about all
    /// - `within`: names of sets; only positions that are in all of them match
    /// - `threads`: for this query, if not those of the database
    /// - `timeout`: in seconds; then `QueryTimeoutError` is raised
    /// - `columns`: of frames, as `--columns` of the command; a sequence of names
    /// - `progress`: `True` for a bar of tqdm, or a function that gets a `Progress`
    ///
    /// Raises `QueryError` if the text is no query, and `ArgumentError` for names that there are not.
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    #[pyo3(signature = (
        query, *, dialect = "auto", variations = None, limit = None, within = None, threads = None, timeout = None,
        columns = None, progress = None
    ))]
    fn query(
        &self,
        py: Python<'_>,
        query: QueryLike<'_>,
        dialect: &str,
        variations: Option<bool>,
        limit: Option<u64>,
        within: Option<Names>,
        threads: Option<NonZeroUsize>,
        timeout: Option<f64>,
        columns: Option<Vec<String>>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Matches> {
        let asking = Asking {
            variations,
            limit,
            within: within.map_or_else(Vec::new, Names::list),
            threads,
            timeout: checked_timeout(py, timeout)?,
            columns,
            progress,
        };
        Matches::new(py, self.reading(py)?, query.compiled(py, dialect)?, asking)
    }

    /// Closes it. Results that there are can still be used. Closing again does nothing.
    fn close(&self) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(open);
    }

    fn __enter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close();
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let games = self.reading(py)?.get()?.games();
        Ok(usize::try_from(games).unwrap_or(usize::MAX))
    }

    fn __contains__(&self, py: Python<'_>, number: u64) -> PyResult<bool> {
        Ok(self.reading(py)?.get()?.has_game(number))
    }

    /// An empty database is a database.
    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let path = self.path.display();
        match self.reading(py) {
            Ok(_) => format!("<Database {path}>"),
            Err(_) => format!("<Database {path}, closed>"),
        }
    }
}
