//! Numbers made of others: the largest, products with a constant, absolute values.

use language::hir::Filter;

use super::Lowering;
use crate::expr::{NumberExpr, Truth, max_of, range_of};

/// Less than any number that a plan computes.
const LEAST: i32 = -(1 << 24);

/// A number, and where it has a value.
type Number = (NumberExpr, Truth);

impl<'q> Lowering<'q> {
    /// The largest number of those filters that have one.
    pub(super) fn largest(&mut self, filters: &'q [Filter]) -> Option<Number> {
        self.extremum(true, filters)
    }

    /// `max(a b ...)` or `min(a b ...)`: arguments without a value are ignored (docs/language/kinds.md#arithmetic).
    pub(super) fn extremum(&mut self, largest: bool, arguments: &'q [Filter]) -> Option<Number> {
        let numbers = arguments
            .iter()
            .map(|argument| self.apart(argument, |lowering| lowering.number(argument)));
        let numbers = numbers.collect::<Option<Vec<Number>>>()?;
        let valid = Truth::any(numbers.iter().map(|(_, valid)| valid.clone()));
        if valid == Truth::Never {
            return Some((NumberExpr::Constant(0), valid));
        }
        let negated = |number| NumberExpr::Scaled(-1, Box::new(number));
        let or_least = |(number, valid): Number| {
            let number = if largest { number } else { negated(number) };
            match valid {
                Truth::Always => number,
                valid => NumberExpr::Choose(Box::new(valid), Box::new(number), Box::new(NumberExpr::Constant(LEAST))),
            }
        };
        let numbers = numbers.into_iter().filter(|(_, valid)| *valid != Truth::Never);
        let number = max_of(numbers.map(or_least));
        bounded(if largest { number } else { negated(number) }, valid)
    }

    /// `abs N`
    pub(super) fn absolute(&mut self, filter: &'q Filter) -> Option<Number> {
        let (number, valid) = self.number(filter)?;
        let negated = NumberExpr::Scaled(-1, Box::new(number.clone()));
        bounded(max_of([number, negated]), valid)
    }

    /// The product of two numbers, one of which is the same everywhere.
    pub(super) fn product(&mut self, a: &'q Filter, b: &'q Filter) -> Option<Number> {
        let ((a, a_valid), (b, b_valid)) = (self.number(a)?, self.number(b)?);
        let ((NumberExpr::Constant(by), number) | (number, NumberExpr::Constant(by))) = (a, b) else {
            return None;
        };
        bounded(NumberExpr::Scaled(by, Box::new(number)), Truth::all([a_valid, b_valid]))
    }
}

/// The number, unless it might wrap around at 32 bits.
fn bounded(number: NumberExpr, valid: Truth) -> Option<Number> {
    let (min, max) = range_of(&number);
    let limit = 1 << 28;
    (-limit <= min && max <= limit).then_some((number, valid))
}
