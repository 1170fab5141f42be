//! Sets of squares, for all positions of a block at once.

use chess::Man;
use language::hir::{Direction, Directions, ManSet};
use postings::Term;
use shakmaty::{Bitboard, Color, Square};

use super::Sweep;
use super::set_planes::SetPlanes;
use super::squares::conditions_last;
use super::sums::count_on;
use crate::expr::SetExpr;
use crate::geometry::step;
use crate::plane::{ONES, ZERO, and, and_not, not, or_and};

impl Sweep<'_> {
    /// The set. Squares that are not wanted may be in it or not.
    pub(super) fn set(&mut self, set: &SetExpr, wanted: Bitboard) -> SetPlanes {
        let mut out = self.spare();
        match set {
            SetExpr::Constant(squares) => {
                for square in *squares & wanted {
                    out.put(square, &ONES);
                }
            }
            SetExpr::Contents(men, squares) => self.contents_into(*men, *squares & wanted, &mut out),
            SetExpr::Union(parts) => {
                for part in parts {
                    let block = self.set(part, wanted);
                    for square in block.live() {
                        if let Some(plane) = block.get(square) {
                            out.add(square, plane);
                        }
                    }
                    self.give_back(block);
                }
            }
            SetExpr::Intersection(parts) => {
                let (first, conditions) = conditions_last(parts);
                self.intersection_into(first, wanted, &mut out);
                for squares in conditions {
                    self.keep_where(squares, &mut out);
                }
            }
            SetExpr::Complement(inner) => {
                let block = self.set(inner, wanted);
                for square in wanted {
                    let mut plane = block.get(square).copied().unwrap_or(ZERO);
                    not(&mut plane);
                    out.put(square, &plane);
                }
                self.give_back(block);
            }
            SetExpr::Attacks(from, to) => self.attacks_into(from, to, true, wanted, &mut out),
            SetExpr::AttackedBy(to, from) => self.attacks_into(from, to, false, wanted, &mut out),
            SetExpr::Rays {
                lines,
                arguments,
                gives_first,
            } => self.rays(*lines, arguments, *gives_first, wanted, &mut out),
            SetExpr::Pinned(color) => {
                for square in wanted {
                    out.read_into(square, |plane| self.read_term(Term::Pinned(*color, square), plane));
                }
            }
            SetExpr::Pawns(structure, color) => self.pawns_into(*structure, *color, wanted, &mut out),
            SetExpr::Pins(parts, value) => self.pins(parts, *value, wanted, &mut out),
            SetExpr::Between { directions, ends } => self.between(*directions, ends, wanted, &mut out),
            SetExpr::Steps {
                directions,
                min,
                max,
                from,
            } => {
                let block = self.set(from, origins(wanted, *directions, *min..=*max));
                for direction in directions.iter() {
                    if (*min, *max) == (1, 7) {
                        self.fill(&block, direction, wanted, &mut out);
                    } else {
                        step_by_step(&block, direction, *min..=*max, wanted, &mut out);
                    }
                }
                self.give_back(block);
            }
            SetExpr::Added(inner) => {
                let unused = std::mem::replace(&mut out, self.set(inner, wanted));
                self.give_back(unused);
                let here = out.live();
                let before = self.later(-1, |sweep| sweep.set(inner, here));
                let initial = self.plane(Term::Initial).copied().unwrap_or(ZERO);
                for square in here {
                    let plane = out.plane_mut(square);
                    and_not(plane, &initial);
                    if let Some(before) = before.get(square) {
                        and_not(plane, before);
                    }
                }
                self.give_back(before);
                out.prune();
            }
            SetExpr::After(ids, inner) => {
                let block = self.later(*ids, |sweep| sweep.set(inner, wanted));
                let unused = std::mem::replace(&mut out, block);
                self.give_back(unused);
            }
            SetExpr::Nth(number, inner) => {
                let block = self.set(inner, Bitboard::FULL);
                nth_into(&block, *number, wanted, &mut out);
                self.give_back(block);
            }
            SetExpr::Choose(condition, a, b) => {
                let mut holds = ZERO;
                self.truth_into(condition, &mut holds);
                let a = self.set(a, wanted);
                let b = self.set(b, wanted);
                for square in a.live() | b.live() {
                    let mut plane = b.get(square).copied().unwrap_or(ZERO);
                    and_not(&mut plane, &holds);
                    if let Some(a) = a.get(square) {
                        or_and(&mut plane, a, &holds);
                    }
                    out.put(square, &plane);
                }
                self.give_back(a);
                self.give_back(b);
            }
            SetExpr::Squares(parts) => {
                for (square, truth) in parts.iter().filter(|(square, _)| wanted.contains(*square)) {
                    if !self.first_holds(truth) {
                        continue;
                    }
                    let mut plane = ZERO;
                    self.truth_into(truth, &mut plane);
                    out.put(*square, &plane);
                }
            }
        }
        out
    }

    /// The squares that are in all of some sets.
    pub(super) fn intersection_into<'e>(
        &mut self,
        parts: impl Iterator<Item = &'e SetExpr> + Clone,
        wanted: Bitboard,
        out: &mut SetPlanes,
    ) {
        // Constants are cheap, and reduce the squares that are wanted of the others.
        let constant = |part: &SetExpr| match part {
            SetExpr::Constant(squares) => *squares,
            _ => Bitboard::FULL,
        };
        let mut wanted = parts.clone().fold(wanted, |wanted, part| wanted & constant(part));
        let mut first = true;
        for part in parts.filter(|part| !matches!(part, SetExpr::Constant(_))) {
            let block = self.set(part, wanted);
            if std::mem::take(&mut first) {
                let unused = std::mem::replace(out, block);
                self.give_back(unused);
            } else {
                out.retain(block.live());
                for square in out.live() {
                    if let Some(plane) = block.get(square) {
                        and(out.plane_mut(square), plane);
                    }
                }
                self.give_back(block);
            }
            out.prune();
            wanted = out.live();
            if wanted.is_empty() {
                break;
            }
        }
        if first {
            wanted.into_iter().for_each(|square| out.put(square, &ONES));
        }
    }

    /// All squares from a set to the edge of the board: each square adds the one before it.
    pub(super) fn fill(&mut self, from: &SetPlanes, direction: Direction, wanted: Bitboard, out: &mut SetPlanes) {
        let (dx, dy) = direction.delta();
        let mut reached = self.spare();
        let upward = dy > 0 || (dy == 0 && dx > 0);
        let squares: [Square; 64] = if upward {
            Square::ALL
        } else {
            std::array::from_fn(|i| Square::ALL[63 - i])
        };
        for square in squares {
            let Some(before) = step(square, -dx, -dy) else { continue };
            reached.pass_on(before, square);
            if let Some(plane) = from.get(before) {
                reached.add(square, plane);
            }
            if let Some(plane) = reached.get(square).filter(|_| wanted.contains(square)) {
                out.add(square, plane);
            }
        }
        self.give_back(reached);
    }

    fn contents_into(&mut self, men: ManSet, squares: Bitboard, out: &mut SetPlanes) {
        let of_color = |color: Color| color.fold_wb(ManSet::WHITE, ManSet::BLACK);
        let absent = ManSet::ANYTHING.without(men);
        if let Some(color) = Color::ALL.into_iter().find(|&color| absent == of_color(color)) {
            for square in squares {
                self.find_men(color, square);
                let mut plane = self.men(color, square).copied().unwrap_or(ZERO);
                not(&mut plane);
                out.put(square, &plane);
            }
            return;
        }
        if men.contains(Man::EMPTY) {
            for square in squares {
                self.find_occupied(square);
                let mut plane = self.occupied(square).copied().unwrap_or(ZERO);
                not(&mut plane);
                out.put(square, &plane);
            }
        }
        let mut men = men.without(ManSet::from_man(Man::EMPTY));
        for color in Color::ALL {
            let own = of_color(color);
            if !men.is_superset(own) {
                continue;
            }
            men = men.without(own);
            for square in squares {
                self.find_men(color, square);
                if let Some(plane) = self.men(color, square) {
                    out.add(square, plane);
                }
            }
        }
        for man in men.iter() {
            for square in squares {
                let term = Term::Placement(man, square);
                if out.live().contains(square) {
                    self.add_term(term, out.plane_mut(square));
                } else {
                    out.read_into(square, |plane| self.read_term(term, plane));
                }
            }
        }
    }
}

/// The square with a number in a set, counted from 0.
fn nth_into(set: &SetPlanes, number: usize, wanted: Bitboard, out: &mut SetPlanes) {
    // By number, where the set has a square with this number among those that were looked at.
    let mut found = vec![ZERO; number + 1];
    for square in set.live() {
        let Some(here) = set.get(square) else { continue };
        if wanted.contains(square) {
            let mut plane = *here;
            if let Some(before) = number.checked_sub(1) {
                and(&mut plane, &found[before]);
            }
            and_not(&mut plane, &found[number]);
            out.put(square, &plane);
        }
        count_on(&mut found, here);
    }
    out.prune();
}

/// The squares from which steps lead to a wanted square.
fn origins(wanted: Bitboard, directions: Directions, steps: std::ops::RangeInclusive<i32>) -> Bitboard {
    if wanted == Bitboard::FULL {
        return wanted;
    }
    let mut origins = Bitboard::EMPTY;
    for direction in directions.iter() {
        let (dx, dy) = direction.delta();
        for square in wanted {
            origins.extend(steps.clone().filter_map(|n| step(square, -dx * n, -dy * n)));
        }
    }
    origins
}

fn step_by_step(
    from: &SetPlanes,
    direction: Direction,
    steps: std::ops::RangeInclusive<i32>,
    wanted: Bitboard,
    out: &mut SetPlanes,
) {
    let (dx, dy) = direction.delta();
    for square in from.live() {
        let Some(plane) = from.get(square) else { continue };
        for to in steps
            .clone()
            .filter_map(|n| step(square, dx * n, dy * n))
            .filter(|&to| wanted.contains(to))
        {
            out.add(to, plane);
        }
    }
}
