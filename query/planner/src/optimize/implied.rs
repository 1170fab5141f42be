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
            Truth::And(parts) => Truth::And(
                without_links(parts.into_vec())
                    .into_iter()
                    .map(Truth::without_links)
                    .collect(),
            ),
            other => other,
        }
    }
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
    use shakmaty::Bitboard;

    use super::*;

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
