//! What the comparison of two boards says of each square alone: which contents it may have in one of them if it has certain
//! ones in the other one.
//!
//! `source & target == _ & source:A`, asked at the target, may hold only where black men stand on the same squares in both.

use chess::Man;
use shakmaty::Bitboard;

use crate::hir::{Comparison, Filter, ManSet, Node};

/// How many contents a square can have.
const CONTENTS: usize = Man::KINDS + 1;

/// All contents, as bits.
const ALL: u16 = ManSet::ANYTHING.bits();

/// Pairs of contents that one square has in the source and in the target: by contents in the source, those in the target, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquarePairs([u16; CONTENTS]);

/// A label for each contents of a square, by its number (a man's, or the one behind them for an empty square). Two boards that
/// may be a pair have the same labels on all squares.
pub type SquareLabels = [u8; CONTENTS];

impl SquarePairs {
    /// All pairs.
    pub const ANY: SquarePairs = SquarePairs([ALL; CONTENTS]);

    fn from_fn(targets: impl Fn(usize) -> u16) -> SquarePairs {
        SquarePairs(std::array::from_fn(targets))
    }

    fn joined(self, other: SquarePairs, join: impl Fn(u16, u16) -> u16) -> SquarePairs {
        SquarePairs::from_fn(|man| ALL & join(self.0[man], other.0[man]))
    }

    fn others(self) -> SquarePairs {
        SquarePairs::from_fn(|man| ALL & !self.0[man])
    }

    /// The pairs that are in both.
    #[must_use]
    pub fn and(self, other: SquarePairs) -> SquarePairs {
        self.joined(other, |a, b| a & b)
    }

    /// Whether a condition holds for each pair, given what stands on the square in the source and what in the target.
    pub fn all(self, holds: impl Fn(Man, Man) -> bool) -> bool {
        let contents = || Man::all().chain([Man::EMPTY]);
        let pairs = contents().flat_map(|source| contents().map(move |target| (source, target)));
        let mut own = pairs.filter(|&(source, target)| self.0[source.index()] >> target.index() & 1 != 0);
        own.all(|(source, target)| holds(source, target))
    }

    /// Labels by which two boards are the same if each square has one of these pairs; `None` if labels can tell nothing. Contents
    /// with the same label have that of the first of them.
    pub fn labels(self) -> Option<SquareLabels> {
        let mut labels: SquareLabels = std::array::from_fn(|man| u8::try_from(man).unwrap_or(0));
        // Each round takes a label one step further.
        for _ in 0..CONTENTS {
            for (source, &targets) in self.0.iter().enumerate() {
                for target in (0..CONTENTS).filter(|target| targets >> target & 1 != 0) {
                    let lowest = labels[source].min(labels[target]);
                    labels[source] = lowest;
                    labels[target] = lowest;
                }
            }
        }
        labels.iter().any(|&label| label != 0).then_some(labels)
    }
}

/// Two positions, of which a filter is evaluated at the target.
#[derive(Clone, Copy)]
pub struct ComparedBoards<'a> {
    /// Whether a filter is the source.
    pub is_source: &'a dyn Fn(&Filter) -> bool,
    /// Whether a filter is the target.
    pub is_target: &'a dyn Fn(&Filter) -> bool,
}

impl std::fmt::Debug for ComparedBoards<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("ComparedBoards").finish_non_exhaustive()
    }
}

impl ComparedBoards<'_> {
    /// The pairs that each square may have where a condition holds; `None` if it says something else.
    pub fn allowed(&self, condition: &Filter) -> Option<SquarePairs> {
        match &condition.node {
            Node::SameSet(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                Some(a.joined(b, |a, b| !(a ^ b)))
            }
            Node::Subset(part, whole) => {
                let (part, whole) = (self.set(part)?, self.set(whole)?);
                Some(part.joined(whole, |part, whole| !part | whole))
            }
            Node::Not(set) => Some(self.set(set)?.others()),
            Node::CompareNumbers(Comparison::Equal, a, b) => match (&a.node, &b.node) {
                (Node::Cardinality(set), Node::Number(0)) | (Node::Number(0), Node::Cardinality(set)) => {
                    Some(self.set(set)?.others())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The pairs of which some square has one where a condition holds; `None` if it says something else.
    pub fn some(&self, condition: &Filter) -> Option<SquarePairs> {
        let has_some = |comparison, number| match comparison {
            Comparison::Greater => number >= 0,
            Comparison::GreaterEqual | Comparison::Equal => number >= 1,
            _ => false,
        };
        match &condition.node {
            Node::CompareNumbers(comparison, a, b) => match (&a.node, &b.node) {
                (Node::Cardinality(set), &Node::Number(number)) if has_some(*comparison, number) => self.set(set),
                (&Node::Number(number), Node::Cardinality(set)) if has_some(comparison.mirrored(), number) => {
                    self.set(set)
                }
                _ => None,
            },
            _ => self.set(condition),
        }
    }

    /// The pairs with which a square is in a set, if that depends on nothing else.
    fn set(&self, set: &Filter) -> Option<SquarePairs> {
        match &set.node {
            Node::AllSquares => Some(SquarePairs::ANY),
            Node::Designator(designator) if designator.squares == Bitboard::FULL => {
                Some(SquarePairs([designator.men.bits(); CONTENTS]))
            }
            Node::At(place, inner) if (self.is_source)(place) => match &inner.node {
                Node::Designator(designator) if designator.squares == Bitboard::FULL => {
                    let men = designator.men.bits();
                    Some(SquarePairs::from_fn(|man| if men >> man & 1 != 0 { ALL } else { 0 }))
                }
                _ => None,
            },
            Node::At(place, inner) if (self.is_target)(place) => match &inner.node {
                Node::Designator(_) => self.set(inner),
                _ => None,
            },
            Node::SameContents(a, b) if self.are_both(a, b) || self.are_both(b, a) => {
                Some(SquarePairs::from_fn(|man| 1 << man))
            }
            Node::Complement(inner) => Some(self.set(inner)?.others()),
            Node::Intersection(parts) => self.sets(parts, ALL, |a, b| a & b),
            Node::Union(parts) => self.sets(parts, 0, |a, b| a | b),
            _ => None,
        }
    }

    fn are_both(&self, source: &Filter, target: &Filter) -> bool {
        (self.is_source)(source) && (self.is_target)(target)
    }

    fn sets(&self, parts: &[Filter], none: u16, join: fn(u16, u16) -> u16) -> Option<SquarePairs> {
        parts.iter().try_fold(SquarePairs([none; CONTENTS]), |all, part| {
            Some(all.joined(self.set(part)?, join))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hir::VariableId;

    /// What is said of the first condition of an echo.
    fn in_echo<T>(body: &str, ask: impl Fn(ComparedBoards<'_>, &Filter) -> T) -> T {
        let query = crate::compile(
            &format!("cql() echo (s t) {{ {body} }}"),
            crate::Dialect::Cql6,
            &crate::ParseOptions::default(),
        )
        .expect("a query");
        let mut echo = &query.body;
        while let Node::Compound(list) = &echo.node {
            echo = &list[0];
        }
        let Node::Echo {
            source, target, body, ..
        } = &echo.node
        else {
            panic!("an echo")
        };
        let mut inner = &**body;
        while let Node::Compound(list) = &inner.node {
            inner = &list[0];
        }
        let is = |filter: &Filter, wanted: VariableId| matches!(filter.node, Node::Variable(other) if other == wanted);
        let boards = ComparedBoards {
            is_source: &|filter| is(filter, *source),
            is_target: &|filter| is(filter, *target),
        };
        ask(boards, inner)
    }

    /// The labels that a body of an echo gives.
    fn labels(body: &str) -> Option<SquareLabels> {
        in_echo(body, |boards, filter| boards.allowed(filter)?.labels())
    }

    #[test]
    fn what_may_not_differ_has_a_label_of_its_own() {
        // Only white men may be missing in the target.
        let found = labels("~(s & t) == _ & s:A").expect("labels");
        assert_eq!(found, [0, 0, 0, 0, 0, 0, 6, 7, 8, 9, 10, 11, 0]);
        // Kings stand where they stood.
        let found = labels("[Kk] == s:[Kk]").expect("labels");
        assert_eq!(found, [0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 5, 0]);
        assert_eq!(labels("not (A & s:a)"), None);
        assert_eq!(labels("a in s:a"), None);
        assert_eq!(labels("Ka1 == s:Ka1"), None);
        assert_eq!(labels("s & t == _ & s:A").map(|found| found[6..12].to_vec()), None);
    }

    #[test]
    fn a_set_that_is_not_empty_has_some_square() {
        let some = |condition: &str| in_echo(condition, |boards, filter| boards.some(filter));
        let differ = some("~(s & t)").expect("pairs");
        assert!(differ.all(|source, target| source != target));
        assert!(
            differ
                .and(some("s:A & _").expect("pairs"))
                .all(|source, _| ManSet::WHITE.contains(source))
        );
        assert_eq!(some("#(~(s & t)) > 0"), Some(differ));
        assert_eq!(some("2 <= #(~(s & t))"), Some(differ));
        for other in ["#(~(s & t)) >= 0", "#(~(s & t)) < 3", "s:Ka1", "check", "not A"] {
            assert_eq!(some(other), None, "{other}");
        }
    }
}
