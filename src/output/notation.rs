//! Moves as players write them.

use chess::{Board, Man, MoveKind, PackedMove};
use evaluator::GameView;
use shakmaty::san::SanPlus;
use shakmaty::{Bitboard, CastlingMode, Chess, Color, Move, Position, Setup};

/// The move that led to a position with its number, such as `12...Nf6`; in parentheses if it belongs to a variation.
/// The root has none. `fullmoves` is the number of the first move of the game.
pub(super) fn last_move(view: &GameView, node: u32, fullmoves: u32) -> Option<String> {
    let (packed, parent) = (view.last_move(node)?, view.parent(node)?);
    let before = view.board(parent);
    // The move numbers of CQL begin with 1; those of the game with the FEN's.
    let number = view.move_number(parent) + fullmoves.max(1) - 1;
    let dots = if before.turn() == Color::White { "." } else { "..." };
    let san = san(before, packed);
    Some(if view.depth(node) > 0 {
        format!("({number}{dots}{san})")
    } else {
        format!("{number}{dots}{san}")
    })
}

/// The move in standard algebraic notation. Where the position is not legal, from- and to-square have to do.
pub(super) fn san(board: &Board, packed: PackedMove) -> String {
    if packed.kind() == MoveKind::Null {
        return "--".to_owned();
    }
    let plain = || format!("{}-{}", packed.from(), packed.to());
    let (Some(position), Some(m)) = (position(board, packed), to_move(board, packed)) else {
        return plain();
    };
    if !position.is_legal(m) {
        return plain();
    }
    SanPlus::from_move(position, m).to_string()
}

/// The position with as many rights as the move needs to be legal.
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
        san(&board(fen), PackedMove::new(from, to, kind))
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
    }
}
