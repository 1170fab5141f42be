//! Which filters about moves, other positions and variables can stop a query with an error.

use super::is_infallible;
use crate::hir::{
    AssignOp, Bound, Change, Constituent, Dash, Filter, FindCount, Kind, Node, PathStep, Promotion, Range, VariableId,
};

/// See [`is_infallible`].
pub(super) fn is_infallible_here(filter: &Filter, truth: bool, bound: &mut Vec<VariableId>) -> bool {
    let mark = bound.len();
    let infallible = is_one_infallible(filter, truth, bound);
    bound.truncate(mark);
    infallible
}

fn is_one_infallible(filter: &Filter, truth: bool, bound: &mut Vec<VariableId>) -> bool {
    let value =
        |filter: &Filter, bound: &mut Vec<VariableId>| is_infallible(filter, filter.kind == Kind::Logical, bound);
    match &filter.node {
        Node::At(place, inner) => value(place, bound) && is_infallible(inner, truth, bound),
        Node::Find { count, argument, .. } => {
            let fixed = match count {
                FindCount::First | FindCount::All => true,
                FindCount::Range(range) => is_literal(Some(range)),
            };
            fixed && is_infallible(argument, true, bound)
        }
        Node::Move(m) => {
            let sets = [&m.from, &m.to, &m.capture, &m.en_passant_square];
            sets.into_iter().flatten().all(|set| value(set, bound))
                && m.comment.iter().flatten().all(|part| value(part, bound))
        }
        Node::Dash(dash) | Node::LegalDash(_, dash) | Node::CountMoves(_, dash) | Node::CurrentMove(dash) => {
            is_dash_infallible(dash, bound)
        }
        Node::AfterMove { moves, target, .. } => value(moves, bound) && is_infallible(target, true, bound),
        Node::Imagine { changes, target } => {
            changes.iter().all(|change| is_change_infallible(change, bound)) && is_infallible(target, truth, bound)
        }
        Node::Line(line) => is_literal(line.range.as_ref()) && are_constituents_infallible(&line.constituents, bound),
        Node::Path(path) => {
            let values = path.focus.iter().map(|focus| &focus.pieces).chain(&path.title);
            is_literal(path.range.as_ref())
                && values.into_iter().all(|part| value(part, bound))
                && are_steps_infallible(&path.steps, bound)
                && path.max.iter().all(|max| value(max, bound))
        }
        Node::Echo {
            source, target, body, ..
        } => {
            if bound.contains(source) || bound.contains(target) {
                return false;
            }
            bound.extend([*source, *target]);
            is_infallible(body, body.kind != Kind::Numeric, bound)
        }
        Node::Assign(variable, op, argument) => {
            // An update needs a value to begin with. A text can get too long.
            let has_value = is_plain_assignment(*op) || (*op != AssignOp::Append && bound.contains(variable));
            has_value && value(argument, bound)
        }
        Node::AssignPiece(_, argument) | Node::Sort { argument, .. } => value(argument, bound),
        Node::Call { arguments, body } => {
            for (variable, argument) in arguments {
                if !value(argument, bound) {
                    return false;
                }
                bound.push(*variable);
            }
            is_infallible(body, truth, bound)
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

fn is_change_infallible(change: &Change, bound: &mut Vec<VariableId>) -> bool {
    let sets = match change {
        Change::Remove(squares) => [Some(squares), None],
        Change::Add { squares, .. } => [squares.as_ref(), None],
        Change::Move(from, to) => [Some(from), Some(to)],
        Change::Turn(_) | Change::OtherTurn => [None, None],
    };
    sets.into_iter().flatten().all(|set| is_infallible(set, false, bound))
}

fn is_literal(range: Option<&Range>) -> bool {
    match range {
        None | Some(Range::Count) => true,
        Some(Range::Between(min, max)) => matches!((min, max), (Bound::Literal(_), Bound::Literal(_))),
    }
}

/// Adds what the dash assigns.
fn is_dash_infallible(dash: &Dash, bound: &mut Vec<VariableId>) -> bool {
    let text = match &dash.promotion {
        Some(Promotion::Text(text)) => Some(&**text),
        _ => None,
    };
    let operands = dash.left.iter().chain(&dash.right).chain(text);
    operands.into_iter().all(|operand| is_infallible(operand, false, bound)) && are_infallible(&dash.target, bound)
}

/// Adds what the filters assign.
fn are_infallible(list: &[Filter], bound: &mut Vec<VariableId>) -> bool {
    list.iter().all(|filter| {
        let infallible = is_infallible(filter, true, bound);
        note_assigned(filter, bound);
        infallible
    })
}

fn are_constituents_infallible(list: &[Constituent], bound: &mut Vec<VariableId>) -> bool {
    list.iter().all(|constituent| {
        let mark = bound.len();
        let (infallible, repeat) = match constituent {
            Constituent::Filter { filter, repeat } => (are_infallible(std::slice::from_ref(filter), bound), repeat),
            Constituent::Group { constituents, repeat } => (are_constituents_infallible(constituents, bound), repeat),
        };
        // A step that may be left out is no certain assignment.
        if repeat.min == 0 {
            bound.truncate(mark);
        }
        infallible
    })
}

fn are_steps_infallible(steps: &[PathStep], bound: &mut Vec<VariableId>) -> bool {
    steps.iter().all(|step| {
        let mark = bound.len();
        let (infallible, certain) = match step {
            PathStep::Filter(filter) => (are_infallible(std::slice::from_ref(filter), bound), true),
            PathStep::Dash { dash, repeat } => (is_dash_infallible(dash, bound), repeat.min > 0),
            PathStep::Chain { steps, repeat } => (are_steps_infallible(steps, bound), repeat.min > 0),
        };
        if !certain {
            bound.truncate(mark);
        }
        infallible
    })
}

/// Whether an assignment reads its argument only, and not the old value.
pub fn is_plain_assignment(op: AssignOp) -> bool {
    matches!(op, AssignOp::Set | AssignOp::SetIfAny)
}

/// Whether an assignment reads the value of the variable before it evaluates its argument: numbers and sets that are updated
/// do, texts don't.
pub fn reads_before_its_argument(op: AssignOp) -> bool {
    !is_plain_assignment(op) && op != AssignOp::Append
}

/// Adds the variables that certainly have a value once the filter has matched.
pub fn note_assigned(filter: &Filter, bound: &mut Vec<VariableId>) {
    match &filter.node {
        Node::Assign(variable, ..) | Node::AssignPiece(variable, _) => bound.push(*variable),
        Node::Compound(list) => list.iter().for_each(|part| note_assigned(part, bound)),
        Node::And(a, b) | Node::CompareNumbers(_, a, b) => {
            note_assigned(a, bound);
            note_assigned(b, bound);
        }
        Node::If(condition, then, Some(otherwise)) => {
            let mut chosen = assigned_by(condition);
            note_assigned(then, &mut chosen);
            note_assigned_by_all([chosen, assigned_by(otherwise)], bound);
        }
        Node::Or(a, b) => note_assigned_by_all([a, b].map(|part| assigned_by(part)), bound),
        Node::Orbit { range: None, variants } => note_assigned_by_all(variants.iter().map(assigned_by), bound),
        Node::Call { arguments, body } => {
            for (variable, argument) in arguments {
                note_assigned(argument, bound);
                bound.push(*variable);
            }
            note_assigned(body, bound);
        }
        Node::Sort { argument, .. } | Node::NoTransform(argument) => note_assigned(argument, bound),
        Node::Dash(dash) => dash.target.iter().for_each(|part| note_assigned(part, bound)),
        Node::Path(path) => note_assigned_by(&path.steps, bound),
        _ => {}
    }
}

fn assigned_by(filter: &Filter) -> Vec<VariableId> {
    let mut assigned = Vec::new();
    note_assigned(filter, &mut assigned);
    assigned
}

/// Adds the variables that each of some alternatives assigns.
fn note_assigned_by_all(alternatives: impl IntoIterator<Item = Vec<VariableId>>, bound: &mut Vec<VariableId>) {
    let common = alternatives.into_iter().reduce(|mut common, other| {
        common.retain(|variable| other.contains(variable));
        common
    });
    bound.extend(common.unwrap_or_default());
}

/// The same for the steps of a path that can't be left out.
fn note_assigned_by(steps: &[PathStep], bound: &mut Vec<VariableId>) {
    for step in steps {
        match step {
            PathStep::Filter(filter) => note_assigned(filter, bound),
            PathStep::Dash { dash, repeat } if repeat.min > 0 => {
                dash.target.iter().for_each(|part| note_assigned(part, bound));
            }
            PathStep::Chain { steps, repeat } if repeat.min > 0 => note_assigned_by(steps, bound),
            PathStep::Dash { .. } | PathStep::Chain { .. } => {}
        }
    }
}
