//! Bounds of costly conditions: cheap expressions over posting lists that hold wherever these do.

use chess::Man;
use language::hir::{Comparison, PawnStructure};
use postings::Term;
use shakmaty::Role;

use crate::expr::{KingAttack, NumberExpr, SetExpr, Truth, not_empty, possible_men};

/// A bound that costs more than this is not cheap, unless it is cheap beside the condition itself.
const MAX_COST: f64 = 130.0;

/// A bound may cost this share of the condition itself.
const MAX_SHARE: f64 = 0.1;

/// Among more squares than this, an empty one excludes next to nothing.
const MANY: usize = 8;

/// Conditions that cost more plane operations for a block than this wait for those that cost less.
const CHEAP: f64 = 100.0;

/// Whether other conditions wait for this one.
pub(crate) fn is_cheap(truth: &Truth) -> bool {
    truth.cost() <= CHEAP
}

/// What of a condition is in its bound as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// Conditions that are lists, but not that they do not hold.
    Lists,
    /// Whatever is cheap. That takes longer, and is worth it before a heavy condition.
    Cheap,
}

/// A condition that holds wherever the other does, and is cheap; [`Truth::Always`] if nothing better is known.
pub(super) fn bound(truth: &Truth, kept: Kept) -> Truth {
    let bound = unlimited(truth, kept);
    let cost = bound.cost();
    if cost <= MAX_COST || cost <= MAX_SHARE * truth.cost() {
        return bound;
    }
    match kept {
        Kept::Lists => Truth::Always,
        Kept::Cheap => bound_by_lists(truth),
    }
}

fn bound_by_lists(truth: &Truth) -> Truth {
    bound(truth, Kept::Lists)
}

impl Truth {
    /// A condition that holds wherever this one does, and costs at most `cost` plane operations for a block: the cheap
    /// parts of conjunctions, as many as fit, and bounds of the others.
    #[must_use]
    pub(crate) fn reduced(&self, cost: f64) -> Truth {
        if self.cost() <= cost {
            return self.clone();
        }
        match self {
            Truth::And(parts) => {
                let mut parts: Vec<(f64, &Truth)> = parts.iter().map(|part| (part.cost(), part)).collect();
                parts.sort_by(|(a, _), (b, _)| a.total_cmp(b));
                let mut left = cost;
                Truth::all(parts.into_iter().map(|(_, part)| {
                    let part = part.reduced(left);
                    left -= part.cost();
                    part
                }))
            }
            Truth::Or(parts) => {
                let each = cost / parts.len() as f64;
                let reduced = Truth::any(parts.iter().map(|part| part.reduced(each)));
                Some(reduced)
                    .filter(|truth| truth.cost() <= cost)
                    .unwrap_or(Truth::Always)
            }
            Truth::After(ids, inner) => inner.reduced(cost - 1.0).after(*ids),
            other => {
                let bound = unlimited(other, Kept::Lists);
                if bound.cost() <= cost { bound } else { Truth::Always }
            }
        }
    }
}

/// What a condition says of men that are followed from move to move, with the cheap conditions beside that.
pub(crate) fn courses(truth: &Truth) -> Truth {
    match truth {
        Truth::Move(next) if next.follows_a_man() => truth.clone(),
        Truth::And(parts) => {
            let followed: Vec<Truth> = parts
                .iter()
                .map(courses)
                .filter(|part| *part != Truth::Always)
                .collect();
            if followed.is_empty() {
                return Truth::Always;
            }
            let cheap = parts.iter().filter(|part| is_cheap(part)).cloned();
            Truth::all(cheap.chain(followed))
        }
        Truth::Or(parts) => Truth::any(parts.iter().map(courses)),
        _ => Truth::Always,
    }
}

/// A condition that holds wherever the other does, whatever it costs.
fn unlimited(truth: &Truth, kept: Kept) -> Truth {
    let of_part = |part: &Truth| bound(part, kept);
    match truth {
        Truth::Not(_) | Truth::Compare(..) if kept == Kept::Cheap && truth.cost() <= MAX_COST => truth.clone(),
        Truth::Any(set) | Truth::Single(set) => set_bound(set),
        Truth::And(parts) => Truth::all(parts.iter().map(of_part).collect::<Vec<_>>()),
        Truth::Or(parts) => Truth::any(parts.iter().map(of_part).collect::<Vec<_>>()),
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
        Truth::After(ids, inner) => of_part(inner).after(*ids),
        Truth::Always | Truth::Never | Truth::Term(_) | Truth::PositionSet(_) | Truth::Move(_) => truth.clone(),
        Truth::Games(_) | Truth::PlyAtLeast(_) | Truth::Given(_) => truth.clone(),
    }
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
        // Nearly everywhere, one of them is empty.
        SetExpr::Contents(men, squares) if men.contains(Man::EMPTY) && squares.count() > MANY => Truth::Always,
        SetExpr::Constant(_) | SetExpr::Contents(..) | SetExpr::Pinned(_) => not_empty(set.clone()),
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
        SetExpr::Choose(condition, a, b) => {
            Truth::any([Truth::all([bound_by_lists(condition), set_bound(a)]), set_bound(b)])
        }
        SetExpr::Squares(parts) => Truth::any(parts.iter().map(|(_, truth)| bound_by_lists(truth)).collect::<Vec<_>>()),
        SetExpr::Added(inner) | SetExpr::Nth(_, inner) => set_bound(inner),
        SetExpr::After(ids, inner) => set_bound(inner).after(*ids),
        SetExpr::Complement(_) => Truth::Always,
    }
}
