//! The moves that are possible in a position, by the rules as CQL 6.2 applies them
//! (docs/language/moves.md#possible-moves): for each man the squares to which it can go. A promotion is one move.

use chess::{Board, Man, MoveKind, PackedMove};
use language::hir::Legality;
use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks};

use super::GameView;
use super::rights::HOMES;
use crate::value::square_count;

/// All men but kings.
const OTHERS: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// How a man goes from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// By an ordinary move, also a promotion or a double step.
    Plain,
    /// By capturing en passant.
    EnPassant,
    /// By castling; the man is the king.
    Castling,
}

/// The possible moves at a position of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moves<'g> {
    game: &'g GameView,
    node: u32,
    board: &'g Board,
    us: Color,
    safety: Safety,
}

/// How moves that would leave one's own king attacked are excluded.
#[derive(Clone, Copy, Debug)]
enum Safety {
    /// Every move is allowed.
    Any,
    /// There is one king.
    King(Shelter),
    /// There are several kings, and each move has to be tried.
    Kings,
}

/// A king, and where men may go without leaving it attacked.
#[derive(Clone, Copy, Debug)]
struct Shelter {
    king: Square,
    /// Where men other than the king may go: all squares, or those that stop the check.
    stops: Bitboard,
    /// Where men may be pinned.
    lines: Bitboard,
}

impl<'g> Moves<'g> {
    pub(crate) fn new(game: &'g GameView, node: u32, legality: Legality) -> Moves<'g> {
        let board = game.board(node);
        let us = board.turn();
        let kings = board.piece(us, Role::King);
        let safety = match (legality, kings.single_square()) {
            (Legality::Pseudolegal, _) => Safety::Any,
            (Legality::Legal, Some(king)) => Safety::King(Shelter::of(board, us, king)),
            (Legality::Legal, None) if kings.is_empty() => Safety::Any,
            (Legality::Legal, None) => Safety::Kings,
        };
        Moves {
            game,
            node,
            board,
            us,
            safety,
        }
    }

    /// How many moves men of a set have to squares of another one; above a limit any number above it.
    pub(crate) fn count(&self, from: Bitboard, to: Bitboard, limit: i32) -> i32 {
        let pawns = self.free_pawns() & from;
        let mut count = self.count_moves_of_pawns(pawns, to);
        if count <= limit {
            self.visit_but(pawns, from, |_, squares, _| {
                count += square_count(squares & to);
                count <= limit
            });
        }
        count
    }

    /// The pawns that can't be pinned: each of their moves is possible that stops a check, if there is one.
    fn free_pawns(&self) -> Bitboard {
        let pawns = self.board.piece(self.us, Role::Pawn);
        match &self.safety {
            Safety::Any => pawns,
            Safety::King(shelter) => pawns & !shelter.lines,
            Safety::Kings => Bitboard::EMPTY,
        }
    }

    /// How many moves such pawns have to squares of a set, but for those en passant: all pawns at once.
    fn count_moves_of_pawns(&self, pawns: Bitboard, to: Bitboard) -> i32 {
        let stops = match &self.safety {
            Safety::King(shelter) => shelter.stops,
            _ => Bitboard::FULL,
        };
        let (forward, home) = self.us.fold_wb((8, Rank::Second), (-8, Rank::Seventh));
        let empty = !self.board.occupied();
        let step = pawns.shift(forward) & empty;
        let double_step = ((pawns & Bitboard::from_rank(home)).shift(forward) & empty).shift(forward) & empty;
        let enemies = self.board.color(!self.us);
        let queenward = (pawns & !Bitboard::from_file(File::A)).shift(forward - 1) & enemies;
        let kingward = (pawns & !Bitboard::from_file(File::H)).shift(forward + 1) & enemies;
        let moves = [step, double_step, queenward, kingward];
        moves.map(|squares| square_count(squares & to & stops)).iter().sum()
    }

    /// Calls `take` with men of a set and the squares to which they can go, until it gives false. The men whose moves cost
    /// least to find come first.
    pub(crate) fn visit(&self, from: Bitboard, take: impl FnMut(Square, Bitboard, Manner) -> bool) {
        self.visit_but(Bitboard::EMPTY, from, take);
    }

    /// The same without the moves of some free pawns, but for those en passant.
    fn visit_but(&self, pawns: Bitboard, from: Bitboard, mut take: impl FnMut(Square, Bitboard, Manner) -> bool) {
        let men = self.board.color(self.us) & from;
        let kings = men & self.board.role(Role::King);
        let others = men & !kings;
        let lines = match &self.safety {
            Safety::King(shelter) => shelter.lines,
            _ => Bitboard::EMPTY,
        };
        for role in OTHERS {
            for from in self.board.piece(self.us, role) & others & !lines & !pawns {
                if !self.visit_man(role, from, Bitboard::FULL, &mut take) {
                    return;
                }
            }
        }
        let pinned = match &self.safety {
            Safety::King(shelter) if (others & lines).any() => self.board.pinned_to(shelter.king, self.us),
            _ => Bitboard::EMPTY,
        };
        for role in OTHERS {
            for from in self.board.piece(self.us, role) & others & lines {
                let way = match &self.safety {
                    Safety::King(shelter) if pinned.contains(from) => attacks::ray(shelter.king, from),
                    _ => Bitboard::FULL,
                };
                if !self.visit_man(role, from, way, &mut take) {
                    return;
                }
            }
        }
        if let Some(to) = self.game.double_step_square(self.node)
            && !self.visit_en_passant(others, to, &mut take)
        {
            return;
        }
        for from in kings {
            let to = self.king_targets(from);
            if to.any() && !take(from, to, Manner::Plain) {
                return;
            }
        }
        for &(king, rook) in &HOMES[self.us.fold_wb(0, 1)] {
            if kings.contains(king)
                && self.can_castle(king, rook)
                && !take(king, castled(king, rook).into(), Manner::Castling)
            {
                return;
            }
        }
    }

    /// The moves of a man other than a king, on some squares.
    #[inline]
    fn visit_man(
        &self,
        role: Role,
        from: Square,
        way: Bitboard,
        take: &mut impl FnMut(Square, Bitboard, Manner) -> bool,
    ) -> bool {
        let occupied = self.board.occupied();
        let to = match role {
            Role::Pawn => {
                let captures = attacks::pawn_attacks(self.us, from) & self.board.color(!self.us);
                captures | self.board.pawn_pushes(from, self.us)
            }
            Role::Knight => attacks::knight_attacks(from),
            Role::Bishop => attacks::bishop_attacks(from, occupied),
            Role::Rook => attacks::rook_attacks(from, occupied),
            Role::Queen => attacks::queen_attacks(from, occupied),
            Role::King => attacks::king_attacks(from),
        };
        let to = to & !self.board.color(self.us);
        let to = match &self.safety {
            Safety::Any => to,
            Safety::King(shelter) => to & shelter.stops & way,
            Safety::Kings => self.tried(from, to),
        };
        to.is_empty() || take(from, to, Manner::Plain)
    }

    /// The moves of some men that capture en passant on a square.
    fn visit_en_passant(
        &self,
        men: Bitboard,
        to: Square,
        take: &mut impl FnMut(Square, Bitboard, Manner) -> bool,
    ) -> bool {
        let pawns = self.board.piece(self.us, Role::Pawn) & men & attacks::pawn_attacks(!self.us, to);
        if self.board.at(to) != Man::EMPTY {
            return true;
        }
        let is_safe = |from| {
            matches!(self.safety, Safety::Any) || is_legal(self.board, PackedMove::new(from, to, MoveKind::EnPassant))
        };
        let mut able = pawns.into_iter().filter(|&from| is_safe(from));
        able.all(|from| take(from, to.into(), Manner::EnPassant))
    }

    fn king_targets(&self, from: Square) -> Bitboard {
        let to = attacks::king_attacks(from) & !self.board.color(self.us);
        match &self.safety {
            Safety::Any => to,
            Safety::Kings => self.tried(from, to),
            Safety::King(_) => {
                let without = self.board.occupied().without(from);
                to.into_iter()
                    .filter(|&to| !self.board.is_attacked_by(to, !self.us, without))
                    .collect()
            }
        }
    }

    /// The squares to which a man can go without leaving a king attacked.
    fn tried(&self, from: Square, to: Bitboard) -> Bitboard {
        to.into_iter()
            .filter(|&to| is_legal(self.board, PackedMove::new(from, to, MoveKind::Normal)))
            .collect()
    }

    /// King and rook are at home and no man has moved there, no man stands between them, and the king neither is, passes
    /// nor lands in check. This holds for pseudolegal moves too.
    fn can_castle(&self, king: Square, rook: Square) -> bool {
        let (board, us) = (self.board, self.us);
        let to = castled(king, rook);
        let way = attacks::between(king, to) | Bitboard::from_square(king) | Bitboard::from_square(to);
        board.at(king) == Man::new(us, Role::King)
            && board.at(rook) == Man::new(us, Role::Rook)
            && (attacks::between(king, rook) & board.occupied()).is_empty()
            && way
                .into_iter()
                .all(|square| !board.is_attacked_by(square, !us, board.occupied()))
            && (self.game.landed(self.node) & (Bitboard::from_square(king) | Bitboard::from_square(rook))).is_empty()
            && (!matches!(self.safety, Safety::Kings) || is_legal(board, PackedMove::new(king, rook, MoveKind::Castle)))
    }
}

impl Shelter {
    fn of(board: &Board, us: Color, king: Square) -> Shelter {
        let checkers = board.attackers(king, !us, board.occupied());
        let stops = match checkers.single_square() {
            Some(checker) => attacks::between(king, checker) | Bitboard::from_square(checker),
            None if checkers.is_empty() => Bitboard::FULL,
            None => Bitboard::EMPTY,
        };
        Shelter {
            king,
            stops,
            lines: attacks::queen_attacks(king, Bitboard::EMPTY),
        }
    }
}

/// Where the king castles to.
fn castled(king: Square, rook: Square) -> Square {
    chess::castling_targets(king, rook).0
}

/// Whether the side that moves leaves none of its kings attacked.
fn is_legal(board: &Board, m: PackedMove) -> bool {
    let mut after = board.clone();
    after.play(m);
    !after.is_attacked(board.turn())
}

#[cfg(test)]
mod tests {
    use chess::{MoveTree, Start};
    use shakmaty::fen::Fen;
    use shakmaty::{Chess, Move, Position};

    use super::*;
    use crate::tests::reader::{pack, setup};

    /// From- and to-squares of all moves, ascending.
    fn pairs(game: &GameView, node: u32, legality: Legality) -> Vec<(Square, Square)> {
        let mut pairs = Vec::new();
        Moves::new(game, node, legality).visit(Bitboard::FULL, |from, to, _| {
            pairs.extend(to.into_iter().map(|to| (from, to)));
            true
        });
        pairs.sort_unstable();
        pairs
    }

    fn expected(position: &Chess) -> Vec<(Square, Square)> {
        let pair = |m: &Move| match *m {
            Move::Castle { king, rook } => (king, castled(king, rook)),
            _ => (m.from().expect("no drops"), m.to()),
        };
        let mut pairs: Vec<_> = position.legal_moves().iter().map(pair).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    #[test]
    fn games_at_random_have_the_moves_that_shakmaty_finds() {
        // Castling rights that follow from the men at home, and no pawn that has just made a double step.
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "4k3/1P4P1/8/q2Q3r/8/5bn1/1p4p1/4K3 w - - 0 1",
        ];
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut checked = 0;
        for start in starts.iter().cycle().take(60) {
            let (start, mut position) = setup(start);
            let mut moves = Vec::new();
            let mut positions = vec![position.clone()];
            for _ in 0..120 {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let m = legal[(random >> 33) as usize % legal.len()];
                moves.push(pack(m));
                position = position.play(m).expect("the move is legal");
                positions.push(position.clone());
            }
            let branches = Vec::new();
            let mut game = GameView::default();
            game.load(&MoveTree { start, moves, branches }, false);
            for (node, position) in (0..).zip(&positions) {
                let legal = pairs(&game, node, Legality::Legal);
                assert_eq!(legal, expected(position), "{:?}", game.board(node));
                let possible = pairs(&game, node, Legality::Pseudolegal);
                assert!(legal.iter().all(|pair| possible.contains(pair)));
                for (legality, pairs) in [(Legality::Legal, &legal), (Legality::Pseudolegal, &possible)] {
                    let moves = Moves::new(&game, node, legality);
                    let half = Bitboard::from_rank(Rank::Fourth) | Bitboard::from_rank(Rank::Sixth);
                    for (from, to) in [
                        (Bitboard::FULL, Bitboard::FULL),
                        (!half, Bitboard::FULL),
                        (Bitboard::FULL, half),
                    ] {
                        let counted = pairs
                            .iter()
                            .filter(|pair| from.contains(pair.0) && to.contains(pair.1))
                            .count();
                        assert_eq!(usize::try_from(moves.count(from, to, i32::MAX)), Ok(counted));
                        assert!(counted <= 3 || moves.count(from, to, 3) > 3);
                    }
                }
                checked += 1;
            }
        }
        assert!(checked > 3000, "only {checked} positions");
    }

    #[test]
    fn men_may_leave_no_king_attacked_where_there_are_several() {
        let men = |text: &str| {
            Fen::from_ascii(text.as_bytes())
                .expect("the FEN can be read")
                .into_setup()
        };
        let setup = men("4k3/8/8/8/r2R2K1/8/8/K7 w - - 0 1");
        let board = Board::from_pieces(setup.board.iter(), setup.turn);
        let start = Start::Setup {
            board: Box::new(board),
            fullmoves: 1,
        };
        let (moves, branches) = (Vec::new(), Vec::new());
        let mut game = GameView::default();
        game.load(&MoveTree { start, moves, branches }, false);
        // The rook on a4 attacks the king on a1: it has to be captured, or that king has to leave the file.
        let squares = [
            (Square::A1, Square::B1),
            (Square::A1, Square::B2),
            (Square::D4, Square::A4),
        ];
        assert_eq!(pairs(&game, 0, Legality::Legal), squares);
    }
}
