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
    #[inline]
    pub fn pawn_pushes(&self, from: Square, color: Color) -> Bitboard {
        let (forward, home) = color.fold_wb((8, Rank::Second), (-8, Rank::Seventh));
        let empty = !self.occupied();
        let step = Bitboard::from_square(from).shift(forward) & empty;
        let double_step = match from.rank() == home {
            true => step.shift(forward) & empty,
            false => Bitboard::EMPTY,
        };
        step | double_step
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

    /// The men of a color that are pinned to a king of theirs, as CQL's `pin` has it (docs/language/positions.md#pins).
    #[inline]
    pub fn pinned(&self, color: Color) -> Bitboard {
        let kings = self.piece(color, Role::King).into_iter();
        kings.fold(Bitboard::EMPTY, |all, king| all | self.pinned_to(king, color))
    }

    /// The men of a color that stand alone between a square and a queen, rook or bishop of the other color that moves along this
    /// line.
    #[inline]
    pub fn pinned_to(&self, square: Square, color: Color) -> Bitboard {
        let queens = self.piece(!color, Role::Queen);
        let straight = attacks::rook_attacks(square, Bitboard::EMPTY) & (self.piece(!color, Role::Rook) | queens);
        let oblique = attacks::bishop_attacks(square, Bitboard::EMPTY) & (self.piece(!color, Role::Bishop) | queens);
        let between = |pinner| attacks::between(square, pinner) & self.occupied();
        let alone = (straight | oblique)
            .into_iter()
            .filter_map(|pinner| between(pinner).single_square());
        alone.collect::<Bitboard>() & self.color(color)
    }

    /// Whether the side to move has a legal move other than castling. `en_passant` is as in
    /// [`Board::pseudo_targets`].
    pub fn has_legal_move(&self, en_passant: Option<Square>) -> bool {
        self.legal_moves_up_to(1, en_passant) > 0
    }

    /// How many legal moves other than castling the side to move has, counted up to a limit. A promotion is one move.
    /// `en_passant` is as in [`Board::pseudo_targets`].
    pub fn legal_moves_up_to(&self, limit: u32, en_passant: Option<Square>) -> u32 {
        let color = self.turn();
        let (own, kings) = (self.color(color), self.piece(color, Role::King));
        let king = kings.single_square();
        let checkers = king.map_or(Bitboard::EMPTY, |king| self.attackers(king, !color, self.occupied()));
        // Men that are not pinned, while the king is not attacked: their moves, but for captures en passant, can't leave it
        // attacked. They are counted first, without trying their moves.
        let free = match king {
            None if kings.is_empty() => own,
            Some(king) if checkers.is_empty() => own & !(self.pinned_to(king, color) | kings),
            _ => Bitboard::EMPTY,
        };
        if self.pushes(free & self.piece(color, Role::Pawn), color) >= limit {
            return limit;
        }
        let mut found = 0;
        for from in free {
            let mut targets = self.pseudo_targets(from, en_passant);
            if let Some(square) = en_passant.filter(|&square| targets.contains(square)) {
                let captured = self.captured_en_passant(from, square, en_passant);
                if captured.is_some() && !self.is_safe(from, square, captured) {
                    targets.discard(square);
                }
            }
            found += u32::try_from(targets.count()).unwrap_or(u32::MAX);
            if found >= limit {
                return limit;
            }
        }
        // Where men other than the king may stop a check.
        let mut stops = match (king, checkers.single_square()) {
            (Some(king), Some(checker)) => attacks::between(king, checker).with(checker),
            _ if checkers.is_empty() => Bitboard::FULL,
            _ => Bitboard::EMPTY,
        };
        if let Some(square) = en_passant.filter(|_| stops.any()) {
            stops.add(square);
        }
        for from in own & !free {
            let mut targets = self.pseudo_targets(from, en_passant);
            if !kings.contains(from) {
                targets &= stops;
            }
            for to in targets {
                let captured = self.captured_en_passant(from, to, en_passant);
                found += u32::from(self.is_safe(from, to, captured));
                if found >= limit {
                    return limit;
                }
            }
        }
        found
    }

    /// How many of some pawns can advance.
    fn pushes(&self, pawns: Bitboard, color: Color) -> u32 {
        let ahead = color.fold_wb(pawns.0 << 8, pawns.0 >> 8);
        (ahead & !self.occupied().0).count_ones()
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
            .all(|square| !self.is_attacked_by(square, !color, others.with(rook)))
            && !self.is_attacked_by(king_to, !color, after)
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
            "4k3/8/8/8/4r3/8/4R3/4K3 w - - 0 1",
            "6k1/8/8/8/b7/8/2P5/3K4 w - - 0 1",
            "4k3/4q3/8/8/8/8/3PP3/3QKB2 w - - 0 1",
            "8/8/8/K1Pp3r/8/8/8/7k w - d6 0 1",
            "7k/8/8/8/8/1n6/P7/K7 w - - 0 1",
            "k7/P7/8/8/8/8/5q2/7K w - - 0 1",
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
            let count = u32::try_from(theirs.len()).unwrap();
            for limit in [1, 2, 3, 4, 10, 218] {
                assert_eq!(board.legal_moves_up_to(limit, en_passant), count.min(limit), "{fen}");
            }
        }
    }

    #[test]
    fn moves_are_counted_with_any_number_of_kings() {
        for (setup, turn, expected) in [
            // Two kings, neither of which may be attacked; the bishop is pinned to one of them.
            ("k3r3/8/8/8/4B3/8/4K3/K7", Color::White, 11),
            ("7r/8/8/8/8/8/8/K6K", Color::White, 2),
            ("r6r/8/8/8/8/8/8/K6K", Color::White, 0),
            // No king: everything is allowed.
            ("4r3/8/8/8/4B3/8/8/8", Color::White, 13),
        ] {
            let pieces: shakmaty::Board = setup.parse().unwrap();
            let board = Board::from_pieces(pieces.iter(), turn);
            let tried = board.color(turn).into_iter().map(|from| {
                let targets = board.pseudo_targets(from, None).into_iter();
                targets.filter(|&to| board.is_safe(from, to, None)).count()
            });
            assert_eq!(tried.sum::<usize>(), expected, "{setup}");
            assert_eq!(
                board.legal_moves_up_to(218, None),
                u32::try_from(expected).unwrap(),
                "{setup}"
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
