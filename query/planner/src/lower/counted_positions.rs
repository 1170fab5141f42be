//! Numbers that come from looking at all positions of a game: how many there are (`n=0 find all {check n+=1}`, `n=find all check`),
//! or the largest one that some of them have (`n=0 find all {m=#A if m>n n=m}`).

use language::hir::{AssignOp, Comparison, Filter, FindCount, Node, Range, VariableId};

use super::Lowering;
use super::branches::{assigned_in, change};
use super::intervals::NumberBounds;
use super::scope::{Change, CountedPositions, ExtremeNumber, Known, OfPositions, Way};
use crate::expr::{Candidates, Truth, hash_of};
use crate::filters::{assigns, conjuncts, is_variable, reads, times_assigned};

/// The positions that a filter looks at, all of them: which way they lie, and what is asked of each.
fn all_positions(filter: &Filter) -> Option<(Way, &Filter)> {
    match &filter.node {
        Node::Find {
            backward,
            count: FindCount::All | FindCount::Range(Range::Count),
            argument,
            ..
        } => Some((Way::of_find(*backward), argument)),
        _ => None,
    }
}

impl<'q> Lowering<'q> {
    /// Where a filter matches that does not simply have its parts evaluated once and in order, and which numbers it has
    /// counted positions in.
    pub(super) fn truth_and_counters(&mut self, filter: &'q Filter) -> Candidates {
        let counters = self.counters_of(filter);
        let found = self.apart(filter, |lowering| lowering.truth_apart(filter));
        for (variable, of_positions) in counters {
            let number = self.scope.number(variable);
            let number = number.unwrap_or_else(|| NumberBounds::unknown(Candidates::EVERYWHERE));
            let known = Known::OfPositions(self.scope.frame, number, Box::new(of_positions));
            self.scope.note(variable, Some(known));
        }
        found
    }

    /// The numbers to which a filter adds something at some of the positions that it looks at, or that become the largest number of
    /// them.
    fn counters_of(&mut self, filter: &'q Filter) -> Vec<(VariableId, OfPositions)> {
        if self.variations || !self.has_assignments || self.scope.is_empty() {
            return Vec::new();
        }
        let Some((way, body)) = all_positions(filter) else {
            return Vec::new();
        };
        let mut counters = Vec::new();
        for variable in assigned_in(body) {
            let before = self.scope.number(variable).and_then(|number| number.constant_value());
            let Some(before) = before else { continue };
            let saved = self.scope.save();
            let of_positions = self.elsewhere(Some(way), |lowering| {
                lowering.forget_assigned(body);
                match change(body, variable, false) {
                    Change::Once(0) | Change::OneOf(_) => None,
                    Change::Once(by) => {
                        let times = lowering.assigned_where(body, variable);
                        Some(OfPositions::Counted(CountedPositions { before, by, way, times }))
                    }
                    Change::Anything => {
                        let (is_largest, seen, number) = lowering.extreme_of(body, variable)?;
                        Some(OfPositions::Extreme(ExtremeNumber {
                            before,
                            is_largest,
                            way,
                            seen,
                            number,
                        }))
                    }
                }
            });
            self.scope.restore(saved);
            counters.extend(of_positions.map(|of_positions| (variable, of_positions)));
        }
        counters
    }

    /// The number that a variable becomes in one place of a filter, if it is larger or smaller than what the variable was: whether it is
    /// the largest one, where that is asked, and the number.
    fn extreme_of(&mut self, filter: &'q Filter, variable: VariableId) -> Option<(bool, Candidates, NumberBounds)> {
        if times_assigned(filter, variable) != 1 {
            return None;
        }
        let mut before = Candidates::EVERYWHERE;
        for part in conjuncts(filter) {
            if !assigns(part, variable) {
                before = Candidates::both(before, self.truth(part));
                continue;
            }
            let Node::If(condition, then, _) = &part.node else {
                return None;
            };
            let Node::CompareNumbers(comparison, a, b) = &condition.node else {
                return None;
            };
            let (new, comparison) = match (is_variable(a, variable), is_variable(b, variable)) {
                (false, true) => (a, *comparison),
                (true, false) => (b, comparison.mirrored()),
                _ => return None,
            };
            let is_largest = match comparison {
                Comparison::Greater | Comparison::GreaterEqual => true,
                Comparison::Less | Comparison::LessEqual => false,
                _ => return None,
            };
            let is_taken = |part: &Filter| match &part.node {
                Node::Assign(assigned, AssignOp::Set, value) => {
                    *assigned == variable && hash_of(&**value) == hash_of(&**new)
                }
                _ => false,
            };
            // Nothing comes between the comparison and the assignment.
            let is_extreme = is_taken(conjuncts(then).first()?) && !reads(new, variable) && !assigns(new, variable);
            return is_extreme.then(|| (is_largest, before, self.number_bounds(new)));
        }
        None
    }

    /// The positions that are counted where a number is assigned.
    pub(super) fn counted_by_find(&mut self, argument: &'q Filter) -> Option<CountedPositions> {
        if self.variations {
            return None;
        }
        let (way, body) = all_positions(argument)?;
        let times = self.truth_elsewhere(Some(way), body);
        Some(CountedPositions {
            before: 0,
            by: 1,
            way,
            times,
        })
    }

    /// Where the number of a variable lies between two others, if it comes from looking at positions.
    pub(super) fn counter_within(&mut self, variable: VariableId, min: i32, max: i32) -> Option<Candidates> {
        Some(match self.scope.of_positions(variable)?.clone() {
            OfPositions::Counted(counted) => self.count_within(counted, min, max),
            OfPositions::Extreme(extreme) => self.extreme_within(&extreme, min, max),
        })
    }

    fn count_within(&mut self, counted: CountedPositions, min: i32, max: i32) -> Candidates {
        let CountedPositions { before, by, way, times } = counted;
        let added = |number: i32| i64::from(number) - i64::from(before);
        let by = i64::from(by);
        // The least number of times is rounded up, the largest one down.
        let (least, most) = match by > 0 {
            true => (-(-added(min)).div_euclid(by), added(max).div_euclid(by)),
            false => (-added(max).div_euclid(-by), (-added(min)).div_euclid(-by)),
        };
        let number = |times: i64| i32::try_from(times.max(0)).unwrap_or(i32::MAX);
        match most < 0 {
            true => Candidates::exactly(Truth::Never),
            false => self.count_between(way, times, number(least), number(most)),
        }
    }

    fn extreme_within(&mut self, extreme: &ExtremeNumber, min: i32, max: i32) -> Candidates {
        let &ExtremeNumber {
            before,
            is_largest,
            way,
            ..
        } = extreme;
        // Whether one of the numbers is as large as another one, or as small.
        let mut reaches = |number: i32| {
            let (comparison, is_before) = match is_largest {
                true => (Comparison::GreaterEqual, before >= number),
                false => (Comparison::LessEqual, before <= number),
            };
            if is_before {
                return Candidates::EVERYWHERE;
            }
            let there = self.compared_bounds(comparison, &extreme.number, &NumberBounds::constant(number));
            self.eventually(way, Candidates::both(extreme.seen.clone(), there))
        };
        let (near, far) = match is_largest {
            true => (Some(min).filter(|&min| min > i32::MIN), max.checked_add(1)),
            false => (Some(max).filter(|&max| max < i32::MAX), min.checked_sub(1)),
        };
        let near = near.map_or(Candidates::EVERYWHERE, &mut reaches);
        let not_far = far.map_or(Candidates::EVERYWHERE, |far| reaches(far).not());
        Candidates::both(near, not_far)
    }
}
