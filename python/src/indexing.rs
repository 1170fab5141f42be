//! Adds games of PGN files to a database.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use cqldex::{Cancel, IndexOptions, IndexProgress, Observer, Options};
use pyo3::prelude::*;

use crate::forking::Writing;
use crate::waiting;
use crate::watch::{Step, Watch};

/// At most this many things that were left out are told one by one.
const TOLD: usize = 1000;

/// What indexing did.
///
/// `games` and `positions` were added; `known_games` were there already, `duplicates` left out; `skipped_games` could not be
/// read at all, and of `damaged_games` something is missing. `elapsed` is in seconds. `problems` says where and why, for the
/// first thousand.
#[pyclass(frozen, get_all, module = "cqldex")]
#[derive(Clone, Debug)]
pub(crate) struct IndexSummary {
    /// Games that were added.
    games: u64,
    /// Their positions.
    positions: u64,
    /// Games whose text was in the database already.
    known_games: u64,
    /// Games that were left out because they are the same as others.
    duplicates: u64,
    /// Games that could not be read at all.
    skipped_games: u64,
    /// Games that were added with something left out.
    damaged_games: u64,
    /// How long it took, in seconds.
    elapsed: f64,
    /// Where something was left out, and why; the first thousand.
    problems: Vec<String>,
}

#[pymethods]
impl IndexSummary {
    fn __repr__(&self) -> String {
        let IndexSummary {
            games,
            positions,
            known_games,
            duplicates,
            skipped_games,
            damaged_games,
            elapsed,
            problems: _,
        } = self;
        format!(
            "IndexSummary(games={games}, positions={positions}, known_games={known_games}, duplicates={duplicates}, \
             skipped_games={skipped_games}, damaged_games={damaged_games}, elapsed={elapsed:.3})"
        )
    }
}

/// One path or several.
#[derive(FromPyObject)]
pub(crate) enum Sources {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

/// Which games are added, and who is told.
pub(crate) struct Adding<'a> {
    pub(crate) sources: Sources,
    pub(crate) repeat: bool,
    pub(crate) skip_duplicates: bool,
    pub(crate) progress: Option<&'a Py<PyAny>>,
}

/// Makes a database of the games of PGN files, or adds games to one. See `Database.add`.
#[pyfunction]
#[pyo3(signature = (path, sources, *, progress = None, repeat = false, skip_duplicates = false, threads = None))]
pub(crate) fn index(
    py: Python<'_>,
    path: PathBuf,
    sources: Sources,
    progress: Option<Py<PyAny>>,
    repeat: bool,
    skip_duplicates: bool,
    threads: Option<NonZeroUsize>,
) -> PyResult<IndexSummary> {
    let options = with_threads(threads);
    let adding = Adding {
        sources,
        repeat,
        skip_duplicates,
        progress: progress.as_ref(),
    };
    add(py, adding, || cqldex::Database::open_or_create(&path, options))
}

/// How a database is opened with so many threads.
pub(crate) fn with_threads(threads: Option<NonZeroUsize>) -> Options {
    let usual = Options::default();
    Options {
        threads: threads.unwrap_or(usual.threads),
        ..usual
    }
}

/// What the thread that indexes has seen, for the one that tells.
#[derive(Default)]
struct Seen {
    progress: Mutex<IndexProgress>,
    problems: Mutex<Vec<String>>,
}

impl Observer for &Seen {
    fn progress(&self, progress: &IndexProgress) {
        *self.progress.lock().unwrap_or_else(PoisonError::into_inner) = *progress;
    }

    fn skipped(&self, skipped: &cqldex::Skipped) {
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        if problems.len() < TOLD {
            problems.push(skipped.to_string());
        }
    }
}

/// Opens a database for writing, and adds games.
pub(crate) fn add(
    py: Python<'_>,
    adding: Adding<'_>,
    open: impl FnOnce() -> cqldex::Result<cqldex::Database> + Send,
) -> PyResult<IndexSummary> {
    let Adding {
        sources,
        repeat,
        skip_duplicates,
        progress,
    } = adding;
    let sources = match sources {
        Sources::One(path) => vec![path],
        Sources::Several(paths) => paths,
    };
    let watch = Watch::new(py, progress, "bytes")?;
    let seen = Seen::default();
    let cancel = Cancel::default();
    let options = IndexOptions {
        repeat,
        skip_duplicates,
        cancel: cancel.clone(),
        ..IndexOptions::default()
    };
    let tell = |py: Python<'_>| {
        let progress = *seen.progress.lock().unwrap_or_else(PoisonError::into_inner);
        watch.tell(
            py,
            &Step {
                done: progress.bytes_done,
                total: progress.bytes_total,
                games: progress.games,
                positions: progress.positions,
            },
        )
    };
    let observer = &seen;
    let indexed = waiting::run(py, (&cancel, None), &mut |py| tell(py), move || {
        let _writing = Writing::begin();
        open()?.index(&sources, &options, &observer)
    });
    if indexed.is_ok() {
        tell(py)?;
    }
    watch.end(py)?;
    let summary = indexed?;
    let problems = seen.problems.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok(IndexSummary {
        games: summary.games,
        positions: summary.positions,
        known_games: summary.known_games,
        duplicates: summary.duplicates,
        skipped_games: summary.skipped_games,
        damaged_games: summary.damaged_games,
        elapsed: summary.elapsed.as_secs_f64(),
        problems,
    })
}
