//! What a set can have in any position: bounds that need no posting list.

use chess::Man;
use language::hir::ManSet;
use shakmaty::{Bitboard, Role};

use super::SetExpr;

/// The squares that a set can have in any position.
pub(crate) fn possible(set: &SetExpr) -> Bitboard {
    match set {
        SetExpr::Constant(squares) | SetExpr::Contents(_, squares) => *squares,
        SetExpr::Union(parts) => parts.iter().fold(Bitboard::EMPTY, |all, part| all | possible(part)),
        SetExpr::Intersection(parts) => parts.iter().fold(Bitboard::FULL, |all, part| all & possible(part)),
        SetExpr::Attacks(set, _) | SetExpr::AttackedBy(set, _) => possible(set),
        SetExpr::Rays {
            arguments, gives_first, ..
        } => given(arguments, *gives_first).map_or(Bitboard::FULL, possible),
        SetExpr::Pins(arguments, value) => possible(&arguments[*value as usize]),
        SetExpr::Pawns(..) => Bitboard::FULL,
        SetExpr::Choose(_, a, b) => possible(a) | possible(b),
        SetExpr::Squares(parts) => parts.iter().map(|&(square, _)| square).collect(),
        SetExpr::Complement(_) | SetExpr::Steps { .. } | SetExpr::Between { .. } => Bitboard::FULL,
        SetExpr::After(_, inner) => possible(inner),
    }
}

/// What can stand on the squares of a set in any position.
pub(crate) fn possible_men(set: &SetExpr) -> ManSet {
    match set {
        SetExpr::Contents(men, _) => *men,
        SetExpr::Union(parts) => parts.iter().fold(ManSet::NONE, |all, part| all | possible_men(part)),
        SetExpr::Intersection(parts) => parts
            .iter()
            .fold(ManSet::ANYTHING, |all, part| all.intersection(possible_men(part))),
        SetExpr::Attacks(set, _) | SetExpr::AttackedBy(set, _) => possible_men(set),
        SetExpr::Rays {
            arguments, gives_first, ..
        } => given(arguments, *gives_first).map_or(ManSet::ANYTHING, possible_men),
        SetExpr::Pins(arguments, value) => possible_men(&arguments[*value as usize]),
        SetExpr::Pawns(_, color) => ManSet::from_man(Man::new(*color, Role::Pawn)),
        SetExpr::Choose(_, a, b) => possible_men(a) | possible_men(b),
        SetExpr::Constant(_) | SetExpr::Complement(_) | SetExpr::Steps { .. } | SetExpr::Between { .. } => {
            ManSet::ANYTHING
        }
        // The contents of a square may be different in the other position.
        SetExpr::Squares(_) | SetExpr::After(..) => ManSet::ANYTHING,
    }
}

/// The argument whose squares are the value of a ray.
fn given(arguments: &[SetExpr], gives_first: bool) -> Option<&SetExpr> {
    if gives_first {
        arguments.first()
    } else {
        arguments.last()
    }
}

/// The men of a set that consists of all squares where these men stand.
pub(crate) fn everywhere(set: &SetExpr) -> Option<ManSet> {
    match set {
        SetExpr::Contents(men, Bitboard::FULL) if !men.contains(Man::EMPTY) => Some(*men),
        _ => None,
    }
}
