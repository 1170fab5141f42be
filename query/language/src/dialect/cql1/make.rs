//! Filters of the typed tree, in few words.

use shakmaty::{Bitboard, Color};

use super::range::Range;
use crate::hir::{self, Bound, Comparison, Designator, Filter, Kind, ManSet, Node};
use crate::span::Span;

pub(super) fn logical(node: Node, span: Span) -> Filter {
    Filter::new(node, Kind::Logical, span)
}

pub(super) fn numeric(node: Node, span: Span) -> Filter {
    Filter::new(node, Kind::Numeric, span)
}

pub(super) fn set(node: Node, span: Span) -> Filter {
    Filter::new(node, Kind::Set, span)
}

pub(super) fn text(node: Node, span: Span) -> Filter {
    Filter::new(node, Kind::String, span)
}

pub(super) fn position(node: Node, span: Span) -> Filter {
    Filter::new(node, Kind::Position, span)
}

pub(super) fn number(number: i32, span: Span) -> Filter {
    numeric(Node::Number(number), span)
}

pub(super) fn designator(men: ManSet, squares: Bitboard, span: Span) -> Filter {
    set(Node::Designator(Designator { men, squares }), span)
}

pub(super) fn not(filter: Filter, span: Span) -> Filter {
    logical(Node::Not(Box::new(filter)), span)
}

/// All of them; true if there are none.
pub(super) fn all(mut filters: Vec<Filter>, span: Span) -> Filter {
    match filters.len() {
        0 => logical(Node::True, span),
        // A single set or number stays what it is, but as a condition.
        1 if filters[0].kind == Kind::Logical => filters.swap_remove(0),
        _ => logical(Node::Compound(filters), span),
    }
}

/// One of them; false if there are none.
pub(super) fn any(filters: Vec<Filter>, span: Span) -> Filter {
    let mut filters = filters.into_iter();
    let Some(first) = filters.next() else {
        return logical(Node::False, span);
    };
    // A balanced tree: lists can be long, and later stages recurse.
    let mut layer: Vec<Filter> = std::iter::once(first).chain(filters).collect();
    while layer.len() > 1 {
        let mut pairs = layer.into_iter();
        let mut next = Vec::new();
        while let Some(a) = pairs.next() {
            next.push(match pairs.next() {
                Some(b) => logical(Node::Or(Box::new(a), Box::new(b)), span),
                None => a,
            });
        }
        layer = next;
    }
    layer.swap_remove(0)
}

fn compare(comparison: Comparison, a: Filter, b: Filter, span: Span) -> Filter {
    numeric(Node::CompareNumbers(comparison, Box::new(a), Box::new(b)), span)
}

/// Whether a number, or the number of squares of a set, is within a range.
pub(super) fn within(filter: Filter, range: Range, span: Span) -> Filter {
    match (range.min, range.max) {
        (Some(min), Some(max)) if min == max => compare(Comparison::Equal, filter, number(min, span), span),
        (Some(min), Some(max)) => {
            let below = compare(Comparison::LessEqual, filter, number(max, span), span);
            compare(Comparison::LessEqual, number(min, span), below, span)
        }
        (Some(min), None) => compare(Comparison::GreaterEqual, filter, number(min, span), span),
        (None, Some(max)) => compare(Comparison::LessEqual, filter, number(max, span), span),
        (None, None) => logical(Node::True, span),
    }
}

/// The range as `find` takes it.
pub(super) fn bounds(range: Range) -> hir::Range {
    let bound = |bound: Option<i32>, default| Bound::Literal(bound.unwrap_or(default));
    hir::Range::Between(bound(range.min, 0), bound(range.max, i32::MAX))
}

pub(super) fn turn(color: Color, span: Span) -> Filter {
    logical(Node::Turn(color), span)
}

/// A filter at the first position of the game.
pub(super) fn at_root(filter: Filter, span: Span) -> Filter {
    let root = position(Node::PositionAt(Box::new(number(0, span))), span);
    logical(Node::At(Box::new(root), Box::new(filter)), span)
}
