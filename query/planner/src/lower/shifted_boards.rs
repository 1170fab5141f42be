//! Boards that are alike but for a shift: all men of one position stand in the other one, moved as far as a king is
//! (`DeltaRank=source:rank K - rank K ... square all X in [Aa] piecename X==source:piecename up DeltaRank right DeltaFile X`).

use language::hir::{
    Arithmetic, AssignOp, Bound, Comparison, Direction, Directions, Filter, ManSet, Node, Range, VariableId,
};
use shakmaty::{Bitboard, Color, Role};

use super::Lowering;
use super::alike::{InCommon, Pair, Shift};
use super::bounds::SetBounds;
use crate::expr::{SameShape, SetExpr};

impl<'q> Lowering<'q> {
    /// The variables that one of the conditions of a filter makes such distances, and nothing else gives a value.
    pub(super) fn shifts_of(&self, pair: &Pair, filter: &'q Filter) -> Vec<Shift> {
        let mut shifts = Vec::new();
        each_condition(filter, &mut |part| {
            if let Node::Assign(variable, AssignOp::Set, value) = &part.node
                && let Some((by_file, king)) = distance_of_king(pair, value)
            {
                let given = part.span.range().end;
                shifts.push(Shift {
                    variable: *variable,
                    by_file,
                    king,
                    given,
                });
            }
        });
        shifts.retain(|shift| {
            let mut times = 0;
            self.query.body.any(&mut |part| {
                times += usize::from(part.facts().assigns == Some(shift.variable));
                false
            });
            times == 1
        });
        shifts
    }

    /// That each man stands at the source, too, as far from its square here as one of the kings.
    pub(super) fn same_shape(&mut self, pair: &Pair, filter: &'q Filter) -> Option<InCommon> {
        let Node::SquareLoop {
            variable,
            all: true,
            domain,
            body,
            ..
        } = &filter.node
        else {
            return None;
        };
        let Node::CompareStrings(Comparison::Equal, a, b) = &body.node else {
            return None;
        };
        let (there, here, by_type) = pair.names(a, b)?;
        let is_variable = |filter: &Filter| matches!(filter.node, Node::Variable(other) if other == *variable);
        let (first, inner) = step(here)?;
        let (second, inner) = step(inner)?;
        if !is_variable(there) || !is_variable(inner) || first.0 == second.0 {
            return None;
        }
        let king = |(by_file, steps): (bool, VariableId)| {
            let mut shifts = pair.shifts.iter();
            let shift = shifts.find(|shift| shift.variable == steps && shift.by_file == by_file)?;
            (shift.given <= filter.span.range().start).then_some(shift.king)
        };
        let king = king(first).filter(|_| king(first) == king(second))?;
        let men = SetExpr::Contents(ManSet::WHITE | ManSet::BLACK, Bitboard::FULL);
        let is_all = self.domain(domain, false) == SetBounds::Exact(men);
        is_all.then_some(InCommon::Shape(SameShape { king, by_type }))
    }
}

/// Calls `each` with the conditions that all have to hold, in order.
fn each_condition<'q>(filter: &'q Filter, each: &mut impl FnMut(&'q Filter)) {
    match &filter.node {
        Node::Compound(list) => list.iter().for_each(|part| each_condition(part, each)),
        Node::And(a, b) => [a, b].into_iter().for_each(|part| each_condition(part, each)),
        _ => each(filter),
    }
}

/// How much larger the file (true) or rank of a king is at the source than at the target.
fn distance_of_king(pair: &Pair, filter: &Filter) -> Option<(bool, Color)> {
    let Node::Arithmetic(Arithmetic::Subtract, there, here) = &filter.node else {
        return None;
    };
    let Node::At(place, inner) = &there.node else {
        return None;
    };
    let here = match &here.node {
        Node::At(place, inner) if pair.is_target(place) => inner,
        _ => here,
    };
    let (a, b) = (coordinate_of_king(inner)?, coordinate_of_king(here)?);
    (pair.is_source(place) && a == b).then_some(a)
}

fn coordinate_of_king(filter: &Filter) -> Option<(bool, Color)> {
    let (by_file, argument) = match &filter.node {
        Node::File(argument) => (true, argument),
        Node::Rank(argument) => (false, argument),
        _ => return None,
    };
    let Node::Designator(designator) = &argument.node else {
        return None;
    };
    let mut men = designator.men.iter();
    match (men.next(), men.next(), designator.squares) {
        (Some(man), None, Bitboard::FULL) if man.role() == Some(Role::King) => Some((by_file, man.color()?)),
        _ => None,
    }
}

/// As many steps right (true) or up as a variable says, and from where.
fn step(filter: &Filter) -> Option<((bool, VariableId), &Filter)> {
    let Node::Direction {
        directions,
        range: Some(Range::Between(Bound::Variable(least), Bound::Variable(most))),
        argument,
    } = &filter.node
    else {
        return None;
    };
    let by_file = [Direction::Right, Direction::Up].map(Directions::from_direction);
    let by_file = by_file.iter().position(|one| one == directions)? == 0;
    (least == most).then_some(((by_file, *least), &**argument))
}
