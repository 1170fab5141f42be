//! Pins, for all positions of a block at once: in each direction a wave runs over the board, one square after the other. It
//! carries the positions in which one end of a pin is seen from that square, and those in which it is seen through one man.

use chess::Man;
use language::hir::{Direction, Directions, ManSet, PinValue};
use shakmaty::{Bitboard, Color, Role};

use super::Sweep;
use super::set_planes::SetPlanes;
use crate::expr::{SetExpr, possible_men};
use crate::geometry::{behind, neighbour, opposite, order};
use crate::plane::{and, and_not, is_zero, or_and};

impl Sweep<'_> {
    /// `pin from F through T to G` (docs/language/positions.md#pins).
    pub(super) fn pins(&mut self, parts: [&SetExpr; 3], value: PinValue, wanted: Bitboard, out: &mut SetPlanes) {
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
