//! Numbers that grow by one with each move: which of two positions comes first, and how many moves lie between them.

use language::hir::{Arithmetic, Comparison, Filter, Node};

/// What grows by one with each move of a main line.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Counted {
    Plies,
    Ids,
}

/// A sum of such numbers of two positions, a source and a target, and of others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlaceSum {
    /// What is counted, if the number of a position is in it.
    of: Option<Counted>,
    /// How often that of the source is in it, and that of the target.
    source: i64,
    target: i64,
    rest: i64,
}

/// The largest number that is taken into account. Larger sums could be too large for CQL's numbers, which then begin again
/// with the smallest one.
const LARGEST_REST: i64 = 1 << 20;

impl PlaceSum {
    /// The sum that a filter is; `leaf` tells of parts that are no arithmetic, and `at_source` says where the filter is evaluated.
    pub(super) fn of(
        filter: &Filter,
        at_source: bool,
        leaf: &impl Fn(&Filter, bool) -> Option<PlaceSum>,
    ) -> Option<PlaceSum> {
        let counted = |of| PlaceSum {
            of: Some(of),
            source: i64::from(at_source),
            target: i64::from(!at_source),
            rest: 0,
        };
        let sum = match &filter.node {
            Node::Ply => counted(Counted::Plies),
            Node::PositionId => counted(Counted::Ids),
            Node::Number(number) => PlaceSum::constant(*number),
            Node::Arithmetic(sign @ (Arithmetic::Add | Arithmetic::Subtract), a, b) => {
                let (a, b) = (PlaceSum::of(a, at_source, leaf)?, PlaceSum::of(b, at_source, leaf)?);
                let sign = if *sign == Arithmetic::Add { 1 } else { -1 };
                PlaceSum {
                    of: a.same_as(b)?,
                    source: a.source + sign * b.source,
                    target: a.target + sign * b.target,
                    rest: a.rest + sign * b.rest,
                }
            }
            _ => leaf(filter, at_source)?,
        };
        (sum.rest.abs() <= LARGEST_REST).then_some(sum)
    }

    /// A number that does not depend on a position.
    pub(super) fn constant(number: i32) -> PlaceSum {
        PlaceSum {
            of: None,
            source: 0,
            target: 0,
            rest: i64::from(number),
        }
    }

    /// How many moves behind the target the position is that has this number.
    pub(super) fn moves_behind_target(self) -> Option<i64> {
        matches!((self.of, self.target, self.source), (Some(Counted::Ids), 1, 0)).then_some(self.rest)
    }

    /// The same where the target has become the source.
    pub(super) fn at_source(self) -> PlaceSum {
        PlaceSum {
            source: self.source + self.target,
            target: 0,
            ..self
        }
    }

    /// Whether it is how far the target is from the source, or the source from the target.
    pub(super) fn is_difference(self) -> bool {
        matches!((self.target, self.source, self.rest), (1, -1, 0) | (-1, 1, 0))
    }

    /// What is counted in both; `None` if different things are.
    fn same_as(self, other: PlaceSum) -> Option<Option<Counted>> {
        match (self.of, other.of) {
            (Some(a), Some(b)) if a != b => None,
            (a, b) => Some(a.or(b)),
        }
    }

    /// How many moves after the source the target is at least and at most, before it for negative numbers; `None` if the
    /// comparison of two sums does not say so.
    pub(super) fn moves(self, comparison: Comparison, other: PlaceSum) -> Option<[i64; 2]> {
        self.same_as(other)?;
        let (comparison, number) = match (self.target - other.target, self.source - other.source) {
            (1, -1) => (comparison, other.rest - self.rest),
            (-1, 1) => (comparison.mirrored(), self.rest - other.rest),
            _ => return None,
        };
        match comparison {
            Comparison::Equal => Some([number, number]),
            Comparison::Less => Some([i64::MIN, number - 1]),
            Comparison::LessEqual => Some([i64::MIN, number]),
            Comparison::Greater => Some([number + 1, i64::MAX]),
            Comparison::GreaterEqual => Some([number, i64::MAX]),
            _ => None,
        }
    }
}
