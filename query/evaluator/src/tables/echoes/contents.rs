//! The labels of contents of squares by which the targets of a source are found: source and target have the same labels on all
//! squares.
//!
//! `source & target == _ & source:A` may hold only where black men stand on the same squares in both. So the targets of a
//! source are among the positions with the same black men, and these are found by a hash.

use chess::{Board, Man};
use language::facts::{ComparedBoards, SquareLabels};
use language::hir::{Filter, Node, VariableId};

/// A label for each contents of a square. Two boards that may be a pair have the same labels on all squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Labels(SquareLabels);

impl Labels {
    /// Each contents has a label of its own.
    pub(super) fn distinct() -> Labels {
        Labels(std::array::from_fn(|man| u8::try_from(man).unwrap_or(0)))
    }

    /// Labels by what a condition says of each square; `None` if it says nothing that labels can tell.
    pub(super) fn of(condition: &Filter, [source, target]: [VariableId; 2]) -> Option<Labels> {
        let is = |filter: &Filter, wanted: VariableId| matches!(filter.node, Node::Variable(other) if other == wanted);
        let boards = ComparedBoards {
            is_source: &|filter| is(filter, source),
            is_target: &|filter| is(filter, target) || matches!(filter.node, Node::CurrentPosition),
        };
        boards.allowed(condition)?.labels().map(Labels)
    }

    /// Labels that are the same where both these and the others are.
    #[must_use]
    pub(super) fn and(self, other: Labels) -> Labels {
        let pair = |man: usize| (self.0[man], other.0[man]);
        Labels(std::array::from_fn(|man| {
            let first = (0..=man).find(|&earlier| pair(earlier) == pair(man));
            u8::try_from(first.unwrap_or(man)).unwrap_or(0)
        }))
    }

    /// The labels of all squares, as a number of four digits for each.
    pub(super) fn on(self, board: &Board) -> [u64; 4] {
        let mut digits = [0; 4];
        // A label of 0 has no digits.
        let labels = Man::all().chain([Man::EMPTY]).map(|man| (man, self.0[man.index()]));
        for (man, label) in labels.filter(|&(_, label)| label != 0) {
            let squares = board.of(man).0;
            for (digit, plane) in digits.iter_mut().enumerate() {
                *plane |= squares * u64::from(label >> digit & 1);
            }
        }
        digits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_the_same_where_both_are() {
        let kings = Labels([0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 5, 0]);
        let pawns = Labels([0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
        assert_eq!(kings.and(pawns).0, [0, 1, 1, 1, 1, 5, 1, 1, 1, 1, 1, 5, 1]);
    }
}
