//! Numbers to which a loop over squares or pieces adds: `square s in A {if s attackedby a then n+=1}`.
//!
//! Such a loop takes each square once. So the number has grown as often as there are squares for which the addition is reached, and
//! if the loop ends early, at most as often.

use language::hir::{Filter, Node, VariableId};
use shakmaty::Bitboard;

use super::bounds::SetBounds;
use super::branches::{assigned_in, change};
use super::intervals::NumberBounds;
use super::loops::has;
use super::reach::Wanted;
use super::scope::Change;
use super::{Lowering, MAX_EXPRESSIONS};
use crate::expr::{Candidates, SetExpr, Truth, possible, possible_men};
use crate::filters::assigns;

/// How many expressions the conditions of a counter may have.
const MAX_COUNTED: usize = 10_000;

/// How many conditions on other positions they may have.
const MAX_TEMPORALS: usize = 16;

impl<'q> Lowering<'q> {
    /// What numbers are behind a loop whose body adds to them. `ends_early` says that it may not take all squares.
    pub(super) fn counted_by(
        &mut self,
        (variable, is_piece): (VariableId, bool),
        ends_early: bool,
        domain: &SetBounds,
        body: &'q Filter,
    ) -> Vec<(VariableId, NumberBounds)> {
        if !self.has_assignments || self.scope.is_empty() {
            return Vec::new();
        }
        let assigned = assigned_in(body);
        let known = assigned.into_iter().filter_map(|counter| {
            let Change::Once(by) = change(body, counter, false) else {
                return None;
            };
            Some((counter, by, self.scope.number(counter)?))
        });
        let known: Vec<(VariableId, i32, NumberBounds)> = known.collect();
        let counted = known.into_iter().filter_map(|(counter, by, number)| {
            if let Some(squares) = self.squares_counted(variable, domain, body, counter) {
                let squares = match ends_early {
                    true => SetBounds::at_most(squares.may().clone()),
                    false => squares,
                };
                return Some((counter, number.grown_times(by, squares.count())));
            }
            let mut times = self.times((variable, is_piece), domain, body, counter)?;
            if ends_early {
                times = times.into_iter().map(|here| Candidates::at_most(here.truth)).collect();
            }
            Some((counter, number.grown(by, times)))
        });
        counted.collect()
    }

    /// The squares of a loop for which its body assigns a variable, if that is asked of all squares at once.
    fn squares_counted(
        &mut self,
        variable: VariableId,
        domain: &SetBounds,
        body: &'q Filter,
        counter: VariableId,
    ) -> Option<SetBounds> {
        let (before, saved) = (self.extent(), self.scope.save());
        self.forget_assigned(body);
        let squares = self.squares_where_assigned((variable, domain), body, counter);
        self.scope.restore(saved);
        if squares.is_none() {
            self.shrink_to(before);
        }
        squares
    }

    fn squares_where_assigned(
        &mut self,
        one: (VariableId, &SetBounds),
        filter: &'q Filter,
        counter: VariableId,
    ) -> Option<SetBounds> {
        let nothing = || SetBounds::Exact(SetExpr::Constant(Bitboard::EMPTY));
        if !assigns(filter, counter) {
            return Some(nothing());
        }
        let (variable, domain) = one;
        match &filter.node {
            Node::Compound(list) => self.squares_assigned_in_list(one, list.iter(), counter),
            Node::And(a, b) => self.squares_assigned_in_list(one, [&**a, &**b].into_iter(), counter),
            Node::NoTransform(inner) => self.squares_where_assigned(one, inner, counter),
            Node::If(condition, then, otherwise) if !assigns(condition, counter) => {
                let holds = self.squares_of_body(variable, domain, condition)?;
                let then = self.squares_where_assigned(one, then, counter)?;
                let otherwise = match otherwise {
                    Some(otherwise) => self.squares_where_assigned(one, otherwise, counter)?,
                    None => nothing(),
                };
                let fails = holds.clone().complement();
                Some(SetBounds::union(vec![
                    SetBounds::intersection(vec![holds, then]),
                    SetBounds::intersection(vec![fails, otherwise]),
                ]))
            }
            Node::Assign(assigned, _, argument) if *assigned == counter && !assigns(argument, counter) => {
                Some(domain.clone())
            }
            _ => None,
        }
    }

    /// The same for filters of which each is evaluated if those before match.
    fn squares_assigned_in_list(
        &mut self,
        one: (VariableId, &SetBounds),
        list: impl Iterator<Item = &'q Filter>,
        counter: VariableId,
    ) -> Option<SetBounds> {
        let mut squares = Vec::new();
        for filter in list {
            if assigns(filter, counter) {
                squares.push(self.squares_where_assigned(one, filter, counter)?);
                return Some(SetBounds::intersection(squares));
            }
            squares.push(self.squares_of_body(one.0, one.1, filter)?);
        }
        None
    }

    /// For each square of a loop, where its body assigns a variable; `None` if that is too much.
    fn times(
        &mut self,
        (variable, is_piece): (VariableId, bool),
        domain: &SetBounds,
        body: &'q Filter,
        counter: VariableId,
    ) -> Option<Vec<Candidates>> {
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
            let assigned = self.assigned_where(body, counter);
            self.scope.restore(at_first.clone());
            let here = Candidates::both(has(domain, square), assigned);
            if here.truth != Truth::Never {
                times.push(here);
            }
            if self.expressions > self.limit {
                break;
            }
        }
        let fits = self.expressions <= self.limit && self.temporals <= before.temporals + MAX_TEMPORALS;
        self.limit = outer_limit;
        self.scope.restore(saved);
        if !fits {
            self.shrink_to(before);
        }
        fits.then_some(times)
    }

    /// Where a filter comes to the one place in it where a variable is assigned.
    pub(super) fn assigned_where(&mut self, filter: &'q Filter, variable: VariableId) -> Candidates {
        match &filter.node {
            Node::Compound(list) => self.assigned_in_list(list.iter(), variable),
            Node::And(a, b) => self.assigned_in_list([&**a, &**b].into_iter(), variable),
            Node::NoTransform(inner) => self.assigned_where(inner, variable),
            Node::If(condition, then, otherwise) if !assigns(condition, variable) => {
                let before = self.scope.save();
                let holds = self.truth(condition);
                let then = self.assigned_where(then, variable);
                self.scope.restore(before);
                self.after_failure_of(condition);
                let otherwise = otherwise
                    .as_ref()
                    .map(|otherwise| self.assigned_where(otherwise, variable));
                let fails = holds.clone().not();
                let otherwise = otherwise.unwrap_or(Candidates::exactly(Truth::Never));
                Candidates::either(Candidates::both(holds, then), Candidates::both(fails, otherwise))
            }
            Node::Assign(assigned, _, argument) if *assigned == variable && !assigns(argument, variable) => {
                Candidates::EVERYWHERE
            }
            _ if !assigns(filter, variable) => Candidates::exactly(Truth::Never),
            _ => Candidates::at_most(self.reach(filter, true, Wanted::Assignment(variable))),
        }
    }

    /// The same for filters of which each is evaluated if those before match.
    fn assigned_in_list(&mut self, list: impl Iterator<Item = &'q Filter>, variable: VariableId) -> Candidates {
        let mut before = Candidates::EVERYWHERE;
        for filter in list {
            if assigns(filter, variable) {
                return Candidates::both(before, self.assigned_where(filter, variable));
            }
            before = Candidates::both(before, self.truth(filter));
            self.narrow(filter);
        }
        Candidates::exactly(Truth::Never)
    }
}
