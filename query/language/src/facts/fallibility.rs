//! Which filters can stop a query with an error.
//!
//! A plan that skips a position skips the error too. So no filter that stands after a fallible one is used to narrow the
//! candidates: a query that fails by scan fails by plan, too.

mod moves_and_trees;

pub use moves_and_trees::{is_plain_assignment, note_assigned, reads_before_its_argument};

use super::Fallibility;
use crate::hir::{Bound, Filter, Kind, Node, Range, VariableId};

/// Whether the filter never raises an error. `truth` says that it is asked whether it matches, and `bound` are the
/// variables that have a value there.
pub fn is_infallible(filter: &Filter, truth: bool, bound: &mut Vec<VariableId>) -> bool {
    // Logical filters have no other value.
    let truth = truth || filter.kind == Kind::Logical;
    let facts = filter.facts();
    if truth && facts.vacuous {
        return false;
    }
    match facts.fallibility {
        Fallibility::Fallible => false,
        Fallibility::OfParts => {
            let mut infallible = true;
            filter.for_each_child(&mut |child| {
                infallible = infallible && is_infallible(child, false, bound);
            });
            infallible
        }
        Fallibility::ByContext => is_infallible_here(filter, truth, bound),
    }
}

/// The same for filters whose place and parameters matter.
fn is_infallible_here(filter: &Filter, truth: bool, bound: &mut Vec<VariableId>) -> bool {
    match &filter.node {
        Node::Variable(variable) => bound.contains(variable),
        Node::Direction { range, argument, .. } => {
            Range::steps(range.as_ref()).is_some() && is_infallible(argument, false, bound)
        }
        Node::SquareLoop {
            variable, domain, body, ..
        }
        | Node::PieceLoop {
            variable, domain, body, ..
        } => {
            // A variable in use would be an error.
            if bound.contains(variable) || !is_infallible(domain, false, bound) {
                return false;
            }
            bound.push(*variable);
            let infallible = is_infallible(body, true, bound);
            bound.pop();
            infallible
        }
        Node::Compound(list) => {
            let mark = bound.len();
            let infallible = list.iter().enumerate().all(|(index, element)| {
                let infallible = is_infallible(element, truth || index + 1 < list.len(), bound);
                note_assigned(element, bound);
                infallible
            });
            bound.truncate(mark);
            infallible
        }
        Node::And(a, b) => {
            let mark = bound.len();
            let infallible = is_infallible(a, true, bound);
            note_assigned(a, bound);
            let infallible = infallible && is_infallible(b, true, bound);
            bound.truncate(mark);
            infallible
        }
        Node::Or(a, b) => is_infallible(a, true, bound) && is_infallible(b, true, bound),
        Node::Not(a) => is_infallible(a, true, bound),
        Node::NoTransform(a) => is_infallible(a, truth, bound),
        Node::If(condition, then, otherwise) => {
            is_infallible(condition, true, bound)
                && is_infallible(then, truth, bound)
                && otherwise.iter().all(|otherwise| is_infallible(otherwise, truth, bound))
        }
        Node::Orbit { range, variants } => {
            let literal = |bound: &Bound| matches!(bound, Bound::Literal(_));
            let fixed = range.is_none_or(|range| match range {
                Range::Count => true,
                Range::Between(min, max) => literal(&min) && literal(&max),
            });
            let as_truth = truth || range.is_some();
            fixed && variants.iter().all(|variant| is_infallible(variant, as_truth, bound))
        }
        Node::Comment(parts) | Node::Message { parts, .. } => {
            parts.iter().all(|part| is_infallible(part, false, bound))
        }
        // A text can get too long.
        Node::Str(parts) => !keeps_long_text(filter) && parts.iter().all(|part| is_infallible(part, false, bound)),
        Node::DictionarySet(_, key, value) => {
            !keeps_long_text(filter) && is_infallible(key, false, bound) && is_infallible(value, false, bound)
        }
        // The others; a filter without an arm there counts as fallible.
        _ => moves_and_trees::is_infallible_here(filter, truth, bound),
    }
}

/// Whether a `str` makes a text that can get too long, or a dictionary gets one as a key or value.
pub fn keeps_long_text(filter: &Filter) -> bool {
    let is_long = |part: &Filter| part.kind == Kind::String && !is_short_text(part);
    match &filter.node {
        Node::Str(_) => is_long(filter),
        Node::DictionarySet(_, key, value) => is_long(key) || is_long(value),
        _ => false,
    }
}

/// Whether a text is short wherever it is: no longer than what stands in the query and what positions, squares, numbers
/// and names of men take.
fn is_short_text(filter: &Filter) -> bool {
    match &filter.node {
        Node::String(_) | Node::CurrentTransform(_) | Node::Fen | Node::TypeName(_) | Node::PieceName(_) => true,
        Node::AsciiChar(_) => true,
        Node::Str(parts) => parts
            .iter()
            .all(|part| part.kind != Kind::String || is_short_text(part)),
        Node::Concatenation(a, b) => is_short_text(a) && is_short_text(b),
        Node::Case(_, text) | Node::Slice(text, _) | Node::NoTransform(text) => is_short_text(text),
        _ => false,
    }
}
