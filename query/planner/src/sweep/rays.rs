//! Rays, x-rays, pins and the squares between, for all positions of a block at once: in each direction a wave runs over
//! the board, one square after the other, and carries the positions in which a line reaches that square.

use chess::Man;
use language::hir::{Direction, Directions, ManSet};
use shakmaty::{Bitboard, Color, Role, Square};

use super::Sweep;
use super::set_planes::SetPlanes;
use crate::expr::{RayLines, SetExpr, possible_men};
use crate::geometry::{behind, line, neighbour, opposite, order};
use crate::plane::{Plane, ZERO, and, and_not, is_zero, or, or_and};

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
                if gives_first {
                    self.rays_back(direction, first, &sets[1..], out);
                } else {
                    self.rays_on(direction, first, &sets[1..], out);
                }
                starts.into_iter().for_each(|set| self.give_back(set));
            }
        }
        self.demand = demand;
        sets.into_iter().for_each(|set| self.give_back(set));
    }

    /// Runs outward from the starts through `sets`, and adds the squares of the last set that lines reach.
    fn rays_on(&mut self, direction: Direction, starts: &SetPlanes, sets: &[SetPlanes], out: &mut SetPlanes) {
        let Some((target, between)) = sets.split_last() else {
            return;
        };
        let needed = behind(target.live(), direction);
        // By number of sets passed: the positions in which a line arrives at a square.
        let mut waves: Vec<SetPlanes> = sets.iter().map(|_| self.spare()).collect();
        for square in order(direction).filter(|&square| needed.contains(square)) {
            if let Some(plane) = starts.get(square) {
                forward(&mut waves[0], square, direction, plane);
            }
            for index in 0..sets.len() {
                let Some(arriving) = waves[index].get(square).copied() else {
                    continue;
                };
                if let Some(next) = between.get(index) {
                    if let Some(here) = next.get(square) {
                        forward(&mut waves[index + 1], square, direction, &both(&arriving, here));
                    }
                } else if let Some(here) = target.get(square) {
                    or_and(out.plane_mut(square), &arriving, here);
                }
                forward(
                    &mut waves[index],
                    square,
                    direction,
                    &self.where_empty(square, arriving),
                );
            }
        }
        waves.into_iter().for_each(|wave| self.give_back(wave));
    }

    /// Runs back from the last set, and adds the squares of the starts from which lines come.
    fn rays_back(&mut self, direction: Direction, starts: &SetPlanes, sets: &[SetPlanes], out: &mut SetPlanes) {
        // By number of sets passed: the positions in which a line that has arrived at a square goes on to the last set.
        let mut waves: Vec<SetPlanes> = sets.iter().map(|_| self.spare()).collect();
        let needed = behind(starts.live(), opposite(direction));
        for square in order(opposite(direction)).filter(|&square| needed.contains(square)) {
            let ahead = neighbour(square, direction);
            if let Some(ahead) = ahead
                && let (Some(start), Some(wave)) = (starts.get(square), waves[0].get(ahead))
            {
                or_and(out.plane_mut(square), start, wave);
            }
            for (index, set) in sets.iter().enumerate() {
                let mut here = ahead.and_then(|ahead| waves[index].get(ahead)).copied().unwrap_or(ZERO);
                if !is_zero(&here) {
                    here = self.where_empty(square, here);
                }
                if let Some(plane) = set.get(square) {
                    if index + 1 == sets.len() {
                        or(&mut here, plane);
                    } else if let Some(wave) = ahead.and_then(|ahead| waves[index + 1].get(ahead)) {
                        or_and(&mut here, plane, wave);
                    }
                }
                if !is_zero(&here) {
                    waves[index].put(square, &here);
                }
            }
        }
        waves.into_iter().for_each(|wave| self.give_back(wave));
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

    /// Keeps the positions in which the square is empty.
    pub(super) fn where_empty(&mut self, square: Square, mut plane: Plane) -> Plane {
        self.find_occupied(square);
        if let Some(occupied) = self.occupied(square) {
            and_not(&mut plane, occupied);
        }
        plane
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

/// Moves a wave to the next square.
fn forward(wave: &mut SetPlanes, from: Square, direction: Direction, plane: &Plane) {
    if let Some(next) = neighbour(from, direction)
        && !is_zero(plane)
    {
        wave.add(next, plane);
    }
}

fn both(a: &Plane, b: &Plane) -> Plane {
    let mut plane = *a;
    and(&mut plane, b);
    plane
}
