//! A query ready to run, and what it leaves in a game.

use language::hir::{Filter, Query};

use crate::error::RuntimeError;
use crate::formula::Formulas;
use crate::game::{GameInfo, GameView};
use crate::guards::Guards;
use crate::limits::Limits;
use crate::machine::Machine;
use crate::needs::Needs;
use crate::orbits::Orbits;
use crate::sequence::Programs;
use crate::state::{CommentSource, LogEntry, SortValue, State};
use crate::tables::Tables;
use crate::traces::Traces;
use crate::value::Value;
use crate::whole_games::{GameCondition, game_conditions};

/// All boards of a game are made at once if the query is evaluated at more than one position in this many.
const MANY_BOARDS: usize = 4;

/// The traces of a query in one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameResult {
    /// Comments in the order in which they are to be added, with a mark for each matching position; those of the sort
    /// keys come last.
    pub comments: Vec<LogEntry>,
    /// The best value of every sort key, in the order of the keys.
    pub sorts: Vec<Option<SortValue>>,
    /// Tags set by `settag`, in the order in which they were first set.
    pub tags: Vec<(String, Vec<u8>)>,
    /// Positions whose own comment goes.
    pub removed_comments: Vec<u32>,
}

/// A query ready to run, with the memory that lives from game to game.
#[derive(Debug)]
pub struct Evaluator<'q> {
    query: &'q Query,
    state: State,
    limits: Limits,
    needs: Needs,
    orbits: Orbits,
    guards: Guards<'q>,
    formulas: Formulas,
    programs: Programs<'q>,
    conditions: Vec<GameCondition<'q>>,
    tables: Tables<'q>,
}

impl<'q> Evaluator<'q> {
    /// An evaluator before its first game.
    pub fn new(query: &'q Query, limits: Limits) -> Evaluator<'q> {
        let orbits = Orbits::of(query);
        let traces = Traces::of(query, &limits);
        let (guards, formulas, conditions) = match limits.plain {
            true => Default::default(),
            false => {
                let guards = Guards::of(query, &traces);
                let formulas = Formulas::of(query, &orbits, &guards, limits.results);
                (guards, formulas, game_conditions(query, &traces))
            }
        };
        Evaluator {
            query,
            state: State::new(query),
            needs: Needs::of(query),
            programs: Programs::of(query, limits.rules),
            guards,
            formulas,
            conditions,
            orbits,
            limits,
            tables: Tables::default(),
        }
    }

    /// The same without anything that is compiled beforehand: every filter is evaluated as it stands.
    #[cfg(test)]
    pub(crate) fn plain(query: &'q Query, limits: Limits) -> Evaluator<'q> {
        Evaluator {
            formulas: Formulas::default(),
            guards: Guards::default(),
            conditions: Vec::new(),
            ..Evaluator::new(query, limits)
        }
    }

    /// What the query needs of a game.
    pub fn needs(&self) -> Needs {
        self.needs
    }

    /// Whether a position of a game may match, as far as its tags and comments tell without its moves. `game` has its number,
    /// and may be without moves.
    ///
    /// # Errors
    ///
    /// A run-time error.
    pub fn may_match(&mut self, game: &GameView, info: GameInfo<'_>) -> Result<bool, Box<RuntimeError>> {
        for index in 0..self.conditions.len() {
            let holds = match self.conditions[index] {
                GameCondition::Throughout(filter) => self.holds(filter, game, info)?,
                GameCondition::InAComment(needle) => {
                    let comments = info.text.into_iter().flat_map(|text| &text.comments);
                    comments.into_iter().any(|(_, comment)| comment.contains(needle))
                }
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
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
        let nodes = nodes.into_iter();
        self.prepare(game, nodes.size_hint().0);
        let mut tables = std::mem::take(&mut self.tables);
        let mut machine = self.start(game, info, &mut tables);
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
        self.tables = tables;
        Ok(())
    }

    /// Calls something at each of the given nodes of a game. What it leaves in the game is dropped.
    pub(crate) fn visit(
        &mut self,
        game: &mut GameView,
        info: GameInfo<'_>,
        nodes: &[u32],
        mut look: impl FnMut(&mut Machine<'_, '_>),
    ) {
        self.prepare(game, nodes.len());
        let mut tables = std::mem::take(&mut self.tables);
        let mut machine = self.start(game, info, &mut tables);
        for &node in nodes {
            machine.node = node;
            look(&mut machine);
            machine.state.log.clear();
        }
        self.tables = tables;
    }

    /// Finds out what the query needs to know of a game in which it is evaluated at this number of positions.
    fn prepare(&self, game: &mut GameView, positions: usize) {
        if self.needs.boards || positions > game.len() / MANY_BOARDS {
            game.make_boards();
        }
        if self.needs.moves {
            game.find_edges();
        }
        if self.needs.identity {
            game.identify();
        }
    }

    /// An evaluation that begins at the root of a game.
    fn start<'a, 'g>(
        &'g mut self,
        game: &'g GameView,
        info: GameInfo<'g>,
        tables: &'g mut Tables<'a>,
    ) -> Machine<'a, 'g>
    where
        'q: 'a,
    {
        self.state.start_game(self.query);
        tables.start_game(&self.formulas);
        Machine {
            query: self.query,
            game,
            info,
            state: &mut self.state,
            limits: &self.limits,
            orbits: &self.orbits,
            guards: &self.guards,
            formulas: &self.formulas,
            programs: &self.programs,
            has_atomic: self.query.variables.iter().any(|variable| variable.atomic),
            node: 0,
            tables,
        }
    }

    /// Whether a filter matches at the root of a game; for filters that read the header only.
    ///
    /// # Errors
    ///
    /// A run-time error.
    pub fn holds(&mut self, filter: &Filter, game: &GameView, info: GameInfo<'_>) -> Result<bool, Box<RuntimeError>> {
        let mut tables = Tables::default();
        let mut machine = self.start(game, info, &mut tables);
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

    /// Takes what the last game left. Call it after [`Evaluator::search`] for a game that matches.
    pub fn take_result(&mut self) -> GameResult {
        let mut comments = std::mem::take(&mut self.state.kept);
        comments.append(&mut self.state.log);
        let sorts: Vec<Option<SortValue>> = self.state.sorts.iter_mut().map(Option::take).collect();
        comments.extend(sorts.iter().flatten().flat_map(|sort| sort.comments.iter().cloned()));
        GameResult {
            comments,
            sorts,
            tags: std::mem::take(&mut self.state.tags),
            removed_comments: std::mem::take(&mut self.state.removed_comments),
        }
    }

    /// Takes the messages of the games searched so far, each without a newline.
    pub fn take_messages(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.state.messages)
    }
}
