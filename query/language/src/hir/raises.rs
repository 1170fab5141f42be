//! Which filters can stop a query with an error.
//!
//! A plan that skips a position skips the error too. So nothing that stands after a filter that may raise one is used
//! to narrow the candidates: a query fails by plan wherever it fails by scan.

mod moves_and_trees;

pub use moves_and_trees::{is_plain_assignment, note_assigned};

use crate::hir::{Bound, Filter, Kind, Node, Range, VariableId};

/// Whether the filter never raises an error. `truth` says that it is asked whether it matches, and `bound` are the
/// variables that have a value there.
pub fn never_raises(filter: &Filter, truth: bool, bound: &mut Vec<VariableId>) -> bool {
    if truth && filter.is_vacuous() {
        return false;
    }
    match &filter.node {
        Node::Variable(variable) => bound.contains(variable),
        Node::Direction { range, argument, .. } => {
            let sane = match range {
                None => true,
                Some(Range::Between(Bound::Literal(min), Bound::Literal(max))) => *min >= -7 && *max <= 7 && min <= max,
                Some(_) => false,
            };
            sane && never_raises(argument, false, bound)
        }
        Node::SquareLoop {
            variable, domain, body, ..
        }
        | Node::PieceLoop {
            variable, domain, body, ..
        } => {
            // A variable in use would be an error.
            if bound.contains(variable) || !never_raises(domain, false, bound) {
                return false;
            }
            bound.push(*variable);
            let fine = never_raises(body, true, bound);
            bound.pop();
            fine
        }
        Node::Compound(list) => {
            let mark = bound.len();
            let fine = list.iter().enumerate().all(|(index, element)| {
                let fine = never_raises(element, truth || index + 1 < list.len(), bound);
                note_assigned(element, bound);
                fine
            });
            bound.truncate(mark);
            fine
        }
        Node::And(a, b) => {
            let mark = bound.len();
            let fine = never_raises(a, true, bound);
            note_assigned(a, bound);
            let fine = fine && never_raises(b, true, bound);
            bound.truncate(mark);
            fine
        }
        Node::Or(a, b) => never_raises(a, true, bound) && never_raises(b, true, bound),
        Node::Not(a) => never_raises(a, true, bound),
        Node::NoTransform(a) => never_raises(a, truth, bound),
        Node::If(condition, then, otherwise) => {
            never_raises(condition, true, bound)
                && never_raises(then, truth, bound)
                && otherwise.iter().all(|otherwise| never_raises(otherwise, truth, bound))
        }
        Node::Orbit { range, variants } => {
            let literal = |bound: &Bound| matches!(bound, Bound::Literal(_));
            let fixed = range.is_none_or(|range| match range {
                Range::Count => true,
                Range::Between(min, max) => literal(&min) && literal(&max),
            });
            let as_truth = truth || range.is_some() || filter.kind == Kind::Logical;
            fixed && variants.iter().all(|variant| never_raises(variant, as_truth, bound))
        }
        Node::Comment(parts) => parts.iter().all(|part| never_raises(part, false, bound)),
        _ if moves_and_trees::is_one(&filter.node) => moves_and_trees::never_raises(filter, truth, bound),
        _ if is_plain(&filter.node) => {
            let mut fine = true;
            filter.for_each_child(&mut |child| fine = fine && never_raises(child, child.kind == Kind::Logical, bound));
            fine
        }
        _ => false,
    }
}

/// Filters that raise an error only where a child does.
fn is_plain(node: &Node) -> bool {
    matches!(
        node,
        Node::Designator(_)
            | Node::AllSquares
            | Node::NoSquares
            | Node::Union(_)
            | Node::Intersection(_)
            | Node::Complement(_)
            | Node::Attacks(..)
            | Node::AttackedBy(..)
            | Node::Ray { .. }
            | Node::Xray { .. }
            | Node::Pin { .. }
            | Node::Between(..)
            | Node::SquareColor(..)
            | Node::PawnStructure(_)
            | Node::MakeSquare(..)
            | Node::MakeSquareNamed(_)
            | Node::PureMate { .. }
            | Node::Number(_)
            | Node::Cardinality(_)
            | Node::Length(_)
            | Node::Power(_)
            | Node::AttackPairs(..)
            | Node::RayCount { .. }
            | Node::File(_)
            | Node::Rank(_)
            | Node::Type(_)
            | Node::ColorType(_)
            | Node::PieceId(_)
            | Node::SideToMove
            | Node::ColorValue(_)
            | Node::MoveNumber
            | Node::Ply
            | Node::Depth
            | Node::PositionId
            | Node::GameNumber
            | Node::Year
            | Node::Elo(_)
            | Node::Negate(_)
            | Node::Abs(_)
            | Node::Sqrt(_)
            | Node::Arithmetic(..)
            | Node::Extremum(..)
            | Node::Int(_)
            | Node::AsciiCode(_)
            | Node::IndexOf(..)
            | Node::Try
            | Node::CompareNumbers(..)
            | Node::CompareStrings(..)
            | Node::SameSet(..)
            | Node::Subset(..)
            | Node::Substring(..)
            | Node::Equal(..)
            | Node::String(_)
            | Node::Metadata(_)
            | Node::Fen
            | Node::TypeName(_)
            | Node::PieceName(_)
            | Node::Case(..)
            | Node::AsciiChar(_)
            | Node::Concatenation(..)
            | Node::Slice(..)
            | Node::CurrentTransform(_)
            | Node::RegexMatch(..)
            | Node::True
            | Node::False
            | Node::Turn(_)
            | Node::Check
            | Node::Mate
            | Node::Stalemate
            | Node::Initial
            | Node::Terminal
            | Node::Mainline(_)
            | Node::VirtualMainline
            | Node::Primary(_)
            | Node::Result(_)
            | Node::Nag(_)
            | Node::FenBoard(_)
            | Node::Castle(_)
            | Node::EnPassant
            | Node::NullMove
            | Node::FromSquares
            | Node::ToSquares
            | Node::EnPassantSquare
            | Node::Hhdb(_)
            | Node::HhdbCooked
            | Node::CurrentPosition
            | Node::Parent
            | Node::Child(_)
            | Node::PositionAt(_)
            | Node::Relation(_)
            | Node::DiagramRelation(_)
    )
}
