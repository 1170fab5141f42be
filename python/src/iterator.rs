//! The matches of a search, one after the other.

use std::sync::{Mutex, PoisonError};
use std::{mem, vec};

use cqldex::{GameMatch, Matches};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;

use crate::local::Local;
use crate::matching::Match;
use crate::waiting;
use crate::watch::Watch;

/// An iterator over matches. Threads can share it; each match goes to one of them. What is not taken is not searched
/// for any longer once it is gone.
#[pyclass(frozen, module = "cqldex")]
pub(crate) struct MatchIterator {
    state: Mutex<Local<State>>,
}

struct State {
    source: Source,
    /// The game whose positions come now.
    game: u64,
    positions: vec::IntoIter<cqldex::Match>,
    watch: Watch,
}

/// Where games come from.
pub(crate) enum Source {
    /// A search that runs.
    Search(Box<Matches>),
    /// Games in the order that the query asks for.
    Sorted(vec::IntoIter<GameMatch>),
    /// A search that starts when the first match is taken.
    Later(Start),
    /// All were taken, or the search has failed.
    End,
}

/// Starts a search.
pub(crate) type Start = Box<dyn FnOnce(Python<'_>) -> PyResult<Source> + Send>;

impl MatchIterator {
    pub(crate) fn new(source: Source, watch: Watch) -> MatchIterator {
        let state = State {
            source,
            game: 0,
            positions: Vec::new().into_iter(),
            watch,
        };
        MatchIterator {
            state: Mutex::new(Local::new(state)),
        }
    }

    /// The next match.
    pub(crate) fn next(&self, py: Python<'_>) -> PyResult<Option<Match>> {
        let mut state = self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        state.get_mut()?.next(py)
    }
}

impl State {
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<Match>> {
        loop {
            if let Some(found) = self.positions.next() {
                return Ok(Some(Match::new(self.game, found)));
            }
            let game = match &mut self.source {
                Source::Search(matches) => waiting::next_game(py, matches, &self.watch),
                Source::Sorted(games) => Ok(games.next()),
                Source::Later(_) => {
                    if let Source::Later(start) = mem::replace(&mut self.source, Source::End) {
                        self.source = start(py)?;
                    }
                    continue;
                }
                Source::End => return Ok(None),
            };
            match game {
                Ok(Some(game)) => {
                    self.game = game.number;
                    self.positions = game.positions.into_iter();
                }
                // A search that has failed is over, too.
                end => {
                    self.source = Source::End;
                    self.watch.end(py)?;
                    end?;
                }
            }
        }
    }
}

#[pymethods]
impl MatchIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Match>> {
        self.next(py)
    }
}
