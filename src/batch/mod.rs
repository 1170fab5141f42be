//! Many questions about a database, asked in one go.

mod labels;
mod table;

use std::collections::VecDeque;
use std::iter::Peekable;

use crate::database::Database;
use crate::matches::{Detail, Matches, Progress};
use crate::options::SearchOptions;
use crate::query::Query;

pub use labels::LabelWriter;
pub use table::{BatchAnswer, BatchTable};

/// How many questions are asked at once while only counts and sets of positions are wanted: while one is planned, or has
/// work for one thread only, the other keeps the other threads busy.
const AT_ONCE: usize = 2;

/// The answers to many questions, in the order of the questions: what [`Database::batch`] gives.
///
/// Each item is a running search. An error belongs to its question, and the next one is asked all the same.
#[derive(Debug)]
pub struct Batch<'d, I: Iterator<Item = Query>> {
    database: &'d Database,
    queries: Peekable<I>,
    options: SearchOptions,
    /// Searches that run already, in order, and whether each may read or write files.
    running: VecDeque<(Matches, bool)>,
}

impl Database {
    /// Asks many questions, one after the other, with the same options. They share what the database has in memory, and
    /// where only counts or sets of positions are wanted, a question begins before the one before it has ended.
    ///
    /// [`SearchOptions::timeout`] is the time of each question, and [`SearchOptions::cancel`] stops all of them. Each search
    /// has a [`Matches::progress`] of its own.
    ///
    /// ```
    /// use cqldex::{Database, Detail, Dialect, Options, Query, SearchOptions};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let queries = ["mate", "assert false", "btm"].map(|text| Query::parse(text, Dialect::Auto));
    /// let queries = queries.into_iter().collect::<Result<Vec<_>, _>>()?;
    /// let options = SearchOptions { detail: Detail::Count, ..SearchOptions::default() };
    /// let answers = database.batch(queries, options).map(|matches| matches.summary());
    /// let counts: Vec<_> = answers.map(|answer| answer.map(|summary| summary.positions).ok()).collect();
    /// assert_eq!(counts, [Some(1), None, Some(2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn batch<I: IntoIterator<Item = Query>>(&self, queries: I, options: SearchOptions) -> Batch<'_, I::IntoIter> {
        Batch {
            database: self,
            queries: queries.into_iter().peekable(),
            options,
            running: VecDeque::new(),
        }
    }
}

impl<I: Iterator<Item = Query>> Iterator for Batch<'_, I> {
    type Item = Matches;

    fn next(&mut self) -> Option<Matches> {
        // The games of a search that runs ahead would have to wait, and its time would pass.
        let at_once = match self.options.detail {
            Detail::Count => AT_ONCE,
            Detail::Positions | Detail::Results => 1,
        };
        while self.running.len() < at_once {
            // Two questions may read and write the same file.
            let are_files_used = self.running.iter().any(|(_, uses_files)| *uses_files);
            let waits = |query: &Query| are_files_used && query.uses_files();
            let Some(query) = self.queries.next_if(|query| !waits(query)) else {
                break;
            };
            let options = SearchOptions {
                progress: Progress::default(),
                ..self.options.clone()
            };
            let matches = self.database.search(&query, options);
            self.running.push_back((matches, query.uses_files()));
        }
        self.running.pop_front().map(|(matches, _)| matches)
    }
}
