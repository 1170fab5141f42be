//! What variables are behind a loop over squares or pieces that gives them other values turn by turn: a largest number, what was seen
//! on the square before.
//!
//! Such a loop takes each square once, a1 first and h8 last, whether its body matches or not (reference 11.2, 11.3).

use language::hir::{Filter, Node, VariableId};

use super::bounds::SetBounds;
use super::branches::{assigned_in, change};
use super::intervals::NumberBounds;
use super::loops::has;
use super::scope::{Change, Saved};
use super::{Lowering, MAX_EXPRESSIONS};
use crate::expr::{Candidates, SetExpr, possible, possible_men};

/// How many expressions the turns of a loop may have.
const MAX_FOLLOWED: usize = 40_000;

/// What is known of variables behind a loop.
pub(super) struct Values {
    /// The variables that it assigns, and what is known of these if its turns were followed.
    followed: Option<(Vec<VariableId>, Saved)>,
    counted: Vec<(VariableId, NumberBounds)>,
}

impl<'q> Lowering<'q> {
    /// What is known of variables behind a loop. `ends_early` says that it may not take all squares.
    pub(super) fn values_behind(
        &mut self,
        (variable, is_piece): (VariableId, bool),
        ends_early: bool,
        domain: &SetBounds,
        body: &'q Filter,
    ) -> Values {
        let counted = self.counted_by((variable, is_piece), ends_early, domain, body);
        let followed = (!ends_early).then(|| {
            self.with_value(variable, |lowering| {
                lowering.followed((variable, is_piece), domain, body)
            })
        });
        Values {
            followed: followed.flatten(),
            counted,
        }
    }

    /// Sets the values of variables that a loop has left.
    pub(super) fn set_values(&mut self, values: Values) {
        if let Some((variables, behind)) = values.followed {
            for variable in variables {
                self.scope.restore_one(variable, &behind);
            }
        }
        let mut counted = values.counted;
        counted.retain(|(variable, _)| {
            let known = self.scope.number(*variable);
            known.is_none_or(|number| number.value().is_none())
        });
        self.scope.set_numbers(counted);
    }

    /// Follows the turns of a loop; returns the variables that it assigns, and what is known of them behind it. `None`
    /// if that is too much, or nothing is known before the loop. Counters are left to [`Lowering::counted_by`].
    fn followed(
        &mut self,
        (variable, is_piece): (VariableId, bool),
        domain: &SetBounds,
        body: &'q Filter,
    ) -> Option<(Vec<VariableId>, Saved)> {
        if !self.has_assignments || self.scope.is_empty() {
            return None;
        }
        let assigned = assigned_in(body);
        let is_followed = |variable: &VariableId| {
            self.scope.is_known_here(*variable) && !matches!(change(body, *variable, false), Change::Once(_))
        };
        if !assigned.iter().any(is_followed) {
            return None;
        }
        let before = self.extent();
        let outer_limit = self.limit;
        self.limit = outer_limit.min(before.expressions + MAX_FOLLOWED).min(MAX_EXPRESSIONS);
        let saved = self.scope.save();
        let men = possible_men(domain.may());
        for square in possible(domain.may()) {
            let here = has(domain, square);
            let at_first = self.scope.save();
            let one = SetBounds::Exact(SetExpr::Constant(square.into()));
            self.scope.set_one((variable, is_piece), one, men);
            self.turn(body);
            self.scope.forget(variable);
            if here != Candidates::EVERYWHERE {
                let behind = self.scope.save();
                self.scope.restore(at_first);
                self.scope.join(&here, behind);
            }
            if self.expressions > self.limit {
                break;
            }
        }
        let behind = self.scope.save();
        let fits = self.expressions <= self.limit && self.temporals == before.temporals;
        self.limit = outer_limit;
        self.scope.restore(saved);
        if !fits {
            self.shrink_to(before);
            return None;
        }
        Some((assigned.into_iter().collect(), behind))
    }

    /// Evaluates a filter whose answer does not matter, as far as variables are concerned: the parts of a list up to one that fails.
    fn turn(&mut self, filter: &'q Filter) {
        match &filter.node {
            Node::Compound(list) => self.turn_of_list(list),
            _ => self.run(filter),
        }
    }

    fn turn_of_list(&mut self, list: &'q [Filter]) {
        let Some((first, rest)) = list.split_first() else {
            return;
        };
        if rest.is_empty() {
            return self.turn(first);
        }
        let before = self.scope.save();
        let holds = self.truth(first);
        if holds == Candidates::EVERYWHERE {
            return self.turn_of_list(rest);
        }
        self.turn_of_list(rest);
        let behind = self.scope.save();
        self.scope.restore(before);
        self.after_failure_of(first);
        self.scope.join(&holds, behind);
    }
}
