//! Which man stands on each square, and nothing else: games are played through on it quicker than on a board.

use shakmaty::{Color, Square};

use crate::board::{Board, Man, castling_targets, en_passant_square};
use crate::moves::{MoveKind, PackedMove};

/// The man on each square, from a1 to h8.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mailbox([Man; 64]);

impl Mailbox {
    /// The men of a board.
    pub fn of(board: &Board) -> Mailbox {
        Mailbox(Square::ALL.map(|square| board.at(square)))
    }

    /// The men by square.
    #[inline]
    pub fn men(&self) -> &[Man; 64] {
        &self.0
    }

    /// The board with these men, and this side to move.
    pub fn to_board(&self, turn: Color) -> Board {
        Board::from_men(self.0, turn)
    }

    /// The man on a square, or [`Man::EMPTY`].
    #[inline]
    pub fn at(&self, square: Square) -> Man {
        self.0[usize::from(square)]
    }

    #[inline]
    fn take(&mut self, square: Square) -> Man {
        std::mem::replace(&mut self.0[usize::from(square)], Man::EMPTY)
    }

    #[inline]
    fn put(&mut self, square: Square, man: Man) {
        self.0[usize::from(square)] = man;
    }

    /// Plays a move without checking it, as [`Board::play`] does.
    #[inline]
    pub fn play(&mut self, m: PackedMove) {
        if m.is_plain() {
            let mover = self.take(m.from());
            self.put(m.to(), mover);
        } else {
            self.play_special(m);
        }
    }

    /// The same for a move that is not plain. Few moves are, so the others are spared this code.
    #[inline(never)]
    fn play_special(&mut self, m: PackedMove) {
        let (from, to) = (m.from(), m.to());
        match m.kind() {
            MoveKind::Null => {}
            MoveKind::Castle => {
                let king = self.take(from);
                let rook = self.take(to);
                let (king_to, rook_to) = castling_targets(from, to);
                self.put(king_to, king);
                self.put(rook_to, rook);
            }
            kind => {
                let mover = self.take(from);
                let arrives = match (kind, mover.color()) {
                    (MoveKind::Promotion(role), Some(color)) => Man::new(color, role),
                    _ => mover,
                };
                self.put(to, arrives);
                if kind == MoveKind::EnPassant {
                    self.take(en_passant_square(from, to));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_played_as_a_board_is() {
        let (mut board, mut mailbox) = (Board::initial(), Mailbox::of(&Board::initial()));
        // Each move once, in an order without a pattern; most of them make no sense.
        for number in 0..=u16::MAX {
            let Some(m) = PackedMove::from_bits(number.wrapping_mul(40_503)) else {
                continue;
            };
            if number % 64 == 0 {
                (board, mailbox) = (Board::initial(), Mailbox::of(&Board::initial()));
            }
            board.play(m);
            mailbox.play(m);
            assert_eq!(mailbox.to_board(board.turn()), board, "{m:?}");
            assert_eq!(mailbox, Mailbox::of(&board), "{m:?}");
        }
    }
}
