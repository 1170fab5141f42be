//! Filters about other positions of the game: the positions where they may match.

use std::sync::Arc;

use language::hir::{Bound, Filter, FindCount, Kind, Node, Range};
use postings::Term;

use super::Lowering;
use super::bounds::SetBounds;
use super::intervals::NumberBounds;
use super::scope::{Frame, Way};
use crate::expr::{Alike, Candidates, Temporal, TemporalOp, Truth};

impl<'q> Lowering<'q> {
    // --- conditions on other positions

    pub(super) fn temporal(&mut self, op: TemporalOp) -> Truth {
        self.temporals += 1;
        Truth::Temporal(Box::new(Temporal {
            id: self.temporals - 1,
            op,
        }))
    }

    /// Where it holds after one more move, or before the last one.
    pub(super) fn one_move_away(&mut self, way: Way, inner: Candidates) -> Candidates {
        let there = match way {
            Way::Forward => Truth::Term(self.end()).not(),
            Way::Backward => Truth::Term(Term::Initial).not(),
        };
        match &inner.truth {
            Truth::Never => Candidates::new(Truth::Never, inner.exact),
            Truth::Always => Candidates::new(there, inner.exact),
            truth if self.variations => {
                let truth = truth.clone();
                Candidates::at_most(self.temporal(match way {
                    Way::Forward => TemporalOp::Next(truth),
                    Way::Backward => TemporalOp::Previous(truth),
                }))
            }
            _ if inner.reach() >= Truth::REACH => Candidates::at_most(there),
            _ => inner.after(if way == Way::Forward { 1 } else { -1 }, &there),
        }
    }

    /// Where it holds `count` moves away.
    pub(super) fn moves_away(&mut self, way: Way, count: u32, mut inner: Candidates) -> Candidates {
        for _ in 0..count {
            inner = self.one_move_away(way, inner);
        }
        inner
    }

    /// Where it holds here or further on.
    pub(super) fn eventually(&mut self, way: Way, inner: Candidates) -> Candidates {
        let always = Candidates::EVERYWHERE;
        self.until(way, 1, always, inner)
    }

    /// Where the second holds here or further on, and the first from here up to the position before that.
    pub(super) fn until(&mut self, way: Way, stride: u32, through: Candidates, then: Candidates) -> Candidates {
        let exact = through.exact && then.exact && !self.variations;
        let truth = match (through.truth, then.truth) {
            (_, truth @ (Truth::Always | Truth::Never)) | (Truth::Never, truth) => truth,
            (through, then) => match way {
                Way::Forward => self.temporal(TemporalOp::Until { through, then, stride }),
                Way::Backward => self.temporal(TemporalOp::Since { through, then, stride }),
            },
        };
        Candidates::new(truth, exact)
    }

    /// Where it holds `count` times in a row, from here on.
    pub(super) fn in_a_row(&mut self, inner: Candidates, count: u32) -> Candidates {
        let truth = match (inner.truth, count) {
            (truth, 1) => truth,
            (truth @ (Truth::Always | Truth::Never), _) => truth,
            (truth, count) => self.temporal(TemporalOp::InARow(truth, count)),
        };
        Candidates::new(truth, inner.exact && !self.variations)
    }

    /// Where it holds somewhere in the game.
    pub(super) fn in_game(&mut self, inner: Candidates) -> Candidates {
        let truth = match inner.truth {
            truth @ (Truth::Always | Truth::Never | Truth::Games(_)) => truth,
            truth => self.temporal(TemporalOp::InGame(truth)),
        };
        Candidates::new(truth, inner.exact)
    }

    /// Where the game has a target that has something in common with the position.
    pub(super) fn alike(&mut self, target: Candidates, alike: Alike) -> Candidates {
        let truth = match target.truth {
            Truth::Never => Truth::Never,
            target => self.temporal(TemporalOp::Alike {
                target,
                alike: Arc::new(alike.with_whole_shape()),
            }),
        };
        Candidates::new(truth, target.exact)
    }

    /// The last position of a line.
    pub(super) fn end(&self) -> Term {
        if self.variations {
            Term::Terminal
        } else {
            Term::MainlineEnd
        }
    }

    /// Where a filter matches that is evaluated at another position.
    pub(super) fn truth_elsewhere(&mut self, way: Option<Way>, filter: &'q Filter) -> Candidates {
        self.elsewhere(way, |lowering| {
            lowering.apart(filter, |lowering| lowering.truth(filter))
        })
    }

    // --- filters

    /// Where a filter about the game's tree matches; `None` if it is another filter.
    pub(super) fn temporal_truth(&mut self, filter: &'q Filter) -> Option<Candidates> {
        Some(match &filter.node {
            Node::CurrentPosition => Candidates::EVERYWHERE,
            Node::Parent => self.one_move_away(Way::Backward, Candidates::EVERYWHERE),
            Node::Child(None) => self.one_move_away(Way::Forward, Candidates::EVERYWHERE),
            Node::Child(Some(_)) => {
                let child = self.one_move_away(Way::Forward, Candidates::EVERYWHERE);
                Candidates::at_most(child.truth)
            }
            Node::At(place, inner) => self.at(place, inner),
            Node::Find {
                backward,
                count,
                argument,
                ..
            } => self.find(*backward, *count, argument),
            Node::Move(m) => self.move_truth(m),
            Node::AfterMove { moves, all, target } if filter.kind != Kind::Numeric => {
                self.after_move(moves, *all, target)
            }
            Node::Imagine { changes, target } if filter.kind != Kind::Numeric => self.imagined(changes, target),
            Node::Dash(dash) => self.dash_truth(dash),
            Node::LegalDash(legality, dash) => self.possible_dash(*legality, dash),
            Node::CurrentMove(dash) => {
                let made = self.beside_by(-1, |lowering| lowering.dash_truth(dash));
                self.one_move_away(Way::Backward, made)
            }
            // A count has a value everywhere.
            Node::CountMoves(..) => Candidates::EVERYWHERE,
            Node::FromSquares | Node::ToSquares => self.one_move_away(Way::Backward, Candidates::EVERYWHERE),
            Node::EnPassantSquare => Candidates::exactly(Truth::Term(Term::EnPassant)),
            Node::Line(line) => self.line_truth(line, 0),
            Node::Path(path) => self.path_in_range(filter, path),
            Node::Echo {
                source,
                target,
                in_all,
                body,
                ..
            } => self.echo_truth([*source, *target], *in_all, body),
            Node::Relation(relation) => self.relation_truth(relation),
            Node::DiagramRelation(relation) => self.diagram_truth(relation),
            Node::Sort { argument, .. } => self.has_value(argument),
            _ => return None,
        })
    }

    fn at(&mut self, place: &'q Filter, inner: &'q Filter) -> Candidates {
        if let Node::Find {
            backward,
            count: FindCount::First,
            argument,
            ..
        } = &place.node
        {
            let way = Way::of_find(*backward);
            let found = self.elsewhere(Some(way), |lowering| {
                let found = lowering.truth(argument);
                Candidates::both(found, lowering.truth(inner))
            });
            let found = self.eventually(way, Candidates::at_most(found.truth));
            return Candidates::at_most(found.truth);
        }
        if let Some(alike) = self.alike_beside(place, inner).filter(|alike| alike.exact) {
            return alike;
        }
        self.at_with(place, |lowering| {
            lowering.apart(inner, |lowering| lowering.truth(inner))
        })
    }

    /// Where something holds at another position.
    pub(super) fn at_with(&mut self, place: &'q Filter, inner: impl FnOnce(&mut Self) -> Candidates) -> Candidates {
        match &place.node {
            Node::CurrentPosition => inner(self),
            Node::Parent => {
                let inner = self.beside_by(-1, inner);
                self.one_move_away(Way::Backward, inner)
            }
            Node::Child(index) => {
                let inner = self.beside_by(1, inner);
                let next = self.one_move_away(Way::Forward, inner);
                if index.is_some() {
                    Candidates::at_most(next.truth)
                } else {
                    next
                }
            }
            Node::PositionAt(id) if matches!(id.node, Node::Number(0)) => {
                let inner = self.elsewhere(Some(Way::Backward), inner);
                let root = Candidates::new(Truth::all([Truth::Term(Term::Initial), inner.truth]), inner.exact);
                self.eventually(Way::Backward, root)
            }
            _ => {
                if let Some(frame) = self.frame_of(place) {
                    let there = self.within(frame, inner);
                    if frame == self.scope.frame {
                        return there;
                    }
                    return Candidates::at_most(self.in_game(there).truth);
                }
                if let Some((ids, there)) = self.neighbour(place) {
                    let inner = self.beside_by(ids, inner);
                    return self.beside(ids, &there, inner);
                }
                if let Some(moves) = self.moves_to(place) {
                    let inner = self.elsewhere(Some(Way::Forward), inner);
                    return self.moves_later(moves, inner);
                }
                let place = if place.is_vacuous() {
                    Candidates::UNKNOWN
                } else {
                    self.truth(place)
                };
                let inner = self.elsewhere(None, inner);
                let somewhere = self.in_game(inner);
                Candidates::at_most(Truth::all([place.truth, somewhere.truth]))
            }
        }
    }

    /// The position that a filter names, if the current one was reached from it.
    pub(super) fn frame_of(&self, place: &Filter) -> Option<Frame> {
        match &place.node {
            Node::CurrentPosition => Some(self.scope.frame),
            Node::Variable(variable) => self.scope.position(*variable),
            Node::PathStart => self.scope.path_start,
            Node::NoTransform(inner) => self.frame_of(inner),
            _ => None,
        }
    }

    fn find(&mut self, backward: bool, count: FindCount, argument: &'q Filter) -> Candidates {
        let way = Way::of_find(backward);
        match count {
            FindCount::First | FindCount::All => {
                let alike = self.found_alike(way, 0..=u32::MAX, argument);
                if let Some(alike) = alike.as_ref().filter(|alike| alike.exact) {
                    return alike.clone();
                }
                let moved = match way {
                    Way::Forward => self.later_move(argument),
                    Way::Backward => None,
                };
                let until = match way {
                    Way::Forward => self.maneuver_until(self.scope.frame, argument),
                    Way::Backward => None,
                };
                let (found, repeated) = self.with_repeated(argument, |lowering| {
                    let argument = lowering.truth_elsewhere(Some(way), argument);
                    lowering.eventually(way, argument)
                });
                let repeated = repeated.filter(|_| way == Way::Forward);
                let found = Candidates::all([found].into_iter().chain(alike).chain(until).chain(repeated));
                match moved {
                    // Lists say in which games moves are read.
                    Some(moved) if moved.exact => Candidates::exactly(Truth::all([found.truth, moved.truth])),
                    Some(moved) => Candidates::both(found, moved),
                    None => found,
                }
            }
            FindCount::Range(Range::Count) => Candidates::EVERYWHERE,
            FindCount::Range(Range::Between(Bound::Literal(min), Bound::Literal(max))) => {
                self.find_between(backward, argument, min, max)
            }
            FindCount::Range(_) => Candidates::UNKNOWN,
        }
    }

    /// Where a filter matches in `min` to `max` positions from here on, or up to here.
    pub(super) fn find_between(&mut self, backward: bool, argument: &'q Filter, min: i32, max: i32) -> Candidates {
        let way = Way::of_find(backward);
        let of = self.truth_elsewhere(Some(way), argument);
        let between = self.count_between(way, of, min, max);
        // Of two positions, one is another than the current one.
        let nearest = u32::from(min > 1);
        let alike = (min > 0).then(|| self.found_alike(way, nearest..=u32::MAX, argument));
        match alike.flatten() {
            Some(alike) if !between.exact => Candidates::both(between, Candidates::at_most(alike.truth)),
            _ => between,
        }
    }

    /// Where something holds at a number of positions between two others, from the current one on or back from it.
    pub(super) fn count_between(&mut self, way: Way, of: Candidates, min: i32, max: i32) -> Candidates {
        let backward = way == Way::Backward;
        let (min, max) = (u32::try_from(min).unwrap_or(0), u32::try_from(max).ok());
        let Some(max) = max.filter(|&max| max >= min) else {
            return Candidates::exactly(Truth::Never);
        };
        let exact = of.exact && !self.variations;
        if !exact && min == 0 {
            return Candidates::UNKNOWN;
        }
        let truth = self.temporal(TemporalOp::Count {
            of: of.truth,
            backward,
            min,
            // An upper bound may have more positions than match.
            max: if exact { max } else { u32::MAX },
        });
        Candidates::new(truth, exact)
    }

    // --- values

    /// Where a filter has a value.
    pub(super) fn has_value(&mut self, filter: &'q Filter) -> Candidates {
        match filter.kind {
            // There may be no such entry.
            _ if matches!(filter.node, Node::DictionaryGet(..)) => Candidates::UNKNOWN,
            Kind::Set | Kind::Logical => Candidates::EVERYWHERE,
            Kind::String if let Some(there) = self.has_text(filter) => there,
            Kind::Numeric if !matches!(filter.node, Node::Sort { .. } | Node::CompareNumbers(..)) => {
                self.number_bounds(filter).valid
            }
            _ if filter.is_vacuous() => match filter.node {
                Node::Number(_) | Node::String(_) | Node::PositionId | Node::SideToMove | Node::ColorValue(_) => {
                    Candidates::EVERYWHERE
                }
                _ => Candidates::UNKNOWN,
            },
            _ => self.truth(filter),
        }
    }

    /// A set at another position; empty where there is none.
    pub(super) fn set_at(&mut self, place: &'q Filter, inner: &'q Filter) -> SetBounds {
        if let Some(frame) = self.frame_of(place) {
            let set = self.within(frame, |lowering| lowering.set_bounds(inner));
            return match frame == self.scope.frame {
                true => set,
                false => set.elsewhere(),
            };
        }
        let Some((ids, there)) = self.neighbour(place) else {
            let inner = self.elsewhere(None, |lowering| lowering.set_bounds(inner));
            return SetBounds::at_most(inner.elsewhere().may().clone());
        };
        let inner = self.beside_by(ids, |lowering| lowering.set_bounds(inner));
        if inner.may().reach().max(inner.must().reach()) + ids.abs() > Truth::REACH {
            return inner.elsewhere();
        }
        let later = SetBounds::map([inner], |[inner]| inner.after(ids));
        later.where_holds(Candidates::exactly(there))
    }

    /// A number at another position, and where there is one.
    pub(super) fn number_at(&mut self, place: &'q Filter, inner: &'q Filter) -> NumberBounds {
        if let Some(frame) = self.frame_of(place) {
            let number = self.within(frame, |lowering| lowering.number_bounds(inner));
            if frame == self.scope.frame {
                return number;
            }
            let valid = self.at(place, inner);
            return number.elsewhere().and(valid);
        }
        let valid = self.at(place, inner);
        let Some((ids, there)) = self.neighbour(place) else {
            let number = self.elsewhere(None, |lowering| lowering.number_bounds(inner));
            return number.elsewhere().and(valid);
        };
        let number = self.beside_by(ids, |lowering| lowering.number_bounds(inner));
        let there_too = number.elsewhere();
        number.after(ids, there).unwrap_or_else(|| there_too.and(valid))
    }
}
