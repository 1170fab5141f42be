//! What sets and numbers can have in any position: bounds that need no posting list.

use chess::Man;
use language::hir::ManSet;
use shakmaty::{Bitboard, Color, Role};

use super::{NumberExpr, SetExpr};

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
        SetExpr::Pinned(_) | SetExpr::Pawns(..) => Bitboard::FULL,
        SetExpr::Choose(_, a, b) => possible(a) | possible(b),
        SetExpr::Squares(parts) => parts.iter().map(|&(square, _)| square).collect(),
        SetExpr::Complement(_) | SetExpr::Steps { .. } | SetExpr::Between { .. } => Bitboard::FULL,
        SetExpr::Added(inner) | SetExpr::After(_, inner) | SetExpr::Nth(_, inner) => possible(inner),
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
        SetExpr::Attacks(set, _) | SetExpr::AttackedBy(set, _) | SetExpr::Added(set) | SetExpr::Nth(_, set) => {
            possible_men(set)
        }
        SetExpr::Rays {
            arguments, gives_first, ..
        } => given(arguments, *gives_first).map_or(ManSet::ANYTHING, possible_men),
        SetExpr::Pins(arguments, value) => possible_men(&arguments[*value as usize]),
        SetExpr::Pinned(color) => color.fold_wb(ManSet::WHITE, ManSet::BLACK),
        SetExpr::Pawns(_, color) => ManSet::from_man(Man::new(*color, Role::Pawn)),
        SetExpr::Choose(_, a, b) => possible_men(a) | possible_men(b),
        SetExpr::Constant(Bitboard::EMPTY) => ManSet::NONE,
        SetExpr::Constant(_) | SetExpr::Complement(_) | SetExpr::Steps { .. } | SetExpr::Between { .. } => {
            ManSet::ANYTHING
        }
        // The contents of a square may be different in the other position.
        SetExpr::Squares(_) | SetExpr::After(..) => ManSet::ANYTHING,
    }
}

/// How many men of a kind there are at the beginning of a game.
pub(crate) fn at_the_beginning(man: Man) -> usize {
    match man.role() {
        Some(Role::King | Role::Queen) => 1,
        Some(Role::Rook | Role::Bishop | Role::Knight) => 2,
        Some(Role::Pawn) => 8,
        None => 32,
    }
}

/// What men of these kinds can be in other positions: pawns promote, and what was promoted was a pawn.
pub(crate) fn sometime(men: ManSet, is_later: bool) -> ManSet {
    let mut all = men;
    for color in Color::ALL {
        let one = |role| ManSet::from_man(Man::new(color, role));
        let promoted = one(Role::Knight) | one(Role::Bishop) | one(Role::Rook) | one(Role::Queen);
        let pawn = one(Role::Pawn);
        let is_any_of = |set: ManSet| men.intersection(set) != ManSet::NONE;
        if is_any_of(pawn) || (!is_later && is_any_of(promoted)) {
            all = all | promoted;
        }
        if !is_later && is_any_of(promoted) {
            all = all | pawn;
        }
    }
    all
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

/// The bounds of a number multiplied by `by`.
pub(super) fn scaled((min, max): (i64, i64), by: i64) -> (i64, i64) {
    if by < 0 {
        (max * by, min * by)
    } else {
        (min * by, max * by)
    }
}

/// The least and the largest value that a number can have where it has one.
pub(crate) fn range_of(number: &NumberExpr) -> (i64, i64) {
    let squares = |set: &SetExpr| {
        let men = possible_men(set);
        let kings = men.iter().filter(|man| man.role() == Some(Role::King)).count();
        let squares = possible(set).count();
        let most = if kings == men.iter().count() {
            kings.min(squares)
        } else {
            squares
        };
        i64::try_from(most).unwrap_or(i64::MAX)
    };
    match number {
        NumberExpr::Constant(n) => (i64::from(*n), i64::from(*n)),
        NumberExpr::Count(SetExpr::Contents(men, Bitboard::FULL)) if !men.contains(Man::EMPTY) => {
            // Every game in the database has a king of each color.
            let kings = men.iter().filter(|man| man.role() == Some(Role::King)).count();
            let has_others = kings < men.iter().count();
            let kings = i64::try_from(kings).unwrap_or(0);
            (kings, if has_others { 64 } else { kings })
        }
        NumberExpr::Count(set) => (0, squares(set)),
        NumberExpr::CountTrue(parts) => (0, i64::try_from(parts.len()).unwrap_or(i64::MAX)),
        NumberExpr::Power(set) => (0, 9 * squares(set)),
        NumberExpr::Sum(a, b) => {
            let ((a, b), (c, d)) = (range_of(a), range_of(b));
            (a + c, b + d)
        }
        NumberExpr::Difference(a, b) => {
            let ((a, b), (c, d)) = (range_of(a), range_of(b));
            (a - d, b - c)
        }
        NumberExpr::Scaled(by, inner) => scaled(range_of(inner), i64::from(*by)),
        NumberExpr::Table(_, _, values) => {
            let value = |value: Option<&i32>| i64::from(value.copied().unwrap_or(0));
            (value(values.iter().min()), value(values.iter().max()))
        }
        NumberExpr::Max(parts) => {
            let ranges = || parts.iter().map(range_of);
            let largest = |values: &mut dyn Iterator<Item = i64>| values.max().unwrap_or(0);
            (
                largest(&mut ranges().map(|(min, _)| min)),
                largest(&mut ranges().map(|(_, max)| max)),
            )
        }
        NumberExpr::Coordinate(..) => (1, 8),
        NumberExpr::Quantity(quantity) => quantity.range(),
        NumberExpr::Choose(_, a, b) => {
            let ((a, b), (c, d)) = (range_of(a), range_of(b));
            (a.min(c), b.max(d))
        }
        NumberExpr::After(_, inner) => range_of(inner),
    }
}
