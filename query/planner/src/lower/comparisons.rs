//! Comparisons of numbers: where they may hold.

use language::hir::{Bound, Comparison, Filter, FindCount, Kind, Node, Range};
use postings::Term;
use shakmaty::Square;

use super::Lowering;
use super::bounds::SetBounds;
use super::intervals::NumberBounds;
use crate::expr::{Candidates, SetExpr, Truth};
use crate::filters::compared_count;

impl<'q> Lowering<'q> {
    /// Where a comparison of two numbers may hold.
    pub(super) fn comparison(&mut self, comparison: Comparison, a: &'q Filter, b: &'q Filter) -> Candidates {
        if let Some(plies) = self.plies(comparison, a, b) {
            return plies;
        }
        let is_number = |filter: &Filter| matches!(filter.node, Node::Number(_));
        if counts_positions(a) && is_number(b) || is_number(a) && counts_positions(b) {
            return self.bound_comparison(comparison, (a, None), (b, None));
        }
        let bounds = (self.number_bounds(a), self.number_bounds(b));
        let mut compared = self.compared_bounds(comparison, &bounds.0, &bounds.1);
        if let Some(is_empty) = self.compared_with_none(comparison, a, b).filter(|_| !compared.exact) {
            let certain = Truth::any([compared.certain(), is_empty.certain()]);
            compared = Candidates::between(Truth::all([compared.truth, is_empty.truth]), certain);
        }
        if compared.exact {
            return compared;
        }
        if let Some(moved) = self.compared_moved(comparison, a, b) {
            let truth = Truth::all([compared.truth.clone(), moved]);
            return Candidates::between(truth, compared.certain());
        }
        if let Some(pairs) = self.compared_pairs(comparison, a, b) {
            return pairs;
        }
        let [first, second] = [&bounds.0, &bounds.1].map(NumberBounds::constant_value);
        let other = self.bound_comparison(comparison, (a, first), (b, second));
        if other.exact {
            return other;
        }
        Candidates::between(Truth::all([compared.truth.clone(), other.truth]), compared.certain())
    }

    /// Where a set is empty, or not, if that is what its number of squares is asked for.
    fn compared_with_none(&mut self, comparison: Comparison, a: &'q Filter, b: &'q Filter) -> Option<Candidates> {
        let (set, comparison, n) = compared_count(comparison, a, b)?;
        let is_empty = match (comparison, n) {
            (Comparison::Equal | Comparison::LessEqual, 0) | (Comparison::Less, 1) => true,
            (Comparison::Greater, 0) | (Comparison::GreaterEqual, 1) => false,
            _ => return None,
        };
        let truth = (set.kind == Kind::Set).then(|| self.truth(set))?;
        Some(if is_empty { truth.not() } else { truth })
    }

    /// Where the position here and one with a certain number stand to each other in some way.
    pub(super) fn compared_positions(&mut self, comparison: Comparison, a: &'q Filter, b: &'q Filter) -> Candidates {
        let (comparison, id) = match (&a.node, &b.node) {
            (Node::CurrentPosition, Node::PositionAt(id)) => (comparison, id),
            (Node::PositionAt(id), Node::CurrentPosition) => (turned_round(comparison), id),
            _ => return Candidates::UNKNOWN,
        };
        let id = match id.node {
            Node::Number(id) if !self.variations => u32::try_from(id).ok(),
            _ => None,
        };
        let Some(id) = id else { return Candidates::UNKNOWN };
        let at_least = |id: u32| match id {
            0 => Truth::Always,
            id => Truth::PlyAtLeast(id),
        };
        let before = at_least(id).not();
        // There may be no position with that number, or one of a variation.
        let there = self.in_game(Candidates::exactly(at_least(id))).truth;
        let earlier = Candidates::between(before.clone(), Truth::all([before.clone(), there]));
        let later = at_least(id.saturating_add(1));
        let here = Truth::all([at_least(id), later.clone().not()]);
        match comparison {
            Comparison::Equal => Candidates::exactly(here),
            Comparison::Greater | Comparison::Descendant => Candidates::exactly(later),
            Comparison::GreaterEqual | Comparison::DescendantOrEqual => Candidates::exactly(at_least(id)),
            Comparison::Less | Comparison::Ancestor => earlier,
            Comparison::LessEqual | Comparison::AncestorOrEqual => {
                Candidates::either(earlier, Candidates::exactly(here))
            }
        }
    }

    /// `ply` or `movenumber` compared with a number.
    fn plies(&self, comparison: Comparison, a: &Filter, b: &Filter) -> Option<Candidates> {
        let is_counter = |filter: &Filter| matches!(filter.node, Node::Ply | Node::MoveNumber | Node::PositionId);
        let (counter, comparison, number) = match (&a.node, &b.node) {
            (_, Node::Number(number)) if is_counter(a) => (a, comparison, *number),
            (Node::Number(number), _) if is_counter(b) => (b, comparison.mirrored(), *number),
            _ => return None,
        };
        let ply = |ply: i64| match u32::try_from(ply) {
            Ok(0) | Err(_) if ply <= 0 => Truth::Always,
            Ok(ply) => Truth::PlyAtLeast(ply),
            Err(_) => Truth::Never,
        };
        let at_least = |n: i64| match counter.node {
            Node::Ply | Node::PositionId => ply(n),
            // Where Black moves first, White is to move at odd plies
            // (docs/language/games.md#positions-and-their-numbers).
            _ => Truth::any([
                ply(2 * n - 2),
                Truth::all([ply(2 * n - 3), Truth::Term(Term::WhiteToMove)]),
            ]),
        };
        let n = i64::from(number);
        let truth = match comparison {
            Comparison::GreaterEqual => at_least(n),
            Comparison::Greater => at_least(n + 1),
            Comparison::Less => at_least(n).not(),
            Comparison::LessEqual => at_least(n + 1).not(),
            Comparison::Equal => Truth::all([at_least(n), at_least(n + 1).not()]),
            _ => return None,
        };
        if !self.variations || matches!(counter.node, Node::PositionId) {
            return Some(Candidates::exactly(truth));
        }
        // In a variation the number of a position is more than its ply, which bounds the ply from above only.
        Some(match comparison {
            Comparison::GreaterEqual | Comparison::Greater => Candidates::at_most(truth),
            Comparison::Equal => Candidates::at_most(at_least(n)),
            _ => Candidates::UNKNOWN,
        })
    }

    /// Where a comparison may hold whose numbers can't both be computed. Some may be known to be constants.
    fn bound_comparison(
        &mut self,
        comparison: Comparison,
        (a, first): (&'q Filter, Option<i32>),
        (b, second): (&'q Filter, Option<i32>),
    ) -> Candidates {
        let literal = |filter: &Filter| match filter.node {
            Node::Number(n) => Some(n),
            _ => None,
        };
        if let Some(n) = literal(b).or(second) {
            let (min, max) = interval(comparison, n);
            return self.value_within(a, min, max);
        }
        if let Some(n) = literal(a).or(first) {
            let (min, max) = interval(comparison.mirrored(), n);
            return self.value_within(b, min, max);
        }
        let parts = [self.has_value(a).truth, self.has_value(b).truth];
        Candidates::at_most(Truth::all(parts))
    }

    /// Where a filter has a value from the first to the second number.
    fn value_within(&mut self, filter: &'q Filter, min: i32, max: i32) -> Candidates {
        let bound = match &filter.node {
            Node::Variable(variable) if let Some(counted) = self.counter_within(*variable, min, max) => return counted,
            Node::Find {
                backward,
                count,
                argument,
                ..
            } => match *count {
                FindCount::All => return self.find_between(*backward, argument, min.max(1), max),
                FindCount::Range(Range::Count) => return self.find_between(*backward, argument, min.max(0), max),
                FindCount::Range(Range::Between(Bound::Literal(least), Bound::Literal(most))) => {
                    return self.find_between(*backward, argument, min.max(least), max.min(most));
                }
                _ => Candidates::UNKNOWN,
            },
            Node::Line(line) => self.line_truth(line, u32::try_from(min).unwrap_or(0)),
            Node::Path(path) => self.path_truth(path, u32::try_from(min).unwrap_or(0)),
            Node::Sort { argument, .. } | Node::NoTransform(argument) => return self.value_within(argument, min, max),
            Node::CompareNumbers(_, left, _) => {
                let holds = self.truth(filter).truth;
                let within = self.value_within(left, min, max).truth;
                Candidates::at_most(Truth::all([holds, within]))
            }
            Node::Compound(list) => match list.split_last() {
                Some((last, before)) => {
                    let before = self.all(before.iter());
                    let last = self.value_within(last, min, max);
                    return Candidates::both(before, last);
                }
                None => Candidates::UNKNOWN,
            },
            Node::File(set) | Node::Rank(set) => {
                let is_within = |square: &Square| {
                    let number = match filter.node {
                        Node::File(_) => u32::from(square.file()),
                        _ => u32::from(square.rank()),
                    };
                    (i64::from(min)..=i64::from(max)).contains(&(i64::from(number) + 1))
                };
                let squares = Square::ALL.into_iter().filter(is_within).collect();
                let squares = SetBounds::Exact(SetExpr::Constant(squares));
                let here = SetBounds::intersection(vec![self.set_bounds(set), squares]);
                let value = self.has_value(filter).truth;
                Candidates::at_most(Truth::all([value, here.not_empty().truth]))
            }
            _ if filter.kind == Kind::Set && min > 0 => self.truth(filter),
            _ => self.has_value(filter),
        };
        Candidates::at_most(bound.truth)
    }
}

/// The comparison of two positions with its sides exchanged.
fn turned_round(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Ancestor => Comparison::Descendant,
        Comparison::AncestorOrEqual => Comparison::DescendantOrEqual,
        Comparison::Descendant => Comparison::Ancestor,
        Comparison::DescendantOrEqual => Comparison::AncestorOrEqual,
        other => other.mirrored(),
    }
}

/// Whether the number of a filter is that of the positions that `find` finds.
fn counts_positions(filter: &Filter) -> bool {
    match &filter.node {
        Node::Find { .. } => filter.kind == Kind::Numeric,
        Node::Sort { argument, .. } | Node::NoTransform(argument) => counts_positions(argument),
        Node::Compound(list) => list.last().is_some_and(counts_positions),
        _ => false,
    }
}

/// The numbers for which a comparison with another one holds.
fn interval(comparison: Comparison, n: i32) -> (i32, i32) {
    match comparison {
        Comparison::Less => (i32::MIN, n.saturating_sub(1)),
        Comparison::LessEqual => (i32::MIN, n),
        Comparison::Greater => (n.saturating_add(1), i32::MAX),
        Comparison::GreaterEqual => (n, i32::MAX),
        _ => (n, n),
    }
}
