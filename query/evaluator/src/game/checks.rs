//! Which possible moves give check or mate, as far as a look at the board tells without making them: a condition behind a
//! move (docs/language/cqli.md#behind-a-move) that asks for one needs no other moves.

use chess::{Board, Man};
use language::hir::Legality;
use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks};

use super::rights::HOMES;
use super::{GameView, Manner};

/// What a move has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Aim {
    /// Anything.
    Any,
    /// Give check.
    Check,
    /// Give mate.
    Mate,
}

/// The checks that the side to move may give on a board with one king to check.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Checks<'b> {
    board: &'b Board,
    us: Color,
    king: Square,
    aim: Aim,
    /// By role, the squares from which a man attacks the king.
    direct: [Bitboard; 5],
    /// The men that uncover an attack of another one when they leave their line.
    uncovering: Bitboard,
    /// The square that a pawn which has just made a double step passed.
    en_passant: Option<Square>,
}

impl<'b> Checks<'b> {
    /// `None` where nothing can be said: there is not one king to check, it is attacked already, or another one may come so near
    /// that it attacks it, which only pseudolegal moves may.
    pub(crate) fn new(game: &'b GameView, node: u32, aim: Aim, legality: Legality) -> Option<Checks<'b>> {
        let board = game.board(node);
        let us = board.turn();
        let king = board.piece(!us, Role::King).single_square()?;
        let near = attacks::king_attacks(king);
        let comes_near = |ours: Square| match legality {
            Legality::Legal => near.contains(ours),
            Legality::Pseudolegal => (near & (attacks::king_attacks(ours) | Bitboard::from_square(ours))).any(),
        };
        if board.piece(us, Role::King).into_iter().any(comes_near) {
            return None;
        }
        let occupied = board.occupied();
        let straight = attacks::rook_attacks(king, occupied);
        let oblique = attacks::bishop_attacks(king, occupied);
        let direct = [
            attacks::pawn_attacks(!us, king),
            attacks::knight_attacks(king),
            oblique,
            straight,
            straight | oblique,
        ];
        let own = board.color(us);
        let mut uncovering = Bitboard::EMPTY;
        // Of own men on a line, only the first may uncover one behind it.
        for (near, role) in [(straight & own, Role::Rook), (oblique & own, Role::Bishop)] {
            let sliders = board.piece(us, role) | board.piece(us, Role::Queen);
            if near.any() && sliders.any() {
                let lines = match role {
                    Role::Rook => Bitboard::from_file(king.file()) | Bitboard::from_rank(king.rank()),
                    _ => attacks::bishop_attacks(king, Bitboard::EMPTY),
                };
                for slider in sliders & lines & !near {
                    let between = attacks::between(king, slider) & occupied;
                    uncovering |= between.single_square().map_or(Bitboard::EMPTY, Bitboard::from_square) & near;
                }
            }
        }
        let attacked = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
            .into_iter()
            .zip(direct)
            .any(|(role, from)| (board.piece(us, role) & from).any());
        (!attacked).then(|| Checks {
            board,
            us,
            king,
            aim,
            direct,
            uncovering,
            en_passant: game.double_step_square(node),
        })
    }

    /// The men that may make such a move, among some.
    pub(crate) fn movers(&self, among: Bitboard) -> Bitboard {
        let Checks { board, us, direct, .. } = *self;
        let mut movers = self.uncovering | self.castling_king() | self.special_pawns();
        for target in direct[0] & !board.color(us) {
            movers.extend(self.pawns_to(target).into_iter().filter(|&from| self.may(from, target)));
        }
        let free = !board.color(us);
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let wanted = direct[role as usize - 1] & free;
            if wanted.is_empty() {
                continue;
            }
            for from in board.piece(us, role) & among & !movers {
                let reached = self.reached(role, from, wanted);
                if reached.into_iter().any(|to| self.may(from, to)) {
                    movers.add(from);
                }
            }
        }
        movers & among
    }

    /// Those of some squares that a man attacks. Most men are on no line with any of them.
    #[inline]
    fn reached(&self, role: Role, from: Square, wanted: Bitboard) -> Bitboard {
        let straight = || {
            let near = wanted & (Bitboard::from_file(from.file()) | Bitboard::from_rank(from.rank()));
            match near.any() {
                true => near & attacks::rook_attacks(from, self.board.occupied()),
                false => Bitboard::EMPTY,
            }
        };
        let oblique = || wanted & attacks::bishop_attacks(from, self.board.occupied());
        match role {
            Role::Knight => wanted & attacks::knight_attacks(from),
            Role::Bishop => oblique(),
            Role::Rook => straight(),
            Role::Queen => straight() | oblique(),
            Role::Pawn | Role::King => Bitboard::EMPTY,
        }
    }

    /// Those of a man's targets that may give it.
    pub(crate) fn targets(&self, from: Square, to: Bitboard, manner: Manner) -> Bitboard {
        let role = self.board.at(from).role();
        let ends = Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth);
        let may = |to: &Square| self.may(from, *to);
        match (manner, role) {
            (Manner::EnPassant | Manner::Castling, _) => to,
            (Manner::Plain, Some(Role::Pawn)) => to
                .into_iter()
                .filter(|to| ends.contains(*to) || self.may_check_with_pawn(from, *to) && may(to))
                .collect(),
            _ if self.uncovering.contains(from) => to.into_iter().filter(may).collect(),
            (Manner::Plain, Some(Role::King) | None) => Bitboard::EMPTY,
            (Manner::Plain, Some(role)) => (to & self.direct[role as usize - 1]).into_iter().filter(may).collect(),
        }
    }

    /// Whether a pawn that does not promote attacks the king from a square, or leaves a line on which another man does.
    fn may_check_with_pawn(&self, from: Square, to: Square) -> bool {
        self.direct[0].contains(to) || self.uncovering.contains(from)
    }

    /// Whether a move that gives check, if it gives any, may do what is wanted. It is none of those that do more than put a
    /// man on another square.
    fn may(&self, from: Square, to: Square) -> bool {
        self.aim < Aim::Mate || self.leaves_no_flight(from, to) && !self.can_be_answered(from, to)
    }

    /// Whether the king has no square to go to, where a man goes from one square to another and gives check.
    fn leaves_no_flight(&self, from: Square, to: Square) -> bool {
        let Checks { board, us, king, .. } = *self;
        // What the king hides is attacked, too, once it goes on along the line.
        let occupied = board.occupied().without(from).without(king).with(to);
        let near = attacks::king_attacks(king) & (!board.color(!us) | Bitboard::from_square(to));
        let attacked = match board.at(from).piece() {
            Some(piece) => attacks::attacks(to, piece, occupied),
            None => Bitboard::EMPTY,
        };
        // The man does not protect its own square.
        (near & !attacked)
            .into_iter()
            .all(|square| (board.attackers(square, us, occupied).without(from)).any())
    }

    /// Whether there is no check after all, or one that a man can answer: it takes the only man that gives check, or goes
    /// between. What only a capture en passant answers is not seen.
    fn can_be_answered(&self, from: Square, to: Square) -> bool {
        let Checks { board, us, king, .. } = *self;
        let occupied = board.occupied().without(from).with(to);
        // The man that moves is still where it was on the board.
        let piece = board.at(from).piece();
        let checkers = |occupied: Bitboard| {
            let mut all = board.attackers(king, us, occupied).without(from);
            if piece.is_some_and(|piece| attacks::attacks(to, piece, occupied).contains(king)) {
                all.add(to);
            }
            all
        };
        let all = checkers(occupied);
        if all.is_empty() {
            return true;
        }
        let Some(checker) = all.single_square() else {
            return false;
        };
        let others = board.color(!us).without(king).without(to);
        let is_safe = |man: Square, target: Square| {
            let left = checkers(occupied.without(man).with(target));
            left.without(target).is_empty()
        };
        let takes = board.attackers(checker, !us, occupied) & others;
        if takes.into_iter().any(|man| is_safe(man, checker)) {
            return true;
        }
        let pawns = board.piece(!us, Role::Pawn) & others;
        attacks::between(king, checker).into_iter().any(|target| {
            let goes = board.attackers(target, !us, occupied) & others & !pawns;
            let goes = goes | (self.pawns_before(!us, target, occupied) & pawns);
            goes.into_iter().any(|man| is_safe(man, target))
        })
    }

    /// The squares from which a pawn of a color can step to an empty square.
    fn pawns_before(&self, color: Color, target: Square, occupied: Bitboard) -> Bitboard {
        let back = color.fold_wb(-8, 8);
        let Some(one) = target.offset(back) else {
            return Bitboard::EMPTY;
        };
        let mut squares = Bitboard::from_square(one);
        let is_double = target.rank() == color.fold_wb(Rank::Fourth, Rank::Fifth) && !occupied.contains(one);
        if is_double {
            squares.extend(one.offset(back));
        }
        squares
    }

    /// The pawns that can go to a square, not en passant; the first step of a double step may be blocked.
    fn pawns_to(&self, target: Square) -> Bitboard {
        let Checks { board, us, .. } = *self;
        let pawns = board.piece(us, Role::Pawn);
        if board.at(target) != Man::EMPTY {
            return attacks::pawn_attacks(!us, target) & pawns;
        }
        let back = |steps: i32| target.offset(us.fold_wb(-8, 8) * steps);
        let steps: Bitboard = [back(1), back(2)].into_iter().flatten().collect();
        steps & pawns
    }

    /// The pawns that may promote or capture en passant.
    fn special_pawns(&self) -> Bitboard {
        let Checks { board, us, .. } = *self;
        let seventh = Bitboard::from_rank(us.fold_wb(Rank::Seventh, Rank::Second));
        let beside = self
            .en_passant
            .map_or(Bitboard::EMPTY, |square| attacks::pawn_attacks(!us, square));
        board.piece(us, Role::Pawn) & (seventh | beside)
    }

    /// The king at home, if the rook may give check when it castles.
    fn castling_king(&self) -> Bitboard {
        let Checks { board, us, king, .. } = *self;
        let seen = king.rank() == us.fold_wb(Rank::First, Rank::Eighth) || matches!(king.file(), File::D | File::F);
        let (home, _) = HOMES[us.fold_wb(0, 1)][0];
        match seen && board.at(home) == Man::new(us, Role::King) {
            true => Bitboard::from_square(home),
            false => Bitboard::EMPTY,
        }
    }
}
