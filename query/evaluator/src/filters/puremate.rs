//! Pure, model and ideal mates and stalemates (docs/language/positions.md#pure-model-and-ideal-mates).
//!
//! The value is the set of men that take part: those without which the side to move would have a move, and those that
//! only block squares of its king.

use chess::Board;
use language::hir::Purity;
use shakmaty::{Bitboard, Color, Role, Square, attacks};

use crate::machine::Machine;

impl Machine<'_, '_> {
    /// The men that take part in a mate or stalemate of this purity; the empty set if there is none.
    pub(crate) fn pure(&self, purity: Purity, stalemate: bool) -> Bitboard {
        let over = if stalemate { self.is_stalemate() } else { self.is_mate() };
        let Some(king) = self
            .board()
            .piece(self.board().turn(), Role::King)
            .single_square()
            .filter(|_| over)
        else {
            return Bitboard::EMPTY;
        };
        let scene = Scene::new(self.board(), king, self.double_step_square());
        let men = if stalemate { scene.stalemate() } else { scene.mate() };
        men.filter(|&men| scene.is_as_strict(men, purity))
            .unwrap_or(Bitboard::EMPTY)
    }
}

/// A king that cannot move, and what stands around it.
struct Scene<'b> {
    board: &'b Board,
    king: Square,
    /// The side of the king.
    us: Color,
    /// The squares around the king.
    field: Bitboard,
    /// Our men that are pinned to the king.
    pinned: Bitboard,
    /// Their men that pin them.
    pinners: Bitboard,
    en_passant: Option<Square>,
}

impl<'b> Scene<'b> {
    fn new(board: &'b Board, king: Square, en_passant: Option<Square>) -> Scene<'b> {
        let us = board.turn();
        let mut scene = Scene {
            board,
            king,
            us,
            field: attacks::king_attacks(king),
            pinned: Bitboard::EMPTY,
            pinners: Bitboard::EMPTY,
            en_passant,
        };
        for (slider, between) in scene.lines_to(king, !us) {
            if let Some(man) = between.single_square().filter(|&man| scene.ours().contains(man)) {
                scene.pinned.add(man);
                scene.pinners.add(slider);
            }
        }
        scene
    }

    fn ours(&self) -> Bitboard {
        self.board.color(self.us)
    }

    fn theirs(&self) -> Bitboard {
        self.board.color(!self.us)
    }

    /// The sliders of a color that stand on a line with a square that they move along, and the men between.
    fn lines_to(&self, target: Square, color: Color) -> impl Iterator<Item = (Square, Bitboard)> + use<> {
        let queens = self.board.piece(color, Role::Queen);
        let straight = attacks::rook_attacks(target, Bitboard::EMPTY) & (self.board.piece(color, Role::Rook) | queens);
        let oblique =
            attacks::bishop_attacks(target, Bitboard::EMPTY) & (self.board.piece(color, Role::Bishop) | queens);
        let occupied = self.board.occupied();
        (straight | oblique)
            .into_iter()
            .map(move |slider| (slider, attacks::between(slider, target) & occupied))
    }

    /// Their men that attack a square of the field, also through our king.
    fn guards(&self, square: Square) -> Bitboard {
        let occupied = self.board.occupied() & !Bitboard::from_square(self.king);
        self.board.attackers(square, !self.us, occupied)
    }

    fn all_guards(&self) -> Bitboard {
        self.field
            .into_iter()
            .fold(Bitboard::EMPTY, |all, square| all | self.guards(square))
    }

    /// Their men that are pinned to their own king.
    fn their_pinned(&self) -> Bitboard {
        self.shields(self.theirs())
    }

    /// The men of a set that alone stand between one of our sliders and their king.
    fn shields(&self, of: Bitboard) -> Bitboard {
        let kings = self.board.piece(!self.us, Role::King);
        kings
            .into_iter()
            .flat_map(|king| self.lines_to(king, self.us))
            .fold(Bitboard::EMPTY, |all, (_, between)| {
                if between.count() == 1 {
                    all | (between & of)
                } else {
                    all
                }
            })
    }

    /// Whether one of our men, were it not pinned, could move to one of these squares; or capture en passant the pawn
    /// on one of them.
    fn reaches(&self, man: Square, targets: Bitboard) -> bool {
        let empty = !self.board.occupied();
        if self.board.at(man).role() != Some(Role::Pawn) {
            return self.board.attacks_from(man).intersects(targets);
        }
        let captures = attacks::pawn_attacks(self.us, man);
        let forward = self.us.fold_wb(8, -8);
        let mut pushes = Bitboard::EMPTY;
        if let Some(one) = man.offset(forward).filter(|&one| empty.contains(one)) {
            pushes.add(one);
            if man.rank() == self.us.fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh)
                && let Some(two) = one.offset(forward).filter(|&two| empty.contains(two))
            {
                pushes.add(two);
            }
        }
        let en_passant = self.en_passant.filter(|&square| captures.contains(square));
        (captures & self.theirs() | pushes).intersects(targets)
            || en_passant.is_some_and(|square| {
                targets.contains(square) || targets.contains(chess::en_passant_square(man, square))
            })
    }

    /// Every field square that is free to take is guarded exactly once.
    fn is_field_pure(&self) -> bool {
        (self.field & !self.ours())
            .into_iter()
            .all(|square| self.guards(square).count() == 1)
    }

    fn mate(&self) -> Option<Bitboard> {
        let checkers = self.board.attackers(self.king, !self.us, self.board.occupied());
        if !self.is_field_pure() {
            return None;
        }
        let line = |checker: Square| attacks::between(checker, self.king) | Bitboard::from_square(checker);
        let single = checkers.single_square();
        for block in self.field & self.ours() {
            let guards = self.guards(block).count();
            let necessary =
                single.is_some_and(|checker| self.pinned.contains(block) && self.reaches(block, line(checker)));
            if !(guards == 0 || guards == 1 && necessary) {
                return None;
            }
        }
        let king = Bitboard::from_square(self.king);
        if single.is_none() {
            let free = self.ours() & !self.pinned & !king;
            let needed = |checker: Square| {
                (checkers & !Bitboard::from_square(checker)).into_iter().any(|other| {
                    free.into_iter()
                        .any(|man| self.board.attacks_from(man).intersects(line(other)))
                })
            };
            if !checkers.into_iter().all(needed) {
                return None;
            }
        }
        let mut men = checkers | self.all_guards() | self.their_pinned() | king;
        men |= (self.field & self.ours()) | self.shields(self.ours());
        if let Some(checker) = single {
            men |= self.stoppers(line(checker));
        }
        Some(men)
    }

    /// The men that keep ours from the squares where they could parry the check: those that pin them, and our own that
    /// alone stand in the way of a line. Their men in the way of a line don't count (measured on CQL 6.2).
    fn stoppers(&self, squares: Bitboard) -> Bitboard {
        let mut men = Bitboard::EMPTY;
        for (pinner, between) in self.lines_to(self.king, !self.us) {
            let pinned = between.single_square().filter(|&man| self.ours().contains(man));
            if pinned.is_some_and(|man| self.reaches(man, squares)) {
                men.add(pinner);
            }
        }
        let others = self.ours() & !Bitboard::from_square(self.king);
        for square in squares {
            for (_, between) in self.lines_to(square, self.us) {
                if between.count() == 1 {
                    men |= between & others;
                }
            }
        }
        men
    }

    fn stalemate(&self) -> Option<Bitboard> {
        let blocks = self.field & self.ours();
        let pure = self.is_field_pure()
            && blocks.into_iter().all(|block| {
                let guards = self.guards(block).count();
                guards == usize::from(self.pinned.contains(block))
            });
        pure.then(|| self.all_guards() | self.their_pinned() | self.pinners | self.ours())
    }

    fn is_as_strict(&self, men: Bitboard, purity: Purity) -> bool {
        let needed = match purity {
            Purity::Pure => Bitboard::EMPTY,
            Purity::Model => {
                let kings_and_pawns = self.board.role(Role::King) | self.board.role(Role::Pawn);
                self.theirs() & !kings_and_pawns
            }
            Purity::Ideal => self.board.occupied(),
        };
        men.is_superset(needed)
    }
}
