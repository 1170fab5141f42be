//! What the history of a game allows in a position: castling and en passant come from the moves of the game alone
//! (cql6-games 4.3).

use chess::{Board, Man, MoveKind};
use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks};

use super::GameView;

/// What the history of a position allows beside its board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rights {
    /// The square behind a pawn that has just made a double step.
    pub(crate) en_passant: Option<Square>,
    /// Castling, by color and side (king's side first): king and rook at home and no move has landed there.
    pub(crate) castling: [[bool; 2]; 2],
}

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
        while let (Some(m), Some(parent)) = (self.last_move(node), self.parent(node)) {
            match m.kind() {
                MoveKind::Null => {}
                MoveKind::Castle => {
                    let (king_to, rook_to) = chess::castling_targets(m.from(), m.to());
                    landed |= Bitboard::from_square(king_to) | Bitboard::from_square(rook_to);
                }
                _ => landed.add(m.to()),
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

impl Rights {
    /// The position as `fen` prints it (cql6-positions 8.2).
    pub fn fen(self, board: &Board) -> String {
        let mut fen = String::with_capacity(80);
        for rank in Rank::ALL.into_iter().rev() {
            let mut gap = 0u8;
            for file in File::ALL {
                let man = board.at(Square::from_coords(file, rank));
                if man == Man::EMPTY {
                    gap += 1;
                    continue;
                }
                if gap > 0 {
                    fen.push(char::from(b'0' + gap));
                    gap = 0;
                }
                fen.push(man.letter());
            }
            if gap > 0 {
                fen.push(char::from(b'0' + gap));
            }
            fen.push(if rank == Rank::First { ' ' } else { '/' });
        }
        fen.push(board.turn().char());
        fen.push(' ');
        let letters = ['K', 'Q', 'k', 'q']
            .into_iter()
            .zip(self.castling.into_iter().flatten());
        let before = fen.len();
        fen.extend(letters.filter(|&(_, allowed)| allowed).map(|(letter, _)| letter));
        if fen.len() == before {
            fen.push('-');
        }
        fen.push(' ');
        match self.en_passant {
            Some(square) => square.append_to_string(&mut fen),
            None => fen.push('-'),
        }
        fen.push_str(" 0 1");
        fen
    }
}
