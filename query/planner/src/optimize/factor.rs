//! Evaluates the common conditions of alternatives once: the shifts of a diagram share the squares of its men, and what may
//! raise an error shares what comes before it with what matches.

use std::collections::HashMap;

use crate::expr::{Truth, costly_in_all};

impl Truth {
    /// The same expression, the costly conditions that all alternatives have in common asked before them: they can wait until
    /// little is left, but not inside of each alternative.
    #[must_use]
    pub(crate) fn with_common_first(self) -> Truth {
        match self {
            Truth::Or(parts) => apart(parts.into_iter().map(Truth::with_common_first).collect()),
            Truth::And(parts) => Truth::And(parts.into_iter().map(Truth::with_common_first).collect()).flattened(),
            other => other,
        }
    }

    /// The same expression, its disjunctions grouped by the first condition of each alternative: `a b or a c` is
    /// `a (b or c)`.
    #[must_use]
    pub fn factored(self) -> Truth {
        match self {
            Truth::Or(parts) => Truth::any(group(parts.into_vec()).into_iter().map(Truth::factored_within)),
            other => other.factored_within(),
        }
    }

    /// The same for the parts of an expression.
    fn factored_within(self) -> Truth {
        match self {
            Truth::Not(inner) => inner.factored().not(),
            Truth::And(parts) => Truth::And(parts.into_iter().map(Truth::factored).collect()),
            Truth::After(ids, inner) => Truth::After(ids, Box::new(inner.factored())),
            Truth::Always
            | Truth::Never
            | Truth::Term(_)
            | Truth::PositionSet(_)
            | Truth::Given(_)
            | Truth::Games(_)
            | Truth::Or(_)
            | Truth::PlyAtLeast(_)
            | Truth::Move(_)
            | Truth::Any(_)
            | Truth::Compare(..)
            | Truth::Single(_)
            | Truth::Temporal(_) => self,
        }
    }
}

/// Alternatives, what is costly and common to all of them before them.
fn apart(alternatives: Vec<Truth>) -> Truth {
    if alternatives.is_empty() {
        return Truth::Never;
    }
    let common = costly_in_all(alternatives.iter());
    if common.is_empty() {
        return Truth::Or(alternatives.into());
    }
    let rests = alternatives.iter().map(|alternative| alternative.without(&common));
    let rests = Truth::any(rests.collect::<Vec<_>>());
    Truth::all(common.into_iter().chain([rests]))
}

/// Alternatives that begin with the same posting list become one, in the place of the first of them.
fn group(parts: Vec<Truth>) -> Vec<Truth> {
    let mut first: HashMap<u16, usize> = HashMap::new();
    let mut groups: Vec<Vec<Truth>> = Vec::new();
    for part in parts {
        let term = match &part {
            Truth::And(list) => match list.first() {
                Some(Truth::Term(term)) => Some(term.code()),
                _ => None,
            },
            _ => None,
        };
        match term.map(|code| *first.entry(code).or_insert(groups.len())) {
            Some(at) if at < groups.len() => groups[at].push(part),
            _ => groups.push(vec![part]),
        }
    }
    groups.into_iter().filter_map(common).collect()
}

/// Alternatives that have their first condition in common.
fn common(mut alternatives: Vec<Truth>) -> Option<Truth> {
    if alternatives.len() == 1 {
        return alternatives.pop();
    }
    let mut shared = None;
    let rests = alternatives.into_iter().filter_map(|alternative| match alternative {
        Truth::And(list) => {
            let mut list = list.into_iter();
            shared = list.next();
            Some(Truth::all(list))
        }
        _ => None,
    });
    let rests = Truth::any(rests.collect::<Vec<_>>());
    Some(match rests {
        Truth::Always => shared?,
        rests => Truth::And([shared?, rests].into()),
    })
}

#[cfg(test)]
mod tests {
    use chess::Man;
    use language::hir::ManSet;
    use postings::Term;
    use shakmaty::{Bitboard, Color, Role, Square};

    use super::*;
    use crate::expr::SetExpr;

    #[test]
    fn what_is_costly_and_in_all_alternatives_comes_before_them() {
        let (white, black) = (
            SetExpr::Contents(ManSet::WHITE, Bitboard::FULL),
            SetExpr::Contents(ManSet::BLACK, Bitboard::FULL),
        );
        let attack = |from: &SetExpr, to: &SetExpr| {
            Truth::Any(Box::new(SetExpr::Attacks(Box::new(from.clone()), Box::new(to.clone()))))
        };
        let (common, other) = (attack(&white, &black), attack(&black, &white));
        let [a, b] = [Square::A1, Square::B1]
            .map(|square| Truth::Term(Term::Placement(Man::new(Color::White, Role::Knight), square)));
        let alternatives = vec![
            Truth::And([a.clone(), common.clone()].into()),
            Truth::And([common.clone(), other.clone(), b.clone()].into()),
        ];
        let both = Truth::Or(alternatives.clone().into()).with_common_first();
        let rest = Truth::Or([a.clone(), Truth::And([other.clone(), b].into())].into());
        assert_eq!(both, Truth::And([common.clone(), rest].into()));
        let three = Truth::Or([alternatives, vec![other]].concat().into());
        assert_eq!(three.clone().with_common_first(), three);
        let one_is_all = Truth::Or([common.clone(), Truth::And([common.clone(), a].into())].into());
        assert_eq!(one_is_all.with_common_first(), common);
    }

    #[test]
    fn alternatives_share_what_they_begin_with() {
        let term = |square| Truth::Term(Term::Placement(Man::new(Color::White, Role::Knight), square));
        let (a, b, c, d) = (term(Square::A1), term(Square::B1), term(Square::C1), term(Square::D1));
        let both = |a: &Truth, b: &Truth| Truth::And([a.clone(), b.clone()].into());
        let parts = vec![both(&a, &b), both(&c, &d), both(&a, &c), d.clone()];
        assert_eq!(
            Truth::Or(parts.into()).factored(),
            Truth::Or(
                [
                    Truth::And([a, Truth::Or([b, c.clone()].into())].into()),
                    both(&c, &d),
                    d,
                ]
                .into()
            )
        );
    }
}
