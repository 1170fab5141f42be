//! Properties of one board that do not depend on the game around it.

mod geometry;
mod pawns;

pub(crate) use geometry::{
    RayDirections, along, attack_pairs, attacked_in, attackers_in, between, count_rays, pins, rays, shift,
};
pub(crate) use pawns::pawn_structure;

use chess::{Board, Man};
use language::hir::{Designator, ManSet};
use shakmaty::{Bitboard, Color, Role};

/// The squares of a designator.
#[inline]
pub(crate) fn designator(board: &Board, designator: &Designator) -> Bitboard {
    contents(board, designator.men) & designator.squares
}

/// The squares with one of these contents.
#[inline]
pub(crate) fn contents(board: &Board, men: ManSet) -> Bitboard {
    let mut left = men.bits();
    let mut squares = Bitboard::EMPTY;
    let sides = [
        (ManSet::WHITE, board.color(Color::White)),
        (ManSet::BLACK, board.color(Color::Black)),
        (ManSet::EMPTY_SQUARE, !board.occupied()),
    ];
    for (side, there) in sides {
        if left & side.bits() == side.bits() {
            squares |= there;
            left &= !side.bits();
        }
    }
    // The number of a bit is that of its man.
    while left != 0 {
        let bit = left.trailing_zeros();
        left &= left - 1;
        if let Some(man) = u8::try_from(bit).ok().and_then(Man::from_index) {
            squares |= board.of(man);
        }
    }
    squares
}

/// The squares with the same man, or no man, on both boards.
pub(crate) fn same_contents(a: &Board, b: &Board) -> Bitboard {
    let color = a.color(Color::White) ^ b.color(Color::White);
    !Role::ALL
        .into_iter()
        .fold(color, |different, role| different | (a.role(role) ^ b.role(role)))
}
