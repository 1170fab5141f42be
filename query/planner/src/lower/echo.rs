//! `echo`: what must hold at its source, and somewhere else in the game.

use language::hir::{Comparison, Filter, Node, VariableId};
use postings::Term;

use super::Lowering;
use super::alike::{InCommon, NOWHERE, Pair, distance};
use super::same_squares::SameSquares;
use super::scope::{Frame, Way};
use crate::expr::{Alike, Candidates, Truth, Turns};

/// What is known of the two positions of an echo.
#[derive(Clone)]
struct Sides {
    source: Vec<Truth>,
    target: Vec<Truth>,
    /// Where the target lies, if the filter says so.
    way: Option<Way>,
    /// Whether they are two.
    apart: bool,
    /// What the two have in common.
    alike: Alike,
    /// What that is for each square alone.
    squares: SameSquares,
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

    /// Adds which way from the source the target lies; `None` if a filter says something else.
    fn add_way(&mut self, way: Option<Way>) {
        self.exact &= way.is_some();
        if self.way.zip(way).is_some_and(|(known, way)| known != way) {
            self.alike.distance = NOWHERE;
        }
        self.way = way.or(self.way);
    }

    /// Adds how many moves after the source the target is at least and at most.
    fn add_moves(&mut self, moves: [i64; 2]) {
        let way = match moves {
            [least, _] if least > 0 => Way::Forward,
            [_, most] if most < 0 => Way::Backward,
            _ => {
                self.exact = false;
                return;
            }
        };
        self.add_way(Some(way));
        let distance = distance(way, moves);
        // All that lies on one side is at least one move away.
        if distance != (1..=u32::MAX) {
            self.alike.add(&InCommon::Distance(distance));
        }
    }

    /// Which side is to move, if nothing else is compared.
    fn only_turns(&self) -> Option<Turns> {
        self.alike.turns.filter(|_| self.alike.compares_nothing())
    }

    /// The two ways in which these sides are to move.
    fn by_turn(self, turns: Turns) -> [Sides; 2] {
        let white = Truth::Term(Term::WhiteToMove);
        [white.clone(), white.not()].map(|turn| {
            let mut sides = self.clone();
            sides.source.push(turn.clone());
            sides.target.push(match turns {
                Turns::Same => turn,
                Turns::Different => turn.not(),
            });
            sides
        })
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
            apart: false,
            alike: Alike::any(),
            squares: SameSquares::any(),
            exact: true,
        }];
        let mark = self.assigned.len();
        self.assigned.extend(variables);
        let [source, target] = variables;
        self.scope.set_position(source);
        let pair = self.pair_here(Some(target), body);
        let ((), repeated) = self.with_repeated(body, |lowering| {
            let there = lowering.elsewhere(None, |lowering| lowering.scope.frame);
            lowering.add_sides(&pair, there, body, &mut alternatives);
        });
        let is_later = alternatives.iter().all(|sides| sides.way == Some(Way::Forward));
        let until = match is_later {
            true => self.maneuver_until(self.scope.frame, body),
            false => None,
        };
        let repeated = repeated.filter(|_| is_later);
        self.scope.forget(source);
        self.assigned.truncate(mark);
        let ways = alternatives.into_iter().map(|mut sides| {
            sides.squares.add_to(&mut sides.alike);
            match sides.only_turns() {
                Some(turns) => Candidates::any(sides.by_turn(turns).map(|sides| self.echoed(sides, in_all))),
                None => self.echoed(sides, in_all),
            }
        });
        let echoed = Candidates::any(ways.collect::<Vec<_>>());
        Candidates::all([echoed].into_iter().chain(until).chain(repeated))
    }

    /// Where these two sides may be found.
    fn echoed(&mut self, sides: Sides, in_all: bool) -> Candidates {
        let exact = sides.exact && !self.variations;
        let target = Candidates::new(Truth::all(sides.target), exact);
        let has_itself = in_all && !sides.apart;
        let target = match (sides.way, has_itself) {
            // Later ids are not always later in the game.
            _ if self.variations => self.in_game(target),
            (way, _) if !sides.alike.compares_nothing() => self.alike(
                target,
                Alike {
                    before: way != Some(Way::Forward),
                    after: way != Some(Way::Backward),
                    itself: way.is_none() && has_itself,
                    ..sides.alike
                },
            ),
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

    /// Adds what a filter says that is evaluated at the target, the position of the frame `there`.
    fn add_sides(&mut self, pair: &Pair, there: Frame, filter: &'q Filter, alternatives: &mut Vec<Sides>) {
        match &filter.node {
            Node::Compound(list) => {
                for part in list {
                    self.add_sides(pair, there, part, alternatives);
                }
            }
            Node::And(a, b) => {
                self.add_sides(pair, there, a, alternatives);
                self.add_sides(pair, there, b, alternatives);
            }
            Node::Or(a, b) if alternatives.len() < MAX_ALTERNATIVES => {
                let before = alternatives.clone();
                let saved = self.scope.save();
                self.add_sides(pair, there, a, alternatives);
                self.scope.restore(saved.clone());
                self.forget_assigned(filter);
                let mut others = before;
                self.add_sides(pair, there, b, &mut others);
                alternatives.append(&mut others);
                self.scope.restore(saved);
                self.forget_assigned(filter);
            }
            Node::At(place, inner) if pair.is_source(place) => {
                let condition = self.truth(inner);
                for sides in alternatives {
                    sides.add_to_source(condition.clone());
                }
            }
            Node::At(place, inner) if pair.is_target(place) => self.add_sides(pair, there, inner, alternatives),
            Node::Not(inner) if pair.is_same_position(inner) => {
                alternatives.iter_mut().for_each(|sides| sides.apart = true);
            }
            Node::ComparePositions(comparison, a, b) => {
                let before = matches!(comparison, Comparison::Less | Comparison::Ancestor);
                let after = matches!(comparison, Comparison::Greater | Comparison::Descendant);
                let way = if pair.is_source(a) && pair.is_target(b) {
                    before.then_some(Way::Forward).or(after.then_some(Way::Backward))
                } else if pair.is_target(a) && pair.is_source(b) {
                    after.then_some(Way::Forward).or(before.then_some(Way::Backward))
                } else {
                    None
                };
                for sides in alternatives {
                    sides.add_way(way);
                }
            }
            _ => {
                let in_common = self.in_common(pair, filter);
                for sides in &mut *alternatives {
                    sides.squares.add(pair, filter, in_common.is_some());
                }
                if let Some((in_common, [is_there, is_here])) = in_common {
                    for sides in alternatives {
                        sides.target.push(is_there.clone());
                        sides.source.push(is_here.clone());
                        sides.alike.add(&in_common);
                        if let InCommon::Moves(moves) = in_common {
                            sides.add_moves(moves);
                        }
                        sides.exact &= in_common.is_exact();
                    }
                    return;
                }
                let condition = self.within(there, |lowering| lowering.has_value_or_truth(filter));
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
        self.truth(filter)
    }
}
