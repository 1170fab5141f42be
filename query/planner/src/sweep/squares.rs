//! Sets that ask a condition of its own for each square.

use shakmaty::{Bitboard, Square};

use super::Sweep;
use super::set_planes::SetPlanes;
use crate::expr::{SetExpr, Truth};
use crate::plane::{Plane, ZERO, and, and_not, is_zero, or};

/// Conditions that cost more than this, in plane operations for a block, may wait for the other parts of an intersection.
const COSTLY: f64 = 2_000.0;

/// They wait if they cost this number of times what the other parts cost: conditions that exclude most squares reduce what has to be
/// found of the others.
const TIMES: f64 = 4.0;

/// Squares with a condition each.
type Conditions = [(Square, Truth)];

/// The parts of an intersection that come first, and conditions that wait for them.
pub(super) fn conditions_last(
    parts: &[SetExpr],
) -> (
    impl Iterator<Item = &SetExpr> + Clone,
    impl Iterator<Item = &Conditions>,
) {
    let has_conditions = |part: &SetExpr| matches!(part, SetExpr::Squares(_));
    // This is asked for each block, and what most sets cost need not be known.
    let least = match parts.iter().any(has_conditions) {
        true => {
            let others = parts.iter().filter(|part| !has_conditions(part));
            COSTLY.max(TIMES * others.map(SetExpr::cost).sum::<f64>())
        }
        false => f64::INFINITY,
    };
    let waiting = move |part: &SetExpr| has_conditions(part) && part.cost() > least;
    let first = parts.iter().filter(move |part| !waiting(part));
    let last = parts.iter().filter_map(move |part| match part {
        SetExpr::Squares(squares) if waiting(part) => Some(&squares[..]),
        _ => None,
    });
    (first, last)
}

impl Sweep<'_> {
    /// Keeps the squares of a set in those positions where their conditions hold.
    pub(super) fn keep_where(&mut self, squares: &Conditions, set: &mut SetPlanes) {
        let outer = self.demand;
        let mut kept = Bitboard::EMPTY;
        for (square, truth) in squares {
            if let Some(found) = self.holds_on(*square, truth, set) {
                *set.plane_mut(*square) = found;
                kept.add(*square);
            }
            self.demand = outer;
        }
        set.retain(kept);
    }

    /// Where a set has a square, if some of its squares have to meet conditions that are asked last; otherwise false.
    pub(super) fn any_by_conditions(&mut self, set: &SetExpr, out: &mut Plane) -> bool {
        let SetExpr::Intersection(parts) = set else {
            return false;
        };
        let (first, mut conditions) = conditions_last(parts);
        let Some(mut last) = conditions.next() else {
            return false;
        };
        let mut squares = self.spare();
        self.intersection_into(first, Bitboard::FULL, &mut squares);
        for next in conditions {
            self.keep_where(std::mem::replace(&mut last, next), &mut squares);
        }
        self.any_where(last, &squares, out);
        self.give_back(squares);
        true
    }

    /// Where a set has a square whose condition holds.
    fn any_where(&mut self, squares: &Conditions, set: &SetPlanes, out: &mut Plane) {
        let outer = self.demand;
        for (square, truth) in squares {
            // Where one holds, the others are not asked.
            and_not(&mut self.demand, out);
            if let Some(found) = self.holds_on(*square, truth, set) {
                or(out, &found);
            }
            self.demand = outer;
        }
    }

    /// Where a set has a square and a condition holds; `None` if that is nowhere. What is demanded is less behind it.
    fn holds_on(&mut self, square: Square, truth: &Truth, set: &SetPlanes) -> Option<Plane> {
        and(&mut self.demand, set.get(square)?);
        if is_zero(&self.demand) || !self.first_holds(truth) {
            return None;
        }
        let mut plane = ZERO;
        self.truth_into(truth, &mut plane);
        and(&mut plane, &self.demand);
        (!is_zero(&plane)).then_some(plane)
    }
}
