//! Rays, x-rays, pins and the squares between, for all positions of a block at once: in each direction a wave runs over
//! the board, one square after the other, and carries the positions in which a line reaches that square.

use chess::Man;
use language::hir::{Direction, Directions, ManSet};
use shakmaty::{Bitboard, Color, Role};

use super::Sweep;
use super::set_planes::SetPlanes;
use crate::expr::{RayLines, SetExpr, possible_men};
use crate::geometry::{line, opposite};
use crate::plane::{and, is_zero, or_and};

impl Sweep<'_> {
    /// The squares where lines through all arguments end, or those where they start (docs/language/positions.md#rays).
    pub(super) fn rays(
        &mut self,
        lines: RayLines,
        arguments: &[SetExpr],
        gives_first: bool,
        wanted: Bitboard,
        out: &mut SetPlanes,
    ) {
        let directions = match lines {
            RayLines::Given(directions) => directions,
            RayLines::OfPiece => Directions::ALL,
        };
        let demand = self.demand;
        let last = arguments.len() - 1;
        // The set whose squares are wanted comes first: the others matter only on lines with one of these squares, and in
        // positions that have one.
        let given = if gives_first { 0 } else { last };
        let mut sets: Vec<SetPlanes> = arguments.iter().map(|_| self.spare()).collect();
        let mut wanted = wanted;
        let mut is_empty = false;
        for index in std::iter::once(given).chain((0..=last).filter(|&index| index != given)) {
            let mut set = self.set(&arguments[index], wanted);
            set.prune();
            let unused = std::mem::replace(&mut sets[index], set);
            self.give_back(unused);
            and(&mut self.demand, &sets[index].anywhere());
            if is_zero(&self.demand) {
                is_empty = true;
                break;
            }
            if index == given {
                let way = |direction| if gives_first { direction } else { opposite(direction) };
                let on_lines = |square| directions.iter().map(move |direction| line(square, way(direction)));
                wanted = sets[index]
                    .live()
                    .into_iter()
                    .flat_map(on_lines)
                    .fold(Bitboard::EMPTY, |all, line| all | line);
            }
        }
        if !is_empty {
            let kinds = possible_men(&arguments[0]);
            for direction in directions.iter() {
                let starts = match lines {
                    RayLines::Given(_) => None,
                    RayLines::OfPiece => Some(self.sliders_among(&sets[0], kinds, direction, &Color::ALL)),
                };
                let first = starts.as_ref().unwrap_or(&sets[0]);
                let mut in_order: Vec<&SetPlanes> = std::iter::once(first).chain(&sets[1..]).collect();
                let way = match gives_first {
                    true => {
                        in_order.reverse();
                        opposite(direction)
                    }
                    false => direction,
                };
                self.rays_through(way, &in_order, out);
                starts.into_iter().for_each(|set| self.give_back(set));
            }
        }
        self.demand = demand;
        sets.into_iter().for_each(|set| self.give_back(set));
    }

    /// Runs in a direction from the first set through the others, each of which is seen from the one before, and adds the squares of
    /// the last one that are reached.
    fn rays_through(&mut self, direction: Direction, sets: &[&SetPlanes], out: &mut SetPlanes) {
        let [first, between @ .., last] = sets else { return };
        let mut passed: Option<SetPlanes> = None;
        for set in between {
            let mut reached = self.spare();
            self.slide_on(direction, passed.as_ref().unwrap_or(first), set, &mut reached);
            reached.prune();
            if let Some(unused) = passed.replace(reached) {
                self.give_back(unused);
            }
        }
        self.slide_on(direction, passed.as_ref().unwrap_or(first), last, out);
        passed.into_iter().for_each(|set| self.give_back(set));
    }

    /// The squares that lie strictly between one of a set and one of another on a line, whatever stands there.
    pub(super) fn between(
        &mut self,
        directions: Directions,
        [a, b]: &[SetExpr; 2],
        wanted: Bitboard,
        out: &mut SetPlanes,
    ) {
        let (a, b) = (self.set(a, Bitboard::FULL), self.set(b, Bitboard::FULL));
        for direction in directions.iter() {
            let (mut on, mut back) = (self.spare(), self.spare());
            self.fill(&a, direction, wanted, &mut on);
            self.fill(&b, opposite(direction), on.live(), &mut back);
            for square in back.live() {
                if let (Some(on), Some(back)) = (on.get(square), back.get(square)) {
                    or_and(out.plane_mut(square), on, back);
                }
            }
            self.give_back(on);
            self.give_back(back);
        }
        self.give_back(a);
        self.give_back(b);
    }

    /// The squares of a set on which a man of these colors stands that slides in this direction.
    fn sliders_among(&mut self, set: &SetPlanes, kinds: ManSet, direction: Direction, colors: &[Color]) -> SetPlanes {
        let (dx, dy) = direction.delta();
        let role = if dx == 0 || dy == 0 { Role::Rook } else { Role::Bishop };
        let men = colors
            .iter()
            .flat_map(|&color| [role, Role::Queen].map(|role| Man::new(color, role)));
        let men: Vec<Man> = men.collect();
        self.men_among(set, &men, kinds)
    }
}
