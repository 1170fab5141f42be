//! The rules: which moves are legal on a board. The indexer uses them to read moves and to find mate and stalemate.
//!
//! The moves listed here leave out castling. Where castling is legal, the king or the rook has another legal move, so
//! it never decides between mate, stalemate and neither.

use shakmaty::{Bitboard, Color, Rank, Role, Square, attacks};

use crate::board::{Board, Man, castling_targets, en_passant_square};

impl Board {
    /// The targets of the pseudo-legal moves of the man on `from`: whether its own king is attacked afterwards is not
    /// checked. `en_passant` is the square behind a pawn that has just made a double step.
    pub fn pseudo_targets(&self, from: Square, en_passant: Option<Square>) -> Bitboard {
        let man = self.at(from);
        let Some((color, role)) = man.color().zip(man.role()) else {
            return Bitboard::EMPTY;
        };
        if role != Role::Pawn {
            return self.attacks_from(from) & !self.color(color);
        }
        let behind = en_passant.map_or(Bitboard::EMPTY, Bitboard::from);
        let captures = attacks::pawn_attacks(color, from) & (self.color(!color) | behind);
        captures | self.pawn_pushes(from, color)
    }

    /// The squares that a pawn can advance to.
    fn pawn_pushes(&self, from: Square, color: Color) -> Bitboard {
        let ahead = |square: Square| {
            let offset = if color.is_white() { 8 } else { -8 };
            square.offset(offset).filter(|&square| self.at(square) == Man::EMPTY)
        };
        let first = ahead(from);
        let second = first
            .filter(|_| from.rank() == color.fold_wb(Rank::Second, Rank::Seventh))
            .and_then(ahead);
        first.into_iter().chain(second).collect()
    }

    /// Whether the king of the moving side is not attacked after a move. `captured` is the square of a pawn that is
    /// captured en passant. If the side has several kings, none may be attacked.
    #[inline]
    pub fn is_safe(&self, from: Square, to: Square, captured: Option<Square>) -> bool {
        let Some(color) = self.at(from).color() else {
            return false;
        };
        let mut kings = self.piece(color, Role::King);
        let occupied = (self.occupied().without(from).with(to)) & !captured.map_or(Bitboard::EMPTY, Bitboard::from);
        if kings.contains(from) {
            kings = kings.without(from).with(to);
        }
        let gone = Bitboard::from(to) | captured.map_or(Bitboard::EMPTY, Bitboard::from);
        kings
            .into_iter()
            .all(|king| (self.attackers(king, !color, occupied) & !gone).is_empty())
    }

    /// Whether the side to move has a legal move other than castling. `en_passant` is as in
    /// [`Board::pseudo_targets`].
    pub fn has_legal_move(&self, en_passant: Option<Square>) -> bool {
        let own = self.color(self.turn());
        own.into_iter().any(|from| {
            self.pseudo_targets(from, en_passant).into_iter().any(|to| {
                let captured = self.captured_en_passant(from, to, en_passant);
                self.is_safe(from, to, captured)
            })
        })
    }

    /// The square of the pawn that a move captures en passant, or `None` for any other move.
    #[inline]
    pub fn captured_en_passant(&self, from: Square, to: Square, en_passant: Option<Square>) -> Option<Square> {
        let is_pawn = self.at(from).role() == Some(Role::Pawn);
        (en_passant == Some(to) && is_pawn && from.file() != to.file()).then(|| en_passant_square(from, to))
    }

    /// Whether king and rook on these squares can castle: they stand on one rank, no other man is in the way of
    /// either, and the king crosses no attacked square. As in CQL, it does not matter whether they have moved before.
    pub fn can_castle(&self, king: Square, rook: Square) -> bool {
        let color = self.turn();
        let ours = self.at(king) == Man::new(color, Role::King) && self.at(rook) == Man::new(color, Role::Rook);
        if !ours || king.rank() != rook.rank() {
            return false;
        }
        let (king_to, rook_to) = castling_targets(king, rook);
        let others = self.occupied().without(king).without(rook);
        let king_path = attacks::between(king, king_to).with(king_to);
        let rook_path = attacks::between(rook, rook_to).with(rook_to);
        if ((king_path | rook_path) & others).any() {
            return false;
        }
        // In Chess960, the rook that leaves its square may uncover an attack along the rank.
        let after = others.with(rook_to);
        let crossed = king_path.without(king_to).with(king);
        crossed
            .into_iter()
            .all(|square| self.attackers(square, !color, others.with(rook)).is_empty())
            && self.attackers(king_to, !color, after).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, fen::Fen};

    use super::*;

    fn board(fen: &str) -> (Board, Chess) {
        let fen: Fen = fen.parse().unwrap();
        let position: Chess = fen.into_position(CastlingMode::Chess960).unwrap();
        (Board::from_pieces(position.board().iter(), position.turn()), position)
    }

    #[test]
    fn legal_moves_are_shakmatys() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
        ] {
            let (board, position) = board(fen);
            let en_passant = position.ep_square(EnPassantMode::Legal);
            let mut ours = Vec::new();
            for from in board.color(board.turn()) {
                for to in board.pseudo_targets(from, en_passant) {
                    if board.is_safe(from, to, board.captured_en_passant(from, to, en_passant)) {
                        ours.push((from, to));
                    }
                }
            }
            let mut theirs: Vec<_> = position
                .legal_moves()
                .iter()
                .filter(|m| !m.is_castle())
                .map(|m| (m.from().unwrap(), m.to()))
                .collect();
            theirs.sort_unstable();
            theirs.dedup();
            ours.sort_unstable();
            assert_eq!(ours, theirs, "{fen}");
            assert_eq!(
                board.has_legal_move(en_passant),
                !position.legal_moves().is_empty(),
                "{fen}"
            );
        }
    }

    #[test]
    fn castling_is_shakmatys_where_the_rights_are_there() {
        for fen in [
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/8/6n1/8/R3K2R w KQkq - 0 1",
            "r3k2r/8/8/8/8/2n5/8/R3K2R w KQkq - 0 1",
            "rn2k2r/8/8/8/8/8/8/RN2K2R b KQkq - 0 1",
            "1r4k1/8/8/8/8/8/8/qR4KR w HB - 0 1",
            "4k3/8/8/8/8/8/8/q1RK4 w C - 0 1",
            "4k3/8/8/8/8/8/8/RK5R w HA - 0 1",
            "4k3/8/8/8/8/8/8/5RKR w HF - 0 1",
            "4k3/8/8/8/8/8/8/rR2K3 w B - 0 1",
        ] {
            let (board, position) = board(fen);
            let king = board.piece(board.turn(), Role::King).first().unwrap();
            for rook in position.castles().castling_rights() & board.color(board.turn()) {
                let theirs = position.legal_moves().iter().any(|m| m.is_castle() && m.to() == rook);
                assert_eq!(board.can_castle(king, rook), theirs, "{fen} {rook}");
            }
        }
    }
}
