//! What the benchmarks of queries share: the list of questions, the games, and how a question is asked.

#![allow(dead_code, reason = "each benchmark uses its part")]

pub(crate) mod cql;
pub(crate) mod documents;
pub(crate) mod games;
pub(crate) mod questions;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use language::ParseOptions;
use language::dialect::{self, Dialect};
use language::hir::Query;
use search::{Detail, Route, RunOptions, Search, SearchError, Summary, Threads};
use storage::{Database, Snapshot};

/// Each query is run so often after a first time, and the middle time is told.
const RUNS: usize = 7;

/// A query that takes longer the first time is not run again: what is in memory makes no difference to it.
const LONG: Duration = Duration::from_secs(1);

/// What a question found, and how long that took.
pub(crate) struct Answer {
    pub(crate) summary: Summary,
    pub(crate) time: Duration,
}

/// A query ready to run.
pub(crate) fn compile(text: &str) -> Result<Query, Box<dyn Error>> {
    compile_with(text, None)
}

/// The same; `variations` is used instead of what the header says.
pub(crate) fn compile_with(text: &str, variations: Option<bool>) -> Result<Query, Box<dyn Error>> {
    let failed = |problem: String| format!("`{text}`: {problem}");
    let mut parsed = dialect::parse(text, Dialect::Auto, &ParseOptions::default())
        .map_err(|diagnostics| failed(diagnostics.iter().map(|one| one.render(text, "query")).collect()))?;
    parsed.header.variations = variations.unwrap_or(parsed.header.variations);
    Ok(language::expand(parsed).map_err(|error| failed(error.to_string()))?)
}

/// The threads of all searches: they are started once.
pub(crate) fn threads() -> Threads {
    static ALL: LazyLock<Threads> = LazyLock::new(Threads::default);
    ALL.clone()
}

/// Asks once, on all threads; no answer if it takes longer than the limit.
pub(crate) fn once(
    snapshot: &Snapshot,
    query: &Query,
    route: Route,
    limit: Duration,
) -> Result<Option<Answer>, Box<dyn Error>> {
    once_on(&threads(), snapshot, query, route, limit)
}

/// The same on some threads.
fn once_on(
    threads: &Threads,
    snapshot: &Snapshot,
    query: &Query,
    route: Route,
    limit: Duration,
) -> Result<Option<Answer>, Box<dyn Error>> {
    let stop = Arc::new(AtomicBool::new(false));
    let options = RunOptions {
        route,
        detail: Detail::Count,
        stop: Some(Arc::clone(&stop)),
        threads: threads.clone(),
        ..RunOptions::default()
    };
    // When the search is over, `running` goes, and with it the one who watches the time.
    let (running, over) = mpsc::channel::<()>();
    std::thread::spawn(move || {
        if over.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
            stop.store(true, Ordering::Relaxed);
        }
    });
    let found = Search::new(query, options).run(snapshot, &mut |_| ());
    drop(running);
    match found {
        Ok(summary) => Ok(Some(Answer {
            time: summary.elapsed,
            summary,
        })),
        Err(SearchError::Stopped) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Opens a database for one question; the time from before it is opened.
pub(crate) fn opened(path: &Path, query: &Query, limit: Duration) -> Result<Option<Duration>, Box<dyn Error>> {
    let started = Instant::now();
    let answer = once(&Database::open_read_only(path)?.snapshot(), query, Route::Plan, limit)?;
    Ok(answer.map(|_| started.elapsed()))
}

/// What a query finds, and the median time of some runs after one that warms up; `None` if it takes longer than the
/// limit.
pub(crate) fn warm(
    snapshot: &Snapshot,
    query: &Query,
    route: Route,
    limit: Duration,
) -> Result<Option<Answer>, Box<dyn Error>> {
    warm_on(&threads(), snapshot, query, route, limit)
}

/// The same on some threads.
pub(crate) fn warm_on(
    threads: &Threads,
    snapshot: &Snapshot,
    query: &Query,
    route: Route,
    limit: Duration,
) -> Result<Option<Answer>, Box<dyn Error>> {
    let Some(mut answer) = once_on(threads, snapshot, query, route, limit)? else {
        return Ok(None);
    };
    if answer.time > LONG {
        return Ok(Some(answer));
    }
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let Some(again) = once_on(threads, snapshot, query, route, limit)? else {
            return Ok(None);
        };
        times.push(again.time);
        answer = again;
    }
    times.sort_unstable();
    answer.time = times[RUNS / 2];
    Ok(Some(answer))
}

/// Indexes a file into a new database, and says how fast.
pub(crate) fn index(path: &Path, games: &Path) -> Result<(), Box<dyn Error>> {
    let mut database = Database::create(path)?;
    let summary = indexer::index(
        &mut database,
        &[PathBuf::from(games)],
        &indexer::Options::default(),
        &(),
    )?;
    let seconds = summary.elapsed.as_secs_f64();
    println!(
        "{} games, {} positions, {:.1} MB of PGN indexed in {seconds:.1} s: {:.0} games/s, {:.1} MB/s",
        summary.games,
        summary.positions,
        summary.bytes as f64 / 1e6,
        summary.games as f64 / seconds,
        summary.bytes as f64 / 1e6 / seconds,
    );
    Ok(())
}

pub(crate) fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The middle one of some figures; 0 if there is none.
pub(crate) fn median(figures: &[f64]) -> f64 {
    quantile(figures, 0.5)
}

/// The figure that so large a part of some figures is below: 0.9 for the 90th percentile; 0 if there is none.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "parts are between 0 and 1"
)]
pub(crate) fn quantile(figures: &[f64], part: f64) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (sorted.len() as f64 * part) as usize;
    sorted
        .get(at.min(sorted.len().saturating_sub(1)))
        .copied()
        .unwrap_or(0.0)
}

/// A figure in a cell of a table, with this number of decimals; a dash where there is none.
pub(crate) fn figure(figure: Option<f64>, decimals: usize) -> String {
    figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.decimals$}"))
}
