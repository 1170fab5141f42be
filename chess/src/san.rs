//! Moves in standard algebraic notation (SAN).

use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Chess, Move, Position, Setup,
    san::{San, SanPlus},
};

use crate::{
    board::{Board, Man},
    moves::{MoveKind, PackedMove},
};

impl Board {
    /// The move in standard algebraic notation, played on this board: `Nf3`, `exd6`, `O-O`, `a8=Q#`. A null move is `--`.
    ///
    /// A move that is not legal here, or a position that is not legal itself (no king, say), gives the squares: `a1-b3`,
    /// `a7-a8=N`. Castling is written as always.
    ///
    /// ```
    /// use chess::{Board, MoveKind, PackedMove};
    /// use shakmaty::Square;
    ///
    /// let knight = PackedMove::new(Square::G1, Square::F3, MoveKind::Normal);
    /// assert_eq!(Board::initial().san(knight), "Nf3");
    /// ```
    pub fn san(&self, m: PackedMove) -> String {
        if m.kind() == MoveKind::Null {
            return "--".to_owned();
        }
        let squares = || by_squares(m);
        let (Some(position), Some(m)) = (position(self, m), to_move(self, m)) else {
            return squares();
        };
        if !position.is_legal(m) {
            return squares();
        }
        SanPlus::from_move(position, m).to_string()
    }
}

/// A move by its squares, so that it can be read again.
fn by_squares(m: PackedMove) -> String {
    match m.kind() {
        MoveKind::Castle => {
            let side = if m.from() < m.to() {
                CastlingSide::KingSide
            } else {
                CastlingSide::QueenSide
            };
            San::Castle(side).to_string()
        }
        MoveKind::Promotion(role) => format!("{}-{}={}", m.from(), m.to(), role.upper_char()),
        _ => format!("{}-{}", m.from(), m.to()),
    }
}

/// The position, with the castling right or the en passant square that the move needs.
fn position(board: &Board, packed: PackedMove) -> Option<Chess> {
    let mut setup = Setup::empty();
    setup.turn = board.turn();
    for man in Man::all() {
        for square in board.of(man) {
            setup.board.set_piece_at(square, man.piece()?);
        }
    }
    match packed.kind() {
        MoveKind::Castle => setup.castling_rights = Bitboard::from_square(packed.to()),
        MoveKind::EnPassant => setup.ep_square = Some(packed.to()),
        _ => {}
    }
    let position: Result<Chess, _> = setup.position(CastlingMode::Chess960);
    position
        .or_else(shakmaty::PositionError::ignore_too_much_material)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .ok()
}

fn to_move(board: &Board, packed: PackedMove) -> Option<Move> {
    let (from, to) = (packed.from(), packed.to());
    let piece = board.at(from).piece()?;
    Some(match packed.kind() {
        MoveKind::Castle => Move::Castle { king: from, rook: to },
        MoveKind::EnPassant => Move::EnPassant { from, to },
        kind => Move::Normal {
            role: piece.role,
            from,
            capture: board.at(to).role(),
            to,
            promotion: match kind {
                MoveKind::Promotion(role) => Some(role),
                _ => None,
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::{Role, Square};

    use super::*;

    fn board(fen: &str) -> Board {
        let fen: shakmaty::fen::Fen = fen.parse().unwrap();
        let setup = fen.as_setup();
        Board::from_pieces(setup.board.iter(), setup.turn)
    }

    fn written(fen: &str, from: Square, to: Square, kind: MoveKind) -> String {
        board(fen).san(PackedMove::new(from, to, kind))
    }

    #[test]
    fn all_kinds_of_moves_are_written() {
        use MoveKind::{Castle, DoubleStep, EnPassant, Normal, Null, Promotion};
        let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
        assert_eq!(written(initial, Square::E2, Square::E4, DoubleStep), "e4");
        assert_eq!(written(initial, Square::E1, Square::E1, Null), "--");
        let open = "r3k2r/8/8/3pP3/8/8/8/R3K2R w - - 0 1";
        assert_eq!(written(open, Square::E1, Square::H1, Castle), "O-O");
        assert_eq!(written(open, Square::E1, Square::A1, Castle), "O-O-O");
        assert_eq!(written(open, Square::E5, Square::D6, EnPassant), "exd6");
        assert_eq!(written(open, Square::A1, Square::A8, Normal), "Rxa8+");
        let pawn = "6k1/P4ppp/8/8/8/8/8/K7 w - - 0 1";
        assert_eq!(written(pawn, Square::A7, Square::A8, Promotion(Role::Queen)), "a8=Q#");
        let knights = "4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1";
        assert_eq!(written(knights, Square::A1, Square::B3, Normal), "Nab3");
    }

    #[test]
    fn illegal_positions_get_squares() {
        let no_king = "8/8/8/8/8/8/8/N7 w - - 0 1";
        assert_eq!(written(no_king, Square::A1, Square::B3, MoveKind::Normal), "a1-b3");
        // Found by guided fuzzing: these could not be read again.
        let pawn_on_first_rank = "r3k2r/2P5/8/8/8/8/8/P3K2R w Kkq - 0 1";
        let promotion = MoveKind::Promotion(Role::Knight);
        assert_eq!(
            written(pawn_on_first_rank, Square::C7, Square::C8, promotion),
            "c7-c8=N"
        );
        assert_eq!(
            written(pawn_on_first_rank, Square::E1, Square::H1, MoveKind::Castle),
            "O-O"
        );
        assert_eq!(
            written(pawn_on_first_rank, Square::E8, Square::A8, MoveKind::Castle),
            "O-O-O"
        );
    }
}
