//! Bounds of costly conditions: cheap expressions over posting lists that are evaluated first.

use chess::Man;
use language::hir::{Comparison, PawnStructure};
use postings::Term;
use shakmaty::Role;

use crate::expr::{KingAttack, NumberExpr, SetExpr, Truth, not_empty, possible_men};

/// A bound that costs more than this is not cheap.
const MAX_COST: f64 = 130.0;

/// A condition that holds wherever the other does, and is cheap; [`Truth::Always`] if nothing better is known.
fn bound(truth: &Truth) -> Truth {
    let bound = match truth {
        Truth::Any(set) | Truth::Single(set) => set_bound(set),
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
        Truth::Not(_) | Truth::Temporal(_) => Truth::Always,
        Truth::After(ids, inner) => bound(inner).after(*ids),
        Truth::Always | Truth::Never | Truth::Term(_) | Truth::PositionSet(_) => truth.clone(),
        Truth::Games(_) | Truth::PlyAtLeast(_) => truth.clone(),
    };
    if bound.cost() > MAX_COST { Truth::Always } else { bound }
}

/// What must hold for a set to have at least `n` squares.
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
    let checks = match set {
        SetExpr::Attacks(from, to) => KingAttack::of(from, to).map(|attack| attack.at_least(n)),
        _ => None,
    };
    Truth::all([enough, checks.unwrap_or(Truth::Always), set_bound(set)])
}

/// What must hold for a set to have a square.
fn set_bound(set: &SetExpr) -> Truth {
    let all = |parts: &[SetExpr]| Truth::all(parts.iter().map(set_bound).collect::<Vec<_>>());
    let both = |a: &SetExpr, b: &SetExpr| Truth::all([set_bound(a), set_bound(b)]);
    match set {
        SetExpr::Constant(_) | SetExpr::Contents(..) => not_empty(set.clone()),
        SetExpr::Pawns(structure, color) => {
            let pawn = Man::new(*color, Role::Pawn);
            let fewest = 1 + u8::from(matches!(structure, PawnStructure::Doubled | PawnStructure::Connected));
            Truth::Term(Term::AtLeast(pawn, fewest))
        }
        SetExpr::Union(parts) => Truth::any(parts.iter().map(set_bound).collect::<Vec<_>>()),
        SetExpr::Intersection(parts) => all(parts),
        SetExpr::Rays { arguments, .. } => all(arguments),
        SetExpr::Pins(arguments, _) => all(&arguments[..]),
        SetExpr::Attacks(from, to) | SetExpr::AttackedBy(to, from) => {
            let king = KingAttack::of(from, to).map(|attack| attack.at_least(1));
            Truth::all([both(from, to), king.unwrap_or(Truth::Always)])
        }
        SetExpr::Between { ends, .. } => all(&ends[..]),
        SetExpr::Steps { from, .. } => set_bound(from),
        SetExpr::Choose(condition, a, b) => Truth::any([Truth::all([bound(condition), set_bound(a)]), set_bound(b)]),
        SetExpr::Squares(parts) => Truth::any(parts.iter().map(|(_, truth)| bound(truth)).collect::<Vec<_>>()),
        SetExpr::After(ids, inner) => set_bound(inner).after(*ids),
        SetExpr::Complement(_) => Truth::Always,
    }
}

/// A conjunction in two stages: the cheap conditions with bounds of the others, and then the others, evaluated only
/// where the first stage holds.
pub fn stages_of(truth: &Truth) -> Vec<Truth> {
    /// Conditions that cost more plane operations than this are in the second stage.
    const COSTLY: f64 = 100.0;
    let parts = match truth {
        Truth::And(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let (cheap, costly): (Vec<&Truth>, Vec<&Truth>) = parts.iter().partition(|part| part.cost() <= COSTLY);
    let bounds = costly.iter().map(|part| bound(part));
    let first = Truth::all(cheap.into_iter().cloned().chain(bounds).collect::<Vec<_>>());
    let last = Truth::all(costly.into_iter().cloned().collect::<Vec<_>>());
    let last = Some(last).filter(|stage| *stage != Truth::Always);
    std::iter::once(first).chain(last).collect()
}

#[cfg(test)]
mod tests {
    use shakmaty::{Bitboard, Color};

    use super::*;
    use language::hir::ManSet;

    fn contents(men: ManSet) -> SetExpr {
        SetExpr::Contents(men, Bitboard::FULL)
    }

    #[test]
    fn what_is_costly_waits_for_what_is_cheap() {
        let pawn = Truth::Term(Term::Placement(
            Man::new(Color::White, Role::Pawn),
            shakmaty::Square::D4,
        ));
        let white = || Box::new(contents(ManSet::WHITE));
        let attack = Truth::Any(Box::new(SetExpr::Attacks(white(), Box::new(contents(ManSet::BLACK)))));
        let stages = stages_of(&Truth::And(vec![attack.clone(), pawn.clone()]));
        assert_eq!(stages, [pawn.clone(), attack]);
        assert_eq!(stages_of(&pawn), [pawn]);
    }
}
