//! Numbers to which a loop over squares or pieces adds: `square s in A {if s attackedby a then n+=1}`.
//!
//! Such a loop takes each square once at most, and may end early. So the number has grown at most as often as there are
//! squares for which the addition may be reached.

use std::collections::BTreeSet;

use language::hir::{Filter, VariableId};

use super::bounds::SetBounds;
use super::branches::change;
use super::intervals::NumberBounds;
use super::loops::has;
use super::reach::Wanted;
use super::scope::Change;
use super::{Lowering, MAX_EXPRESSIONS};
use crate::expr::{Candidates, SetExpr, Truth, possible, possible_men};

/// How many expressions the conditions of a counter may have.
const MAX_COUNTED: usize = 10_000;

impl<'q> Lowering<'q> {
    /// What numbers are behind a loop whose body adds to them.
    pub(super) fn counted_by(
        &mut self,
        (variable, is_piece): (VariableId, bool),
        domain: &SetBounds,
        body: &'q Filter,
    ) -> Vec<(VariableId, NumberBounds)> {
        if !self.has_assignments || self.scope.is_empty() {
            return Vec::new();
        }
        let mut assigned = BTreeSet::new();
        body.any(&mut |part| {
            assigned.extend(part.facts().assigns);
            false
        });
        let known = assigned.into_iter().filter_map(|counter| {
            let Change::Once(by) = change(body, counter, false) else {
                return None;
            };
            Some((counter, by, self.scope.number(counter)?))
        });
        let known: Vec<(VariableId, i32, NumberBounds)> = known.collect();
        let counted = known.into_iter().filter_map(|(counter, by, number)| {
            let times = self.times((variable, is_piece), domain, body, counter)?;
            Some((counter, number.grown(by, times)))
        });
        counted.collect()
    }

    /// For each square of a loop, where its body may assign a variable; `None` if that is too much.
    fn times(
        &mut self,
        (variable, is_piece): (VariableId, bool),
        domain: &SetBounds,
        body: &'q Filter,
        counter: VariableId,
    ) -> Option<Vec<Truth>> {
        let before = self.extent();
        let outer_limit = self.limit;
        self.limit = outer_limit.min(before.expressions + MAX_COUNTED).min(MAX_EXPRESSIONS);
        let saved = self.scope.save();
        self.forget_assigned(body);
        let at_first = self.scope.save();
        let men = possible_men(domain.may());
        let mut times = Vec::new();
        for square in possible(domain.may()) {
            let one = SetBounds::Exact(SetExpr::Constant(square.into()));
            self.scope.set_one((variable, is_piece), one, men);
            let reached = self.reach(body, true, Wanted::Assignment(counter));
            self.scope.restore(at_first.clone());
            let here = Candidates::both(has(domain, square), Candidates::at_most(reached)).truth;
            if here != Truth::Never {
                times.push(here);
            }
            if self.expressions > self.limit {
                break;
            }
        }
        let fits = self.expressions <= self.limit && self.temporals == before.temporals;
        self.limit = outer_limit;
        self.scope.restore(saved);
        if !fits {
            self.shrink_to(before);
        }
        fits.then_some(times)
    }
}
