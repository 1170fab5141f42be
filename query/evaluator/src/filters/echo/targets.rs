//! The targets of an echo that are worth testing, found for all positions of a game at once: what depends on the source
//! or the target alone is evaluated once for each position.

use std::ops::Range;

use language::hir::{Filter, VariableId};
use shakmaty::Bitboard;

use crate::error::Eval;
use crate::machine::Machine;
use crate::nodes::{KnownTruth, NodeSet};
use crate::tables::{
    Condition, EchoParts, MAX_NUMBER, NO_NUMBER, SameSets, Sign, Sums, TargetCondition, TargetSets, TargetSums,
    retain_squares,
};
use crate::value::Value;

/// How many targets are tested side by side first: often one is enough.
const FIRST_TARGETS: u32 = 8;

/// The targets of one source that are still to be tested.
#[derive(Debug)]
pub(super) struct Targets<'s, 'a> {
    parts: &'s EchoParts<'a>,
    variable: VariableId,
    /// Those that are left.
    left: NodeSet,
    /// Up to here the conditions that are formulas were tested.
    tested: u32,
    /// Which conditions those are, a bit for each.
    formulas: u64,
}

impl<'s, 'a> Targets<'s, 'a> {
    pub(super) fn new(parts: &'s EchoParts<'a>, variable: VariableId) -> Targets<'s, 'a> {
        Targets {
            parts,
            variable,
            left: parts.left.clone(),
            tested: 0,
            formulas: 0,
        }
    }
}

impl<'a> Machine<'a, '_> {
    /// The first target from a position on for which the conditions hold that are tested side by side.
    pub(super) fn next_target(&mut self, targets: &mut Targets<'_, 'a>, from: u32) -> Option<u32> {
        loop {
            let node = targets.left.next(from)?;
            if node < targets.tested {
                return Some(node);
            }
            let end_of_word = node / 64 * 64 + 64;
            let end = match targets.tested {
                0 => end_of_word.min(node + FIRST_TARGETS),
                _ => end_of_word,
            };
            self.test_targets(targets, node..end);
            targets.tested = end;
        }
    }

    /// Tests the conditions that are formulas for some of the targets in a word.
    fn test_targets(&mut self, targets: &mut Targets<'_, 'a>, range: Range<u32>) {
        let index = range.start as usize / 64;
        let before = targets.left.words()[index] & bits::within(index, &range);
        let mut left = before;
        targets.formulas = 0;
        for (number, known) in targets.parts.conditions.iter().enumerate().take(64) {
            let Condition::Other(filter) = known.condition else {
                continue;
            };
            if known.is_steady
                && let Some(found) = self.positions_by_formula(filter, targets.variable, range.start / 64 * 64, left)
            {
                left = found;
                targets.formulas |= 1 << number;
            }
        }
        targets.left.remove_word(index, before & !left);
    }

    /// Finds the targets that the conditions leave; the source is one of them at most if that is wanted. True if there are
    /// any.
    pub(crate) fn likely_targets(&mut self, parts: &mut EchoParts<'a>, here: u32, in_all: bool) -> Eval<bool> {
        let positions = self.game.len();
        if !parts.begun {
            parts.begin(positions);
        }
        let mut range = self.game.nodes();
        for known in &mut parts.conditions {
            match known.condition {
                Condition::Source(filter) if !self.holds_at(filter, here, &mut known.truth)? => return Ok(false),
                Condition::Later(true) => range.start = range.start.max(here + 1),
                Condition::Later(false) => range.end = range.end.min(here),
                Condition::Below(or_same) => {
                    range.start = range.start.max(here + u32::from(!or_same));
                    range.end = range.end.min(self.game.last_descendant(here) + 1);
                }
                _ => {}
            }
        }
        if range.is_empty() {
            return Ok(false);
        }
        if let Some(labels) = parts.labels {
            parts.same_boards.join(self.game.boards(), labels);
            parts.same_boards.same(here, &range, &mut parts.left);
        } else {
            parts.left.fill_range(range, positions);
        }
        if !in_all {
            parts.left.remove(here);
        }
        // What costs least comes first.
        for step in [Step::Values, Step::Truth, Step::Squares] {
            for index in 0..parts.conditions.len() {
                if parts.left.is_empty() {
                    return Ok(false);
                }
                self.narrow_targets(parts, index, step, here)?;
            }
        }
        Ok(!parts.left.is_empty())
    }

    fn narrow_targets(&mut self, parts: &mut EchoParts<'a>, index: usize, step: Step, here: u32) -> Eval<()> {
        let EchoParts {
            conditions,
            boards,
            left,
            asks_sums,
            ..
        } = parts;
        let TargetCondition {
            condition,
            truth,
            sums,
            sets,
            ..
        } = &mut conditions[index];
        match (step, condition) {
            (Step::Truth, Condition::Target(filter)) => {
                let mut next = truth.next_untested(left, 0);
                while let Some(node) = next {
                    self.holds_at(filter, node, truth)?;
                    next = truth.next_untested(left, node + 1);
                }
                left.retain(truth.holds(), true);
            }
            (Step::Values, Condition::SameSets(condition)) => self.retain_same_sets(*condition, sets, left)?,
            (Step::Values, Condition::Keeps(variable, source)) => {
                let wanted = self.set(source)?;
                self.retain_places(*variable, wanted, left);
            }
            (Step::Values, Condition::Sums(condition)) => {
                let decided = self.retain_sums(condition, sums, here, left)?;
                *asks_sums |= !decided;
            }
            (Step::Squares, Condition::Squares(squares)) => {
                boards.read(self.game.boards());
                retain_squares(*squares, boards, here, left);
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether a condition that has one value at a position holds there.
    fn holds_at(&mut self, filter: &'a Filter, node: u32, known: &mut KnownTruth) -> Eval<bool> {
        if let Some(holds) = known.at(node) {
            return Ok(holds);
        }
        let holds = self.elsewhere(node, |machine| machine.matches(filter))?;
        known.note(node, holds);
        Ok(holds)
    }

    /// Keeps the positions whose set is the same as that of the source.
    fn retain_same_sets(&mut self, condition: SameSets<'a>, known: &mut TargetSets, left: &mut NodeSet) -> Eval<()> {
        let source = self.set(condition.source)?;
        if known.sets.is_empty() {
            for node in self.game.nodes() {
                let set = self.elsewhere(node, |machine| machine.set(condition.target))?;
                known.sets.push(set);
            }
        }
        known.retain(source, left);
        Ok(())
    }

    /// Keeps the positions where a variable, which keeps its value, is a set.
    fn retain_places(&self, variable: VariableId, wanted: Bitboard, left: &mut NodeSet) {
        match self.state.variables[variable.0 as usize] {
            Some(Value::Piece(id)) => {
                let here = |node| {
                    self.game
                        .find_piece(node, id)
                        .map_or(Bitboard::EMPTY, Bitboard::from_square)
                };
                left.retain_if(|node| here(node) == wanted);
            }
            Some(Value::Set(set)) if set == wanted => {}
            _ => left.clear(self.game.len()),
        }
    }

    /// Keeps the positions for which a comparison of sums holds; false if a sum might overflow, so that it is left open.
    fn retain_sums(
        &mut self,
        condition: &Sums<'a>,
        known: &mut TargetSums,
        here: u32,
        left: &mut NodeSet,
    ) -> Eval<bool> {
        let Some(source) = self.sum_at(&condition.source, here)? else {
            return Ok(false);
        };
        if known.sums.is_empty() {
            for node in self.game.nodes() {
                let Some(sum) = self.sum_at(&condition.target, node)? else {
                    known.sums.clear();
                    return Ok(false);
                };
                known.sums.push(sum);
            }
            known.ascending = known.sums[0] != NO_NUMBER && known.sums.is_sorted();
        }
        if source == NO_NUMBER {
            left.clear(self.game.len());
        } else {
            known.retain(condition.comparison, source + condition.constant, left);
        }
        Ok(true)
    }

    /// The sum of some numbers at a position, [`NO_NUMBER`] if one has no value; `None` if one is too large.
    fn sum_at(&mut self, numbers: &[(Sign, &'a Filter)], node: u32) -> Eval<Option<i32>> {
        let mut sum = 0;
        for &(sign, number) in numbers {
            match self.elsewhere(node, |machine| machine.count(number))? {
                Some(value) if value.unsigned_abs() > MAX_NUMBER.unsigned_abs() => return Ok(None),
                Some(value) if sum != NO_NUMBER => sum += sign.of(value),
                _ => sum = NO_NUMBER,
            }
        }
        Ok(Some(sum))
    }

    /// Whether the rest of an echo's body matches at a target, and its value; where source and target are bound already.
    pub(super) fn echo_rest(&mut self, targets: &Targets<'_, 'a>, is_numeric: bool) -> Eval<Option<i32>> {
        let parts = targets.parts;
        for (number, known) in parts.conditions.iter().enumerate() {
            let filter = match &known.condition {
                Condition::Other(_) if number < 64 && targets.formulas >> number & 1 != 0 => continue,
                Condition::Other(filter) => filter,
                Condition::Sums(sums) if parts.asks_sums => sums.filter,
                _ => continue,
            };
            if !self.matches(filter)? {
                return Ok(None);
            }
        }
        for (index, filter) in parts.rest.iter().enumerate() {
            if is_numeric && index + 1 == parts.rest.len() {
                return self.number(filter);
            }
            if !self.matches(filter)? {
                return Ok(None);
            }
        }
        Ok(Some(1))
    }
}

/// The order in which conditions narrow the targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Values,
    Truth,
    Squares,
}
