//! The value of a `path` with `max`: the largest number at the ends of its matches.

use language::hir::{Bound, Comparison, Filter, Path, Range, Repeat};

use super::Lowering;
use super::intervals::{MAX_CONSTANT, NumberBounds};
use super::scope::Way;
use super::sequence_parts::length_of_steps;
use crate::expr::{Candidates, Truth};

/// How many moves a path may have at most. The value of a longer one is not known.
const MOST_MOVES: u32 = 16;

impl<'q> Lowering<'q> {
    /// Where a path matches. If it has `max` and a range, its value has to be in the range.
    pub(super) fn path_in_range(&mut self, filter: &'q Filter, path: &'q Path) -> Candidates {
        let found = self.path_truth(path, 0);
        match (&path.max, &path.range) {
            (Some(_), Some(Range::Between(Bound::Literal(least), _))) if least.unsigned_abs() <= MAX_CONSTANT => {
                let value = self.value_of_path(filter, path, Candidates::EVERYWHERE);
                let least = NumberBounds::constant(*least);
                let enough = NumberBounds::compared(Comparison::GreaterEqual, &value, &least);
                Candidates::both(found, Candidates::at_most(enough.truth))
            }
            _ => found,
        }
    }

    /// Bounds of the value of a path where it matches: no more than the largest number at any position where it can end.
    pub(super) fn value_of_path(&mut self, filter: &'q Filter, path: &'q Path, valid: Candidates) -> NumberBounds {
        let known = self.apart(filter, |lowering| lowering.numbers_at_ends(path));
        match known {
            Some(numbers) => NumberBounds::at_most_largest(numbers, valid),
            None => NumberBounds::unknown(valid),
        }
    }

    /// The numbers at the positions where a path can end; `None` if these are too many.
    fn numbers_at_ends(&mut self, path: &'q Path) -> Option<Vec<NumberBounds>> {
        // Between moves in focus there are others.
        if self.variations || path.focus.is_some() || path.single_color {
            return None;
        }
        let max = path.max.as_ref()?;
        let (least, most) = length_of_steps(&path.steps, Repeat::ONCE);
        let most = most.filter(|&most| most <= MOST_MOVES)?;
        let number = self.elsewhere(Some(Way::Forward), |lowering| lowering.number_bounds(max));
        let goes_on = Truth::Term(self.end()).not();
        (least.max(1)..=most)
            .map(|moves| {
                let moves = i32::try_from(moves).ok()?;
                let there = Truth::all((0..moves).map(|before| goes_on.clone().after(before)));
                number.clone().after(moves, there)
            })
            .collect()
    }
}
