//! What changes variables.

use language::hir::{VariableId, VariableKind};
use shakmaty::Bitboard;

use super::super::{Entry, Id, NONE};
use super::{Memory, Runner, number, of_number, word_of};
use crate::filters::MAX_ITERATIONS;
use crate::state::State;
use crate::value::Value;

impl Memory {
    /// Gives a variable a value that it may have already.
    #[inline]
    pub(super) fn update(&mut self, variable: VariableId, value: u64) {
        let known = &self.variables[variable.0 as usize];
        if !known.is_bound || known.value != value {
            self.set(variable, value);
        }
    }

    /// Takes the value of a variable away, if it has one.
    fn unbind(&mut self, variable: VariableId) {
        let known = &mut self.variables[variable.0 as usize];
        if known.is_bound {
            self.version += 1;
            (known.version, known.is_bound) = (self.version, false);
        }
    }
}

impl Runner<'_> {
    /// Takes over the variables that a formula changes; false if one of them has a value of another kind.
    pub(super) fn take_over(&mut self, entry: &Entry, state: &State) -> bool {
        for &(variable, _) in &entry.assigned {
            match &state.variables[variable.0 as usize] {
                None => self.memory.unbind(variable),
                Some(value) => match word_of(value) {
                    Some(value) => self.memory.update(variable, value),
                    None => return false,
                },
            }
            self.memory.variables[variable.0 as usize].is_changed = false;
        }
        true
    }

    /// Gives the variables that a formula has changed their values.
    pub(crate) fn leave(&self, entry: &Entry, state: &mut State) {
        for &(variable, kind) in &entry.assigned {
            let known = &self.memory.variables[variable.0 as usize];
            if !known.is_changed {
                continue;
            }
            state.variables[variable.0 as usize] = known.is_bound.then(|| value_of(kind, known.value));
        }
    }

    /// Gives a variable a value.
    pub(super) fn give(&mut self, variable: VariableId, value: u64) -> u64 {
        self.memory.update(variable, value);
        self.memory.variables[variable.0 as usize].is_changed = true;
        1
    }

    /// Gives a variable a number or a position, if there is one.
    pub(super) fn assign(&mut self, variable: VariableId, value: Id) -> u64 {
        match self.value(value) {
            NONE => 0,
            value => self.give(variable, value),
        }
    }

    pub(super) fn assign_set(&mut self, variable: VariableId, set: Id) -> u64 {
        let set = self.value(set);
        self.give(variable, set)
    }

    /// The same if the set has a square.
    pub(super) fn assign_if_any(&mut self, variable: VariableId, set: Id) -> u64 {
        match self.value(set) {
            0 => 0,
            set => self.give(variable, set),
        }
    }

    /// Gives a variable the piece on the only square of a set, if there is one.
    pub(super) fn assign_piece(&mut self, variable: VariableId, set: Id) -> u64 {
        let square = Bitboard(self.value(set)).single_square();
        match square.and_then(|square| self.game.identity(self.node, square)) {
            None => 0,
            Some(id) => self.give(variable, u64::from(id)),
        }
    }

    pub(super) fn unbind(&mut self, variable: VariableId) -> u64 {
        self.memory.unbind(variable);
        self.memory.variables[variable.0 as usize].is_changed = true;
        1
    }

    pub(super) fn is_bound(&self, variable: VariableId) -> u64 {
        u64::from(self.memory.variables[variable.0 as usize].is_bound)
    }

    /// Asks a condition again and again, and another one each time that it holds; how often it held.
    pub(super) fn repeat(&mut self, condition: Id, body: Option<Id>) -> u64 {
        let mut turns = 0;
        while !self.given_up && self.value(condition) != 0 {
            turns += 1;
            // Too many turns are an error.
            if turns > MAX_ITERATIONS || self.is_due() {
                self.given_up = true;
                break;
            }
            if let Some(body) = body {
                self.value(body);
            }
        }
        turns
    }

    /// How many positions from here on, or of the ancestors and here, match.
    pub(super) fn find_all(&mut self, backward: bool, condition: Id) -> u64 {
        let (here, bound) = (self.node, self.bound_move.take());
        let last = self.game.last_descendant(here);
        let mut total = 0;
        let mut next = Some(here);
        while let Some(node) = next {
            if self.is_due() {
                break;
            }
            self.node = node;
            total += i32::from(self.value(condition) != 0);
            next = match backward {
                true => self.game.parent(node),
                false => Some(node + 1).filter(|&node| node <= last),
            };
        }
        self.node = here;
        self.bound_move = bound;
        of_number(total)
    }
}

/// The value of a variable of some kind.
fn value_of(kind: VariableKind, word: u64) -> Value {
    match kind {
        VariableKind::Set => Value::Set(Bitboard(word)),
        // A piece's number and a position's have less than 32 bits.
        VariableKind::Piece => Value::Piece(u8::try_from(word).unwrap_or(u8::MAX)),
        VariableKind::Numeric => Value::Number(number(word).unwrap_or(0)),
        VariableKind::Position => Value::Position(u32::try_from(word).unwrap_or(u32::MAX)),
        VariableKind::String => unreachable!("a formula has no texts"),
    }
}
