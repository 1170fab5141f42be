//! Rays, x-rays, pins and the squares between, for all positions of a block at once: in each direction a wave runs over
//! the board, one square after the other, and carries the positions in which a line reaches that square.

use chess::Man;
use language::hir::{Direction, Directions, ManSet, PinValue};
use postings::Term;
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

    /// `pin from F through T to G` (docs/language/positions.md#pins).
    pub(super) fn pins(
        &mut self,
        [start, middle, end]: [&SetExpr; 3],
        value: PinValue,
        wanted: Bitboard,
        out: &mut SetPlanes,
    ) {
        let asked = |this: PinValue| if value == this { wanted } else { Bitboard::FULL };
        let (pinning, pinnable, behind) = (possible_men(start), possible_men(middle), possible_men(end));
        let mut to = self.set(end, asked(PinValue::To));
        to.prune();
        let mut through = self.set(middle, asked(PinValue::Through));
        through.prune();
        let mut from = self.set(start, asked(PinValue::From));
        from.prune();
        for color in Color::ALL {
            let own = color.fold_wb(ManSet::WHITE, ManSet::BLACK);
            let pinning = pinning.intersection(own);
            let pinnable = pinnable.intersection(own.swap_colors());
            if pinning == ManSet::NONE || pinnable == ManSet::NONE {
                continue;
            }
            let pinned = self.men_among(&through, pinnable, possible_men(middle));
            let mut targets = self.spare();
            for square in to.live() {
                let Some(mut plane) = to.get(square).copied() else {
                    continue;
                };
                if behind.intersection(own) != ManSet::NONE {
                    self.remove_men(square, color, &mut plane);
                }
                targets.put(square, &plane);
            }
            targets.prune();
            if !pinned.live().is_empty() && !targets.live().is_empty() {
                for (role, directions) in [
                    (Role::Rook, Directions::ORTHOGONAL),
                    (Role::Bishop, Directions::DIAGONAL),
                ] {
                    let sliders = [role, Role::Queen].map(|role| ManSet::from_man(Man::new(color, role)));
                    let sliders = pinning.intersection(sliders[0] | sliders[1]);
                    if sliders == ManSet::NONE {
                        continue;
                    }
                    let pinners = self.men_among(&from, sliders, possible_men(start));
                    if !pinners.live().is_empty() {
                        for target in targets.live() {
                            for direction in directions.iter() {
                                self.pins_on_line(target, direction, [&pinners, &pinned, &targets], value, out);
                            }
                        }
                    }
                    self.give_back(pinners);
                }
            }
            self.give_back(pinned);
            self.give_back(targets);
        }
        [from, through, to].into_iter().for_each(|set| self.give_back(set));
    }

    /// The pins on a line that leads from the target outward.
    fn pins_on_line(
        &mut self,
        target: Square,
        direction: Direction,
        [pinners, pinned, targets]: [&SetPlanes; 3],
        value: PinValue,
        out: &mut SetPlanes,
    ) {
        let line = line(target, direction);
        let Some(mut open) = targets.get(target).copied() else {
            return;
        };
        if (line & pinners.live()).is_empty() || (line & pinned.live()).is_empty() {
            return;
        }
        and(&mut open, &pinners.some_of(line));
        if is_zero(&open) {
            return;
        }
        and(&mut open, &self.demand);
        and(&mut open, &pinned.some_of(line));
        let mut square = neighbour(target, direction);
        let mut rest = line;
        while let Some(here) = square
            && !is_zero(&open)
        {
            rest.discard(here);
            let pinners_behind = rest & pinners.live();
            if pinners_behind.is_empty() {
                return;
            }
            if let Some(man) = pinned.get(here) {
                let mut one = both(&open, man);
                and(&mut one, &pinners.some_of(pinners_behind));
                if !is_zero(&one) {
                    self.pins_behind([target, here], direction, one, pinners, value, out);
                }
            }
            open = self.where_empty(here, open);
            square = neighbour(here, direction);
        }
    }

    /// The pins of one man on a line, from its square outward.
    fn pins_behind(
        &mut self,
        [target, pinned]: [Square; 2],
        direction: Direction,
        mut open: Plane,
        pinners: &SetPlanes,
        value: PinValue,
        out: &mut SetPlanes,
    ) {
        let mut rest = line(pinned, direction) & pinners.live();
        let mut square = neighbour(pinned, direction);
        while let Some(here) = square
            && !is_zero(&open)
        {
            if let Some(pinner) = pinners.get(here) {
                let found = match value {
                    PinValue::From => here,
                    PinValue::Through => pinned,
                    PinValue::To => target,
                };
                or_and(out.plane_mut(found), &open, pinner);
            }
            rest.discard(here);
            if rest.is_empty() {
                return;
            }
            open = self.where_empty(here, open);
            square = neighbour(here, direction);
        }
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
        let men: Vec<Man> = men.filter(|&man| kinds.contains(man)).collect();
        let mut sliders = self.spare();
        for square in set.live() {
            for &man in &men {
                if let Some(list) = self.plane(Term::Placement(man, square)) {
                    sliders.add(square, list);
                }
            }
            if sliders.live().contains(square)
                && let Some(here) = set.get(square)
            {
                let demand = self.demand;
                let plane = sliders.plane_mut(square);
                and(plane, here);
                and(plane, &demand);
            }
        }
        sliders.prune();
        sliders
    }

    /// The squares of a set, which has men of some kinds at most, on which one of these men stands.
    fn men_among(&mut self, set: &SetPlanes, kinds: ManSet, possible: ManSet) -> SetPlanes {
        let mut men = self.spare();
        for square in set.live() {
            if kinds.is_superset(possible) {
                if let Some(plane) = set.get(square) {
                    men.put(square, plane);
                }
                continue;
            }
            let mut plane = ZERO;
            for man in kinds.iter() {
                if let Some(list) = self.plane(Term::Placement(man, square)) {
                    or(&mut plane, list);
                }
            }
            if let Some(here) = set.get(square) {
                and(&mut plane, here);
            }
            if !is_zero(&plane) {
                men.put(square, &plane);
            }
        }
        men
    }

    /// Removes the positions in which a man of this color stands on the square.
    fn remove_men(&mut self, square: Square, color: Color, plane: &mut Plane) {
        for role in Role::ALL {
            if let Some(list) = self.plane(Term::Placement(Man::new(color, role), square)) {
                and_not(plane, list);
            }
        }
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
