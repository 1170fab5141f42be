//! The men of a game, each with its moves.

use chess::Man;
use language::hir::ManSet;
use shakmaty::{Bitboard, Square};

/// A man of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Track<'m> {
    /// What it is at first, and where it stands.
    pub(crate) man: Man,
    pub(crate) square: Square,
    /// Its moves, in order; none if they are of no interest.
    pub(crate) moves: &'m [OwnMove],
    /// All that it is at some time.
    pub(crate) ever: ManSet,
    /// A bit for each kind of move that it makes.
    pub(crate) made: u64,
    /// The last position in which it is on the board, if it is captured.
    pub(crate) captured: Option<u32>,
    /// Whether it castles.
    pub(crate) castles: bool,
}

/// A move of a man.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OwnMove {
    /// The position in which it is made.
    pub(crate) position: u32,
    /// Where it leads.
    pub(crate) to: Square,
    /// Whether it is castling, a move of king and rook.
    pub(crate) castles: bool,
    /// What the man is after it.
    pub(crate) man: Man,
    /// Where this move and its later ones lead.
    pub(crate) ahead: Bitboard,
    /// A bit for each kind of move that it may be.
    pub(crate) kinds: u64,
}

impl OwnMove {
    /// A move that is not castling.
    #[inline]
    pub(crate) fn of(position: u32, to: Square, man: Man, kinds: u64) -> OwnMove {
        OwnMove {
            position,
            to,
            castles: false,
            man,
            ahead: Bitboard::EMPTY,
            kinds,
        }
    }
}

impl Track<'_> {
    /// Where its moves lead.
    #[inline]
    pub(super) fn visited(&self) -> Bitboard {
        self.ahead(0)
    }

    /// What the man is before its move of a number.
    pub(super) fn man_before(&self, number: usize) -> Man {
        number.checked_sub(1).map_or(self.man, |before| self.moves[before].man)
    }

    /// Where it stands before that move.
    pub(super) fn square_before(&self, number: usize) -> Square {
        number
            .checked_sub(1)
            .map_or(self.square, |before| self.moves[before].to)
    }

    /// Where its move of a number and those behind it lead.
    #[inline]
    pub(super) fn ahead(&self, number: usize) -> Bitboard {
        self.moves.get(number).map_or(Bitboard::EMPTY, |own| own.ahead)
    }

    /// Whether it stands on the board in a position.
    pub(super) fn is_there(&self, position: u32) -> bool {
        self.captured.is_none_or(|captured| position <= captured)
    }
}
