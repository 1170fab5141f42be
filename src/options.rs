//! How a database is searched: what the caller says, and what the crate that searches is told.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use evaluator::Rules;
use search::{AnswerOptions, Detail, Progress, Route, Threads};
use storage::Sections;

use crate::cancel::Cancel;
use crate::error::{Error, Result};
use crate::query::Query;
use crate::sets::{SaveAs, SetUse};
use crate::similar;

/// How a database is searched. The default lists every matching position.
///
/// ```
/// use cqldex::{Database, Dialect, Options, Query, SearchOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let query = Query::parse("true", Dialect::Auto)?;
/// let options = SearchOptions { limit: Some(3), ..SearchOptions::default() };
/// let mut matches = database.search(&query, options);
/// assert_eq!(matches.next().expect("a game matches")?.positions.len(), 3);
/// assert_eq!(matches.summary()?.positions, 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Whether variations are searched; `None` leaves it to the query's header.
    pub variations: Option<bool>,
    /// Whether the index is used. The answer is the same.
    pub route: Route,
    /// How much is wanted of what matches; by default [`Detail::Positions`].
    pub detail: Detail,
    /// At most this many matching positions are listed; all are counted.
    pub limit: Option<u64>,
    /// Whether the search ends at the limit. Then the summary counts what was found until then.
    pub stop_at_limit: bool,
    /// Whether games of damaged segments are left out, and named in the summary, instead of being an error.
    pub skip_damaged: bool,
    /// The folder below which the query may read and write files (`readfile`, `writefile`, `similarposition`); `None`
    /// for nowhere.
    pub files: Option<PathBuf>,
    /// The PGN file that `similarposition` compares with, wherever it is, instead of one below [`SearchOptions::files`].
    pub similar_file: Option<PathBuf>,
    /// Changes of the language that options of the program `cql` make.
    pub rules: Rules,
    /// Names of sets: only positions that are in all of them match, as if `positionset "name"` stood before the query.
    pub within: Vec<String>,
    /// Names of sets: positions of none of them match.
    pub not_within: Vec<String>,
    /// Whether all matching positions are collected, whatever is listed of them: [`Matches::found`](crate::Matches::found)
    /// gives them when the search has come to its end. Does not go together with [`SearchOptions::stop_at_limit`].
    pub collect: bool,
    /// Keeps all matching positions as a named set when the search has come to its end, whatever is listed of them. Does
    /// not go together with [`SearchOptions::stop_at_limit`].
    pub save: Option<SaveAs>,
    /// Where the search writes how far it is.
    pub progress: Progress,
    /// What stops the search.
    pub cancel: Cancel,
    /// How long the search may take, from its start on; then it ends with [`Error::TimedOut`]. Who iterates over the
    /// matches finds out; a search whose matches nobody takes goes on.
    pub timeout: Option<Duration>,
    /// How many threads the search may use, if not those of the database: then it has threads of its own.
    pub threads: Option<NonZeroUsize>,
    /// Whether answers of earlier searches are used, and how long this one has to take, all threads together, for its
    /// answer to be kept: 10 milliseconds by default, and longer for large answers. `None` works everything out anew, and
    /// keeps nothing.
    pub kept_answers: Option<Duration>,
}

/// Answers that take less time are found again as quickly as they are read.
const WORTH_KEEPING: Duration = Duration::from_millis(10);

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            variations: None,
            route: Route::default(),
            detail: Detail::default(),
            limit: None,
            stop_at_limit: false,
            skip_damaged: false,
            files: None,
            similar_file: None,
            rules: Rules::default(),
            progress: Progress::default(),
            within: Vec::new(),
            not_within: Vec::new(),
            collect: false,
            save: None,
            cancel: Cancel::default(),
            timeout: None,
            threads: None,
            kept_answers: Some(WORTH_KEEPING),
        }
    }
}

/// The options of a search, before the files that it reads are read.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub(crate) options: search::RunOptions,
    similar_file: Option<PathBuf>,
    /// What it has to do with named sets.
    pub(crate) sets: SetUse,
    /// Whether all matching positions are collected.
    pub(crate) collects: bool,
    /// How long the search may take.
    pub(crate) timeout: Option<Duration>,
    /// The positions that match, where they are known: then nothing is searched.
    pub(crate) known: Option<Sections>,
}

impl SearchOptions {
    /// The same for the crate that searches.
    pub(crate) fn planned(self, threads: Threads, answers_bound: Option<u64>) -> Planned {
        Planned {
            options: search::RunOptions {
                variations: self.variations,
                route: self.route,
                boards: None,
                detail: self.detail,
                limit: self.limit,
                stop_at_limit: self.stop_at_limit,
                skip_damaged: self.skip_damaged,
                stop: None,
                files: self.files,
                rules: self.rules,
                similar: Vec::new(),
                sets: BTreeMap::new(),
                threads: self.threads.map_or(threads, Threads::new),
                progress: self.progress,
                answers: self.kept_answers.map(|worth| AnswerOptions {
                    worth,
                    bound: answers_bound,
                }),
            },
            similar_file: self.similar_file,
            sets: SetUse {
                within: self.within,
                not_within: self.not_within,
                save: self.save,
            },
            collects: self.collect,
            timeout: self.timeout,
            known: None,
        }
    }
}

impl Planned {
    /// The options for a query, the file of `similarposition` read.
    pub(crate) fn options(self, query: &Query, stop: Arc<AtomicBool>) -> Result<search::RunOptions> {
        let similar = match query.similar_file() {
            Some(named) => {
                let file = match (self.similar_file, &self.options.files) {
                    (Some(file), _) => file,
                    (None, Some(folder)) => below(folder, named)?,
                    (None, None) => return Err(Error::NoFolder),
                };
                similar::tables(query.expanded(), &file)?
            }
            None => Vec::new(),
        };
        Ok(search::RunOptions {
            similar,
            stop: Some(stop),
            ..self.options
        })
    }

    /// Whether the search ends before all matches are found.
    pub(crate) fn stops_at_limit(&self) -> bool {
        self.options.stop_at_limit && self.options.limit.is_some()
    }

    /// The same search without kept answers.
    pub(crate) fn anew(mut self) -> Planned {
        self.options.answers = None;
        self
    }

    /// The same without that file, for a plan that is not run.
    pub(crate) fn options_to_plan(self, stop: Arc<AtomicBool>) -> search::RunOptions {
        search::RunOptions {
            stop: Some(stop),
            ..self.options
        }
    }
}

/// A file that has to be below a folder.
fn below(folder: &Path, name: &Path) -> Result<PathBuf> {
    match evaluator::below(folder, name) {
        Ok(Some(path)) => Ok(path),
        Ok(None) => Err(Error::QueryFile(format!(
            "{}: not below the folder {}",
            name.display(),
            folder.display()
        ))),
        Err(error) => Err(Error::QueryFile(format!("{}: {error}", folder.join(name).display()))),
    }
}
