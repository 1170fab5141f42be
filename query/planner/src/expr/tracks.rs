//! The men of a game, each with its moves.

use chess::Man;
use language::hir::ManSet;
use shakmaty::{Bitboard, Square};

/// A man of a game.
#[derive(Debug)]
pub(crate) struct Track {
    /// What it is at first, and where it stands.
    pub(crate) man: Man,
    pub(crate) square: Square,
    /// Its moves, in order.
    pub(crate) moves: Vec<OwnMove>,
    /// All that it is at some time.
    pub(crate) ever: ManSet,
    /// Where its moves lead, if that was looked at.
    pub(crate) visited: Bitboard,
    /// A bit for each kind of move that it makes.
    pub(crate) made: u64,
    /// The last position in which it is on the board, if it is captured.
    pub(crate) captured: Option<u32>,
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
    /// Where this move and its later ones lead, if that was looked at.
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

impl Track {
    /// Forgets what the man does.
    pub(crate) fn clear(&mut self) {
        self.moves.clear();
        self.made = 0;
        self.ever = ManSet::from_man(self.man);
        self.captured = None;
    }

    /// Notes a move.
    #[inline]
    pub(crate) fn push(&mut self, own: OwnMove) {
        self.ever = self.ever | ManSet::from_man(own.man);
        self.made |= own.kinds;
        self.moves.push(own);
    }

    /// Notes where each move and those behind it lead.
    pub(super) fn look_ahead(&mut self) {
        let mut ahead = Bitboard::EMPTY;
        for own in self.moves.iter_mut().rev() {
            ahead.add(own.to);
            own.ahead = ahead;
        }
        self.visited = ahead;
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
