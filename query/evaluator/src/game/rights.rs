//! What the history of a game allows in a position: castling and en passant come from the moves of the game alone
//! (docs/language/moves.md#possible-moves).

use chess::{Man, MoveKind, Rights};
use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::GameView;

/// Home squares of king and rook, White first, by color and side.
pub(crate) const HOMES: [[(Square, Square); 2]; 2] = [
    [(Square::E1, Square::H1), (Square::E1, Square::A1)],
    [(Square::E8, Square::H8), (Square::E8, Square::A8)],
];

impl GameView {
    /// Castling and en passant as the game's moves allow them in a position.
    pub fn rights(&self, node: u32) -> Rights {
        let board = self.board(node);
        let mut rights = Rights {
            en_passant: self.double_step_square(node),
            ..Rights::default()
        };
        let mut open = false;
        for color in Color::ALL {
            for (side, &(king, rook)) in HOMES[color.fold_wb(0, 1)].iter().enumerate() {
                let at_home =
                    board.at(king) == Man::new(color, Role::King) && board.at(rook) == Man::new(color, Role::Rook);
                rights.castling[color.fold_wb(0, 1)][side] = at_home;
                open |= at_home;
            }
        }
        if !open {
            return rights;
        }
        let landed = self.landed(node);
        for color in Color::ALL {
            for (side, &(king, rook)) in HOMES[color.fold_wb(0, 1)].iter().enumerate() {
                rights.castling[color.fold_wb(0, 1)][side] &= !landed.contains(king) && !landed.contains(rook);
            }
        }
        rights
    }

    /// The squares on which men have landed on the way to a position.
    pub(crate) fn landed(&self, mut node: u32) -> Bitboard {
        let mut landed = Bitboard::EMPTY;
        while let Some(parent) = self.parent(node) {
            // No move leads to a position that was imagined.
            let last = self.last_move(node).map(|m| (m, m.kind()));
            match last {
                None | Some((_, MoveKind::Null)) => {}
                Some((m, MoveKind::Castle)) => {
                    let (king_to, rook_to) = chess::castling_targets(m.from(), m.to());
                    landed |= Bitboard::from_square(king_to) | Bitboard::from_square(rook_to);
                }
                Some((m, _)) => landed.add(m.to()),
            }
            node = parent;
        }
        landed
    }

    /// The square that the pawn which has just made a double step passed.
    pub(crate) fn double_step_square(&self, node: u32) -> Option<Square> {
        let m = self.last_move(node).filter(|m| m.kind() == MoveKind::DoubleStep)?;
        attacks::between(m.from(), m.to()).first()
    }
}
