//! Pins, for all positions of a block at once: in each direction a wave runs over the board, one square after the other. It
//! carries the positions in which one end of a pin is seen from that square, and those in which it is seen through one man.

use chess::Man;
use language::hir::{Direction, Directions, ManSet, PinValue};
use shakmaty::{Bitboard, Color, Role};

use super::Sweep;
use super::set_planes::SetPlanes;
use crate::expr::{SetExpr, possible_men};
use crate::geometry::{behind, neighbour, opposite, order};
use crate::plane::{Plane, and, and_not, covers, is_zero, or, or_and};

/// When the same pins are asked for on single squares this often in a block, they are found on all squares at once.
const MANY_SQUARES: u32 = 3;

/// The pins of no more expressions than this are kept at a time: each takes 32 KB.
const MOST_KEPT: usize = 8;

/// Pins that a loop over the board asks for on one square after the other.
#[derive(Debug)]
pub(super) struct KeptPins {
    parts: [SetExpr; 3],
    value: PinValue,
    level: usize,
    block: u32,
    /// On how many squares they were asked for.
    asked: u32,
    /// The pins, and in which positions of the block these are right; none before they were asked for on many squares.
    found: Option<(SetPlanes, Plane)>,
}

impl Sweep<'_> {
    /// `pin from F through T to G` (docs/language/positions.md#pins).
    pub(super) fn pins(&mut self, parts: &[SetExpr; 3], value: PinValue, wanted: Bitboard, out: &mut SetPlanes) {
        let place = match wanted.single_square() {
            Some(_) => self.kept_pins(parts, value),
            None => None,
        };
        match place.and_then(|place| self.pins[place].found.as_ref()) {
            Some((found, _)) => {
                for square in wanted & found.live() {
                    if let Some(plane) = found.get(square) {
                        out.put(square, plane);
                    }
                }
            }
            None => self.find_pins(parts.each_ref(), value, wanted, out),
        }
    }

    /// The place of the pins that are kept for this block, if they are asked for on many squares.
    fn kept_pins(&mut self, parts: &[SetExpr; 3], value: PinValue) -> Option<usize> {
        let (level, block) = (self.level, self.block);
        let is_same = |kept: &KeptPins| kept.level == level && kept.value == value && kept.parts == *parts;
        let place = match self.pins.iter().position(is_same) {
            Some(place) => place,
            None if self.pins.len() == MOST_KEPT => return None,
            None => {
                self.pins.push(KeptPins {
                    parts: parts.clone(),
                    value,
                    level,
                    block,
                    asked: 0,
                    found: None,
                });
                self.pins.len() - 1
            }
        };
        if self.pins[place].block != block {
            self.pins[place].block = block;
            self.pins[place].asked = 0;
            self.forget_found(place);
        }
        let is_right = |(_, positions): &(SetPlanes, Plane)| covers(positions, &self.demand);
        if !self.pins[place].found.as_ref().is_some_and(is_right) {
            self.pins[place].asked += 1;
            if self.pins[place].asked < MANY_SQUARES {
                return None;
            }
            self.forget_found(place);
            let mut found = self.spare();
            let demand = self.demand;
            or(&mut self.demand, &self.asked);
            self.find_pins(parts.each_ref(), value, Bitboard::FULL, &mut found);
            self.pins[place].found = Some((found, self.demand));
            self.demand = demand;
        }
        Some(place)
    }

    fn forget_found(&mut self, place: usize) {
        let unused = self.pins[place].found.take();
        self.scratch.sets.extend(unused.map(|(found, _)| found));
    }

    /// Forgets the pins, as the lists are about to be read at other positions.
    pub(super) fn forget_pins(&mut self) {
        let found = self.pins.drain(..).filter_map(|kept| kept.found);
        self.scratch.sets.extend(found.map(|(found, _)| found));
    }

    fn find_pins(&mut self, parts: [&SetExpr; 3], value: PinValue, wanted: Bitboard, out: &mut SetPlanes) {
        let demand = self.demand;
        let mut sets = [(); 3].map(|()| self.spare());
        // The others matter only in positions that have one of these. Most often only the target is asked for.
        let mut is_empty = false;
        for index in [PinValue::To, PinValue::Through, PinValue::From].map(|part| part as usize) {
            let wanted = if index == value as usize {
                wanted
            } else {
                Bitboard::FULL
            };
            let mut set = self.set(parts[index], wanted);
            set.prune();
            and(&mut self.demand, &set.anywhere());
            let unused = std::mem::replace(&mut sets[index], set);
            self.give_back(unused);
            if is_zero(&self.demand) {
                is_empty = true;
                break;
            }
        }
        if !is_empty {
            for color in Color::ALL {
                self.pins_by(color, parts.map(possible_men), sets.each_ref(), value, out);
            }
        }
        self.demand = demand;
        sets.into_iter().for_each(|set| self.give_back(set));
    }

    /// The pins by men of a color.
    fn pins_by(
        &mut self,
        color: Color,
        [pinning, pinnable, behind]: [ManSet; 3],
        [from, through, to]: [&SetPlanes; 3],
        value: PinValue,
        out: &mut SetPlanes,
    ) {
        let own = color.fold_wb(ManSet::WHITE, ManSet::BLACK);
        let enemies = own.swap_colors();
        let all_enemies = enemies.is_superset(pinnable);
        if [(pinning, own), (pinnable, enemies)]
            .iter()
            .any(|(men, color)| men.intersection(*color) == ManSet::NONE)
        {
            return;
        }
        let mut pinned = self.spare();
        for square in through.live() {
            let Some(set) = through.get(square) else { continue };
            if all_enemies {
                pinned.put(square, set);
                continue;
            }
            self.find_men(!color, square);
            if let Some(men) = self.men(!color, square) {
                pinned.add_both(square, men, set);
            }
        }
        pinned.prune();
        let mut targets = self.spare();
        for square in to.live() {
            let Some(set) = to.get(square) else { continue };
            targets.put(square, set);
            if behind.intersection(own) != ManSet::NONE {
                self.find_men(color, square);
                if let Some(men) = self.men(color, square) {
                    and_not(targets.plane_mut(square), men);
                }
            }
        }
        targets.prune();
        if !pinned.live().is_empty() && !targets.live().is_empty() {
            for (role, directions) in [
                (Role::Rook, Directions::ORTHOGONAL),
                (Role::Bishop, Directions::DIAGONAL),
            ] {
                let sliders = [role, Role::Queen].map(|role| Man::new(color, role));
                let pinners = self.men_among(from, &sliders, pinning);
                if !pinners.live().is_empty() {
                    for direction in directions.iter() {
                        match value {
                            PinValue::From => self.far_ends(direction, [&targets, &pinned, &pinners], out),
                            PinValue::To => self.far_ends(direction, [&pinners, &pinned, &targets], out),
                            PinValue::Through => self.men_between(direction, [&targets, &pinned, &pinners], out),
                        }
                    }
                }
                self.give_back(pinners);
            }
        }
        self.give_back(pinned);
        self.give_back(targets);
    }

    /// Adds the squares of the last set that are seen, in a direction, from one of the first set through one of the second.
    fn far_ends(&mut self, direction: Direction, [near, between, far]: [&SetPlanes; 3], out: &mut SetPlanes) {
        let (mut seen, mut through) = (self.spare(), self.spare());
        let needed = behind(far.live(), direction);
        for square in order(direction).filter(|&square| needed.contains(square)) {
            let Some(before) = neighbour(square, opposite(direction)) else {
                continue;
            };
            self.find_occupied(before);
            let occupied = self.occupied(before);
            let here = match (seen.get(before), between.get(before)) {
                (Some(seen), Some(man)) => {
                    let mut plane = *seen;
                    and(&mut plane, man);
                    Some(plane).filter(|plane| !is_zero(plane))
                }
                _ => None,
            };
            seen.advance(before, square, occupied, near.get(before));
            through.advance(before, square, occupied, here.as_ref());
            if let (Some(through), Some(far)) = (through.get(square), far.get(square)) {
                or_and(out.plane_mut(square), through, far);
            }
        }
        self.give_back(seen);
        self.give_back(through);
    }

    /// Adds the squares of the men that stand between a target and, in a direction from there, a man that pins.
    fn men_between(&mut self, direction: Direction, [targets, pinned, pinners]: [&SetPlanes; 3], out: &mut SetPlanes) {
        let targets = self.seen_from(targets, direction, behind(pinned.live(), direction));
        let back = opposite(direction);
        let pinners = self.seen_from(pinners, back, behind(targets.live(), back));
        for square in targets.live() & pinners.live() {
            let (Some(target), Some(pinner), Some(man)) =
                (targets.get(square), pinners.get(square), pinned.get(square))
            else {
                continue;
            };
            let mut plane = *target;
            and(&mut plane, man);
            or_and(out.plane_mut(square), &plane, pinner);
        }
        self.give_back(targets);
        self.give_back(pinners);
    }
}
