//! The targets of an echo that are worth asking, found for all positions of a game at once: what can be told of source
//! and target apart is told once for each position.

use language::hir::{Comparison, Filter, VariableId};

use super::super::nodes::{KnownTruth, NodeSet};
use super::super::truth::ordered;
use super::super::{Eval, Machine};
use super::boards::Boards;
use super::parts::{Condition, MAX_NUMBER, Sign, SquareSet, Squares, Sums, take_apart};

/// The body of an echo, taken apart, and what is known of it in a game.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    conditions: Vec<Known<'a>>,
    /// What follows, in order; for a numeric body the last one is its value.
    rest: Vec<&'a Filter>,
    boards: Boards,
    /// The targets that are left.
    pub(super) left: NodeSet,
    /// Whether it is about this game.
    begun: bool,
    /// Whether sums have to be asked pair by pair, because they might overflow.
    asks_sums: bool,
}

/// A condition, with what it gave at the positions of a game.
#[derive(Debug)]
struct Known<'a> {
    condition: Condition<'a>,
    truth: KnownTruth,
    sums: TargetSums,
}

/// What the numbers of the target add up to, by position.
#[derive(Debug, Default)]
struct TargetSums {
    /// [`NO_NUMBER`] where one of them has no value.
    sums: Vec<i32>,
    /// Whether they never decrease.
    ascending: bool,
    /// For numbers of a source, ascending: where the comparison holds.
    holds: Vec<(i32, NodeSet)>,
    spare: Vec<NodeSet>,
}

const NO_NUMBER: i32 = i32::MIN;

impl<'a> Parts<'a> {
    pub(super) fn of(body: &'a Filter, variables: [VariableId; 2]) -> Parts<'a> {
        let (conditions, rest) = take_apart(body, variables);
        let conditions = conditions.into_iter().map(|condition| Known {
            condition,
            truth: KnownTruth::default(),
            sums: TargetSums::default(),
        });
        Parts {
            conditions: conditions.collect(),
            rest,
            boards: Boards::default(),
            left: NodeSet::default(),
            begun: false,
            asks_sums: false,
        }
    }

    /// Whether nothing is gained by it.
    pub(super) fn is_useless(&self) -> bool {
        self.conditions
            .iter()
            .all(|known| matches!(known.condition, Condition::Other(_)))
    }

    /// Forgets what belongs to one game.
    pub(super) fn forget_game(&mut self) {
        self.begun = false;
    }

    /// Begins with a game.
    fn begin(&mut self, positions: usize) {
        self.begun = true;
        self.boards.clear();
        for known in &mut self.conditions {
            known.truth.clear(positions);
            known.sums.clear();
        }
    }
}

impl TargetSums {
    fn clear(&mut self) {
        self.sums.clear();
        self.spare.extend(self.holds.drain(..).map(|(_, nodes)| nodes));
    }

    /// Leaves the positions whose sum, with this number, compares so with 0.
    fn retain(&mut self, comparison: Comparison, number: i32, nodes: &mut NodeSet) {
        let bound = -number;
        if self.ascending {
            let below = || self.sums.partition_point(|&sum| sum < bound) as u32;
            let upto = || self.sums.partition_point(|&sum| sum <= bound) as u32;
            let all = self.sums.len() as u32;
            let range = match comparison {
                Comparison::Less => 0..below(),
                Comparison::LessEqual => 0..upto(),
                Comparison::Greater => upto()..all,
                Comparison::GreaterEqual => below()..all,
                _ => below()..upto(),
            };
            nodes.retain_range(&range);
            return;
        }
        let place = self.holds.partition_point(|&(other, _)| other < bound);
        if self.holds.get(place).is_none_or(|&(other, _)| other != bound) {
            let mut holds = self.spare.pop().unwrap_or_default();
            holds.clear(self.sums.len());
            for (node, sum) in self.sums.iter().enumerate() {
                if *sum != NO_NUMBER && ordered(comparison, sum, &bound) {
                    holds.insert(node as u32);
                }
            }
            self.holds.insert(place, (bound, holds));
        }
        nodes.retain(&self.holds[place].1, true);
    }
}

impl<'a> Machine<'a, '_> {
    /// Finds the targets that the conditions leave; the source may be one of them. Says whether there are any.
    pub(super) fn likely_targets(&mut self, parts: &mut Parts<'a>, here: u32) -> Eval<bool> {
        let positions = self.game.len();
        if !parts.begun {
            parts.begin(positions);
        }
        let mut range = 0..positions as u32;
        let mut same_board = false;
        for known in &mut parts.conditions {
            match known.condition {
                Condition::Source(filter) if !self.holds_at(filter, here, &mut known.truth)? => return Ok(false),
                Condition::Later(true) => range.start = here + 1,
                Condition::Later(false) => range.end = range.end.min(here),
                Condition::SameBoard => same_board = true,
                _ => {}
            }
        }
        if range.is_empty() {
            return Ok(false);
        }
        if same_board {
            parts.boards.read(self.game.boards());
            parts.boards.join();
            parts.boards.same(here, &range, &mut parts.left);
        } else {
            parts.left.fill_range(&range, positions);
        }
        // What costs least comes first.
        for step in [Step::Sums, Step::Truth, Step::Squares] {
            for index in 0..parts.conditions.len() {
                if parts.left.is_empty() {
                    return Ok(false);
                }
                self.narrow_targets(parts, index, step, here)?;
            }
        }
        Ok(!parts.left.is_empty())
    }

    fn narrow_targets(&mut self, parts: &mut Parts<'a>, index: usize, step: Step, here: u32) -> Eval<()> {
        let Parts {
            conditions,
            boards,
            left,
            asks_sums,
            ..
        } = parts;
        let Known { condition, truth, sums } = &mut conditions[index];
        match (step, condition) {
            (Step::Truth, Condition::Target(filter)) => {
                let mut next = truth.next_unasked(left, 0);
                while let Some(node) = next {
                    self.holds_at(filter, node, truth)?;
                    next = truth.next_unasked(left, node + 1);
                }
                left.retain(truth.holds(), true);
            }
            (Step::Sums, Condition::Sums(condition)) => {
                let told = self.retain_sums(condition, sums, here, left)?;
                *asks_sums |= !told;
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

    /// Leaves the positions for which a comparison of sums holds; false if that could not be told.
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
            for node in 0..self.game.len() as u32 {
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

    /// The sum of some numbers at a position, [`NO_NUMBER`] if one has no value; nothing if one is too large.
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
    pub(super) fn echo_rest(&mut self, parts: &Parts<'a>, is_numeric: bool) -> Eval<Option<i32>> {
        for known in &parts.conditions {
            let filter = match &known.condition {
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
    Sums,
    Truth,
    Squares,
}

/// Leaves the positions whose board has so many squares with the same or different contents.
fn retain_squares(squares: Squares, boards: &Boards, here: u32, left: &mut NodeSet) {
    let SquareSet { same, among } = squares.set;
    let all = among.count() as i32;
    let constant = squares.constant.clamp(-1, 65);
    let (low, high) = match squares.comparison {
        Comparison::Less => (0, constant - 1),
        Comparison::LessEqual => (0, constant),
        Comparison::Greater => (constant + 1, all),
        Comparison::GreaterEqual => (constant, all),
        _ => (constant, constant),
    };
    // How many squares may and must be different.
    let (low, high) = if same { (all - high, all - low) } else { (low, high) };
    left.retain_if(|node| {
        let different = (boards.difference(here, node) & among).count() as i32;
        low <= different && different <= high
    });
}
