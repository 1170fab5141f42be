//! Numbers that can be computed from posting lists, exactly or as bounds.

use chess::{Man, Quantity};
use language::hir::{Arithmetic, Comparison, Filter, Kind, ManSet, MoveValue, Node, Range};
use postings::Term;
use shakmaty::{Bitboard, Color};

use super::bounds::SetBounds;
use super::intervals::{MAX_CONSTANT, NumberBounds};
use super::scope::Way;
use super::{Lowering, MAX_EXPRESSIONS, is_about_headers};
use crate::expr::{Candidates, NumberExpr, SetExpr, Truth, count_of, possible_men, power_of, range_of};

impl<'q> Lowering<'q> {
    /// Bounds of the number that a filter gives, and of where it has one. For a set, this is the number of its squares.
    pub(super) fn number_bounds(&mut self, filter: &'q Filter) -> NumberBounds {
        let unknown = || NumberBounds::unknown(Candidates::UNKNOWN);
        if !self.spend(1) {
            return unknown();
        }
        if filter.kind == Kind::Set {
            return self.set_bounds(filter).count();
        }
        let always = |number| NumberBounds::exactly(number, Candidates::EVERYWHERE);
        match &filter.node {
            Node::Number(n) if n.unsigned_abs() <= MAX_CONSTANT => always(NumberExpr::Constant(*n)),
            Node::Cardinality(argument) => self.size_of(argument),
            Node::Power(argument) => {
                let set = self.set_bounds(argument);
                let power = |set: &SetExpr| power_of(set.clone());
                match set.is_exact() {
                    true => always(power(set.may())),
                    false => {
                        NumberBounds::between(Some(power(set.must())), Some(power(set.may())), Candidates::EVERYWHERE)
                    }
                }
            }
            Node::AttackPairs(from, to) => match self.attack_pairs(from, to) {
                Some(number) => always(number),
                None => NumberBounds::not_negative(Candidates::EVERYWHERE),
            },
            Node::SideToMove => {
                let white = Box::new(Truth::Term(Term::WhiteToMove));
                let constant = |n| Box::new(NumberExpr::Constant(n));
                always(NumberExpr::Choose(white, constant(1), constant(-1)))
            }
            Node::ColorValue(color) => always(NumberExpr::Constant(color.fold_wb(1, -1))),
            Node::Clock(color) => match color {
                Some(color) => self.quantity(Quantity::clock(*color)),
                None => {
                    let [white, black] = [Quantity::WhiteClock, Quantity::BlackClock].map(|clock| self.quantity(clock));
                    let white_moves = Candidates::exactly(Truth::Term(Term::WhiteToMove));
                    NumberBounds::chosen(&white_moves, white, black)
                }
            },
            Node::MoveTime => self.quantity(Quantity::MoveTime),
            Node::Evaluation(color) => {
                let number = self.quantity(Quantity::Evaluation);
                match color {
                    Color::White => number,
                    Color::Black => number.negated(),
                }
            }
            Node::File(argument) | Node::Rank(argument) => {
                let set = self.set_bounds(argument);
                coordinate(matches!(filter.node, Node::File(_)), set)
            }
            Node::Type(argument) | Node::ColorType(argument) => {
                let set = self.set_bounds(argument);
                type_number(matches!(filter.node, Node::ColorType(_)), set)
            }
            Node::Arithmetic(op, a, b) => {
                let (a, b) = (self.number_bounds(a), self.number_bounds(b));
                NumberBounds::arithmetic(*op, a, b)
            }
            Node::Orbit { range: None, variants } => NumberBounds::extremum(true, self.numbers_apart(variants)),
            Node::Extremum(largest, arguments) => NumberBounds::extremum(*largest, self.numbers_apart(arguments)),
            Node::Negate(a) => self.number_bounds(a).negated(),
            Node::CompareNumbers(comparison, a, b) => {
                let (a, b) = (self.number_bounds(a), self.number_bounds(b));
                let holds = NumberBounds::compared(*comparison, &a, &b);
                a.and(b.valid).and(holds)
            }
            Node::NoTransform(inner) | Node::Sort { argument: inner, .. } => self.number_bounds(inner),
            Node::At(place, inner) => self.apart(filter, |lowering| lowering.number_at(place, inner)),
            Node::CountMoves(None, dash) if !self.variations => {
                let made = self.apart(filter, |lowering| lowering.dash_truth(dash));
                NumberBounds::count_true(vec![made])
            }
            Node::CountMoves(Some(legality), dash) => {
                self.apart(filter, |lowering| lowering.count_possible_dash(*legality, dash))
            }
            Node::Move(m) if let (MoveValue::Count, Some(legality), false) = (m.value, m.legality, m.previous) => {
                self.apart(filter, |lowering| lowering.count_possible_move(legality, m))
            }
            Node::AfterMove { moves, all, target } => {
                self.apart(filter, |lowering| lowering.count_after_moves(moves, *all, target))
            }
            Node::CountMoves(None, dash) => {
                let made = self.apart(filter, |lowering| lowering.dash_truth(dash));
                let constant = |n: u32| Box::new(NumberExpr::Constant(n.cast_signed()));
                let most = NumberExpr::Choose(Box::new(made.truth), constant(MAX_CONSTANT), constant(0));
                NumberBounds::between(Some(NumberExpr::Constant(0)), Some(most), Candidates::EVERYWHERE)
            }
            Node::Orbit {
                range: Some(Range::Count),
                variants,
            } => {
                let variants = variants
                    .iter()
                    .map(|variant| self.apart(variant, |lowering| lowering.truth(variant)))
                    .collect();
                NumberBounds::count_true(variants)
            }
            Node::Variable(variable) => match self.scope.number(*variable) {
                Some(number) => number,
                None => NumberBounds::unknown(Candidates::EVERYWHERE),
            },
            Node::Assign(_, op, argument) if language::facts::is_plain_assignment(*op) => self.number_bounds(argument),
            Node::Compound(list) => {
                let Some((last, before)) = list.split_last() else {
                    return unknown();
                };
                self.apart(filter, |lowering| {
                    let before = lowering.all(before.iter());
                    lowering.number_bounds(last).and(before)
                })
            }
            Node::Call { arguments, body } => self.apart(filter, |lowering| {
                let before = lowering.pass_arguments(arguments);
                lowering.number_bounds(body).and(before)
            }),
            Node::If(condition, then, otherwise) => self.apart(filter, |lowering| {
                let chosen = lowering.branches(condition, then, otherwise.as_deref(), Lowering::number_bounds);
                let otherwise = chosen.otherwise.unwrap_or_else(|| {
                    // There is none (docs/language/control.md#logic-and-control).
                    NumberBounds::unknown(Candidates::exactly(Truth::Never))
                });
                NumberBounds::chosen(&chosen.condition, chosen.then, otherwise)
            }),
            Node::Abs(argument) => self.number_bounds(argument).absolute(),
            Node::Sqrt(argument) => self.number_bounds(argument).square_root(),
            Node::Length(text) => self.text_length(text),
            Node::Try => self.try_number(),
            Node::Depth if !self.variations => always(NumberExpr::Constant(0)),
            Node::Find { backward, argument, .. } => {
                let valid = self.has_number(filter);
                let way = Way::of_find(*backward);
                // Without another position that is as it says there is at most the current one.
                let others = self.apart(filter, |lowering| lowering.found_alike(way, 1..=u32::MAX, argument));
                let constant = |n: u32| Box::new(NumberExpr::Constant(n.cast_signed()));
                let most = others
                    .map(|others| NumberExpr::Choose(Box::new(others.truth), constant(MAX_CONSTANT), constant(1)));
                NumberBounds::between(Some(NumberExpr::Constant(0)), most, valid)
            }
            Node::Path(path) if path.max.is_some() => {
                let valid = self.has_number(filter);
                self.value_of_path(filter, path, valid)
            }
            // What counts is never negative.
            Node::RayCount { .. }
            | Node::PathCount
            | Node::PathCountUnfocused
            | Node::Distance(..)
            | Node::Ply
            | Node::PositionId => NumberBounds::not_negative(self.has_number(filter)),
            _ => NumberBounds::unknown(self.has_number(filter)),
        }
    }

    /// A number that the comments give.
    fn quantity(&mut self, quantity: Quantity) -> NumberBounds {
        // Numbers in planes don't wrap around at 32 bits: no plan has enough of them for that.
        let most = quantity.range().1.unsigned_abs();
        let enough = usize::try_from(i64::from(i32::MAX).unsigned_abs() / most).unwrap_or(usize::MAX);
        if !self.spend(MAX_EXPRESSIONS / enough + 1) {
            return NumberBounds::unknown(Candidates::UNKNOWN);
        }
        NumberBounds::exactly(
            NumberExpr::Quantity(quantity),
            Candidates::exactly(Truth::Given(quantity)),
        )
    }

    /// Where a filter has a number of which little is known.
    fn has_number(&mut self, filter: &'q Filter) -> Candidates {
        if is_about_headers(filter, self.regex_state) {
            return Candidates::exactly(Truth::Games(self.game_filter(filter)));
        }
        match &filter.node {
            Node::Type(argument) | Node::ColorType(argument) => self.is_single(argument),
            Node::MoveNumber | Node::Ply | Node::Depth | Node::PositionId | Node::GameNumber => Candidates::EVERYWHERE,
            _ => {
                let temporal = self.apart(filter, |lowering| lowering.temporal_truth(filter));
                temporal.unwrap_or(Candidates::UNKNOWN)
            }
        }
    }

    /// Where a set has exactly one square.
    pub(super) fn is_single(&mut self, filter: &'q Filter) -> Candidates {
        single(self.set_bounds(filter))
    }

    /// The numbers of some filters, of which each is evaluated by itself.
    fn numbers_apart(&mut self, filters: &'q [Filter]) -> Vec<NumberBounds> {
        let number = |filter| self.apart(filter, |lowering| lowering.number_bounds(filter));
        filters.iter().map(number).collect()
    }

    /// Where a comparison of two numbers may hold.
    pub(super) fn compared_bounds(&mut self, comparison: Comparison, a: &NumberBounds, b: &NumberBounds) -> Candidates {
        let valid = Candidates::both(a.valid.clone(), b.valid.clone());
        Candidates::both(valid, NumberBounds::compared(comparison, a, b))
    }
}

/// Where a set has exactly one square.
fn single(set: SetBounds) -> Candidates {
    match set {
        SetBounds::Exact(SetExpr::Constant(squares)) => Candidates::exactly(match squares.single_square() {
            Some(_) => Truth::Always,
            None => Truth::Never,
        }),
        SetBounds::Exact(set) => Candidates::exactly(match range_of(&count_of(set.clone())) {
            (1, 1) => Truth::Always,
            _ => Truth::Single(Box::new(set)),
        }),
        set => Candidates::at_most(set.not_empty().truth),
    }
}

/// The number of the type of what stands on the only square of a set; negative for black men if that is asked (reference 8).
fn type_number(is_signed: bool, set: SetBounds) -> NumberBounds {
    let valid = single(set.clone());
    let SetBounds::Exact(set) = set else {
        let least = NumberExpr::Constant(if is_signed { -6 } else { 0 });
        return NumberBounds::between(Some(least), Some(NumberExpr::Constant(6)), valid);
    };
    let men = possible_men(&set).without(ManSet::from_man(Man::EMPTY));
    let numbers = men.iter().filter_map(|man| {
        let number = i32::try_from(u32::from(man.role()?)).ok()?;
        let sign = if is_signed && man.color() == Some(Color::Black) {
            -1
        } else {
            1
        };
        let here = SetExpr::intersection(vec![
            set.clone(),
            SetExpr::Contents(ManSet::from_man(man), Bitboard::FULL),
        ]);
        let count = NumberBounds::exactly(count_of(here.simplified()), Candidates::EVERYWHERE);
        Some(NumberBounds::arithmetic(
            Arithmetic::Multiply,
            NumberBounds::constant(sign * number),
            count,
        ))
    });
    let sum = numbers.reduce(|a, b| NumberBounds::arithmetic(Arithmetic::Add, a, b));
    sum.unwrap_or(NumberBounds::constant(0)).and(valid)
}

/// The file or the rank of the only square of a set.
fn coordinate(is_file: bool, set: SetBounds) -> NumberBounds {
    let valid = single(set.clone());
    match set {
        SetBounds::Exact(SetExpr::Constant(squares)) => {
            let number = squares.first().map_or(1, |square| match is_file {
                true => i32::from(square.file()) + 1,
                false => i32::from(square.rank()) + 1,
            });
            NumberBounds::exactly(NumberExpr::Constant(number), valid)
        }
        SetBounds::Exact(set) => NumberBounds::exactly(NumberExpr::Coordinate(is_file, set), valid),
        SetBounds::Between { .. } => {
            let (least, most) = (NumberExpr::Constant(1), NumberExpr::Constant(8));
            NumberBounds::between(Some(least), Some(most), valid)
        }
    }
}
