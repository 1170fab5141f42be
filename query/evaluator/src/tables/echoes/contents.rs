//! What the comparison of two boards says of each square alone: which contents it may have in the target if it has certain
//! ones in the source.
//!
//! `source & target == _ & source:A` may hold only where black men stand on the same squares in both. So the targets of a
//! source are among the positions with the same black men, and these are found by a hash.

use chess::{Board, Man};
use language::hir::{Comparison, Filter, ManSet, Node, VariableId};
use shakmaty::Bitboard;

/// How many contents a square can have.
const CONTENTS: usize = Man::KINDS + 1;

/// All contents, as bits.
const ALL: u16 = ManSet::ANYTHING.bits();

/// By contents of a square in the source, the contents in the target that belong to them, as bits.
type Relation = [u16; CONTENTS];

/// A label for each contents of a square. Two boards that may be a pair have the same labels on all squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Labels([u8; CONTENTS]);

impl Labels {
    /// Each contents has a label of its own.
    pub(super) fn distinct() -> Labels {
        Labels(std::array::from_fn(|man| u8::try_from(man).unwrap_or(0)))
    }

    /// Labels by what a condition says of each square; `None` if it says nothing that labels can tell.
    pub(super) fn of(condition: &Filter, [source, target]: [VariableId; 2]) -> Option<Labels> {
        let both = Both { source, target };
        let allowed = both.allowed(condition)?;
        let labels = Labels::connected(&allowed);
        labels.0.iter().any(|&label| label != 0).then_some(labels)
    }

    /// Contents that some pair may have on a square get one label, the lowest number among them.
    fn connected(allowed: &Relation) -> Labels {
        let mut labels = Labels::distinct().0;
        // Each round takes a label one step further.
        for _ in 0..CONTENTS {
            for (source, &targets) in allowed.iter().enumerate() {
                for target in bits::ones(u64::from(targets)) {
                    let target = target as usize;
                    let lowest = labels[source].min(labels[target]);
                    labels[source] = lowest;
                    labels[target] = lowest;
                }
            }
        }
        Labels(labels)
    }

    /// Labels that are the same where both these and the others are.
    #[must_use]
    pub(super) fn and(self, other: Labels) -> Labels {
        let pair = |man: usize| (self.0[man], other.0[man]);
        Labels(std::array::from_fn(|man| {
            let first = (0..=man).find(|&earlier| pair(earlier) == pair(man));
            u8::try_from(first.unwrap_or(man)).unwrap_or(0)
        }))
    }

    /// The labels of all squares, as a number of four digits for each.
    pub(super) fn on(self, board: &Board) -> [u64; 4] {
        let mut digits = [0; 4];
        // A label of 0 has no digits.
        let labels = Man::all().chain([Man::EMPTY]).map(|man| (man, self.0[man.index()]));
        for (man, label) in labels.filter(|&(_, label)| label != 0) {
            let squares = board.of(man).0;
            for (digit, plane) in digits.iter_mut().enumerate() {
                *plane |= squares * u64::from(label >> digit & 1);
            }
        }
        digits
    }
}

/// The variables of an echo.
#[derive(Clone, Copy)]
struct Both {
    source: VariableId,
    target: VariableId,
}

impl Both {
    /// What may stand on a square, if a condition holds of each square alone.
    fn allowed(self, condition: &Filter) -> Option<Relation> {
        match &condition.node {
            Node::SameSet(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                Some(joined(&a, &b, |a, b| !(a ^ b)))
            }
            Node::Subset(part, whole) => {
                let (part, whole) = (self.set(part)?, self.set(whole)?);
                Some(joined(&part, &whole, |part, whole| !part | whole))
            }
            Node::Not(set) => Some(self.set(set)?.map(|targets| ALL & !targets)),
            Node::CompareNumbers(Comparison::Equal, a, b) => match (&a.node, &b.node) {
                (Node::Cardinality(set), Node::Number(0)) | (Node::Number(0), Node::Cardinality(set)) => {
                    Some(self.set(set)?.map(|targets| ALL & !targets))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// For which contents a square is in a set, if that depends on nothing else.
    fn set(self, set: &Filter) -> Option<Relation> {
        let is = |filter: &Filter, wanted: VariableId| matches!(filter.node, Node::Variable(other) if other == wanted);
        let is_target = |filter: &Filter| is(filter, self.target) || matches!(filter.node, Node::CurrentPosition);
        match &set.node {
            Node::AllSquares => Some([ALL; CONTENTS]),
            Node::Designator(designator) if designator.squares == Bitboard::FULL => {
                Some([designator.men.bits(); CONTENTS])
            }
            Node::At(place, inner) if is(place, self.source) => match &inner.node {
                Node::Designator(designator) if designator.squares == Bitboard::FULL => {
                    let men = designator.men.bits();
                    Some(std::array::from_fn(|man| if men >> man & 1 != 0 { ALL } else { 0 }))
                }
                _ => None,
            },
            Node::At(place, inner) if is_target(place) => match &inner.node {
                Node::Designator(_) => self.set(inner),
                _ => None,
            },
            Node::SameContents(a, b) if is(a, self.source) && is_target(b) || is_target(a) && is(b, self.source) => {
                Some(std::array::from_fn(|man| 1 << man))
            }
            Node::Complement(inner) => Some(self.set(inner)?.map(|targets| ALL & !targets)),
            Node::Intersection(parts) => self.sets(parts, ALL, |a, b| a & b),
            Node::Union(parts) => self.sets(parts, 0, |a, b| a | b),
            _ => None,
        }
    }

    fn sets(self, parts: &[Filter], none: u16, join: fn(u16, u16) -> u16) -> Option<Relation> {
        parts.iter().try_fold([none; CONTENTS], |all, part| {
            let part = self.set(part)?;
            Some(joined(&all, &part, join))
        })
    }
}

fn joined(a: &Relation, b: &Relation, join: impl Fn(u16, u16) -> u16) -> Relation {
    std::array::from_fn(|man| ALL & join(a[man], b[man]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The labels that a body of an echo gives.
    fn labels(body: &str) -> Option<Labels> {
        let query = language::compile(
            &format!("cql() echo (s t) {{ {body} }}"),
            language::Dialect::Cql6,
            &language::ParseOptions::default(),
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
        Labels::of(inner, [*source, *target])
    }

    #[test]
    fn what_may_not_differ_has_a_label_of_its_own() {
        // Only white men may be missing in the target.
        let found = labels("~(s & t) == _ & s:A").expect("labels");
        assert_eq!(found.0, [0, 0, 0, 0, 0, 0, 6, 7, 8, 9, 10, 11, 0]);
        // Kings stand where they stood.
        let found = labels("[Kk] == s:[Kk]").expect("labels");
        assert_eq!(found.0, [0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 5, 0]);
        let both = found.and(labels("P == s:P").expect("labels"));
        assert_eq!(both.0, [0, 1, 1, 1, 1, 5, 1, 1, 1, 1, 1, 5, 1]);
        assert_eq!(labels("not (A & s:a)").map(|found| found.0), None);
        assert_eq!(labels("a in s:a"), None);
        assert_eq!(labels("Ka1 == s:Ka1"), None);
        assert_eq!(labels("s & t == _ & s:A").map(|found| found.0[6..12].to_vec()), None);
    }
}
