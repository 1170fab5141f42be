//! Conditions on the square of a loop or on a man leave only some squares to it.

use language::facts::MoveContext;
use language::hir::{Filter, Node, PinValue, VariableId};

use super::Lowering;
use super::bounds::SetBounds;
use super::scope::Saved;
use crate::expr::{Candidates, RayLines, SetExpr, Truth, attacked, attackers, not_empty, possible, possible_men};
use crate::filters::reads;

impl<'q> Lowering<'q> {
    /// Narrows the variables of loops to the squares for which a filter can match that has to.
    pub(super) fn narrow(&mut self, filter: &'q Filter) {
        if self.scope.is_empty() {
            return;
        }
        match &filter.node {
            Node::Attacks(a, b) => {
                self.narrow_attack(a, b, attackers);
                self.narrow_attack(b, a, attacked);
            }
            Node::AttackedBy(a, b) => {
                self.narrow_attack(a, b, attacked);
                self.narrow_attack(b, a, attackers);
            }
            Node::Intersection(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    let Node::Variable(variable) = part.node else { continue };
                    let others: Vec<SetExpr> = parts
                        .iter()
                        .enumerate()
                        .filter(|(other, _)| *other != index)
                        .map(|(_, other)| self.set_bounds(other).may().clone())
                        .collect();
                    self.scope.narrow(variable, |may| {
                        SetExpr::intersection(others.into_iter().chain([may]).collect())
                    });
                }
            }
            Node::Subset(part, whole) => {
                if let Node::Variable(variable) = part.node {
                    let whole = self.set_bounds(whole).may().clone();
                    self.scope
                        .narrow(variable, |may| SetExpr::intersection(vec![may, whole]));
                }
            }
            Node::Ray { directions, arguments } => self.narrow_line(RayLines::Given(*directions), arguments),
            Node::Xray { arguments, .. } => self.narrow_line(RayLines::OfPiece, arguments),
            Node::Pin { from, through, to, .. } => {
                let arguments = [from, through, to].map(Option::as_deref);
                for (argument, value) in arguments
                    .into_iter()
                    .zip([PinValue::From, PinValue::Through, PinValue::To])
                {
                    let Some(Node::Variable(variable)) = argument.map(|argument| &argument.node) else {
                        continue;
                    };
                    let parts = self.parts_of_pin(arguments).map(|part| part.may().clone());
                    self.scope.narrow(*variable, |_| SetExpr::pins(parts, value));
                }
            }
            Node::Not(_) | Node::Or(..) | Node::SameSet(..) => self.narrow_to_matching(filter),
            _ => {}
        }
    }

    /// Narrows variables to the squares for which a filter matches, if the lists answer it for all squares together.
    fn narrow_to_matching(&mut self, filter: &'q Filter) {
        for variable in self.scope.in_doubt_here() {
            if !reads(filter, variable) {
                continue;
            }
            let squares = self.scope.squares(variable);
            // What is known so far is asked beside it.
            let around = SetExpr::Contents(possible_men(squares.may()), possible(squares.may())).simplified();
            if let Some(found) = self.squares_of_body(variable, &SetBounds::Exact(around), filter) {
                self.scope
                    .narrow(variable, |may| SetExpr::intersection(vec![may, found.may().clone()]));
            }
        }
    }

    /// Takes the men of variables that some filters ask something of as given here, so that all of it is asked of one man;
    /// [`Lowering::men_of_list`] says where there is one.
    pub(super) fn take_men_as_given(
        &mut self,
        list: impl Iterator<Item = &'q Filter> + Clone,
    ) -> Vec<(VariableId, Saved)> {
        let mut given = Vec::new();
        let is_here =
            |filter: &Filter| self.is_infallible(filter, true) && !filter.any(&mut |part| goes_elsewhere(part));
        let men = self.scope.men_elsewhere();
        if men.is_empty() || !list.clone().all(is_here) {
            return given;
        }
        for variable in men {
            let mut reading = list.clone().filter(|filter| reads(filter, variable));
            let is_worth_it = reading.clone().count() > 1 && reading.any(|filter| needs_man(filter, variable));
            let is_assigned = || {
                list.clone()
                    .any(|filter| filter.any(&mut |part| part.facts().assigns == Some(variable)))
            };
            if is_worth_it && !is_assigned() {
                given.push((variable, self.scope.save()));
                self.scope.give_here(variable);
            }
        }
        given
    }

    /// Where one man has met what the filters of a list ask of it.
    pub(super) fn men_of_list(&mut self, given: Vec<(VariableId, Saved)>) -> Vec<Candidates> {
        let mut found = Vec::new();
        for (variable, saved) in given {
            let there = not_empty(self.scope.squares(variable).may().clone());
            found.push(Candidates::between(there, Truth::Always));
            self.scope.restore_one(variable, &saved);
        }
        found
    }

    /// Narrows the variables at the ends of a line.
    fn narrow_line(&mut self, lines: RayLines, arguments: &'q [Filter]) {
        for (end, gives_first) in [(arguments.first(), true), (arguments.last(), false)] {
            let Some(Node::Variable(variable)) = end.map(|end| &end.node) else {
                continue;
            };
            let sets = arguments
                .iter()
                .map(|argument| self.set_bounds(argument).may().clone())
                .collect();
            self.scope.narrow(*variable, |_| SetExpr::Rays {
                lines,
                arguments: sets,
                gives_first,
            });
        }
    }

    fn narrow_attack(
        &mut self,
        one: &'q Filter,
        other: &'q Filter,
        narrower: impl FnOnce(SetExpr, SetExpr) -> SetExpr,
    ) {
        if let Node::Variable(variable) = one.node {
            let other = self.set_bounds(other).may().clone();
            self.scope.narrow(variable, |may| narrower(may, other));
        }
    }
}

/// Whether a filter fails where the man of a variable has been captured.
fn needs_man(filter: &Filter, variable: VariableId) -> bool {
    let is_variable = |filter: &Filter| matches!(filter.node, Node::Variable(other) if other == variable);
    match &filter.node {
        Node::Variable(_) => is_variable(filter),
        Node::Compound(list) => list.iter().any(|part| needs_man(part, variable)),
        Node::And(a, b) => needs_man(a, variable) || needs_man(b, variable),
        Node::Attacks(a, b) | Node::AttackedBy(a, b) => is_variable(a) || is_variable(b),
        Node::Intersection(parts) => parts.iter().any(is_variable),
        Node::Ray { arguments, .. } | Node::Xray { arguments, .. } => arguments.iter().any(is_variable),
        _ => false,
    }
}

/// Whether a filter asks about other positions or about moves.
fn goes_elsewhere(filter: &Filter) -> bool {
    filter.facts().moves != MoveContext::Here
        || matches!(
            filter.node,
            Node::Dash(_) | Node::CurrentMove(_) | Node::Move(_) | Node::Path(_) | Node::Line(_)
        )
}
