//! What must hold for a costly condition to hold: cheap expressions over posting lists, asked first.

use shakmaty::{Bitboard, Role};
use storage::{Man, Term};

use super::expr::{NumberExpr, SetExpr, Truth};
use super::kings::KingAttack;
use super::lower::any;
use super::lower_sets::possible_men;
use crate::hir::{Comparison, Directions, ManSet};

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
        Truth::Not(_) | Truth::Tree(_) => Truth::Always,
        Truth::After(ids, inner) => bound(inner).after(*ids),
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
    let checks = match set {
        SetExpr::Attacks(from, to) => KingAttack::of(from, to).map(|attack| attack.at_least(n)),
        _ => None,
    };
    Truth::all([enough, checks.unwrap_or(Truth::Always), not_empty(set)])
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
            let king = KingAttack::of(from, to).map(|attack| attack.at_least(1));
            Truth::all([both(from, to), king.unwrap_or(Truth::Always)])
        }
        SetExpr::Between { ends, .. } => all(&ends[..]),
        SetExpr::Steps { from, .. } => not_empty(from),
        SetExpr::Choose(condition, a, b) => Truth::any([Truth::all([bound(condition), not_empty(a)]), not_empty(b)]),
        SetExpr::Squares(parts) => Truth::any(parts.iter().map(|(_, truth)| bound(truth)).collect::<Vec<_>>()),
        SetExpr::After(ids, inner) => not_empty(inner).after(*ids),
        SetExpr::Complement(_) => Truth::Always,
    }
}

/// What must hold for a costly condition and costs something itself, but much less; [`Truth::Always`] if there is nothing.
fn closer_bound(truth: &Truth) -> Truth {
    let closer = match truth {
        Truth::Any(set) | Truth::Single(set) => set_closer(set),
        Truth::And(parts) => Truth::all(parts.iter().map(closer_bound).collect::<Vec<_>>()),
        Truth::Or(parts) => Truth::any(parts.iter().map(closer_bound).collect::<Vec<_>>()),
        Truth::Compare(comparison, number, limit) => match (comparison, &**number, &**limit) {
            (Comparison::GreaterEqual | Comparison::Equal, NumberExpr::Count(set), NumberExpr::Constant(1..))
            | (Comparison::Greater, NumberExpr::Count(set), NumberExpr::Constant(0..)) => set_closer(set),
            _ => Truth::Always,
        },
        _ => Truth::Always,
    };
    if closer.cost() * 2.0 > truth.cost() {
        Truth::Always
    } else {
        closer
    }
}

/// What is closer to a set having a square than [`not_empty`].
fn set_closer(set: &SetExpr) -> Truth {
    let not_plain = |set: &SetExpr| match set {
        SetExpr::Constant(_) | SetExpr::Contents(..) => Truth::Always,
        other => any(other.clone()),
    };
    match set {
        // Attacks are dear because of what may stand between, not because of what attacks and is attacked.
        SetExpr::Attacks(from, to) | SetExpr::AttackedBy(to, from) => Truth::all([not_plain(from), not_plain(to)]),
        SetExpr::Pins(arguments, _) => {
            let [from, through, to] = &**arguments;
            let sliders = possible_men(from).intersection(sliding());
            let mut directions = Directions::NONE;
            for (role, some) in [
                (Role::Bishop, Directions::DIAGONAL),
                (Role::Rook, Directions::ORTHOGONAL),
            ] {
                let both = ManSet::from_role(role) | ManSet::from_role(Role::Queen);
                if sliders.intersection(both) != ManSet::NONE {
                    directions = directions.union(some);
                }
            }
            let from = SetExpr::Intersection(vec![SetExpr::Contents(sliders, Bitboard::FULL), from.clone()]);
            let between = SetExpr::Between {
                directions,
                ends: Box::new([from, to.clone()]),
            };
            any(SetExpr::Intersection(vec![through.clone(), between]))
        }
        SetExpr::Intersection(parts) => Truth::all(parts.iter().map(set_closer).collect::<Vec<_>>()),
        SetExpr::Union(parts) => Truth::any(parts.iter().map(set_closer).collect::<Vec<_>>()),
        _ => Truth::Always,
    }
}

/// Men that move as far as they like.
fn sliding() -> ManSet {
    ManSet::from_role(Role::Bishop) | ManSet::from_role(Role::Rook) | ManSet::from_role(Role::Queen)
}

/// A conjunction in stages, each asked only where those before it hold: what is cheap everywhere, with bounds of the
/// rest; closer bounds of the rest; the rest.
pub fn in_stages(truth: &Truth) -> Vec<Truth> {
    /// What costs more plane operations than this waits.
    const COSTLY: f64 = 100.0;
    let parts = match truth {
        Truth::And(parts) => parts.as_slice(),
        one => std::slice::from_ref(one),
    };
    let (cheap, costly): (Vec<&Truth>, Vec<&Truth>) = parts.iter().partition(|part| part.cost() <= COSTLY);
    let bounds = costly.iter().map(|part| bound(part));
    let first = Truth::all(cheap.into_iter().cloned().chain(bounds).collect::<Vec<_>>());
    let closer = Truth::all(costly.iter().map(|part| closer_bound(part)).collect::<Vec<_>>());
    let last = Truth::all(costly.into_iter().cloned().collect::<Vec<_>>());
    let rest = [closer, last].into_iter().filter(|stage| *stage != Truth::Always);
    std::iter::once(first).chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;

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
        let stages = in_stages(&Truth::And(vec![attack.clone(), pawn.clone()]));
        assert_eq!(stages, [pawn.clone(), attack]);
        assert_eq!(in_stages(&pawn), [pawn]);
    }
}
