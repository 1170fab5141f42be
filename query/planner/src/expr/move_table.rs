//! Which of some patterns a move meets.

use chess::{Mailbox, PackedMove};

use super::move_kinds::{MOST_KINDS, MoveKinds};
use super::move_pattern::MovePattern;
use super::move_rows::MoveRows;

/// Patterns of moves, to find those that a move meets.
#[derive(Debug)]
pub(crate) struct MoveTable {
    /// How many there are.
    count: usize,
    found: Found,
}

/// How they are found.
#[derive(Debug)]
enum Found {
    /// All at once: the kinds of moves that are wanted, and their numbers.
    AtOnce(MoveKinds, Vec<usize>),
    /// By the squares and men of a move.
    ByPlace(MoveRows),
}

impl MoveTable {
    /// The table of some patterns; those that are not wanted have numbers and are never found.
    pub(super) fn of(patterns: Vec<MovePattern>, is_wanted: impl Fn(usize) -> bool) -> MoveTable {
        let wanted: Vec<usize> = (0..patterns.len()).filter(|&number| is_wanted(number)).collect();
        MoveTable {
            count: patterns.len(),
            found: match wanted.len() <= MOST_KINDS {
                true => {
                    let patterns = wanted.iter().map(|&number| patterns[number].clone());
                    Found::AtOnce(MoveKinds::of(patterns.collect()), wanted)
                }
                false => Found::ByPlace(MoveRows::of(patterns, is_wanted)),
            },
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Calls `found` with the number of each pattern that a move on a board meets.
    #[inline]
    pub(crate) fn each(&self, board: &Mailbox, m: PackedMove, mut found: impl FnMut(usize)) {
        match &self.found {
            Found::AtOnce(_, numbers) if numbers.is_empty() => {}
            Found::AtOnce(kinds, numbers) => {
                bits::ones(kinds.of_move(board, m)).for_each(|kind| found(numbers[kind as usize]));
            }
            Found::ByPlace(rows) => rows.each(board, m, found),
        }
    }
}
