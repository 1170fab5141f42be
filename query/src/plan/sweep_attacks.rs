//! Attacks, for all positions of a block at once: every square sends its men's attacks out, and what stands in the way
//! takes the positions where it does out of the ray.

use shakmaty::{Bitboard, Color, Role, Square, attacks};
use storage::{Man, Term};

use super::block::{Plane, SetBlock, ZERO, and, and_not, is_zero, or, or_and};
use super::expr::SetExpr;
use super::lower_sets::possible_men;
use super::sweep::Sweep;
use super::sweep_sets::step;
use crate::hir::{Direction, Directions, ManSet};

impl Sweep<'_> {
    /// The squares of `from` that attack a square of `to` (`gives_from`), or the squares of `to` that are attacked.
    pub(super) fn attacks_into(
        &mut self,
        from: &SetExpr,
        to: &SetExpr,
        gives_from: bool,
        wanted: Bitboard,
        out: &mut SetBlock,
    ) {
        let (from_wanted, to_wanted) = if gives_from {
            (wanted, Bitboard::FULL)
        } else {
            (Bitboard::FULL, wanted)
        };
        let mut to = self.set(to, to_wanted);
        to.prune();
        if to.live().is_empty() {
            self.give_back(to);
            return;
        }
        let kinds = possible_men(from);
        let mut from = self.set(from, from_wanted);
        from.prune();
        for square in from.live() {
            let Some(mut here) = from.get(square).copied() else {
                continue;
            };
            and(&mut here, &self.demand);
            self.leapers(square, kinds, &here, &to, gives_from, out);
            self.sliders(square, kinds, &here, &to, gives_from, out);
        }
        self.give_back(from);
        self.give_back(to);
    }

    /// Where one of these men stands on the square, if it is of these kinds, among the given positions; nothing if
    /// nowhere.
    fn men_at(&mut self, square: Square, men: &[Man], kinds: ManSet, among: &Plane) -> Option<Plane> {
        let mut plane = ZERO;
        for &man in men.iter().filter(|&&man| kinds.contains(man)) {
            if let Some(leaf) = self.leaf(Term::Placement(man, square)) {
                or(&mut plane, leaf);
            }
        }
        if is_zero(&plane) {
            return None;
        }
        and(&mut plane, among);
        (!is_zero(&plane)).then_some(plane)
    }

    fn leapers(
        &mut self,
        square: Square,
        among: ManSet,
        here: &Plane,
        to: &SetBlock,
        gives_from: bool,
        out: &mut SetBlock,
    ) {
        let both = |role| [Man::new(Color::White, role), Man::new(Color::Black, role)];
        let pawn = |color| [Man::new(color, Role::Pawn)];
        let kinds: [(&[Man], Bitboard); 4] = [
            (&both(Role::Knight), attacks::knight_attacks(square)),
            (&both(Role::King), attacks::king_attacks(square)),
            (&pawn(Color::White), attacks::pawn_attacks(Color::White, square)),
            (&pawn(Color::Black), attacks::pawn_attacks(Color::Black, square)),
        ];
        for (men, targets) in kinds {
            let targets = targets & to.live();
            if targets.is_empty() {
                continue;
            }
            let Some(men) = self.men_at(square, men, among, here) else {
                continue;
            };
            for target in targets {
                hit(square, target, &men, to, gives_from, out);
            }
        }
    }

    fn sliders(
        &mut self,
        square: Square,
        among: ManSet,
        here: &Plane,
        to: &SetBlock,
        gives_from: bool,
        out: &mut SetBlock,
    ) {
        let both = |role| [Man::new(Color::White, role), Man::new(Color::Black, role)];
        let queens = both(Role::Queen);
        let kinds = [
            (
                both(Role::Rook),
                Directions::ORTHOGONAL,
                attacks::rook_attacks(square, Bitboard::EMPTY),
            ),
            (
                both(Role::Bishop),
                Directions::DIAGONAL,
                attacks::bishop_attacks(square, Bitboard::EMPTY),
            ),
        ];
        for ([white, black], directions, reach) in kinds {
            if (reach & to.live()).is_empty() {
                continue;
            }
            let Some(men) = self.men_at(square, &[white, black, queens[0], queens[1]], among, here) else {
                continue;
            };
            for direction in directions.iter() {
                self.slide(square, direction, men, to, gives_from, out);
            }
        }
    }

    /// Follows a ray outward; `open` are the positions where it has not been stopped yet.
    fn slide(
        &mut self,
        square: Square,
        direction: Direction,
        mut open: Plane,
        to: &SetBlock,
        gives_from: bool,
        out: &mut SetBlock,
    ) {
        let (dx, dy) = direction.delta();
        let way = |from: Square| std::iter::successors(step(from, dx, dy), move |&at| step(at, dx, dy));
        // Behind the last target there is nothing to find.
        let Some(last) = way(square).filter(|&at| to.live().contains(at)).last() else {
            return;
        };
        for next in way(square) {
            hit(square, next, &open, to, gives_from, out);
            if next == last {
                return;
            }
            self.find_occupied(next);
            if let Some(plane) = self.occupied(next) {
                and_not(&mut open, plane);
                if is_zero(&open) {
                    return;
                }
            }
        }
    }
}

/// A man on `square` attacks `target` in the positions of `open`.
fn hit(square: Square, target: Square, open: &Plane, to: &SetBlock, gives_from: bool, out: &mut SetBlock) {
    if let Some(plane) = to.get(target) {
        or_and(out.plane_mut(if gives_from { square } else { target }), open, plane);
    }
}
