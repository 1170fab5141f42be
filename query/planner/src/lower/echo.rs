//! `echo`: what must hold at its source, and somewhere else in the game.

use language::hir::{Comparison, Filter, Node, VariableId};
use postings::Term;

use super::Lowering;
use super::scope::Way;
use crate::expr::{Candidates, Truth};

/// What is known of the two positions of an echo.
#[derive(Clone)]
struct Sides {
    source: Vec<Truth>,
    target: Vec<Truth>,
    /// Where the target lies, if the filter says so.
    way: Option<Way>,
    /// Whether the filter asks for nothing else.
    exact: bool,
}

impl Sides {
    fn add_to_source(&mut self, condition: Candidates) {
        self.exact &= condition.exact;
        self.source.push(condition.truth);
    }

    fn add_to_target(&mut self, condition: Candidates) {
        self.exact &= condition.exact;
        self.target.push(condition.truth);
    }
}

/// How many alternatives of an echo are looked at one by one.
const MAX_ALTERNATIVES: usize = 8;

impl<'q> Lowering<'q> {
    /// Where an echo may match.
    pub(super) fn echo_truth(&mut self, variables: [VariableId; 2], in_all: bool, body: &'q Filter) -> Candidates {
        let mut alternatives = vec![Sides {
            source: Vec::new(),
            target: Vec::new(),
            way: None,
            exact: true,
        }];
        let mark = self.assigned.len();
        self.assigned.extend(variables);
        self.add_sides(variables, body, &mut alternatives);
        self.assigned.truncate(mark);
        let ways = alternatives.into_iter().map(|sides| self.echoed(sides, in_all));
        Candidates::any(ways.collect::<Vec<_>>())
    }

    /// Where these two sides may be found.
    fn echoed(&mut self, sides: Sides, in_all: bool) -> Candidates {
        let exact = sides.exact && !self.variations;
        let target = Candidates::new(Truth::all(sides.target), exact);
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
                    self.one_move_away(way, further)
                });
                Candidates::any([forward, backward])
            }
        };
        Candidates::both(Candidates::new(Truth::all(sides.source), exact), target)
    }

    fn add_sides(&mut self, [source, target]: [VariableId; 2], filter: &'q Filter, alternatives: &mut Vec<Sides>) {
        let is =
            |filter: &Filter, variable: VariableId| matches!(filter.node, Node::Variable(other) if other == variable);
        match &filter.node {
            Node::Compound(list) => {
                for part in list {
                    self.add_sides([source, target], part, alternatives);
                }
            }
            Node::And(a, b) => {
                self.add_sides([source, target], a, alternatives);
                self.add_sides([source, target], b, alternatives);
            }
            Node::Or(a, b) if alternatives.len() < MAX_ALTERNATIVES => {
                let before = alternatives.clone();
                let saved = self.scope.save();
                self.add_sides([source, target], a, alternatives);
                self.scope.restore(saved.clone());
                self.forget_assigned(filter);
                let mut others = before;
                self.add_sides([source, target], b, &mut others);
                alternatives.append(&mut others);
                self.scope.restore(saved);
                self.forget_assigned(filter);
            }
            Node::At(place, inner) if is(place, source) => {
                let condition = self.truth(inner);
                for sides in alternatives {
                    sides.add_to_source(condition.clone());
                }
            }
            Node::At(place, inner) if is(place, target) => self.add_sides([source, target], inner, alternatives),
            Node::CompareNumbers(Comparison::Equal, a, b)
                if [(a, b), (b, a)].iter().any(|(here, there)| {
                    matches!(here.node, Node::SideToMove)
                        && matches!(&there.node, Node::At(place, inner)
                            if is(place, source) && matches!(inner.node, Node::SideToMove))
                }) =>
            {
                // The same side is to move in both.
                let white = Truth::Term(Term::WhiteToMove);
                let sides_to_move = [white.clone(), white.not()].into_iter().flat_map(|turn| {
                    alternatives.iter().cloned().map(move |mut sides| {
                        sides.source.push(turn.clone());
                        sides.target.push(turn.clone());
                        sides
                    })
                });
                *alternatives = sides_to_move.collect();
            }
            Node::ComparePositions(comparison, a, b) => {
                let before = matches!(comparison, Comparison::Less | Comparison::Ancestor);
                let after = matches!(comparison, Comparison::Greater | Comparison::Descendant);
                let target_is = |left: &Filter| is(left, target) || matches!(left.node, Node::CurrentPosition);
                let way = if is(a, source) && target_is(b) {
                    before.then_some(Way::Forward).or(after.then_some(Way::Backward))
                } else if target_is(a) && is(b, source) {
                    after.then_some(Way::Forward).or(before.then_some(Way::Backward))
                } else {
                    None
                };
                for sides in alternatives {
                    sides.exact &= way.is_some() && sides.way.is_none_or(|known| Some(known) == way);
                    sides.way = way.or(sides.way);
                }
            }
            _ => {
                let condition = self.has_value_or_truth(filter);
                for sides in alternatives {
                    sides.add_to_target(condition.clone());
                }
            }
        }
    }

    /// The last element of a numeric body need not match as a condition.
    fn has_value_or_truth(&mut self, filter: &'q Filter) -> Candidates {
        if filter.is_vacuous() {
            return Candidates::UNKNOWN;
        }
        self.elsewhere(None, |lowering| lowering.truth(filter))
    }
}
