//! What must hold for a costly condition to hold: cheap expressions over posting lists, asked first.

use shakmaty::{CastlingSide, Color, Role};
use storage::{Man, Term};

use super::expr::{NumberExpr, SetExpr, Truth};
use super::lower::any;
use super::lower_sets::possible_men;
use crate::hir::{Comparison, ManSet};

/// A bound of more terms than this is not cheap.
const MAX_COST: f64 = 130.0;

/// A condition that holds wherever the other does, and is cheap to ask; [`Truth::Always`] if nothing better is known.
pub(super) fn bound(truth: &Truth) -> Truth {
    let bound = match truth {
        Truth::Any(set) | Truth::Single(set) => not_empty(set),
        Truth::And(parts) => Truth::all(parts.iter().map(bound).collect::<Vec<_>>()),
        Truth::Or(parts) => Truth::any(parts.iter().map(bound).collect::<Vec<_>>()),
        Truth::Compare(comparison, number, limit) => match (comparison, &**number, &**limit) {
            (Comparison::GreaterEqual | Comparison::Equal, NumberExpr::Count(set), NumberExpr::Constant(n)) => {
                at_least(set, *n)
            }
            (Comparison::Greater, NumberExpr::Count(set), NumberExpr::Constant(n)) => {
                at_least(set, n.saturating_add(1))
            }
            _ => Truth::Always,
        },
        Truth::Not(_) => Truth::Always,
        cheap => cheap.clone(),
    };
    if bound.cost() > MAX_COST { Truth::Always } else { bound }
}

/// What must hold for a set to have so many squares.
fn at_least(set: &SetExpr, n: i32) -> Truth {
    if n < 1 {
        return Truth::Always;
    }
    let men = possible_men(set);
    let mut one_kind = men.iter();
    let enough = match (one_kind.next(), one_kind.next()) {
        (Some(man), None) if man != Man::EMPTY && man.role() != Some(Role::King) => match u8::try_from(n) {
            Ok(n) if n <= Term::MAX_COUNT => Truth::Term(Term::AtLeast(man, n)),
            _ => Truth::Term(Term::AtLeast(man, Term::MAX_COUNT)),
        },
        _ => Truth::Always,
    };
    Truth::all([enough, not_empty(set)])
}

/// What must hold for a set to have a square.
fn not_empty(set: &SetExpr) -> Truth {
    let all = |parts: &[SetExpr]| Truth::all(parts.iter().map(not_empty).collect::<Vec<_>>());
    let both = |a: &SetExpr, b: &SetExpr| Truth::all([not_empty(a), not_empty(b)]);
    match set {
        SetExpr::Constant(_) | SetExpr::Contents(..) => any(set.clone()),
        SetExpr::Union(parts) => Truth::any(parts.iter().map(not_empty).collect::<Vec<_>>()),
        SetExpr::Intersection(parts) => all(parts),
        SetExpr::Rays { arguments, .. } => all(arguments),
        SetExpr::Pins(arguments, _) => all(&arguments[..]),
        SetExpr::Attacks(from, to) | SetExpr::AttackedBy(to, from) => {
            Truth::all([both(from, to), king_attacked(from, to)])
        }
        SetExpr::Between(a, b) => both(a, b),
        SetExpr::Steps { from, .. } => not_empty(from),
        SetExpr::Choose(condition, a, b) => Truth::any([Truth::all([bound(condition), not_empty(a)]), not_empty(b)]),
        SetExpr::Squares(parts) => Truth::any(parts.iter().map(|(_, truth)| bound(truth)).collect::<Vec<_>>()),
        SetExpr::Complement(_) => Truth::Always,
    }
}

/// What must hold for men of one color to attack the king of the other. The king of the side to move is in check then.
/// The other's can be attacked only where no legal move has led: at the start, after a null move, and after castling
/// that the rules would not allow.
fn king_attacked(from: &SetExpr, to: &SetExpr) -> Truth {
    let of = |color: Color| color.fold_wb(ManSet::WHITE, ManSet::BLACK);
    let king = |color| ManSet::from_man(Man::new(color, Role::King));
    let attacked = Color::ALL
        .into_iter()
        .find(|&color| possible_men(to) == king(color) && of(!color).is_superset(possible_men(from)));
    let Some(color) = attacked else {
        return Truth::Always;
    };
    let white = Truth::Term(Term::WhiteToMove);
    let to_move = color.fold_wb(white.clone(), white.not());
    let lawless = Truth::any(
        [
            Term::Initial,
            Term::NullMove,
            Term::Castled(CastlingSide::KingSide),
            Term::Castled(CastlingSide::QueenSide),
        ]
        .map(Truth::Term),
    );
    Truth::any([
        Truth::all([to_move.clone(), Truth::Term(Term::Check)]),
        Truth::all([to_move.not(), lawless]),
    ])
}

/// A conjunction in two: what is cheap to ask everywhere, with bounds of the rest, and the rest, which is better asked
/// only where the first part holds.
pub fn in_two(truth: &Truth) -> (Truth, Truth) {
    /// What costs more plane operations than this waits.
    const COSTLY: f64 = 100.0;
    let parts = match truth {
        Truth::And(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let (cheap, costly): (Vec<&Truth>, Vec<&Truth>) = parts.iter().partition(|part| part.cost() <= COSTLY);
    let bounds = costly.iter().map(|part| bound(part));
    let first = Truth::all(cheap.into_iter().cloned().chain(bounds).collect::<Vec<_>>());
    (first, Truth::all(costly.into_iter().cloned().collect::<Vec<_>>()))
}

#[cfg(test)]
mod tests {
    use shakmaty::Bitboard;

    use super::*;

    fn contents(men: ManSet) -> SetExpr {
        SetExpr::Contents(men, Bitboard::FULL)
    }

    #[test]
    fn an_attack_on_a_king_needs_a_check() {
        let king = contents(ManSet::from_man(Man::new(Color::Black, Role::King)));
        let attack = |from| {
            Truth::Any(Box::new(SetExpr::Attacks(
                Box::new(contents(from)),
                Box::new(king.clone()),
            )))
        };
        assert_ne!(bound(&attack(ManSet::WHITE)), Truth::Always);
        // Men of both colors: a king may well stand next to his own.
        assert_eq!(bound(&attack(ManSet::WHITE | ManSet::BLACK)), Truth::Always);
    }

    #[test]
    fn what_is_costly_waits_for_what_is_cheap() {
        let pawn = Truth::Term(Term::Placement(
            Man::new(Color::White, Role::Pawn),
            shakmaty::Square::D4,
        ));
        let white = || Box::new(contents(ManSet::WHITE));
        let attack = Truth::Any(Box::new(SetExpr::Attacks(white(), Box::new(contents(ManSet::BLACK)))));
        let (first, rest) = in_two(&Truth::And(vec![attack.clone(), pawn.clone()]));
        assert_eq!((first, rest), (pawn.clone(), attack));
        assert_eq!(in_two(&pawn), (pawn, Truth::Always));
    }
}
