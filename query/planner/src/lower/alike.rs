//! What an `echo` compares in its two positions.

use std::ops::RangeInclusive;

use language::hir::{Comparison, Filter, ManSet, Node, VariableId};
use shakmaty::{Bitboard, Color, Square};

use super::Lowering;
use super::bounds::SetBounds;
use super::places::PlaceSum;
use super::scope::Way;
use crate::expr::{Alike, NumberExpr, SameName, SameShape, SetExpr, Truth, Turns};

/// The distance of a target that can't be anywhere.
pub(super) const NOWHERE: RangeInclusive<u32> = RangeInclusive::new(1, 0);

/// Two positions of a game: the source is that of the frame, the target another one, at which a filter is evaluated.
#[derive(Debug)]
pub(super) struct Pair {
    /// The variables that are the source.
    pub(super) sources: Vec<VariableId>,
    /// The variable that is the target, if there is one.
    pub(super) target: Option<VariableId>,
    /// The variables that got their numbers and sets at the source.
    pub(super) values: Vec<VariableId>,
    /// The variables that say how far kings stand from where they stood.
    pub(super) shifts: Vec<Shift>,
}

/// A variable that says how far a king stands from where it stands at the source: further right (files) or up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shift {
    pub(super) variable: VariableId,
    pub(super) by_file: bool,
    pub(super) king: Color,
    /// Where in the query it has got its value.
    pub(super) given: usize,
}

/// A condition on both positions together. Of two expressions the first is about the target, the second about the source.
pub(super) enum InCommon {
    /// The side to move.
    Turns(Turns),
    /// How many moves lie between them.
    Distance(RangeInclusive<u32>),
    /// How many moves after the source the target is at least and at most; negative numbers are before it.
    Moves([i64; 2]),
    /// How many squares have the same contents.
    Contents(RangeInclusive<u32>),
    /// The same set.
    Sets([SetExpr; 2]),
    /// Two numbers that compare.
    Numbers(Comparison, [NumberExpr; 2]),
    /// The same names of men on certain squares.
    Names(Vec<SameName>),
    /// As far as it has no more men, the same board, shifted.
    Shape(SameShape),
}

impl InCommon {
    /// Whether [`Alike`] tells for certain where it holds.
    pub(super) fn is_exact(&self) -> bool {
        !matches!(self, InCommon::Names(_) | InCommon::Shape(_))
    }
}

impl Pair {
    pub(super) fn is_source(&self, filter: &Filter) -> bool {
        matches!(filter.node, Node::Variable(variable) if self.sources.contains(&variable))
    }

    /// Whether a filter is the target, at which the filters of an echo are evaluated.
    pub(super) fn is_target(&self, filter: &Filter) -> bool {
        match filter.node {
            Node::Variable(variable) => self.target == Some(variable),
            Node::CurrentPosition => true,
            _ => false,
        }
    }

    /// Whether a filter is made of values that were given at the source.
    fn is_value(&self, filter: &Filter) -> bool {
        match &filter.node {
            Node::Variable(variable) => self.values.contains(variable),
            Node::Arithmetic(_, a, b) => {
                let is_part = |part: &Filter| matches!(part.node, Node::Number(_)) || self.is_value(part);
                is_part(a) && is_part(b)
            }
            Node::Negate(inner) | Node::Abs(inner) => self.is_value(inner),
            _ => false,
        }
    }

    fn are(&self, a: &Filter, b: &Filter) -> bool {
        self.is_source(a) && self.is_target(b) || self.is_target(a) && self.is_source(b)
    }

    /// Whether a filter says that both are the same position of the game.
    pub(super) fn is_same_position(&self, filter: &Filter) -> bool {
        matches!(&filter.node, Node::ComparePositions(Comparison::Equal, a, b) if self.are(a, b))
    }

    fn is_same_contents(&self, filter: &Filter) -> bool {
        matches!(&filter.node, Node::SameContents(a, b) if self.are(a, b))
    }

    /// What is asked of the target and what of the source, if one side is about the source; the comparison is turned round if
    /// the source stands first.
    fn sides<'q>(
        &self,
        a: &'q Filter,
        comparison: Comparison,
        b: &'q Filter,
    ) -> Option<(&'q Filter, Comparison, &'q Filter)> {
        [(a, comparison, b), (b, comparison.mirrored(), a)]
            .into_iter()
            .find_map(|(there, comparison, here)| {
                let here = match &here.node {
                    Node::At(place, inner) if self.is_source(place) => &**inner,
                    _ if self.is_value(here) => here,
                    _ => return None,
                };
                let there = match &there.node {
                    Node::At(place, inner) if self.is_target(place) => inner,
                    _ => there,
                };
                Some((there, comparison, here))
            })
    }

    /// The squares at the target and at the source whose men are compared by their names, and whether only their types are.
    pub(super) fn names<'q>(&self, a: &'q Filter, b: &'q Filter) -> Option<(&'q Filter, &'q Filter, bool)> {
        let (there, _, here) = self.sides(a, Comparison::Equal, b)?;
        match (&there.node, &here.node) {
            (Node::PieceName(there), Node::PieceName(here)) => Some((there, here, false)),
            (Node::TypeName(there), Node::TypeName(here)) => Some((there, here, true)),
            _ => None,
        }
    }

    /// The distance or the number of common squares, compared with a number.
    fn counted(&self, a: &Filter, comparison: Comparison, b: &Filter) -> Option<InCommon> {
        let (counted, range) = [(a, comparison, b), (b, comparison.mirrored(), a)]
            .into_iter()
            .find_map(|(counted, comparison, number)| match number.node {
                Node::Number(number) => Some((counted, range_of(comparison, number)?)),
                _ => None,
            })?;
        match &counted.node {
            Node::Distance(a, b) if self.are(a, b) => Some(InCommon::Distance(range)),
            Node::Cardinality(inner) => match &inner.node {
                Node::Complement(inner) if self.is_same_contents(inner) => {
                    let most = 64u32.checked_sub(*range.start())?;
                    Some(InCommon::Contents(64u32.saturating_sub(*range.end())..=most))
                }
                _ if self.is_same_contents(inner) => Some(InCommon::Contents(range)),
                _ => None,
            },
            _ => None,
        }
    }
}

impl<'q> Lowering<'q> {
    /// What a filter asks of both positions together, and what has to hold at the target and at the source for it to have
    /// a value; `None` if it asks something else.
    pub(super) fn in_common(&mut self, pair: &Pair, filter: &'q Filter) -> Option<(InCommon, [Truth; 2])> {
        let always = |in_common| Some((in_common, [Truth::Always, Truth::Always]));
        if let Some(shape) = self.same_shape(pair, filter) {
            return always(shape);
        }
        match &filter.node {
            Node::SameSet(a, b) if pair.is_same_contents(a) && matches!(b.node, Node::AllSquares) => {
                always(InCommon::Contents(64..=64))
            }
            Node::SameSet(a, b) => {
                let (there, _, here) = pair.sides(a, Comparison::Equal, b)?;
                let there = self.elsewhere(None, |lowering| lowering.set(there))?;
                let sets = [there, self.set(here)?];
                Alike::can_compare_sets(&sets)
                    .then_some(())
                    .and_then(|()| always(InCommon::Sets(sets)))
            }
            Node::CompareNumbers(comparison, a, b) => {
                let counted = pair.counted(a, *comparison, b);
                let counted = counted.or_else(|| self.moves_between(pair, a, *comparison, b));
                if let Some(counted) = counted.or_else(|| self.moves_apart(pair, a, *comparison, b)) {
                    return always(counted);
                }
                let (there, comparison, here) = pair.sides(a, *comparison, b)?;
                if let (Node::SideToMove, Node::SideToMove, Comparison::Equal) = (&there.node, &here.node, comparison) {
                    return always(InCommon::Turns(Turns::Same));
                }
                let there = self.elsewhere(None, |lowering| lowering.number_bounds(there));
                let ((there, is_there), (here, is_here)) = there.exact().zip(self.number_bounds(here).exact())?;
                let numbers = [there, here];
                Alike::can_compare_numbers(&numbers)
                    .then_some((InCommon::Numbers(comparison, numbers), [is_there, is_here]))
            }
            Node::Not(inner) => match self.in_common(pair, inner)? {
                (InCommon::Turns(Turns::Same), _) => always(InCommon::Turns(Turns::Different)),
                _ => None,
            },
            Node::CompareStrings(Comparison::Equal, a, b) => {
                let name = self.same_name(pair, a, b)?;
                always(InCommon::Names(vec![name]))
            }
            Node::SquareLoop {
                variable,
                all: true,
                domain,
                body,
                ..
            } => {
                let Node::CompareStrings(Comparison::Equal, a, b) = &body.node else {
                    return None;
                };
                let SetBounds::Exact(SetExpr::Constant(squares)) = self.domain(domain, false) else {
                    return None;
                };
                let names = self.with_value(*variable, |lowering| {
                    let saved = lowering.scope.save();
                    let name = |square: Square| {
                        let one = SetBounds::Exact(SetExpr::Constant(square.into()));
                        lowering.scope.set(*variable, one, false);
                        let name = lowering.same_name(pair, a, b);
                        lowering.scope.restore(saved.clone());
                        name
                    };
                    squares.into_iter().map(name).collect::<Option<Vec<_>>>()
                })?;
                always(InCommon::Names(names))
            }
            _ => None,
        }
    }

    /// How many moves lie between the two positions, if numbers are compared that grow by one with each move.
    fn moves_between(&self, pair: &Pair, a: &Filter, comparison: Comparison, b: &Filter) -> Option<InCommon> {
        let sum = |filter| PlaceSum::of(filter, false, &|part, at_source| self.place_of(pair, part, at_source));
        sum(a)?.moves(comparison, sum(b)?).map(InCommon::Moves)
    }

    /// How many moves lie between them, whichever comes first, if that is compared with a number.
    fn moves_apart(&self, pair: &Pair, a: &Filter, comparison: Comparison, b: &Filter) -> Option<InCommon> {
        let (difference, range) = match (&a.node, &b.node) {
            (Node::Abs(difference), Node::Number(number)) => (difference, range_of(comparison, *number)?),
            (Node::Number(number), Node::Abs(difference)) => (difference, range_of(comparison.mirrored(), *number)?),
            _ => return None,
        };
        let leaf = |part: &Filter, at_source| self.place_of(pair, part, at_source);
        let is_difference = PlaceSum::of(difference, false, &leaf)?.is_difference();
        is_difference.then_some(InCommon::Distance(range))
    }

    fn place_of(&self, pair: &Pair, filter: &Filter, at_source: bool) -> Option<PlaceSum> {
        let leaf = |part: &Filter, at_source| self.place_of(pair, part, at_source);
        match &filter.node {
            Node::At(place, inner) if pair.is_source(place) => PlaceSum::of(inner, true, &leaf),
            Node::At(place, inner) if !at_source && pair.is_target(place) => PlaceSum::of(inner, false, &leaf),
            Node::Variable(variable) if pair.values.contains(variable) => {
                self.scope.place(*variable).map(PlaceSum::at_source)
            }
            _ => None,
        }
    }

    /// That the names of the men on two certain squares are the same.
    fn same_name(&mut self, pair: &Pair, a: &'q Filter, b: &'q Filter) -> Option<SameName> {
        let (there, here, by_type) = pair.names(a, b)?;
        let there = self.elsewhere(None, |lowering| lowering.set_bounds(there));
        let [there, here] = [there, self.set_bounds(here)].map(|square| match square {
            SetBounds::Exact(SetExpr::Constant(square)) => square.single_square(),
            _ => None,
        });
        Some(SameName {
            there: there?,
            here: here?,
            by_type,
        })
    }
}

impl Alike {
    /// The same with the shape of the board only where both boards have as many men: otherwise one is a part of the other.
    pub(super) fn with_whole_shape(mut self) -> Alike {
        let men = NumberExpr::Count(SetExpr::Contents(ManSet::WHITE | ManSet::BLACK, Bitboard::FULL));
        if !self
            .numbers
            .iter()
            .any(|numbers| numbers.iter().all(|number| *number == men))
        {
            self.shape = None;
        }
        self
    }

    /// Asks for something else that the two positions have in common.
    pub(super) fn add(&mut self, in_common: &InCommon) {
        let both = |a: &RangeInclusive<u32>, b: &RangeInclusive<u32>| *a.start().max(b.start())..=*a.end().min(b.end());
        match in_common {
            InCommon::Turns(turns) => {
                if self.turns.is_some_and(|known| known != *turns) {
                    self.distance = NOWHERE;
                }
                self.turns = Some(*turns);
            }
            InCommon::Distance(range) => self.distance = both(&self.distance, range),
            // Who asks knows in which direction the target may lie.
            InCommon::Moves(_) => {}
            InCommon::Contents(range) => self.same_contents = both(&self.same_contents, range),
            InCommon::Sets(sets) => self.sets.push(sets.clone()),
            InCommon::Numbers(Comparison::Equal, numbers) => self.numbers.push(numbers.clone()),
            InCommon::Names(names) => self.names.extend(names),
            InCommon::Shape(shape) => self.shape = Some(*shape),
            InCommon::Numbers(comparison, numbers) => self.compared.push((*comparison, numbers.clone())),
        }
    }
}

/// The numbers from 0 on that compare with another one; `None` if there are none.
fn range_of(comparison: Comparison, number: i32) -> Option<RangeInclusive<u32>> {
    let number = u32::try_from(number).ok()?;
    match comparison {
        Comparison::Equal => Some(number..=number),
        Comparison::Less => Some(0..=number.checked_sub(1)?),
        Comparison::LessEqual => Some(0..=number),
        Comparison::Greater => Some(number + 1..=u32::MAX),
        Comparison::GreaterEqual => Some(number..=u32::MAX),
        _ => None,
    }
}

/// How many moves away, one way, a position is that is at least and at most so many moves further on.
pub(super) fn distance(way: Way, [least, most]: [i64; 2]) -> RangeInclusive<u32> {
    let (least, most) = match way {
        Way::Forward => (least, most),
        Way::Backward => (most.saturating_neg(), least.saturating_neg()),
    };
    let moves = |number: i64| u32::try_from(number.max(0)).unwrap_or(u32::MAX);
    match most < 0 {
        true => NOWHERE,
        false => moves(least)..=moves(most),
    }
}
