//! A `line` as an automaton: exact for any nesting of repetitions, whatever its length.

use std::ops::RangeInclusive;
use std::sync::Arc;

use language::hir::Line;

use super::Lowering;
use super::scope::Way;
use super::sequence_parts::SequencePart;
use super::sequences::Spacing;
use crate::expr::{Automaton, MOST_STATES, TemporalOp, Truth, Wanted};

/// How many different conditions an automaton may have.
const MOST_CONDITIONS: usize = 32;

impl<'q> Lowering<'q> {
    /// Where a line has a match whose number of positions is in a range; `None` where that is not known for certain, or where there
    /// are too many states.
    pub(super) fn by_automaton(
        &mut self,
        line: &'q Line,
        parts: &[SequencePart],
        spacing: Spacing,
        length: RangeInclusive<u32>,
    ) -> Option<Truth> {
        if self.variations || line.nestban || line.primary == Some(false) {
            return None;
        }
        let mut program = Program::default();
        program.parts(parts)?;
        program.ops.push(Op::Accept);
        let is_any = *length.start() <= 1 && *length.end() == u32::MAX;
        let automaton = Automaton {
            first: program.tests_from(0).0,
            backward: matches!(spacing.way, Way::Backward),
            stride: spacing.stride,
            wanted: match (is_any, line.first_match) {
                (true, _) => Wanted::Any,
                (false, false) => Wanted::Longest(length),
                (false, true) => Wanted::First(length),
            },
            ..program.automaton()
        };
        Some(self.temporal(TemporalOp::Accepted {
            conditions: program.conditions,
            automaton: Arc::new(automaton),
        }))
    }
}

/// An instruction.
enum Op {
    /// Consumes a position in which a condition holds.
    Test(usize),
    /// Goes on at the first instruction, or else at the second one.
    Split(usize, usize),
    To(usize),
    Accept,
}

/// A line as a program, as the evaluator has one.
#[derive(Default)]
struct Program {
    ops: Vec<Op>,
    conditions: Vec<Truth>,
    states: usize,
}

impl Program {
    /// Writes parts in order; `None` if they are too many, or one is not known for certain.
    fn parts(&mut self, parts: &[SequencePart]) -> Option<()> {
        parts.iter().try_for_each(|part| self.part(part))
    }

    fn part(&mut self, part: &SequencePart) -> Option<()> {
        match part {
            SequencePart::Move { here, after, .. } => {
                if !after.exact || !here.exact || here.truth != Truth::Always {
                    return None;
                }
                let known = self.conditions.iter().position(|known| *known == after.truth);
                let condition = known.unwrap_or_else(|| {
                    self.conditions.push(after.truth.clone());
                    self.conditions.len() - 1
                });
                self.ops.push(Op::Test(condition));
                self.states += 1;
                (self.states <= MOST_STATES && self.conditions.len() <= MOST_CONDITIONS).then_some(())
            }
            SequencePart::Test(_) => None,
            SequencePart::Repeat(body, repeat) => {
                for _ in 0..repeat.min {
                    self.parts(body)?;
                }
                // Fewer repetitions are tried first.
                let options = repeat.max.map(|max| max.saturating_sub(repeat.min));
                let mut splits = Vec::new();
                for _ in 0..options.unwrap_or(1) {
                    splits.push(self.ops.len());
                    self.ops.push(Op::Accept);
                    self.parts(body)?;
                }
                if let (None, Some(&again)) = (options, splits.first()) {
                    self.ops.push(Op::To(again));
                }
                let exit = self.ops.len();
                for split in splits {
                    self.ops[split] = Op::Split(exit, split + 1);
                }
                Some(())
            }
        }
    }

    /// The states that can consume the next position from an instruction on, in order, and whether there need be none.
    fn tests_from(&self, at: usize) -> (Vec<usize>, bool) {
        let (mut tests, mut accepts) = (Vec::new(), false);
        let mut seen = vec![false; self.ops.len()];
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            match self.ops[at] {
                Op::Test(_) => tests.push(self.state_of(at)),
                // The one that was noted last is looked at first.
                Op::Split(first, second) => open.extend([second, first]),
                Op::To(to) => open.push(to),
                Op::Accept => accepts = true,
            }
        }
        (tests, accepts)
    }

    /// The number of the state of a test.
    fn state_of(&self, at: usize) -> usize {
        self.ops[..at].iter().filter(|op| matches!(op, Op::Test(_))).count()
    }

    /// The states and which can follow which.
    fn automaton(&self) -> Automaton {
        let tests = self.ops.iter().enumerate().filter_map(|(at, op)| match op {
            Op::Test(condition) => Some((at, *condition)),
            _ => None,
        });
        let (mut conditions, mut follow, mut accepts) = (Vec::new(), Vec::new(), 0);
        for (state, (at, condition)) in tests.enumerate() {
            let (next, may_end) = self.tests_from(at + 1);
            conditions.push(condition);
            follow.push(next);
            accepts |= u64::from(may_end) << state;
        }
        Automaton {
            conditions,
            first: Vec::new(),
            follow,
            accepts,
            backward: false,
            stride: 1,
            wanted: Wanted::Any,
        }
    }
}
