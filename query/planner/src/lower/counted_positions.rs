//! Numbers that count positions of a game: `n=0 find all {check n+=1}`, `n=find all check`.

use language::hir::{Filter, FindCount, Node, Range, VariableId};

use super::Lowering;
use super::branches::{assigned_in, change};
use super::intervals::NumberBounds;
use super::scope::{Change, CountedPositions, Known, Way};
use crate::expr::{Candidates, Truth};

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
        for (variable, counted) in counters {
            let number = self.scope.number(variable);
            let number = number.unwrap_or_else(|| NumberBounds::unknown(Candidates::EVERYWHERE));
            self.scope
                .note(variable, Some(Known::Counted(self.scope.frame, number, counted)));
        }
        found
    }

    /// The numbers to which a filter adds something at some of the positions that it looks at.
    fn counters_of(&mut self, filter: &'q Filter) -> Vec<(VariableId, CountedPositions)> {
        if self.variations || !self.has_assignments || self.scope.is_empty() {
            return Vec::new();
        }
        let Some((way, body)) = all_positions(filter) else {
            return Vec::new();
        };
        let mut counters = Vec::new();
        for variable in assigned_in(body) {
            let before = self.scope.number(variable).and_then(|number| number.constant_value());
            let (Some(before), Change::Once(by)) = (before, change(body, variable, false)) else {
                continue;
            };
            if by == 0 {
                continue;
            }
            let saved = self.scope.save();
            let times = self.elsewhere(Some(way), |lowering| {
                lowering.forget_assigned(body);
                lowering.assigned_where(body, variable)
            });
            self.scope.restore(saved);
            counters.push((variable, CountedPositions { before, by, way, times }));
        }
        counters
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

    /// Where the number of a variable lies between two others, if it counts positions.
    pub(super) fn counter_within(&mut self, variable: VariableId, min: i32, max: i32) -> Option<Candidates> {
        let CountedPositions { before, by, way, times } = self.scope.counted_positions(variable)?.clone();
        let added = |number: i32| i64::from(number) - i64::from(before);
        let by = i64::from(by);
        // The least number of times is rounded up, the largest one down.
        let (least, most) = match by > 0 {
            true => (-(-added(min)).div_euclid(by), added(max).div_euclid(by)),
            false => (-added(max).div_euclid(-by), (-added(min)).div_euclid(-by)),
        };
        let number = |times: i64| i32::try_from(times.max(0)).unwrap_or(i32::MAX);
        Some(match most < 0 {
            true => Candidates::exactly(Truth::Never),
            false => self.count_between(way, times, number(least), number(most)),
        })
    }
}
