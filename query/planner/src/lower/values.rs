//! Numbers that can be computed from posting lists, exactly or as bounds.

use language::hir::{Arithmetic, Comparison, Filter, Kind, Node, Range};
use postings::Term;

use super::bounds::{NumberBounds, SetBounds};
use super::{Lowering, is_about_headers};
use crate::expr::{Candidates, NumberExpr, SetExpr, Truth, compare};

/// Numbers in planes don't wrap around at 32 bits. With constants up to this no plan is long enough to reach that.
const MAX_CONSTANT: u32 = 1 << 16;

impl<'q> Lowering<'q> {
    /// The number that a filter gives and where it has one, if both can be computed exactly. For a set, this is the
    /// number of its squares.
    pub(super) fn number(&mut self, filter: &'q Filter) -> Option<(NumberExpr, Truth)> {
        self.number_bounds(filter).exact()
    }

    /// Bounds of the number that a filter gives, and of where it has one.
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
            Node::Cardinality(argument) => self.set_bounds(argument).count(),
            Node::Power(argument) => {
                let set = self.set_bounds(argument);
                let power = |set: &SetExpr| NumberExpr::Power(set.clone());
                match set.is_exact() {
                    true => always(power(set.may())),
                    false => {
                        NumberBounds::between(Some(power(set.must())), Some(power(set.may())), Candidates::EVERYWHERE)
                    }
                }
            }
            Node::AttackPairs(from, to) => match self.attack_pairs(from, to) {
                Some(number) => always(number),
                None => not_negative(Candidates::EVERYWHERE),
            },
            Node::SideToMove => {
                let white = Box::new(Truth::Term(Term::WhiteToMove));
                let constant = |n| Box::new(NumberExpr::Constant(n));
                always(NumberExpr::Choose(white, constant(1), constant(-1)))
            }
            Node::ColorValue(color) => always(NumberExpr::Constant(color.fold_wb(1, -1))),
            Node::File(argument) | Node::Rank(argument) => {
                let is_file = matches!(filter.node, Node::File(_));
                let within = |valid| {
                    let (least, most) = (NumberExpr::Constant(1), NumberExpr::Constant(8));
                    NumberBounds::between(Some(least), Some(most), valid)
                };
                let set = self.set_bounds(argument);
                match set.exact() {
                    Some(SetExpr::Constant(squares)) => match squares.single_square() {
                        Some(square) if is_file => always(NumberExpr::Constant(i32::from(square.file()) + 1)),
                        Some(square) => always(NumberExpr::Constant(i32::from(square.rank()) + 1)),
                        None => within(Candidates::exactly(Truth::Never)),
                    },
                    Some(set) => {
                        let single = Candidates::exactly(Truth::Single(Box::new(set.clone())));
                        NumberBounds::exactly(NumberExpr::Coordinate(is_file, set), single)
                    }
                    None => within(self.is_single(argument)),
                }
            }
            Node::Arithmetic(op, a, b) => {
                let product = match op {
                    Arithmetic::Multiply => self.product(a, b),
                    _ => None,
                };
                if let Some((number, valid)) = product {
                    return NumberBounds::exactly(number, Candidates::exactly(valid));
                }
                let (a, b) = (self.number_bounds(a), self.number_bounds(b));
                arithmetic(*op, a, b)
            }
            Node::Orbit { range: None, variants } => match self.largest(variants) {
                Some((number, valid)) => NumberBounds::exactly(number, Candidates::exactly(valid)),
                None => {
                    let variants = variants.iter().map(|variant| self.number_bounds(variant).valid);
                    NumberBounds::unknown(Candidates::any(variants.collect::<Vec<_>>()))
                }
            },
            Node::Extremum(largest, arguments) => match self.extremum(*largest, arguments) {
                Some((number, valid)) => NumberBounds::exactly(number, Candidates::exactly(valid)),
                None => unknown(),
            },
            Node::Negate(a) => {
                let zero = always(NumberExpr::Constant(0));
                arithmetic(Arithmetic::Subtract, zero, self.number_bounds(a))
            }
            Node::CompareNumbers(comparison, a, b) => {
                let (a, b) = (self.number_bounds(a), self.number_bounds(b));
                let holds = compared(*comparison, &a, &b);
                a.and(b.valid).and(holds)
            }
            Node::NoTransform(inner) | Node::Sort { argument: inner, .. } => self.number_bounds(inner),
            Node::At(place, inner) => self.apart(filter, |lowering| lowering.number_at(place, inner)),
            Node::CountMoves(None, dash) if !self.variations => {
                let made = self.apart(filter, |lowering| lowering.dash_truth(dash));
                count_true(vec![made])
            }
            Node::CountMoves(legality, dash) => {
                let made = self.apart(filter, |lowering| match legality {
                    Some(_) => lowering.possible_move(dash.left.as_ref()),
                    None => lowering.dash_truth(dash),
                });
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
                count_true(variants)
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
                let saved = lowering.scope.save();
                let holds = lowering.truth(condition);
                let then = lowering.number_bounds(then);
                lowering.scope.restore(saved);
                lowering.forget_assigned(condition);
                let otherwise = match otherwise {
                    Some(otherwise) => lowering.number_bounds(otherwise),
                    None => NumberBounds::unknown(Candidates::exactly(Truth::Never)),
                };
                chosen(&holds, &then, &otherwise)
            }),
            Node::Abs(argument) => match self.absolute(argument) {
                Some((number, valid)) => NumberBounds::exactly(number, Candidates::exactly(valid)),
                None => NumberBounds::unknown(self.number_bounds(argument).valid),
            },
            // What counts is never negative.
            Node::Length(_)
            | Node::RayCount { .. }
            | Node::PathCount
            | Node::PathCountUnfocused
            | Node::Distance(..)
            | Node::Type(_)
            | Node::Sqrt(_)
            | Node::Ply
            | Node::PositionId
            | Node::Find { .. } => not_negative(self.has_number(filter)),
            _ => NumberBounds::unknown(self.has_number(filter)),
        }
    }

    /// Where a filter has a number of which little is known.
    fn has_number(&mut self, filter: &'q Filter) -> Candidates {
        if is_about_headers(filter, self.regex_state) {
            return Candidates::exactly(Truth::Games(self.game_filter(filter)));
        }
        match &filter.node {
            Node::Type(argument) | Node::ColorType(argument) => self.is_single(argument),
            Node::Sqrt(argument) => Candidates::at_most(self.number_bounds(argument).valid.truth),
            Node::MoveNumber | Node::Ply | Node::Depth | Node::PositionId | Node::GameNumber => Candidates::EVERYWHERE,
            _ => {
                let temporal = self.apart(filter, |lowering| lowering.temporal_truth(filter));
                temporal.unwrap_or(Candidates::UNKNOWN)
            }
        }
    }

    /// Where a set has exactly one square.
    fn is_single(&mut self, filter: &'q Filter) -> Candidates {
        match self.set_bounds(filter) {
            SetBounds::Exact(set) => Candidates::exactly(Truth::Single(Box::new(set))),
            set => Candidates::at_most(set.not_empty().truth),
        }
    }

    /// Where a comparison of two numbers may hold.
    pub(super) fn compared_bounds(&mut self, comparison: Comparison, a: &NumberBounds, b: &NumberBounds) -> Candidates {
        let valid = Candidates::both(a.valid.clone(), b.valid.clone());
        Candidates::both(valid, compared(comparison, a, b))
    }
}

/// Some number that is not negative, where there is one.
fn not_negative(valid: Candidates) -> NumberBounds {
    NumberBounds::between(Some(NumberExpr::Constant(0)), None, valid)
}

/// How many conditions hold.
fn count_true(conditions: Vec<Candidates>) -> NumberBounds {
    let is_exact = conditions.iter().all(|condition| condition.exact);
    let certain = conditions.iter().map(Candidates::certain).collect();
    let may = NumberExpr::CountTrue(conditions.into_iter().map(|condition| condition.truth).collect());
    match is_exact {
        true => NumberBounds::exactly(may, Candidates::EVERYWHERE),
        false => NumberBounds::between(Some(NumberExpr::CountTrue(certain)), Some(may), Candidates::EVERYWHERE),
    }
}

/// One number or the other.
fn chosen(holds: &Candidates, then: &NumberBounds, otherwise: &NumberBounds) -> NumberBounds {
    let fails = holds.clone().not();
    let valid = Candidates::either(
        Candidates::both(holds.clone(), then.valid.clone()),
        Candidates::both(fails, otherwise.valid.clone()),
    );
    let choose = |a: Option<&NumberExpr>, b: Option<&NumberExpr>| {
        let (a, b) = a.zip(b)?;
        match holds.exact {
            true => Some(NumberExpr::Choose(
                Box::new(holds.truth.clone()),
                Box::new(a.clone()),
                Box::new(b.clone()),
            )),
            false => None,
        }
    };
    match choose(then.value(), otherwise.value()) {
        Some(number) => NumberBounds::exactly(number, valid),
        None => NumberBounds::between(
            choose(then.least(), otherwise.least()),
            choose(then.most(), otherwise.most()),
            valid,
        ),
    }
}

/// A sum or a difference; nothing is known of products but of constants.
pub(super) fn arithmetic(op: Arithmetic, a: NumberBounds, b: NumberBounds) -> NumberBounds {
    let valid = Candidates::both(a.valid.clone(), b.valid.clone());
    if let (Some(NumberExpr::Constant(x)), Some(NumberExpr::Constant(y))) = (a.value(), b.value()) {
        let number = match op {
            Arithmetic::Add => x.checked_add(*y),
            Arithmetic::Subtract => x.checked_sub(*y),
            Arithmetic::Multiply => x.checked_mul(*y),
            Arithmetic::Divide => x.checked_div(*y),
            Arithmetic::Remainder => x.checked_rem(*y),
        };
        return match number {
            Some(n) if n.unsigned_abs() <= MAX_CONSTANT => NumberBounds::exactly(NumberExpr::Constant(n), valid),
            _ => NumberBounds::unknown(Candidates::at_most(valid.truth)),
        };
    }
    let sum = |a: Option<&NumberExpr>, b: Option<&NumberExpr>| {
        let (a, b) = a.zip(b)?;
        Some(NumberExpr::Sum(Box::new(a.clone()), Box::new(b.clone())))
    };
    let difference = |a: Option<&NumberExpr>, b: Option<&NumberExpr>| {
        let (a, b) = a.zip(b)?;
        Some(NumberExpr::Difference(Box::new(a.clone()), Box::new(b.clone())))
    };
    let (value, least, most) = match op {
        Arithmetic::Add => (
            sum(a.value(), b.value()),
            sum(a.least(), b.least()),
            sum(a.most(), b.most()),
        ),
        Arithmetic::Subtract => (
            difference(a.value(), b.value()),
            difference(a.least(), b.most()),
            difference(a.most(), b.least()),
        ),
        // Without a value where it would be divided by zero.
        _ => return NumberBounds::unknown(Candidates::at_most(valid.truth)),
    };
    match value {
        Some(number) => NumberBounds::exactly(number, valid),
        None => NumberBounds::between(least, most, valid),
    }
}

/// Where a comparison may hold, apart from where the numbers are missing.
fn compared(comparison: Comparison, a: &NumberBounds, b: &NumberBounds) -> Candidates {
    if let (Some(a), Some(b)) = (a.value(), b.value()) {
        return Candidates::exactly(compare(comparison, a.clone(), b.clone()));
    }
    let holds = |comparison: Comparison, a: Option<&NumberExpr>, b: Option<&NumberExpr>| {
        let (a, b) = a.zip(b)?;
        Some(compare(comparison, a.clone(), b.clone()))
    };
    let (may, certain) = match comparison {
        Comparison::Less | Comparison::LessEqual => (
            holds(comparison, a.least(), b.most()),
            holds(comparison, a.most(), b.least()),
        ),
        Comparison::Greater | Comparison::GreaterEqual => (
            holds(comparison, a.most(), b.least()),
            holds(comparison, a.least(), b.most()),
        ),
        Comparison::Equal => {
            let parts = [
                holds(Comparison::LessEqual, a.least(), b.most()),
                holds(Comparison::GreaterEqual, a.most(), b.least()),
            ];
            (Some(Truth::all(parts.into_iter().flatten())), None)
        }
        _ => (None, None),
    };
    Candidates::between(may.unwrap_or(Truth::Always), certain.unwrap_or(Truth::Never))
}
