//! Patterns of moves.

use std::sync::Arc;

use chess::{Mailbox, Man, MoveKind, PackedMove, en_passant_square};
use language::hir::ManSet;
use shakmaty::{Bitboard, Role};

/// Which moves are meant. Castling and null moves never are.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(crate) struct MovePattern {
    /// The men that move.
    pub(crate) movers: ManSet,
    /// Where from.
    pub(crate) from: Bitboard,
    /// Where to.
    pub(crate) to: Bitboard,
    /// What stands there before the move.
    pub(crate) onto: ManSet,
    /// The men that are captured and where they stand, which differs from `to` for a capture en passant; `None` if nothing
    /// need be captured.
    pub(crate) captured: Option<(ManSet, Bitboard)>,
    /// By square of origin where to, if that matters.
    pub(crate) reach: Option<Arc<[Bitboard; 64]>>,
    /// Men of which one has to stand, before the move, on one of the squares that belong to where it goes, if that matters.
    pub(crate) near: Option<(ManSet, Arc<[Bitboard; 64]>)>,
}

impl MovePattern {
    /// Moves of these men.
    pub(crate) fn of(movers: ManSet) -> MovePattern {
        MovePattern {
            movers,
            from: Bitboard::FULL,
            to: Bitboard::FULL,
            onto: ManSet::ANYTHING,
            captured: None,
            reach: None,
            near: None,
        }
    }
}

impl MovePattern {
    /// About which share of all moves are made by these men: counted in 9,209 games.
    pub(crate) fn share(&self) -> f64 {
        let share_of = |role: Role| match role {
            Role::Pawn => 0.26,
            Role::Knight => 0.17,
            Role::Bishop => 0.15,
            Role::Rook => 0.19,
            Role::Queen => 0.12,
            Role::King => 0.11,
        };
        let movers = self.movers.iter().filter_map(Man::role);
        movers.map(|role| share_of(role) / 2.0).sum()
    }

    /// The moves that this pattern means for White, and another one for Black; `None` if they ask for different squares, so that
    /// they are no pattern.
    pub(crate) fn of_either_side(&self, black: &MovePattern) -> Option<MovePattern> {
        let white = self;
        // Nobody captures a man of its own side.
        let both = |of_white: ManSet, of_black: ManSet| {
            let is_of_enemies = ManSet::BLACK.is_superset(of_white) && ManSet::WHITE.is_superset(of_black);
            (is_of_enemies || of_white == of_black).then(|| of_white | of_black)
        };
        let captured = match (white.captured, black.captured) {
            (None, None) => None,
            (Some((men, squares)), Some((other_men, others))) if squares == others => {
                Some((both(men, other_men)?, squares))
            }
            _ => return None,
        };
        let is_of_each = ManSet::WHITE.is_superset(white.movers) && ManSet::BLACK.is_superset(black.movers);
        let pattern = MovePattern {
            movers: white.movers | black.movers,
            onto: both(white.onto, black.onto)?,
            captured,
            ..white.clone()
        };
        let same_squares = white.from == black.from && white.to == black.to;
        let same_ways = white.reach == black.reach && white.near == black.near;
        (is_of_each && same_squares && same_ways).then_some(pattern)
    }

    /// Whether a move on a board, which is no castling and no null move, is meant.
    pub(super) fn meets(&self, board: &Mailbox, m: PackedMove) -> bool {
        let captured_at = match m.kind() {
            MoveKind::EnPassant => en_passant_square(m.from(), m.to()),
            _ => m.to(),
        };
        let captures =
            |(men, squares): (ManSet, Bitboard)| squares.contains(captured_at) && men.contains(board.at(captured_at));
        self.movers.contains(board.at(m.from()))
            && self.from.contains(m.from())
            && self.to.contains(m.to())
            && (self.reach.as_ref()).is_none_or(|reach| reach[usize::from(m.from())].contains(m.to()))
            && self.onto.contains(board.at(m.to()))
            && self.captured.is_none_or(captures)
            && self.near.as_ref().is_none_or(|(men, squares)| {
                let mut squares = squares[usize::from(m.to())].into_iter();
                squares.any(|square| men.contains(board.at(square)))
            })
    }
}
