//! Evaluates the common conditions of alternatives once: the shifts of a diagram share the squares of its men.

use std::collections::HashMap;

use crate::expr::Truth;

impl Truth {
    /// The same expression, its disjunctions grouped by the first condition of each alternative: `a b or a c` is
    /// `a (b or c)`.
    #[must_use]
    pub fn factored(self) -> Truth {
        match self {
            Truth::Or(parts) => Truth::any(group(parts).into_iter().map(Truth::factored_within)),
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
        Truth::And(mut list) => {
            shared = Some(list.remove(0));
            Some(Truth::all(list))
        }
        _ => None,
    });
    let rests = Truth::any(rests.collect::<Vec<_>>());
    Some(match rests {
        Truth::Always => shared?,
        rests => Truth::And(vec![shared?, rests]),
    })
}

#[cfg(test)]
mod tests {
    use chess::Man;
    use postings::Term;
    use shakmaty::{Color, Role, Square};

    use super::*;

    #[test]
    fn alternatives_share_what_they_begin_with() {
        let term = |square| Truth::Term(Term::Placement(Man::new(Color::White, Role::Knight), square));
        let (a, b, c, d) = (term(Square::A1), term(Square::B1), term(Square::C1), term(Square::D1));
        let both = |a: &Truth, b: &Truth| Truth::And(vec![a.clone(), b.clone()]);
        let parts = vec![both(&a, &b), both(&c, &d), both(&a, &c), d.clone()];
        assert_eq!(
            Truth::Or(parts).factored(),
            Truth::Or(vec![
                Truth::And(vec![a, Truth::Or(vec![b, c.clone()])]),
                both(&c, &d),
                d,
            ])
        );
    }
}
