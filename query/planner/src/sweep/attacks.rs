//! Attacks, for all positions of a block at once: attacks run outward from each square, and a ray loses the positions
//! where a man blocks it.

use chess::Man;
use language::hir::{Direction, Directions, ManSet};
use postings::Term;
use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::Sweep;
use super::set_planes::SetPlanes;
use crate::expr::{SetExpr, possible_men};
use crate::geometry::{behind, neighbour, opposite, order, step};
use crate::plane::{Plane, ZERO, and, and_not, both, is_zero, or, or_and};

/// Up to this many squares, the rays of each are followed by themselves.
const FEW_SQUARES: usize = 10;

/// In up to this many positions of a block, too: most rays have nothing to reach.
const FEW_POSITIONS: u32 = 1024;

impl Sweep<'_> {
    /// The squares of `from` that attack a square of `to` (`gives_from`), or the squares of `to` that are attacked.
    pub(super) fn attacks_into(
        &mut self,
        from: &SetExpr,
        to: &SetExpr,
        gives_from: bool,
        wanted: Bitboard,
        out: &mut SetPlanes,
    ) {
        let kinds = possible_men(from);
        let (from_wanted, to_wanted) = if gives_from {
            (wanted, reach(kinds, wanted))
        } else {
            (Bitboard::FULL, wanted)
        };
        let mut to = self.set(to, to_wanted);
        to.prune();
        // Only positions with something to attack matter.
        let demand = self.demand;
        self.demand = to.anywhere();
        and(&mut self.demand, &demand);
        if !is_zero(&self.demand) {
            let mut from = self.set(from, from_wanted & origins(kinds, to.live()));
            from.prune();
            // From many squares in many positions, all rays of a direction run at once.
            let at_once = from.live().count() > FEW_SQUARES && bits::count(&self.demand) > FEW_POSITIONS;
            if at_once {
                self.slide_from_all(kinds, &from, &to, gives_from, out);
            }
            for square in from.live() {
                let Some(here) = from.get(square).map(|here| both(here, &self.demand)) else {
                    continue;
                };
                if !is_zero(&here) {
                    self.attacks_of(square, (kinds, at_once), &here, &to, gives_from, out);
                }
            }
            self.give_back(from);
        }
        self.demand = demand;
        self.give_back(to);
    }

    /// The positions, among the given ones, where the square has one of `men` that is also in `kinds`; `None` if there
    /// are none.
    fn men_at(&mut self, square: Square, men: &[Man], kinds: ManSet, among: &Plane) -> Option<Plane> {
        let all: ManSet = men.iter().copied().collect();
        if all.is_superset(kinds) {
            return Some(*among);
        }
        let mut plane = ZERO;
        for &man in men.iter().filter(|&&man| kinds.contains(man)) {
            if let Some(list) = self.plane(Term::Placement(man, square)) {
                or(&mut plane, list);
            }
        }
        if is_zero(&plane) {
            return None;
        }
        and(&mut plane, among);
        (!is_zero(&plane)).then_some(plane)
    }

    /// The squares of a set, which has men of some kinds at most, on which one of these men stands.
    pub(super) fn men_among(&mut self, set: &SetPlanes, men: &[Man], kinds: ManSet) -> SetPlanes {
        let mut found = self.spare();
        if !men.iter().any(|&man| kinds.contains(man)) {
            return found;
        }
        for square in set.live() {
            let Some(here) = set.get(square).map(|here| both(here, &self.demand)) else {
                continue;
            };
            if !is_zero(&here)
                && let Some(plane) = self.men_at(square, men, kinds, &here)
            {
                found.put(square, &plane);
            }
        }
        found
    }

    /// The attacks of men that others can block, direction by direction: a wave runs over the board, and carries the
    /// positions in which an attack comes that far.
    fn slide_from_all(
        &mut self,
        among: ManSet,
        from: &SetPlanes,
        to: &SetPlanes,
        gives_from: bool,
        out: &mut SetPlanes,
    ) {
        for (role, directions) in [
            (Role::Rook, Directions::ORTHOGONAL),
            (Role::Bishop, Directions::DIAGONAL),
        ] {
            let men = with_queens(role);
            let sliders = self.men_among(from, &men, among);
            if !sliders.live().is_empty() {
                for direction in directions.iter() {
                    if gives_from {
                        self.slide_back(direction, &sliders, to, out);
                    } else {
                        self.slide_on(direction, &sliders, to, out);
                    }
                }
            }
            self.give_back(sliders);
        }
    }

    /// Adds the sliders whose ray in a direction reaches a square of `to`.
    fn slide_back(&mut self, direction: Direction, sliders: &SetPlanes, to: &SetPlanes, out: &mut SetPlanes) {
        let needed = behind(sliders.live(), opposite(direction));
        // By square, the positions in which a ray that has come this far reaches one further on.
        let mut wave = self.spare();
        for square in order(opposite(direction)) {
            let Some(next) = neighbour(square, direction).filter(|_| needed.contains(square)) else {
                continue;
            };
            if wave.live().contains(next) {
                self.find_occupied(next);
            }
            wave.advance(next, square, self.occupied(next), to.get(next));
            if let (Some(slider), Some(ahead)) = (sliders.get(square), wave.get(square)) {
                out.add_both(square, slider, ahead);
            }
        }
        self.give_back(wave);
    }

    /// Adds the squares of `to` that the rays of sliders, or of any squares, in a direction reach.
    pub(super) fn slide_on(&mut self, direction: Direction, sliders: &SetPlanes, to: &SetPlanes, out: &mut SetPlanes) {
        let arriving = self.seen_from(sliders, direction, behind(to.live(), direction));
        for square in to.live() {
            if let (Some(target), Some(arriving)) = (to.get(square), arriving.get(square)) {
                out.add_both(square, target, arriving);
            }
        }
        self.give_back(arriving);
    }

    /// By square, the positions in which one of a set is seen from there against a direction. Squares that are not needed may be
    /// left out; all those on the way to a needed one are needed, too.
    pub(super) fn seen_from(&mut self, set: &SetPlanes, direction: Direction, needed: Bitboard) -> SetPlanes {
        let mut seen = self.spare();
        for square in order(direction).filter(|&square| needed.contains(square)) {
            let Some(before) = neighbour(square, opposite(direction)) else {
                continue;
            };
            if seen.live().contains(before) {
                self.find_occupied(before);
            }
            seen.advance(before, square, self.occupied(before), set.get(before));
        }
        seen
    }

    /// The attacks of the men on one square; they stand there in the positions of `here`. Those of sliders may be known.
    fn attacks_of(
        &mut self,
        square: Square,
        (among, sliders_known): (ManSet, bool),
        here: &Plane,
        to: &SetPlanes,
        gives_from: bool,
        out: &mut SetPlanes,
    ) {
        let both = |role| [Man::new(Color::White, role), Man::new(Color::Black, role)];
        let pawn = |color| [Man::new(color, Role::Pawn)];
        let pawn_reach = |color| attacks::pawn_attacks(color, square);
        let rook_reach = attacks::rook_attacks(square, Bitboard::EMPTY);
        let bishop_reach = attacks::bishop_attacks(square, Bitboard::EMPTY);
        // The men, where they reach on an empty board, and the directions of those that other men can block.
        let kinds: [(&[Man], Bitboard, Option<Directions>); 6] = [
            (&both(Role::Knight), attacks::knight_attacks(square), None),
            (&both(Role::King), attacks::king_attacks(square), None),
            (&pawn(Color::White), pawn_reach(Color::White), None),
            (&pawn(Color::Black), pawn_reach(Color::Black), None),
            (&with_queens(Role::Rook), rook_reach, Some(Directions::ORTHOGONAL)),
            (&with_queens(Role::Bishop), bishop_reach, Some(Directions::DIAGONAL)),
        ];
        for (men, reach, directions) in kinds {
            let targets = reach & to.live();
            if targets.is_empty() || (sliders_known && directions.is_some()) {
                continue;
            }
            let Some(men) = self.men_at(square, men, among, here) else {
                continue;
            };
            match directions {
                None => {
                    for target in targets {
                        hit(square, target, &men, to, gives_from, out);
                    }
                }
                Some(directions) => {
                    for direction in directions.iter() {
                        self.slide(square, direction, men, to, gives_from, out);
                    }
                }
            }
        }
    }

    /// Follows a ray outward; `open` are the positions where it has not been stopped yet.
    fn slide(
        &mut self,
        square: Square,
        direction: Direction,
        mut open: Plane,
        to: &SetPlanes,
        gives_from: bool,
        out: &mut SetPlanes,
    ) {
        let (dx, dy) = direction.delta();
        let way = |from: Square| std::iter::successors(step(from, dx, dy), move |&at| step(at, dx, dy));
        // A ray is followed up to its last target.
        let mut targets: Bitboard = way(square).filter(|&at| to.live().contains(at)).collect();
        if targets.is_empty() {
            return;
        }
        for next in way(square) {
            // A ray that has no target ahead of it need not be followed.
            let ahead = to.some_of(targets);
            and(&mut open, &ahead);
            if is_zero(&open) {
                return;
            }
            if targets.contains(next) {
                hit(square, next, &open, to, gives_from, out);
                targets.discard(next);
                if targets.is_empty() {
                    return;
                }
            }
            self.find_occupied(next);
            if let Some(plane) = self.occupied(next) {
                and_not(&mut open, plane);
            }
        }
    }
}

/// The men of a role and the queens.
fn with_queens(role: Role) -> [Man; 4] {
    let both = |role| [Man::new(Color::White, role), Man::new(Color::Black, role)];
    let ([white, black], [white_queen, black_queen]) = (both(role), both(Role::Queen));
    [white, black, white_queen, black_queen]
}

/// More squares than this are attacked from nearly everywhere, and nearly everything is attacked from them.
const MANY_SQUARES: usize = 16;

/// The squares from which men of these kinds may attack one of the targets.
fn origins(kinds: ManSet, targets: Bitboard) -> Bitboard {
    reach(kinds.swap_colors(), targets)
}

/// The squares that men of these kinds may attack from some squares.
fn reach(kinds: ManSet, from: Bitboard) -> Bitboard {
    if from.count() > MANY_SQUARES {
        return Bitboard::FULL;
    }
    let pieces = kinds.iter().filter_map(Man::piece);
    let attacked = pieces.flat_map(|piece| from.into_iter().map(move |square| (piece, square)));
    attacked.fold(Bitboard::EMPTY, |all, (piece, square)| {
        all | attacks::attacks(square, piece, Bitboard::EMPTY)
    })
}

/// A man on `square` attacks `target` in the positions of `open`.
fn hit(square: Square, target: Square, open: &Plane, to: &SetPlanes, gives_from: bool, out: &mut SetPlanes) {
    if let Some(plane) = to.get(target) {
        or_and(out.plane_mut(if gives_from { square } else { target }), open, plane);
    }
}
