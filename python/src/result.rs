//! The answer to a query: nothing is searched before something is wanted of it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cqldex::{
    By, Cancel, Columns, CountOptions, Database, Detail, Encoding, Found, GameMatch, GroupOrder, MatchWriter,
    NextMoves, PgnOptions, PgnWriter, PositionSet, Progress, SaveAs, SearchOptions, Sorted,
};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::arrow::{self, Reader, Stream};
use crate::errors::{OrRaise, refused};
use crate::iterator::{MatchIterator, Source, Start};
use crate::local::Local;
use crate::matching::Match;
use crate::query::{Query, QueryLike};
use crate::stream::{Batches, WAITING, Writing};
use crate::summary::Summary;
use crate::table::Table;
use crate::waiting;
use crate::watch::Watch;

/// How a query is asked.
pub(crate) struct Asking {
    pub(crate) variations: Option<bool>,
    pub(crate) limit: Option<u64>,
    pub(crate) within: Vec<String>,
    pub(crate) threads: Option<std::num::NonZeroUsize>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) columns: Option<Vec<String>>,
    pub(crate) progress: Option<Py<PyAny>>,
}

/// The answer to a query. Each iteration is a search; `len()` is how many matches it gives.
///
/// The database is that of the moment in which the query was asked. polars, pyarrow, pandas and DuckDB take it as it is
/// (`__arrow_c_stream__`), while the search goes on. Everything that searches raises `EvaluationError` if the query stops with
/// an error, `QueryTimeoutError` after `timeout`, `DamageError` and `DatabaseError`; Ctrl-C ends it at once.
#[pyclass(frozen, module = "cqldex")]
pub(crate) struct Matches {
    database: Arc<Local<Database>>,
    query: Query,
    asking: Asking,
    known: Mutex<Known>,
}

/// What is known of the answer.
#[derive(Default)]
struct Known {
    summary: Option<Summary>,
    positions: Option<Arc<PositionSet>>,
}

impl Matches {
    /// Names of columns are checked at once.
    pub(crate) fn new(
        py: Python<'_>,
        database: Arc<Local<Database>>,
        query: Query,
        asking: Asking,
    ) -> PyResult<Matches> {
        let matches = Matches {
            database,
            query,
            asking,
            known: Mutex::default(),
        };
        matches.columns(py, None)?;
        Ok(matches)
    }

    fn database(&self) -> PyResult<&Database> {
        self.database.get()
    }

    /// How the database is searched.
    fn options(&self, detail: Detail) -> SearchOptions {
        SearchOptions {
            detail,
            variations: self.asking.variations,
            within: self.asking.within.clone(),
            threads: self.asking.threads,
            timeout: self.asking.timeout,
            ..SearchOptions::default()
        }
    }

    fn columns(&self, py: Python<'_>, columns: Option<Vec<String>>) -> PyResult<Columns> {
        let query = &self.query.query;
        match columns.as_ref().or(self.asking.columns.as_ref()) {
            None => Ok(Columns::usual(query)),
            Some(names) => Columns::named(names.iter().map(String::as_str), query).or_raise(py),
        }
    }

    fn watch(&self, py: Python<'_>) -> PyResult<Watch> {
        Watch::new(py, self.asking.progress.as_ref(), "games")
    }

    /// Searches to the end; `take` gets the games.
    fn search(
        &self,
        py: Python<'_>,
        options: SearchOptions,
        take: &mut (dyn FnMut(GameMatch) -> cqldex::Result<()> + Send),
    ) -> PyResult<Found> {
        let watch = self.watch(py)?;
        let matches = self.database()?.search(&self.query.query, options);
        let found = waiting::drain(py, matches, &watch, take);
        watch.end(py)?;
        found
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All matching positions as numbers.
    fn positions(&self, py: Python<'_>) -> PyResult<Arc<PositionSet>> {
        self.database()?;
        if let Some(positions) = &self.lock().positions {
            return Ok(Arc::clone(positions));
        }
        let options = SearchOptions {
            collect: true,
            ..self.options(Detail::Count)
        };
        let found = self.search(py, options, &mut |_| Ok(()))?;
        let positions = Arc::new(found.positions.unwrap_or_else(|| unreachable!("they were collected")));
        let mut known = self.lock();
        known.summary = Some(Summary::from(&found.summary));
        known.positions = Some(Arc::clone(&positions));
        Ok(positions)
    }

    /// The games in the order that the query asks for, with at most `limit` positions.
    fn sorted(&self, py: Python<'_>, limit: Option<u64>) -> PyResult<Vec<GameMatch>> {
        let mut games = Sorted::new(Games::default(), &self.query.query, limit);
        let found = self.search(py, self.options(Detail::Results), &mut |game| games.game(game))?;
        games.finish(&found.summary).or_raise(py)?;
        Ok(games.into_inner().games)
    }

    /// Starts to list matches.
    fn listed(&self, py: Python<'_>, limit: Option<u64>) -> PyResult<Source> {
        let database = self.database()?;
        if self.query.query.is_sorted() {
            return Ok(Source::Sorted(self.sorted(py, limit)?.into_iter()));
        }
        let options = SearchOptions {
            limit,
            stop_at_limit: limit.is_some(),
            ..self.options(Detail::Positions)
        };
        let positions = self.lock().positions.clone();
        let matches = match positions {
            // They are known, and need no search.
            Some(positions) => database.list(&positions, options),
            None => database.search(&self.query.query, options),
        };
        Ok(Source::Search(Box::new(matches)))
    }

    /// How many matches are listed.
    fn listed_len(&self, py: Python<'_>, limit: Option<u64>) -> PyResult<u64> {
        let Some(limit) = limit else {
            // Whoever asks for the length of an answer is mostly about to list it: `list` does.
            return Ok(self.positions(py)?.len());
        };
        let known = self.lock().summary.as_ref().map(Summary::positions);
        let positions = match known {
            Some(positions) => positions,
            None => {
                let options = SearchOptions {
                    limit: Some(limit),
                    stop_at_limit: true,
                    ..self.options(Detail::Count)
                };
                self.search(py, options, &mut |_| Ok(()))?.summary.positions
            }
        };
        Ok(positions.min(limit))
    }

    /// Starts to write rows, and waits for the first `most` batches, or for all.
    fn rows(&self, py: Python<'_>, columns: Option<Vec<String>>, most: Option<usize>) -> PyResult<Reader> {
        self.database()?;
        let watch = self.watch(py)?;
        let progress = Progress::default();
        let writing = Writing {
            database: Arc::clone(&self.database),
            query: self.query.query.clone(),
            columns: self.columns(py, columns)?,
            options: SearchOptions {
                limit: self.asking.limit,
                progress: progress.clone(),
                ..self.options(Detail::Positions)
            },
        };
        let rows = Batches::started(py, writing)?.gather(py, most, (&watch, &progress));
        watch.end(py)?;
        rows
    }

    /// All rows as a frame of another package.
    fn frame<'py>(&self, py: Python<'py>, kind: &str, columns: Option<Vec<String>>) -> PyResult<Bound<'py, PyAny>> {
        // A package that is missing is told before the search.
        let take = py.import("cqldex._frames")?.call_method1("taker", (kind,))?;
        take.call1((Stream::new(self.rows(py, columns, None)?),))
    }

    fn count_options(&self, cancel: &Cancel) -> CountOptions {
        CountOptions {
            variations: self.asking.variations.unwrap_or(self.query.query.header().variations),
            cancel: cancel.clone(),
            ..CountOptions::default()
        }
    }
}

/// Keeps games.
#[derive(Default)]
struct Games {
    games: Vec<GameMatch>,
}

impl MatchWriter for Games {
    fn game(&mut self, game: GameMatch) -> cqldex::Result<()> {
        self.games.push(game);
        Ok(())
    }

    fn finish(&mut self, _: &cqldex::Summary) -> cqldex::Result<()> {
        Ok(())
    }

    fn flush(&mut self) -> cqldex::Result<()> {
        Ok(())
    }
}

#[pymethods]
impl Matches {
    /// The compiled query.
    #[getter]
    fn query(&self) -> Query {
        self.query.clone()
    }

    /// The names of the columns of its frames.
    #[getter(columns)]
    fn column_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.columns(py, None)?.names().map(str::to_owned).collect())
    }

    fn __iter__(slf: Py<Self>, py: Python<'_>) -> PyResult<MatchIterator> {
        slf.get().database()?;
        let watch = slf.get().watch(py)?;
        let start: Start = Box::new(move |py| slf.get().listed(py, slf.get().asking.limit));
        Ok(MatchIterator::new(Source::Later(start), watch))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let listed = self.listed_len(py, self.asking.limit)?;
        Ok(usize::try_from(listed).unwrap_or(usize::MAX))
    }

    /// Whether anything matches; the search ends with the first match.
    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        let first = self.asking.limit.map_or(1, |limit| limit.min(1));
        Ok(self.listed_len(py, Some(first))? > 0)
    }

    /// How many games and positions match, whatever the limit, as `Summary`.
    fn count(&self, py: Python<'_>) -> PyResult<Summary> {
        self.database()?;
        if let Some(summary) = &self.lock().summary {
            return Ok(summary.clone());
        }
        let found = self.search(py, self.options(Detail::Count), &mut |_| Ok(()))?;
        let summary = Summary::from(&found.summary);
        self.lock().summary = Some(summary.clone());
        Ok(summary)
    }

    /// The first `n` matches as a list. The search ends with the last of them.
    #[pyo3(signature = (n = 10))]
    fn head(&self, py: Python<'_>, n: u64) -> PyResult<Vec<Match>> {
        let limit = self.asking.limit.map_or(n, |limit| limit.min(n));
        let matches = MatchIterator::new(self.listed(py, Some(limit))?, self.watch(py)?);
        std::iter::from_fn(|| matches.next(py).transpose()).collect()
    }

    /// A `pyarrow.Table` with a row for each match. `columns` as in `Database.query`.
    #[pyo3(signature = (columns = None))]
    fn arrow<'py>(&self, py: Python<'py>, columns: Option<Vec<String>>) -> PyResult<Bound<'py, PyAny>> {
        self.frame(py, "pyarrow", columns)
    }

    /// A `polars.DataFrame` with a row for each match.
    #[pyo3(signature = (columns = None))]
    fn pl<'py>(&self, py: Python<'py>, columns: Option<Vec<String>>) -> PyResult<Bound<'py, PyAny>> {
        self.frame(py, "polars", columns)
    }

    /// A `pandas.DataFrame` with a row for each match.
    #[pyo3(signature = (columns = None))]
    fn df<'py>(&self, py: Python<'py>, columns: Option<Vec<String>>) -> PyResult<Bound<'py, PyAny>> {
        self.frame(py, "pandas", columns)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The types of the columns are fixed; whoever asks for others changes them.
        drop(requested_schema);
        arrow::capsule(py, self.rows(py, None, Some(WAITING))?)
    }

    /// Counts games and positions in groups, as `Table`: by `"year"`, `"decade"`, `"result"`, `"player"`, `"white"`, `"black"`,
    /// `"opening"`, `"opening_group"`, `"event"`, `"site"`, `"rating"`, `"white_rating"`, `"black_rating"`, `"move"`, `"side"`,
    /// `"next"` or `"tag:NAME"`, or by several at once; `square` is a set of squares, such as `"N"`, to count by each of them.
    ///
    /// `order` is `"key"`, `"games"`, `"positions"` or `"score"`, and `limit` the number of groups. Percentages and scores are from
    /// 0 to 100. Raises `ArgumentError`.
    #[pyo3(signature = (*what, square = None, order = None, limit = None))]
    fn by(
        &self,
        py: Python<'_>,
        what: Vec<String>,
        square: Option<QueryLike<'_>>,
        order: Option<&str>,
        limit: Option<u64>,
    ) -> PyResult<Table> {
        let mut by = what
            .iter()
            .map(|name| By::named(name))
            .collect::<Result<Vec<_>, _>>()
            .or_raise(py)?;
        if let Some(set) = square {
            by.push(By::squares(&set.compiled(py, "auto")?.query).or_raise(py)?);
        }
        let order = order.map(|name| order_named(py, name)).transpose()?;
        let positions = self.positions(py)?;
        let (database, cancel) = (self.database()?, Cancel::default());
        let options = self.count_options(&cancel);
        waiting::run(py, (&cancel, self.asking.timeout), &mut |_| Ok(()), || {
            let mut counts = database.counts(&positions, &by, &options)?;
            counts.sort(order.unwrap_or_else(|| counts.usual_order()));
            Table::new(
                counts.columns(),
                |out| counts.write_rows(out, limit),
                |format, out| counts.write(format, out, limit),
            )
        })
    }

    /// The moves that were played in the matching positions, as `Table`: `depth` moves deep, at most `limit` at each place. Scores,
    /// ratings and performances are those of the side that plays the move.
    #[pyo3(signature = (depth = 1, *, limit = None))]
    fn next_moves(&self, py: Python<'_>, depth: u32, limit: Option<u64>) -> PyResult<Table> {
        let positions = self.positions(py)?;
        let (database, cancel) = (self.database()?, Cancel::default());
        let options = self.count_options(&cancel);
        waiting::run(py, (&cancel, self.asking.timeout), &mut |_| Ok(()), || {
            let moves = database.next_moves(&positions, depth, &options)?;
            let reader = database.reader();
            Table::new(
                NextMoves::columns(),
                |out| moves.write_rows(out, limit, &reader),
                |format, out| moves.write(format, out, limit, &reader),
            )
        })
    }

    /// Keeps all matching positions as a named set; a `live` one grows with the database. Raises `SetError` if there is one of
    /// this name, unless `replace`.
    #[pyo3(signature = (name, *, live = false, replace = false))]
    fn save(&self, py: Python<'_>, name: &str, live: bool, replace: bool) -> PyResult<Summary> {
        let save = SaveAs {
            name: name.to_owned(),
            live,
            replace,
        };
        let options = SearchOptions {
            save: Some(save),
            ..self.options(Detail::Count)
        };
        let found = self.search(py, options, &mut |_| Ok(()))?;
        Ok(Summary::from(&found.summary))
    }

    /// The matching games as PGN, with what the query says in comments; to a file in UTF-8 if `path` is given, and then it
    /// returns `None`.
    #[pyo3(signature = (path = None))]
    fn pgn(&self, py: Python<'_>, path: Option<PathBuf>) -> PyResult<Option<String>> {
        let query = &self.query.query;
        let options = PgnOptions {
            encoding: Encoding::Utf8,
            buffer: None,
            ..PgnOptions::of(query)
        };
        let mut text = Vec::new();
        let mut writer = Sorted::new(PgnWriter::new(&mut text, self.database()?, query, options), query, None);
        let found = self.search(py, self.options(Detail::Results), &mut |game| writer.game(game))?;
        writer.finish(&found.summary).or_raise(py)?;
        drop(writer);
        match path {
            None => Ok(Some(String::from_utf8_lossy(&text).into_owned())),
            Some(path) => {
                py.detach(|| std::fs::write(path, text))?;
                Ok(None)
            }
        }
    }

    fn _repr_html_<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("cqldex._display")?.call_method1("matches_html", (slf,))
    }

    fn __repr__(&self) -> PyResult<String> {
        let path = self.database()?.path().display();
        Ok(format!("<Matches of {:?} in {path}>", self.query.query.text()))
    }
}

/// The order of groups with this name.
fn order_named(py: Python<'_>, name: &str) -> PyResult<GroupOrder> {
    const NAMES: [(&str, GroupOrder); 4] = [
        ("key", GroupOrder::Key),
        ("games", GroupOrder::Games),
        ("positions", GroupOrder::Positions),
        ("score", GroupOrder::Score),
    ];
    let known = NAMES.iter().find(|(known, _)| *known == name);
    known.map(|(_, order)| *order).ok_or_else(|| {
        let names = NAMES.map(|(name, _)| name).join(", ");
        let message = format!("groups have no order `{name}`; there are {names}");
        refused(py, "ArgumentError", &message, "no-such-order")
    })
}

/// A limit or a time that can be meant.
pub(crate) fn checked_timeout(py: Python<'_>, seconds: Option<f64>) -> PyResult<Option<Duration>> {
    let Some(seconds) = seconds else { return Ok(None) };
    let timeout = Duration::try_from_secs_f64(seconds);
    let message = format!("a search can't end after {seconds} seconds");
    timeout
        .map(Some)
        .map_err(|_| refused(py, "ArgumentError", &message, "timeout"))
}
