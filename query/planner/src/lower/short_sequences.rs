//! Sequences that have an upper bound: the longest match is within it, or the first one, so that there is a match that is.

use language::hir::Repeat;

use super::Lowering;
use super::sequence_parts::{SequencePart, shortest, unrolled};
use super::sequences::Spacing;
use crate::expr::{Candidates, Truth};

/// Bounds above this are as good as none.
const LONGEST: u32 = 8;

/// Of what costs more than this, in plane operations for a block, nothing is asked: it is written out many times.
const MAX_COST: f64 = 5_000.0;

impl Lowering<'_> {
    /// Where the parts can follow with no more than some number of moves; for a line, the first of which is tested here, with
    /// no more than some number of positions.
    pub(super) fn no_longer_than(
        &mut self,
        parts: &[SequencePart],
        spacing: Spacing,
        most: u32,
        is_line: bool,
    ) -> Truth {
        if spacing.skips || most > LONGEST {
            return Truth::Always;
        }
        self.at_most_moves(parts, spacing, most, is_line)
            .filter(|truth| truth.cost() <= MAX_COST)
            .unwrap_or(Truth::Always)
    }

    /// The same; `None` if the ways are too many. `is_here` says that the next part is tested at the current position.
    fn at_most_moves(&mut self, parts: &[SequencePart], spacing: Spacing, most: u32, is_here: bool) -> Option<Truth> {
        if !self.spend(1) {
            return None;
        }
        if shortest(parts) > most {
            return Some(Truth::Never);
        }
        let Some((first, rest)) = parts.split_first() else {
            return Some(Truth::Always);
        };
        Some(match first {
            SequencePart::Test(test) => {
                Truth::all([test.truth.clone(), self.at_most_moves(rest, spacing, most, is_here)?])
            }
            SequencePart::Move { here, after, .. } => {
                let there = Truth::all([after.truth.clone(), self.at_most_moves(rest, spacing, most - 1, false)?]);
                match is_here {
                    true => there,
                    false => {
                        let there = self.moves_away(spacing.way, spacing.stride, Candidates::at_most(there));
                        Truth::all([here.truth.clone(), there.truth])
                    }
                }
            }
            SequencePart::Repeat(_, Repeat { max: Some(0), .. }) => self.at_most_moves(rest, spacing, most, is_here)?,
            SequencePart::Repeat(body, repeat) => {
                if shortest(body) == 0 {
                    return None;
                }
                let once = self.at_most_moves(&unrolled(body, *repeat, rest), spacing, most, is_here)?;
                match repeat.min {
                    0 => Truth::any([once, self.at_most_moves(rest, spacing, most, is_here)?]),
                    _ => once,
                }
            }
        })
    }
}
