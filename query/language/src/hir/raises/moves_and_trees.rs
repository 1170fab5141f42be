//! Which filters about moves, other positions and variables can stop a query with an error.

use super::never_raises as filter_never_raises;
use crate::hir::{
    AssignOp, Bound, Constituent, Dash, Filter, FindCount, Kind, Node, PathStep, Promotion, Range, VariableId,
};

/// Whether this file says it of a filter.
pub(super) fn is_one(node: &Node) -> bool {
    matches!(
        node,
        Node::At(..)
            | Node::Find { .. }
            | Node::Move(_)
            | Node::Dash(_)
            | Node::LegalDash(..)
            | Node::CountMoves(..)
            | Node::CurrentMove(_)
            | Node::Line(_)
            | Node::Path(_)
            | Node::Echo { .. }
            | Node::Sort { .. }
            | Node::Assign(..)
            | Node::AssignPiece(..)
            | Node::Call { .. }
            | Node::ComparePositions(..)
            | Node::SameContents(..)
            | Node::Ancestor(..)
            | Node::Descendant(..)
            | Node::Distance(..)
            | Node::Lca(..)
            | Node::ConsecutiveMoves { .. }
            | Node::PathCount
            | Node::PathCountUnfocused
            | Node::PathStart
            | Node::PathLastPosition
            | Node::PieceIdOf(_)
            | Node::IsBound(..)
    )
}

/// See [`super::never_raises`].
pub(super) fn never_raises(filter: &Filter, truth: bool, bound: &mut Vec<VariableId>) -> bool {
    let mark = bound.len();
    let fine = is_fine(filter, truth, bound);
    bound.truncate(mark);
    fine
}

fn is_fine(filter: &Filter, truth: bool, bound: &mut Vec<VariableId>) -> bool {
    let value =
        |filter: &Filter, bound: &mut Vec<VariableId>| filter_never_raises(filter, filter.kind == Kind::Logical, bound);
    match &filter.node {
        Node::At(place, inner) => value(place, bound) && filter_never_raises(inner, truth, bound),
        Node::Find { count, argument, .. } => {
            let fixed = match count {
                FindCount::First | FindCount::All => true,
                FindCount::Range(range) => is_literal(Some(range)),
            };
            fixed && filter_never_raises(argument, true, bound)
        }
        Node::Move(m) => {
            let sets = [&m.from, &m.to, &m.capture, &m.en_passant_square];
            sets.into_iter().flatten().all(|set| value(set, bound))
                && m.comment.iter().flatten().all(|part| value(part, bound))
        }
        Node::Dash(dash) | Node::LegalDash(_, dash) | Node::CountMoves(_, dash) | Node::CurrentMove(dash) => {
            dash_is_fine(dash, bound)
        }
        Node::Line(line) => is_literal(line.range.as_ref()) && constituents_are_fine(&line.constituents, bound),
        Node::Path(path) => {
            let values = path.focus.iter().map(|focus| &focus.pieces).chain(&path.title);
            is_literal(path.range.as_ref())
                && values.into_iter().all(|part| value(part, bound))
                && steps_are_fine(&path.steps, bound)
                && path.max.iter().all(|max| value(max, bound))
        }
        Node::Echo {
            source, target, body, ..
        } => {
            if bound.contains(source) || bound.contains(target) {
                return false;
            }
            bound.extend([*source, *target]);
            filter_never_raises(body, body.kind != Kind::Numeric, bound)
        }
        Node::Assign(_, op, argument) => is_plain_assignment(*op) && value(argument, bound),
        Node::AssignPiece(_, argument) | Node::Sort { argument, .. } => value(argument, bound),
        Node::Call { arguments, body } => {
            for (variable, argument) in arguments {
                if !value(argument, bound) {
                    return false;
                }
                bound.push(*variable);
            }
            filter_never_raises(body, truth, bound)
        }
        Node::ComparePositions(_, a, b)
        | Node::SameContents(a, b)
        | Node::Ancestor(a, b)
        | Node::Descendant(a, b)
        | Node::Distance(a, b)
        | Node::Lca(a, b) => value(a, bound) && value(b, bound),
        Node::ConsecutiveMoves { range, variables, .. } => {
            is_literal(range.as_ref()) && variables.iter().all(|variable| bound.contains(variable))
        }
        Node::PieceIdOf(variable) => bound.contains(variable),
        Node::PathCount | Node::PathCountUnfocused | Node::PathStart | Node::PathLastPosition | Node::IsBound(..) => {
            true
        }
        _ => false,
    }
}

fn is_literal(range: Option<&Range>) -> bool {
    match range {
        None | Some(Range::Count) => true,
        Some(Range::Between(min, max)) => matches!((min, max), (Bound::Literal(_), Bound::Literal(_))),
    }
}

/// Adds what the dash assigns.
fn dash_is_fine(dash: &Dash, bound: &mut Vec<VariableId>) -> bool {
    let text = match &dash.promotion {
        Some(Promotion::Text(text)) => Some(&**text),
        _ => None,
    };
    let operands = dash.left.iter().chain(&dash.right).chain(text);
    operands
        .into_iter()
        .all(|operand| filter_never_raises(operand, false, bound))
        && all_are_fine(&dash.target, bound)
}

/// Adds what the filters assign.
fn all_are_fine(list: &[Filter], bound: &mut Vec<VariableId>) -> bool {
    list.iter().all(|filter| {
        let fine = filter_never_raises(filter, true, bound);
        note_assigned(filter, bound);
        fine
    })
}

fn constituents_are_fine(list: &[Constituent], bound: &mut Vec<VariableId>) -> bool {
    list.iter().all(|constituent| {
        let mark = bound.len();
        let (fine, repeat) = match constituent {
            Constituent::Filter { filter, repeat } => (all_are_fine(std::slice::from_ref(filter), bound), repeat),
            Constituent::Group { constituents, repeat } => (constituents_are_fine(constituents, bound), repeat),
        };
        // What may be left out assigns nothing for certain.
        if repeat.min == 0 {
            bound.truncate(mark);
        }
        fine
    })
}

fn steps_are_fine(steps: &[PathStep], bound: &mut Vec<VariableId>) -> bool {
    steps.iter().all(|step| {
        let mark = bound.len();
        let (fine, certain) = match step {
            PathStep::Filter(filter) => (all_are_fine(std::slice::from_ref(filter), bound), true),
            PathStep::Dash { dash, repeat } => (dash_is_fine(dash, bound), repeat.min > 0),
            PathStep::Chain { steps, repeat } => (steps_are_fine(steps, bound), repeat.min > 0),
        };
        if !certain {
            bound.truncate(mark);
        }
        fine
    })
}

/// Whether an assignment reads nothing but its argument.
pub fn is_plain_assignment(op: AssignOp) -> bool {
    matches!(op, AssignOp::Set | AssignOp::SetIfAny)
}

/// Adds the variables that certainly have a value once the filter has matched.
pub fn note_assigned(filter: &Filter, bound: &mut Vec<VariableId>) {
    match &filter.node {
        Node::Assign(variable, op, _) if is_plain_assignment(*op) => bound.push(*variable),
        Node::AssignPiece(variable, _) => bound.push(*variable),
        Node::Compound(list) => list.iter().for_each(|part| note_assigned(part, bound)),
        Node::And(a, b) => {
            note_assigned(a, bound);
            note_assigned(b, bound);
        }
        _ => {}
    }
}
