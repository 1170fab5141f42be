//! Leaves out conditions that others imply: a set that has a square has it because the sets that it is made of have some.

use crate::expr::{SetExpr, Truth};

/// Among more conditions it is not looked which imply others.
const MOST: usize = 64;

impl Truth {
    /// The same expression without conditions that are links of a chain. What alternatives have in common is found before.
    #[must_use]
    pub(crate) fn without_links(self) -> Truth {
        match self {
            Truth::Or(parts) => Truth::Or(parts.into_iter().map(Truth::without_links).collect()),
            Truth::And(parts) => {
                let parts = without_links(without_refuted(parts.into_vec()));
                Truth::all(parts.into_iter().map(Truth::without_links).collect::<Vec<_>>())
            }
            other => other,
        }
    }
}

/// The same conditions without those that some others must not fail together with one that holds: beside `a`, `not (not a and b)` says
/// nothing.
fn without_refuted(mut parts: Vec<Truth>) -> Vec<Truth> {
    if parts.len() > MOST {
        return parts;
    }
    let is_refuted = |part: &Truth| match part {
        Truth::Not(inner) => inner.conjuncts().len() > 1 && inner.conjuncts().iter().any(|one| refutes(&parts, one)),
        _ => false,
    };
    let kept: Vec<bool> = parts.iter().map(|part| !is_refuted(part)).collect();
    let mut kept = kept.into_iter();
    parts.retain(|_| kept.next().unwrap_or(true));
    parts
}

/// Whether one of some conditions is the complement of another one.
fn refutes(parts: &[Truth], other: &Truth) -> bool {
    let is_not = |a: &Truth, b: &Truth| matches!(a, Truth::Not(inner) if **inner == *b);
    parts.iter().any(|part| is_not(part, other) || is_not(other, part))
}

/// The same conditions without those that one of the others implies and that imply another one: of a chain of sets, each made of
/// the one before, the last says the most, and the first is the cheapest.
fn without_links(mut parts: Vec<Truth>) -> Vec<Truth> {
    if parts.len() < 3 || parts.len() > MOST {
        return parts;
    }
    let is_link = |part: &Truth| {
        let mut others = parts.iter().filter(|&other| other != part);
        let implies_one = others.clone().any(|other| implies(part, other));
        implies_one && others.any(|other| implies(other, part))
    };
    let kept: Vec<bool> = parts.iter().map(|part| !is_link(part)).collect();
    let mut kept = kept.into_iter();
    parts.retain(|_| kept.next().unwrap_or(true));
    parts
}

/// Whether a condition implies another one, as far as that is seen at once.
fn implies(truth: &Truth, other: &Truth) -> bool {
    match (truth, other) {
        (Truth::Any(set), Truth::Any(other)) => needs(set, other),
        _ => false,
    }
}

/// Whether a set is empty where another one is.
fn needs(set: &SetExpr, other: &SetExpr) -> bool {
    let any_of = |parts: &[SetExpr]| parts.iter().any(|part| part == other || needs(part, other));
    match set {
        SetExpr::Pins(arguments, _) => any_of(&arguments[..]),
        SetExpr::Rays { arguments, .. } => any_of(arguments),
        SetExpr::Intersection(parts) => any_of(parts),
        SetExpr::Attacks(from, to) | SetExpr::AttackedBy(to, from) => [from, to]
            .into_iter()
            .any(|part| **part == *other || needs(part, other)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use language::hir::{ManSet, PinValue};
    use postings::Term;
    use shakmaty::Bitboard;

    use super::*;

    #[test]
    fn what_cannot_hold_together_is_left_out_where_it_is_excluded() {
        let [check, mate, turn] = [Term::Check, Term::Mate, Term::WhiteToMove].map(Truth::Term);
        let both = |a: &Truth, b: &Truth| Truth::And([a.clone(), b.clone()].into());
        let excluded = both(&check.clone().not(), &mate).not();
        let kept = vec![check.clone(), turn.clone()];
        assert_eq!(
            without_refuted(vec![check.clone(), excluded.clone(), turn.clone()]),
            kept
        );
        // It excludes something where neither holds for certain.
        let parts = vec![turn, excluded];
        assert_eq!(without_refuted(parts.clone()), parts);
        let parts = vec![check.clone(), check.not()];
        assert_eq!(without_refuted(parts.clone()), parts);
    }

    #[test]
    fn of_a_chain_the_first_and_the_last_are_kept() {
        let men = SetExpr::Contents(ManSet::WHITE, Bitboard::FULL);
        let pin = |from: &SetExpr| {
            let anywhere = SetExpr::Constant(Bitboard::FULL);
            SetExpr::Pins(Box::new([from.clone(), anywhere.clone(), anywhere]), PinValue::Through)
        };
        let one = pin(&men);
        let (two, three) = (pin(&one), pin(&pin(&one)));
        let [one, two, three] = [one, two, three].map(|set| Truth::Any(Box::new(set)));
        let chain = vec![two.clone(), one.clone(), three.clone()];
        assert_eq!(without_links(chain), [one.clone(), three.clone()]);
        let two_of_them = vec![two.clone(), three.clone()];
        assert_eq!(without_links(two_of_them.clone()), two_of_them);
        let twice = vec![one.clone(), one.clone(), one];
        assert_eq!(without_links(twice.clone()), twice);
    }
}
