//! `echo`: what must hold at its source, and somewhere else in the game.

use language::hir::{Comparison, Filter, Node, VariableId};

use super::Lowering;
use super::scope::Way;
use crate::expr::{Candidates, Truth};

/// What is known of the two positions of an echo.
#[derive(Default)]
struct Sides {
    source: Vec<Truth>,
    target: Vec<Truth>,
    /// Where the target lies, if the filter says so.
    way: Option<Way>,
}

impl<'q> Lowering<'q> {
    /// Where an echo may match.
    pub(super) fn echo_truth(&mut self, variables: [VariableId; 2], in_all: bool, body: &'q Filter) -> Candidates {
        let mut sides = Sides::default();
        let mark = self.assigned.len();
        self.assigned.extend(variables);
        self.add_sides(variables, body, &mut sides);
        self.assigned.truncate(mark);
        let target = Candidates::at_most(Truth::all(sides.target));
        let target = match (sides.way, in_all) {
            // Later ids are not always later in the game.
            _ if self.variations => self.in_game(target),
            (Some(way), _) => {
                let further = self.eventually(way, target);
                self.one_move_away(way, further)
            }
            (None, true) => self.in_game(target),
            (None, false) => {
                let [forward, backward] = [Way::Forward, Way::Backward].map(|way| {
                    let further = self.eventually(way, target.clone());
                    self.one_move_away(way, further).truth
                });
                Candidates::at_most(Truth::any([forward, backward]))
            }
        };
        sides.source.push(target.truth);
        Candidates::at_most(Truth::all(sides.source))
    }

    fn add_sides(&mut self, [source, target]: [VariableId; 2], filter: &'q Filter, sides: &mut Sides) {
        let is =
            |filter: &Filter, variable: VariableId| matches!(filter.node, Node::Variable(other) if other == variable);
        match &filter.node {
            Node::Compound(list) => {
                for part in list {
                    self.add_sides([source, target], part, sides);
                }
            }
            Node::And(a, b) => {
                self.add_sides([source, target], a, sides);
                self.add_sides([source, target], b, sides);
            }
            Node::At(place, inner) if is(place, source) => {
                let truth = self.truth(inner).truth;
                sides.source.push(truth);
            }
            Node::At(place, inner) if is(place, target) => self.add_sides([source, target], inner, sides),
            Node::ComparePositions(comparison, a, b) => {
                let before = matches!(comparison, Comparison::Less | Comparison::Ancestor);
                let after = matches!(comparison, Comparison::Greater | Comparison::Descendant);
                let target_is = |left: &Filter| is(left, target) || matches!(left.node, Node::CurrentPosition);
                if is(a, source) && target_is(b) {
                    sides.way = before
                        .then_some(Way::Forward)
                        .or(after.then_some(Way::Backward))
                        .or(sides.way);
                } else if target_is(a) && is(b, source) {
                    sides.way = after
                        .then_some(Way::Forward)
                        .or(before.then_some(Way::Backward))
                        .or(sides.way);
                }
            }
            _ => {
                let truth = self.has_value_or_truth(filter);
                sides.target.push(truth);
            }
        }
    }

    /// The last element of a numeric body need not match as a condition.
    fn has_value_or_truth(&mut self, filter: &'q Filter) -> Truth {
        let mut truth = Truth::Always;
        self.elsewhere(None, |lowering| {
            truth = if filter.is_vacuous() {
                Truth::Always
            } else {
                lowering.truth(filter).truth
            };
        });
        truth
    }
}
