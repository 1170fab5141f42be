//! The body of an echo taken apart: conditions on the target or the source alone, and comparisons of the two that need
//! not be evaluated pair by pair.
//!
//! This is done for the conditions at the beginning of the body that raise no errors and leave nothing behind, so that
//! the order in which they are tested makes no difference.

use language::facts::is_infallible;
use language::hir::{Arithmetic, Comparison, Filter, Kind, ManSet, Node, VariableId};
use shakmaty::Bitboard;

use crate::sequence::{is_fixed, only_comments};

/// A condition at the beginning of an echo's body.
#[derive(Clone, Debug)]
pub(crate) enum Condition<'a> {
    /// The same at a target whatever the source is.
    Target(&'a Filter),
    /// `source:F`, the same at a source whatever the target is.
    Source(&'a Filter),
    /// A sum of numbers of the target compared with one of the source.
    Sums(Sums<'a>),
    /// A set of the target that is the same as one of the source.
    SameSets(SameSets<'a>),
    /// A set or piece variable, which keeps its value, is at the target what a set is at the source.
    Keeps(VariableId, &'a Filter),
    /// How many squares have the same contents, or different ones.
    Squares(Squares),
    /// The same contents of all squares.
    SameBoard,
    /// The target has a larger id (true) or a smaller one.
    Later(bool),
    /// The target is below the source; true if it may be the source itself.
    Below(bool),
    /// Anything else.
    Other(&'a Filter),
}

/// A sum compared with 0: of numbers of the target, numbers of the source and a constant.
#[derive(Clone, Debug)]
pub(crate) struct Sums<'a> {
    /// The condition as it is written.
    pub(crate) filter: &'a Filter,
    pub(crate) comparison: Comparison,
    pub(crate) constant: i32,
    pub(crate) target: Vec<(Sign, &'a Filter)>,
    pub(crate) source: Vec<(Sign, &'a Filter)>,
}

/// A set of the target, and the set of the source that it has to be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SameSets<'a> {
    pub(crate) target: &'a Filter,
    pub(crate) source: &'a Filter,
}

/// Whether a number is added or subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

impl std::ops::Neg for Sign {
    type Output = Sign;

    fn neg(self) -> Sign {
        match self {
            Sign::Plus => Sign::Minus,
            Sign::Minus => Sign::Plus,
        }
    }
}

impl Sign {
    pub(crate) fn of(self, number: i32) -> i32 {
        match self {
            Sign::Plus => number,
            Sign::Minus => -number,
        }
    }
}

/// Numbers up to this are added without an overflow; a constant beyond it, or more numbers, are left to the evaluator.
pub(crate) const MAX_NUMBER: i32 = 1 << 24;
const MAX_NUMBERS: usize = 16;

/// The number of squares with the same contents, or with different ones, compared with a constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Squares {
    pub(crate) comparison: Comparison,
    pub(crate) constant: i32,
    pub(crate) set: SquareSet,
}

/// Squares with the same contents, or with different ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SquareSet {
    pub(crate) same: bool,
    /// Other squares are left out.
    pub(crate) among: Bitboard,
}

/// The variables of an echo.
struct Variables {
    source: VariableId,
    target: VariableId,
    /// Others that have the same values for all targets.
    kept: Vec<VariableId>,
}

/// What a body consists of: conditions in any order, then filters in this order. For a numeric body the last one of those
/// is its value. `bound` are other variables that have a value.
pub(crate) fn take_apart<'a>(
    body: &'a Filter,
    [source, target]: [VariableId; 2],
    bound: &[VariableId],
) -> (Vec<Condition<'a>>, Vec<&'a Filter>) {
    let mut all = Vec::new();
    flatten(body, body.kind == Kind::Numeric, &mut all);
    let value = if body.kind == Kind::Numeric { all.pop() } else { None };
    let is_assigned = |variable| body.any(&mut |part| part.facts().assigns == Some(variable));
    let kept = bound
        .iter()
        .copied()
        .filter(|&variable| !is_assigned(variable))
        .collect();
    let mut bound = [&[source, target], bound].concat();
    let mut harmless = |filter: &Filter| only_comments(filter) && is_infallible(filter, true, &mut bound);
    let count = all.iter().take_while(|filter| harmless(filter)).count();
    let mut rest = all.split_off(count);
    if rest.is_empty() {
        // A comparison has its value where it holds.
        all.extend(value.filter(|value| matches!(value.node, Node::CompareNumbers(..)) && harmless(value)));
    }
    rest.extend(value);
    let variables = Variables { source, target, kept };
    let conditions = all.into_iter().map(|filter| variables.condition(filter));
    (conditions.collect(), rest)
}

/// The filters of a conjunction in order.
fn flatten<'a>(filter: &'a Filter, is_value: bool, all: &mut Vec<&'a Filter>) {
    match &filter.node {
        Node::Compound(list) => {
            for (index, part) in list.iter().enumerate() {
                flatten(part, is_value && index + 1 == list.len(), all);
            }
        }
        Node::And(a, b) if !is_value => {
            flatten(a, false, all);
            flatten(b, false, all);
        }
        _ => all.push(filter),
    }
}

impl Variables {
    fn is_source(&self, filter: &Filter) -> bool {
        matches!(filter.node, Node::Variable(other) if other == self.source)
    }

    fn is_target(&self, filter: &Filter) -> bool {
        matches!(filter.node, Node::Variable(other) if other == self.target)
            || matches!(filter.node, Node::CurrentPosition)
    }

    /// Whether one is the source and the other one the target.
    fn are_both(&self, a: &Filter, b: &Filter) -> bool {
        self.is_source(a) && self.is_target(b) || self.is_target(a) && self.is_source(b)
    }

    fn condition<'a>(&self, filter: &'a Filter) -> Condition<'a> {
        match &filter.node {
            _ if is_fixed(filter) => Condition::Target(filter),
            Node::At(place, inner) if self.is_source(place) && is_fixed(inner) => Condition::Source(inner),
            Node::ComparePositions(comparison @ (Comparison::Less | Comparison::Greater), a, b)
                if self.are_both(a, b) =>
            {
                Condition::Later(self.is_source(a) == (*comparison == Comparison::Less))
            }
            Node::ComparePositions(Comparison::Ancestor, a, b)
            | Node::ComparePositions(Comparison::Descendant, b, a)
                if self.is_source(a) && self.is_target(b) =>
            {
                Condition::Below(false)
            }
            Node::ComparePositions(Comparison::AncestorOrEqual, a, b)
            | Node::ComparePositions(Comparison::DescendantOrEqual, b, a)
                if self.is_source(a) && self.is_target(b) =>
            {
                Condition::Below(true)
            }
            Node::SameSet(a, b) if self.is_same_board(a, b) || self.is_same_board(b, a) => Condition::SameBoard,
            Node::SameSet(a, b) => {
                let sets = || self.same_sets(a, b).or_else(|| self.same_sets(b, a));
                let place = self.kept_variable(a, b).or_else(|| self.kept_variable(b, a));
                place.or_else(sets).unwrap_or(Condition::Other(filter))
            }
            Node::CompareNumbers(comparison, a, b) => {
                let squares = self.squares(*comparison, a, b).map(Condition::Squares);
                let sums = || self.sums(filter, *comparison, a, b).map(Condition::Sums);
                squares.or_else(sums).unwrap_or(Condition::Other(filter))
            }
            _ => match self.square_set(filter) {
                Some(set) => Condition::Squares(Squares {
                    comparison: Comparison::Greater,
                    constant: 0,
                    set,
                }),
                None => Condition::Other(filter),
            },
        }
    }

    fn is_same_board(&self, a: &Filter, b: &Filter) -> bool {
        matches!(&a.node, Node::SameContents(a, b) if self.are_both(a, b)) && matches!(b.node, Node::AllSquares)
    }

    fn same_sets<'a>(&self, target: &'a Filter, other: &'a Filter) -> Option<Condition<'a>> {
        match &other.node {
            Node::At(place, source) if self.is_source(place) && is_fixed(source) && is_fixed(target) => {
                Some(Condition::SameSets(SameSets { target, source }))
            }
            _ => None,
        }
    }

    /// A variable on one side, and on the other what a variable is at the source.
    fn kept_variable<'a>(&self, target: &'a Filter, other: &'a Filter) -> Option<Condition<'a>> {
        let kept = |filter: &Filter| match filter.node {
            Node::Variable(variable) if self.kept.contains(&variable) => Some(variable),
            _ => None,
        };
        match &other.node {
            Node::At(place, source) if self.is_source(place) => {
                kept(source)?;
                Some(Condition::Keeps(kept(target)?, source))
            }
            _ => None,
        }
    }

    fn squares(&self, comparison: Comparison, a: &Filter, b: &Filter) -> Option<Squares> {
        let counted = |filter: &Filter| match &filter.node {
            Node::Cardinality(set) => self.square_set(set),
            _ => self.square_set(filter),
        };
        let (set, constant, comparison) = match (&a.node, &b.node) {
            (_, Node::Number(constant)) => (counted(a)?, *constant, comparison),
            (Node::Number(constant), _) => (counted(b)?, *constant, comparison.mirrored()),
            _ => return None,
        };
        Some(Squares {
            comparison,
            constant,
            set,
        })
    }

    /// The set as one of the squares with the same or different contents.
    fn square_set(&self, set: &Filter) -> Option<SquareSet> {
        match &set.node {
            Node::SameContents(a, b) if self.are_both(a, b) => Some(SquareSet {
                same: true,
                among: Bitboard::FULL,
            }),
            Node::Complement(inner) => {
                let SquareSet { same, among } = self.square_set(inner)?;
                (among == Bitboard::FULL).then_some(SquareSet { same: !same, among })
            }
            Node::Intersection(parts) => {
                let mut found: Option<SquareSet> = None;
                let mut squares = Bitboard::FULL;
                for part in parts {
                    match &part.node {
                        Node::Designator(designator) if designator.men == ManSet::ANYTHING => {
                            squares &= designator.squares;
                        }
                        _ if found.is_none() => found = Some(self.square_set(part)?),
                        _ => return None,
                    }
                }
                found.map(|set| SquareSet {
                    among: set.among & squares,
                    ..set
                })
            }
            _ => None,
        }
    }

    fn sums<'a>(&self, filter: &'a Filter, comparison: Comparison, a: &'a Filter, b: &'a Filter) -> Option<Sums<'a>> {
        let mut sums = Sums {
            filter,
            comparison,
            constant: 0,
            target: Vec::new(),
            source: Vec::new(),
        };
        let complete = self.add(a, Sign::Plus, &mut sums) && self.add(b, Sign::Minus, &mut sums);
        let few = sums.target.len() + sums.source.len() <= MAX_NUMBERS;
        (complete && few).then_some(sums)
    }

    /// Adds a number to a sum, part by part; false if a part depends on source and target together.
    fn add<'a>(&self, number: &'a Filter, sign: Sign, sums: &mut Sums<'a>) -> bool {
        match &number.node {
            Node::Number(constant) if constant.unsigned_abs() <= MAX_NUMBER.unsigned_abs() => {
                sums.constant = sums.constant.saturating_add(sign.of(*constant));
                sums.constant.unsigned_abs() <= MAX_NUMBER.unsigned_abs()
            }
            _ if is_fixed(number) => {
                sums.target.push((sign, number));
                true
            }
            Node::At(place, inner) if self.is_source(place) && is_fixed(inner) => {
                sums.source.push((sign, inner));
                true
            }
            Node::Arithmetic(Arithmetic::Add, a, b) => self.add(a, sign, sums) && self.add(b, sign, sums),
            Node::Arithmetic(Arithmetic::Subtract, a, b) => self.add(a, sign, sums) && self.add(b, -sign, sums),
            _ => false,
        }
    }
}
