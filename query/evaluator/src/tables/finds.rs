//! What is known of the arguments of `find`.
//!
//! Every position of a subtree is asked about from every position above it, so answers that cannot change are
//! remembered: a game costs its length, not the square of it. What an argument gives may depend on variables of the
//! query; then it is remembered for each of their values.

use language::hir::{Filter, VariableId};

use super::departures::{Departures, Mover};
use crate::game::GameView;
use crate::nodes::{KnownTruth, NodeSet};
use crate::per_filter::PerFilter;
use crate::sequence::known_by_variables;
use crate::value::Value;

/// For how many values of its variables an argument is remembered.
const MAX_TABLES: usize = 64;

/// What is known of the arguments of `find` in one game.
#[derive(Debug, Default)]
pub(crate) struct Finds {
    arguments: PerFilter<Argument>,
    departures: Departures,
}

/// What is known of one argument.
#[derive(Debug)]
struct Argument {
    /// The variables that, with the position, decide the answer; `None` if it depends on more.
    variables: Option<Vec<VariableId>>,
    tables: Vec<Table>,
    /// A key of the values of each table that is about this game. Most keys of different values are different.
    keys: Vec<u64>,
}

/// What is known for some values of the variables.
#[derive(Debug, Default)]
struct Table {
    values: Vec<Option<Value>>,
    truth: KnownTruth,
}

/// Where answers are remembered: the places of argument and table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FindPlace(usize, usize);

impl Finds {
    /// Forgets what belongs to one game.
    pub(super) fn start_game(&mut self) {
        self.departures.start_game();
        self.arguments.iter_mut().for_each(|argument| argument.keys.clear());
    }

    /// What is remembered.
    #[inline]
    pub(crate) fn truth(&mut self, FindPlace(argument, table): FindPlace) -> &mut KnownTruth {
        &mut self.arguments.at(argument).tables[table].truth
    }

    /// Where the answers of an argument are remembered for these values of all variables, and whether that place is new;
    /// `None` if they cannot be.
    pub(crate) fn place(
        &mut self,
        argument: &Filter,
        values: &[Option<Value>],
        positions: usize,
    ) -> Option<(FindPlace, bool)> {
        let place = self.arguments.place_or_insert(argument.id(), || Argument {
            variables: known_by_variables(argument),
            tables: Vec::new(),
            keys: Vec::new(),
        });
        let Argument {
            variables,
            tables,
            keys,
        } = self.arguments.at(place);
        let variables = variables.as_ref()?;
        let values = variables.iter().map(|variable| &values[variable.0 as usize]);
        let key = values.clone().fold(0, |key, value| mixed(key, value.as_ref()));
        let known = keys
            .iter()
            .zip(tables.iter())
            .position(|(&other, table)| other == key && table.values.iter().eq(values.clone()));
        if let Some(table) = known {
            return Some((FindPlace(place, table), false));
        }
        let new = keys.len();
        if new == MAX_TABLES {
            return None;
        }
        if new == tables.len() {
            tables.push(Table::default());
        }
        let table = &mut tables[new];
        table.values.clear();
        table.values.extend(values.cloned());
        table.truth.clear(positions);
        keys.push(key);
        Some((FindPlace(place, new), true))
    }

    /// The positions with one of these moves: from, to; `None` if that says too little.
    pub(crate) fn possible(&mut self, game: &GameView, moves: &[[Mover; 2]]) -> Option<NodeSet> {
        let mut possible = NodeSet::none(game.len());
        let mut parts = moves.iter();
        let is_known = parts.all(|&[from, to]| self.departures.add(game, from, to, &mut possible));
        is_known.then_some(possible)
    }

    /// Notes that an argument holds nowhere but at some positions, or (`is_all`) at just these.
    pub(crate) fn note_possible(
        &mut self,
        FindPlace(argument, table): FindPlace,
        possible: Option<&NodeSet>,
        is_all: bool,
    ) {
        let Some(possible) = possible else { return };
        let truth = &mut self.arguments.at(argument).tables[table].truth;
        match is_all {
            true => truth.note_all(possible),
            false => truth.note_only_among(possible),
        }
    }
}

/// A key with one more value.
fn mixed(key: u64, value: Option<&Value>) -> u64 {
    let bits = match value {
        Some(Value::Set(squares)) => squares.0,
        Some(Value::Piece(id)) => u64::from(*id),
        Some(Value::Position(node)) => u64::from(*node),
        Some(Value::Number(number)) => u64::from(number.cast_unsigned()),
        // Those of these kinds are compared one by one.
        Some(Value::Logical(_) | Value::Text(_)) | None => 0,
    };
    (key.rotate_left(23) ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
