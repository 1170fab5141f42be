//! The evaluator: what every filter means, on one game, without any index.
//!
//! It defines the language; the planner may only save it work. A filter is asked for its truth ([`truth`]) or for its
//! value by kind ([`sets`], [`numbers`], [`strings`], [`positions`]). All state lives in [`value::State`], so that a
//! construct that fails takes back what it has to (comments), and nothing else.

mod award;
mod by_address;
mod control;
mod diagram;
mod echo;
mod error;
mod files;
mod find;
mod game;
mod geometry;
mod legal;
mod line;
mod memory;
mod moves;
mod nodes;
mod numbers;
mod orbit;
mod outcome;
mod output;
mod path;
mod pawns;
mod positions;
mod possible;
mod puremate;
mod relation;
mod sequence;
mod sets;
mod similar;
mod strings;
#[cfg(test)]
mod tests;
mod truth;
mod value;

pub use error::{Cause, RuntimeError};
pub use files::below;
pub use game::{GameHeader, GameInfo, GameView};
pub use legal::Rights;
pub use outcome::GameResult;
pub use similar::{SimilarPlace, SimilarPositions};
pub use value::{CommentSource, LogEntry, SortValue, Value};

use chess::Board;
use error::Eval;
use language::facts::Reads;
use language::hir::{Filter, Kind, Node, Query};
use language::span::Span;
use value::State;

/// What options of the program `cql` change in the language (cql6-games 3.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Comments stay whatever becomes of the filters around them (`-alwayscomment`).
    pub keep_all_comments: bool,
    /// Comments inside `sort` are like all others (`-nosortcomments`).
    pub plain_sort_comments: bool,
    /// `move` filters in a `line` may be about another move than the line takes (`-nolinearize`).
    pub unbound_moves: bool,
}

/// What a run may use, and what stops it.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Set from outside to stop the evaluation at its next step.
    pub stop: Option<std::sync::Arc<std::sync::atomic::AtomicBool>>,
    /// What `lastgamenumber` gives.
    pub last_game: u32,
    /// Whether comments and sort keys are wanted: without them some filters can stop earlier.
    pub results: bool,
    /// Whether variations are searched: `cql_assertvariations` asks.
    pub variations: bool,
    /// The folder below which `readfile` and `writefile` work; nowhere by default.
    pub files: Option<std::path::PathBuf>,
    /// What is changed in the language.
    pub rules: Rules,
    /// Whether `relation` compares every pair of positions: the slow way, which says what it means.
    pub all_pairs: bool,
    /// The tables of `similarposition`, in the order of [`Query::similar`].
    pub similar: Vec<std::sync::Arc<SimilarPositions>>,
}

/// A query ready to run, with the memory that lives from game to game.
#[derive(Debug)]
pub struct Evaluator<'q> {
    query: &'q Query,
    state: State,
    limits: Limits,
    needs: Needs,
    orbits: orbit::Orbits,
    sequences: sequence::Sequences<'q>,
}

/// What a query needs of a game beside its boards and header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Who is who among the pieces.
    pub identity: bool,
    /// Tags, comments and glyphs.
    pub text: bool,
    /// The header's strings and numbers.
    pub header: bool,
}

impl Needs {
    /// What the filters of a query ask for.
    pub fn of(query: &Query) -> Needs {
        let reads = query.body.all_reads();
        let text = reads.intersects(Reads::TEXT);
        Needs {
            identity: reads.intersects(Reads::IDENTITY),
            text,
            header: text || reads.intersects(Reads::HEADER) || !query.header.outcomes.is_empty(),
        }
    }
}

impl<'q> Evaluator<'q> {
    /// An evaluator before its first game.
    pub fn new(query: &'q Query, limits: Limits) -> Evaluator<'q> {
        Evaluator {
            query,
            state: State::new(query),
            limits,
            needs: Needs::of(query),
            orbits: orbit::Orbits::of(query),
            sequences: sequence::Sequences::default(),
        }
    }

    /// What the query needs of a game.
    pub fn needs(&self) -> Needs {
        self.needs
    }

    /// Evaluates the body at the given nodes of a game, in this order; matching ones are pushed to `matches`.
    ///
    /// # Errors
    ///
    /// The first run-time error.
    pub fn search(
        &mut self,
        game: &mut GameView,
        info: GameInfo<'_>,
        nodes: impl IntoIterator<Item = u32>,
        matches: &mut Vec<u32>,
    ) -> Result<(), Box<RuntimeError>> {
        if self.needs.identity {
            game.identify();
        }
        let mut sequences = std::mem::take(&mut self.sequences);
        let mut machine = self.start(game, info, &mut sequences);
        for node in nodes {
            machine.node = node;
            let mark = machine.state.log.len();
            if machine.matches(&machine.query.body)? {
                matches.push(node);
                if machine.limits.results {
                    machine.comment(node, Vec::new(), CommentSource::Match);
                }
            } else {
                machine.state.log.truncate(mark);
            }
        }
        machine.finish_game();
        self.sequences = sequences;
        Ok(())
    }

    /// An evaluation that begins at the root of a game.
    fn start<'a, 'g>(
        &'g mut self,
        game: &'g GameView,
        info: GameInfo<'g>,
        sequences: &'g mut sequence::Sequences<'a>,
    ) -> Machine<'a, 'g>
    where
        'q: 'a,
    {
        self.state.start_game(self.query);
        sequences.start_game();
        Machine {
            query: self.query,
            game,
            info,
            state: &mut self.state,
            limits: &self.limits,
            orbits: &self.orbits,
            node: 0,
            sequences,
            relations: relation::Relations::default(),
        }
    }

    /// Whether a filter matches at the root of a game; for filters that read the header only.
    ///
    /// # Errors
    ///
    /// A run-time error.
    pub fn holds(&mut self, filter: &Filter, game: &GameView, info: GameInfo<'_>) -> Result<bool, Box<RuntimeError>> {
        let mut sequences = sequence::Sequences::default();
        let mut machine = self.start(game, info, &mut sequences);
        machine.matches(filter)
    }

    /// The values of the persistent variables that are not quiet, by name.
    pub fn persistent(&self) -> Vec<(&'q str, Value)> {
        let variables = self.query.variables.iter().zip(&self.state.variables);
        variables
            .filter(|(variable, _)| variable.persistent && !variable.quiet)
            .filter_map(|(variable, value)| Some((variable.name.as_str(), value.clone()?)))
            .collect()
    }
}

/// One evaluation: a query, a game, and the current position.
struct Machine<'a, 'g> {
    query: &'a Query,
    game: &'g GameView,
    info: GameInfo<'g>,
    state: &'g mut State,
    limits: &'g Limits,
    orbits: &'g orbit::Orbits,
    node: u32,
    /// What was found out about the filters, and buffers for them.
    sequences: &'g mut sequence::Sequences<'a>,
    /// What the `relation` filters know of the game.
    relations: relation::Relations,
}

impl<'a, 'g> Machine<'a, 'g> {
    /// The board of the current position.
    #[inline]
    fn board(&self) -> &'g Board {
        self.game.board(self.node)
    }

    /// The same machine at another position.
    fn at<T>(&mut self, node: u32, evaluate: impl FnOnce(&mut Self) -> Eval<T>) -> Eval<T> {
        let here = std::mem::replace(&mut self.node, node);
        let value = evaluate(self);
        self.node = here;
        value
    }

    /// The same at another position that has nothing to do with the move that a constituent of a `line` is bound to
    /// (cql6-games 6.3): the right side of `:`, `find`, `echo`.
    fn elsewhere<T>(&mut self, node: u32, evaluate: impl FnOnce(&mut Self) -> Eval<T>) -> Eval<T> {
        let bound = self.state.bound_move.take();
        let value = self.at(node, evaluate);
        self.state.bound_move = bound;
        value
    }

    /// A run-time error here.
    #[cold]
    fn error(&self, cause: Cause, span: Span) -> Box<RuntimeError> {
        Box::new(RuntimeError {
            cause,
            span,
            game: self.game.number,
            node: self.node,
        })
    }

    /// Counts a step of something that may go on for long, and stops when it was asked to.
    #[inline]
    fn step(&mut self, span: Span) -> Eval<()> {
        self.state.steps += 1;
        if self.state.steps.is_multiple_of(1 << 10) && self.is_stopped() {
            return Err(self.error(Cause::Limit, span));
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.limits
            .stop
            .as_ref()
            .is_some_and(|stop| stop.load(std::sync::atomic::Ordering::Relaxed))
    }

    /// The value of a filter of any kind; nothing if it has none.
    fn value(&mut self, filter: &'a Filter) -> Eval<Option<Value>> {
        // A set always has a value, but an entry that is not there has none.
        if let Node::DictionaryGet(dictionary, key) = &filter.node {
            return self.dictionary_get(*dictionary, key);
        }
        Ok(match filter.kind {
            Kind::Logical => Some(Value::Logical(self.matches(filter)?)),
            Kind::Set => Some(Value::Set(self.set(filter)?)),
            Kind::Numeric => self.number(filter)?.map(Value::Number),
            Kind::String => self.text(filter)?.map(|text| Value::Text(text.into_owned())),
            Kind::Position => self.position(filter)?.map(Value::Position),
        })
    }
}
