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
