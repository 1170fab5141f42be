//! Filters at another position that is compared with the one where they begin: `x=power A find {power A <= x-9}`, `y=ply find
//! {mate ply==y+3}`, `z=currentposition child:child:{k==z:k}`.

use std::ops::RangeInclusive;

use language::hir::{Filter, Node, VariableId};

use super::Lowering;
use super::alike::{InCommon, Pair, distance};
use super::same_squares::SameSquares;
use super::scope::Way;
use crate::expr::{Alike, Candidates, Truth};

impl<'q> Lowering<'q> {
    /// The current position as the source of a filter that is evaluated at another one.
    pub(super) fn pair_here(&self, target: Option<VariableId>, filter: &'q Filter) -> Pair {
        let [mut sources, mut values] = self.scope.given_here();
        // What the filter assigns is not what was given here.
        if self.has_assignments {
            filter.any(&mut |part| {
                if let Some(assigned) = part.facts().assigns {
                    sources.retain(|variable| *variable != assigned);
                    values.retain(|variable| *variable != assigned);
                }
                false
            });
        }
        let mut pair = Pair {
            sources,
            target,
            values,
            shifts: Vec::new(),
        };
        pair.shifts = self.shifts_of(&pair, filter);
        pair
    }

    /// Where a filter matches so many moves away, through `child` or `parent` several times in a row, at a position that it compares
    /// with this one; `None` if it does not compare them, or there are no such moves.
    pub(super) fn alike_beside(&mut self, place: &'q Filter, inner: &'q Filter) -> Option<Candidates> {
        let (way, mut moves, mut inner) = (way_to(place)?, 1, inner);
        while let Node::At(place, further) = &inner.node
            && way_to(place) == Some(way)
        {
            (moves, inner) = (moves + 1, further);
        }
        self.found_alike(way, moves..=moves, inner)
    }

    /// Where a filter matches at a position so many moves further on that has something in common with this one; `None` if it
    /// does not compare them.
    pub(super) fn found_alike(
        &mut self,
        way: Way,
        moves: RangeInclusive<u32>,
        filter: &'q Filter,
    ) -> Option<Candidates> {
        if self.variations || !self.has_variables {
            return None;
        }
        let pair = self.pair_here(None, filter);
        if pair.sources.is_empty() && pair.values.is_empty() {
            return None;
        }
        let mut alike = Alike {
            before: way == Way::Backward,
            after: way == Way::Forward,
            itself: *moves.start() == 0,
            distance: moves.clone(),
            ..Alike::any()
        };
        let (mut here, mut there, mut exact) = (Vec::new(), Vec::new(), true);
        let (mut others, mut squares) = (Vec::new(), SameSquares::any());
        for part in parts(filter) {
            let promotions = self.scope.promotions;
            let in_common = self.in_common(&pair, part);
            squares.add(&pair, part, in_common.is_some());
            let Some((in_common, [is_there, is_here])) = in_common else {
                // Nothing came of it, so nothing depends on promotions.
                self.scope.promotions = promotions;
                others.push(part);
                continue;
            };
            exact &= in_common.is_exact();
            there.push(is_there);
            here.push(is_here);
            alike.add(&match in_common {
                InCommon::Moves(moves) => InCommon::Distance(distance(way, moves)),
                in_common => in_common,
            });
        }
        squares.add_to(&mut alike);
        if alike.distance == moves && alike.compares_places_only() {
            return None;
        }
        let assigns = filter.any(&mut |part| part.facts().assigns.is_some());
        let target = match assigns {
            true => Candidates::at_most(self.truth_elsewhere(Some(way), filter).truth),
            false => self.elsewhere(Some(way), |lowering| {
                let others = others.into_iter().map(|part| lowering.truth(part));
                Candidates::all(others.collect::<Vec<_>>())
            }),
        };
        let exact = exact && target.exact;
        there.push(target.truth);
        let found = self.alike(Candidates::new(Truth::all(there), exact), alike);
        Some(Candidates::both(Candidates::new(Truth::all(here), exact), found))
    }
}

/// The parts of a conjunction.
fn parts(filter: &Filter) -> Vec<&Filter> {
    match &filter.node {
        Node::Compound(list) => list.iter().flat_map(parts).collect(),
        Node::And(a, b) => parts(a).into_iter().chain(parts(b)).collect(),
        _ => vec![filter],
    }
}

/// The way that `child` and `parent` go.
fn way_to(place: &Filter) -> Option<Way> {
    match place.node {
        Node::Child(None) => Some(Way::Forward),
        Node::Parent => Some(Way::Backward),
        _ => None,
    }
}
