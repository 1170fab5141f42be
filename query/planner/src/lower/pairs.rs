//! Counts of attacks and rays (CQL 1 and CQL 5): the bounds that sets of squares give for them.

use language::hir::{Comparison, Filter, Node};
use shakmaty::Role;

use super::Lowering;
use crate::expr::{Candidates, NumberExpr, SetExpr, Truth, not_empty, possible_men};

/// More than there are pairs of squares.
const MANY: i32 = 64 * 64;

impl<'q> Lowering<'q> {
    /// How many squares a set attacks, counted for each attacker, where one side is a king.
    pub(super) fn attack_pairs(&mut self, from: &'q Filter, to: &'q Filter) -> Option<NumberExpr> {
        let (from, to) = (self.set(from)?, self.set(to)?);
        let (from_king, to_king) = (is_one_king(&from), is_one_king(&to));
        let (from, to) = (Box::new(from), Box::new(to));
        // With one king there is one pair for each square of the other side.
        if to_king {
            Some(NumberExpr::Count(SetExpr::Attacks(from, to)))
        } else if from_king {
            Some(NumberExpr::Count(SetExpr::AttackedBy(to, from)))
        } else {
            None
        }
    }

    /// Where a count of attacks or rays that the index cannot compute lies within literal bounds; `None` for other
    /// comparisons.
    pub(super) fn compared_pairs(
        &mut self,
        comparison: Comparison,
        a: &'q Filter,
        b: &'q Filter,
    ) -> Option<Candidates> {
        let (counted, min, max) = bounds(comparison, a, b)?;
        let some = match &counted.node {
            Node::AttackPairs(from, to) => {
                let (from, to) = (Box::new(self.set(from)?), Box::new(self.set(to)?));
                Candidates::exactly(not_empty(SetExpr::Attacks(from, to)))
            }
            Node::RayCount { arguments, .. } => {
                let parts: Vec<Truth> = arguments.iter().map(|argument| self.truth(argument).truth).collect();
                Candidates::at_most(Truth::all(parts))
            }
            _ => return None,
        };
        Some(match (min, max) {
            (..=0, MANY..) => return None,
            (1, MANY..) => some,
            (1.., _) => Candidates::at_most(some.truth),
            (_, 0) => some.not(),
            _ => Candidates::UNKNOWN,
        })
    }
}

/// Whether a set has the square of one king, or none.
fn is_one_king(set: &SetExpr) -> bool {
    let mut men = possible_men(set).iter();
    let first = men.next().and_then(chess::Man::role);
    first == Some(Role::King) && men.next().is_none()
}

/// The filter that is compared with literal numbers, and the bounds that these set.
fn bounds<'q>(comparison: Comparison, a: &'q Filter, b: &'q Filter) -> Option<(&'q Filter, i32, i32)> {
    let clamped = |n: i32| n.clamp(-MANY, MANY);
    match (&a.node, &b.node) {
        (Node::Number(n), Node::CompareNumbers(inner, c, d)) if comparison == Comparison::LessEqual => {
            let (counted, min, max) = bounds(*inner, c, d)?;
            Some((counted, min.max(clamped(*n)), max))
        }
        (Node::Number(n), _) => {
            let n = clamped(*n);
            Some(match comparison {
                Comparison::Equal => (b, n, n),
                Comparison::Less => (b, n + 1, MANY),
                Comparison::LessEqual => (b, n, MANY),
                Comparison::Greater => (b, -MANY, n - 1),
                Comparison::GreaterEqual => (b, -MANY, n),
                _ => return None,
            })
        }
        (_, Node::Number(n)) => {
            let n = clamped(*n);
            Some(match comparison {
                Comparison::Equal => (a, n, n),
                Comparison::Less => (a, -MANY, n - 1),
                Comparison::LessEqual => (a, -MANY, n),
                Comparison::Greater => (a, n + 1, MANY),
                Comparison::GreaterEqual => (a, n, MANY),
                _ => return None,
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::plan;
    use language::{Dialect, ParseOptions, compile};

    /// The expression for a position list of CQL-S, and whether it is exact.
    fn lowered(list: &str) -> (String, bool) {
        let text = format!("; CQL-S 1.0 ()\n(position {list})");
        let query = compile(&text, Dialect::Cql1, &ParseOptions::default()).unwrap();
        let candidates = plan(&query, false).candidates;
        (candidates.truth.to_string(), candidates.exact)
    }

    #[test]
    fn pairs_with_a_king_are_squares() {
        assert_eq!(lowered(":attackcount A k 2"), ("#(A attacks k) == 2".to_owned(), true));
        assert_eq!(
            lowered(":attackcount k . 8 9"),
            ("(#(_ attackedby k) <= 9 and #(_ attackedby k) >= 8)".to_owned(), true)
        );
    }

    #[test]
    fn some_pairs_are_some_attacks() {
        assert_eq!(
            lowered(":attackcount R [qn] 1 unlimited"),
            ("(R attacks [nq]) not empty".to_owned(), true)
        );
        assert_eq!(
            lowered(":attackcount R [qn] 2 3"),
            ("(R attacks [nq]) not empty".to_owned(), false)
        );
        assert_eq!(
            lowered(":attackcount [Kk] . 0"),
            ("not ([Kk] attacks _) not empty".to_owned(), true)
        );
        assert!(!lowered(":ray (Q n) 1 2").1);
    }
}
