//! What is known of variables behind filters that may be left: `if`, and filters whose answer does not matter.

use std::collections::BTreeSet;

use language::facts::note_assigned;
use language::hir::{Arithmetic, AssignOp, Comparison, Filter, Node, VariableId};

use super::Lowering;
use super::intervals::NumberBounds;
use super::reach::Wanted;
use super::scope::{Change, MAX_SIZE};
use crate::expr::{Candidates, Expr, Truth};
use crate::filters::assigns;

/// What is known of both branches of an `if`.
pub(super) struct Branches<T> {
    pub(super) condition: Candidates,
    pub(super) then: T,
    /// `None` if there is no `else`.
    pub(super) otherwise: Option<T>,
}

/// A variable that becomes the larger or the smaller of two numbers where it is set to the new one.
struct Extreme {
    variable: VariableId,
    old: NumberBounds,
    new: NumberBounds,
    /// The larger or the smaller one.
    number: NumberBounds,
}

impl<'q> Lowering<'q> {
    /// Lowers both branches of an `if`, each with what is known of variables there. Afterwards known is what holds behind
    /// both.
    pub(super) fn branches<T>(
        &mut self,
        condition: &'q Filter,
        then: &'q Filter,
        otherwise: Option<&'q Filter>,
        lower: impl Fn(&mut Self, &'q Filter) -> T,
    ) -> Branches<T> {
        let (before, assigned) = (self.scope.save(), self.assigned.len());
        let extreme = self.extreme(condition, then);
        let holds = self.truth(condition);
        note_assigned(condition, &mut self.assigned);
        let then = lower(self, then);
        self.assigned.truncate(assigned);
        let behind_then = self.scope.save();
        let new = extreme.as_ref().and_then(|extreme| self.scope.number(extreme.variable));
        self.scope.restore(before);
        self.after_failure_of(condition);
        let otherwise = otherwise.map(|otherwise| lower(self, otherwise));
        self.assigned.truncate(assigned);
        let unchanged = extreme.as_ref().and_then(|extreme| self.scope.number(extreme.variable));
        self.scope.join(&holds, behind_then);
        if let Some(extreme) = extreme
            && new.as_ref() == Some(&extreme.new)
            && unchanged.as_ref() == Some(&extreme.old)
        {
            self.scope.set_numbers(vec![(extreme.variable, extreme.number)]);
        }
        Branches {
            condition: holds,
            then,
            otherwise,
        }
    }

    /// What a variable is behind `if n>x then x=n`.
    fn extreme(&mut self, condition: &'q Filter, then: &'q Filter) -> Option<Extreme> {
        let Node::CompareNumbers(comparison, a, b) = &condition.node else {
            return None;
        };
        let sides = [(a, *comparison, b), (b, comparison.mirrored(), a)];
        let (new, comparison, variable) = sides.into_iter().find_map(|(new, comparison, old)| match old.node {
            Node::Variable(variable) if assigns(then, variable) => Some((new, comparison, variable)),
            _ => None,
        })?;
        let old = self.scope.number(variable)?;
        let new = self.number_bounds(new);
        let number = match comparison {
            Comparison::Greater | Comparison::GreaterEqual => new.clone().larger(old.clone()),
            Comparison::Less | Comparison::LessEqual => {
                let larger = new.clone().negative().larger(old.clone().negative());
                larger.map(NumberBounds::negative)
            }
            _ => None,
        }?;
        Some(Extreme {
            variable,
            old,
            new,
            number,
        })
    }

    /// Where an `if` matches.
    pub(super) fn if_truth(
        &mut self,
        condition: &'q Filter,
        then: &'q Filter,
        otherwise: Option<&'q Filter>,
    ) -> Candidates {
        let branches = self.branches(condition, then, otherwise, Lowering::truth);
        let otherwise = branches.otherwise.unwrap_or(Candidates::EVERYWHERE);
        if branches.then == Candidates::EVERYWHERE && otherwise == Candidates::EVERYWHERE {
            return Candidates::EVERYWHERE;
        }
        Candidates::either(
            Candidates::both(branches.condition.clone(), branches.then),
            Candidates::both(branches.condition.not(), otherwise),
        )
    }

    /// Evaluates a filter whose answer does not matter, as far as variables are concerned.
    pub(super) fn run(&mut self, filter: &'q Filter) {
        let before = self.scope.save();
        let holds = self.truth(filter);
        if holds == Candidates::EVERYWHERE {
            return;
        }
        if fails_without_change(filter) {
            let behind = self.scope.save();
            self.scope.restore(before);
            self.scope.join(&holds, behind);
            return;
        }
        self.scope.restore(before);
        self.after_part_of(filter, false);
    }

    /// What is known of variables after a filter that may have failed anywhere: they have changed only where the filter
    /// may have got that far. `is_repeated` says that it may have been evaluated several times.
    pub(super) fn after_part_of(&mut self, filter: &'q Filter, is_repeated: bool) {
        self.after_part_of_list(std::slice::from_ref(filter), is_repeated);
    }

    /// The same for filters that are evaluated in order, as long as they match.
    fn after_part_of_list(&mut self, list: &'q [Filter], is_repeated: bool) {
        if !self.has_assignments || self.scope.is_empty() {
            return;
        }
        let mut assigned: BTreeSet<VariableId> = list.iter().flat_map(assigned_in).collect();
        assigned.retain(|&variable| self.scope.is_known_here(variable));
        let before = self.scope.save();
        list.iter().for_each(|filter| self.forget_assigned(filter));
        if assigned.is_empty() {
            return;
        }
        let after = self.scope.save();
        let mut changed = Vec::new();
        for variable in assigned {
            let reach = self.reach_of_list(list, Wanted::Assignment(variable));
            self.scope.restore(after.clone());
            if self.is_costly(&reach) {
                continue;
            }
            changed.push((variable, reach, change_by_list(list, variable, is_repeated)));
        }
        self.scope.restore(before);
        let kept: Vec<VariableId> = changed.iter().map(|(variable, ..)| *variable).collect();
        list.iter().for_each(|filter| self.forget_assigned_but(filter, &kept));
        for (variable, reach, change) in changed {
            self.scope.change(variable, reach, &change);
        }
    }

    /// What is known of variables after a filter that has failed. Of a compound filter, the first parts that certainly match were
    /// evaluated. It did not get to the last ones that match wherever they are evaluated: then all of it would have matched.
    pub(super) fn after_failure_of(&mut self, filter: &'q Filter) {
        let Node::Compound(list) = &filter.node else {
            return self.after_part_of(filter, false);
        };
        if assigned_in(filter).is_empty() {
            return;
        }
        let mut rest = &list[..];
        while let Some((first, behind)) = rest.split_first() {
            let before = self.scope.save();
            if self.truth(first) != Candidates::EVERYWHERE {
                self.scope.restore(before);
                break;
            }
            rest = behind;
        }
        let before = self.scope.save();
        self.forget_assigned(filter);
        let after = self.scope.save();
        while let Some((last, reached)) = rest.split_last()
            && self.truth(last) == Candidates::EVERYWHERE
        {
            self.scope.restore(after.clone());
            rest = reached;
        }
        self.scope.restore(before);
        match rest {
            [failed] => self.after_failure_of(failed),
            parts => self.after_part_of_list(parts, false),
        }
    }

    /// Whether a condition is too large to be part of what is known of a variable.
    fn is_costly(&self, truth: &Truth) -> bool {
        self.expressions > self.limit || Expr::Truth(truth).is_larger_than(MAX_SIZE)
    }
}

/// Whether a filter is an assignment that changes nothing where it fails: there what is assigned has no value.
fn fails_without_change(filter: &Filter) -> bool {
    match &filter.node {
        Node::Assign(_, AssignOp::Set | AssignOp::Arithmetic(_), argument) => assigned_in(argument).is_empty(),
        _ => false,
    }
}

/// How filters that are evaluated in order change a variable.
fn change_by_list(list: &[Filter], variable: VariableId, is_repeated: bool) -> Change {
    let changing = list.iter().filter(|filter| assigns(filter, variable));
    let changes = changing.map(|filter| change(filter, variable, is_repeated));
    let both = |one, other| match (one, other) {
        (Change::OneOf(one), Change::OneOf(other)) => Change::OneOf([one, other].concat()),
        _ => Change::Anything,
    };
    changes.reduce(both).unwrap_or(Change::Anything)
}

/// How a filter changes a variable.
pub(super) fn change(filter: &Filter, variable: VariableId, is_repeated: bool) -> Change {
    let (mut numbers, mut others, mut once) = (Vec::new(), 0, None);
    filter.any(&mut |part| {
        if part.facts().assigns == Some(variable) {
            match &part.node {
                Node::Assign(_, AssignOp::Set, argument) if matches!(argument.node, Node::Number(_)) => {
                    if let Node::Number(n) = argument.node {
                        numbers.push(n);
                    }
                }
                Node::Assign(_, AssignOp::Arithmetic(op @ (Arithmetic::Add | Arithmetic::Subtract)), argument) => {
                    once = signed(*op, argument);
                    others += 1;
                }
                Node::Assign(_, AssignOp::Set, argument) => {
                    once = added_to(variable, argument);
                    others += 1;
                }
                _ => others += 1,
            }
        }
        false
    });
    match (others, once) {
        (0, _) => Change::OneOf(numbers),
        (1, Some(by)) if numbers.is_empty() && !is_repeated && is_once(filter, variable) && by.abs() < 1 << 16 => {
            Change::Once(by)
        }
        _ => Change::Anything,
    }
}

/// What is added to a variable by `n = n + 1`.
fn added_to(variable: VariableId, value: &Filter) -> Option<i32> {
    match &value.node {
        Node::Arithmetic(op @ (Arithmetic::Add | Arithmetic::Subtract), left, right) if matches!(left.node, Node::Variable(read) if read == variable) => {
            signed(*op, right)
        }
        _ => None,
    }
}

/// A number that is added or subtracted.
fn signed(op: Arithmetic, number: &Filter) -> Option<i32> {
    match (op, &number.node) {
        (Arithmetic::Add, Node::Number(n)) => Some(*n),
        (Arithmetic::Subtract, Node::Number(n)) => n.checked_neg(),
        _ => None,
    }
}

/// Whether an evaluation of a filter assigns a variable once at most, given that it does so in one place.
fn is_once(filter: &Filter, variable: VariableId) -> bool {
    match &filter.node {
        Node::Assign(other, _, argument) => *other == variable && !assigns(argument, variable),
        Node::Compound(_)
        | Node::And(..)
        | Node::Or(..)
        | Node::Not(_)
        | Node::If(..)
        | Node::NoTransform(_)
        | Node::Sort { .. }
        | Node::Call { .. } => {
            let mut once = true;
            filter.for_each_child(&mut |child| once = once && (!assigns(child, variable) || is_once(child, variable)));
            once
        }
        _ => false,
    }
}

/// The variables to which a filter gives values.
pub(super) fn assigned_in(filter: &Filter) -> BTreeSet<VariableId> {
    let mut assigned = BTreeSet::new();
    filter.any(&mut |part| {
        assigned.extend(part.facts().assigns);
        false
    });
    assigned
}
