//! What is known of a number: the number, or two others that it lies between, and where there is one.

use language::hir::{Arithmetic, Comparison};

use super::sums::{extended, is_within_limit, product, scaled, steps, sum, table};
use crate::expr::{Candidates, Expr, NumberExpr, Truth, compare, max_of, range_of};

/// Numbers in planes don't wrap around at 32 bits. With constants up to this no plan is long enough to reach that.
pub(super) const MAX_CONSTANT: u32 = 1 << 16;

/// Stands for a number that there is not among those of which the largest is looked for. They are above it.
const LEAST: i32 = -(1 << 24);

/// Bounds of a number, and where there is one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NumberBounds {
    interval: Interval,
    /// Where nothing is known of the number: the interval holds everywhere else.
    open: Truth,
    /// Where the filter has a number.
    pub(super) valid: Candidates,
}

/// A number that is known, or two that it lies between, as far as they are known.
#[derive(Clone, Debug, PartialEq)]
enum Interval {
    Exact(NumberExpr),
    Between {
        least: Option<NumberExpr>,
        most: Option<NumberExpr>,
    },
}

impl Interval {
    const UNKNOWN: Interval = Interval::Between {
        least: None,
        most: None,
    };

    fn least(&self) -> Option<&NumberExpr> {
        match self {
            Interval::Exact(number) => Some(number),
            Interval::Between { least, .. } => least.as_ref(),
        }
    }

    fn most(&self) -> Option<&NumberExpr> {
        match self {
            Interval::Exact(number) => Some(number),
            Interval::Between { most, .. } => most.as_ref(),
        }
    }

    /// The result of an operation on the least numbers and on the largest.
    fn map(self, mut operation: impl FnMut(NumberExpr) -> NumberExpr) -> Interval {
        match self {
            Interval::Exact(number) => Interval::Exact(operation(number)),
            Interval::Between { least, most } => Interval::Between {
                least: least.map(&mut operation),
                most: most.map(operation),
            },
        }
    }

    /// The least number and the largest in each other's place, for an operation that turns them around.
    fn turned(self) -> Interval {
        match self {
            Interval::Between { least, most } => Interval::Between {
                least: most,
                most: least,
            },
            exact @ Interval::Exact(_) => exact,
        }
    }

    /// Both sums.
    fn plus(self, other: Interval) -> Interval {
        within_limit(match (self, other) {
            (Interval::Exact(a), Interval::Exact(b)) => Interval::Exact(sum(a, b)),
            (a, b) => Interval::Between {
                least: a.least().cloned().zip(b.least().cloned()).map(|(a, b)| sum(a, b)),
                most: a.most().cloned().zip(b.most().cloned()).map(|(a, b)| sum(a, b)),
            },
        })
    }

    fn negated(self) -> Interval {
        self.turned().map(|number| scaled(-1, number))
    }
}

impl NumberBounds {
    fn new(interval: Interval, valid: Candidates) -> NumberBounds {
        NumberBounds {
            interval,
            open: Truth::Never,
            valid,
        }
    }

    pub(super) fn exactly(number: NumberExpr, valid: Candidates) -> NumberBounds {
        NumberBounds::new(Interval::Exact(number), valid)
    }

    /// The same number everywhere.
    pub(super) fn constant(number: i32) -> NumberBounds {
        NumberBounds::exactly(NumberExpr::Constant(number), Candidates::EVERYWHERE)
    }

    /// Any number, where there is one.
    pub(super) fn unknown(valid: Candidates) -> NumberBounds {
        NumberBounds::between(None, None, valid)
    }

    /// Some number that is not negative, where there is one.
    pub(super) fn not_negative(valid: Candidates) -> NumberBounds {
        NumberBounds::between(Some(NumberExpr::Constant(0)), None, valid)
    }

    pub(super) fn between(least: Option<NumberExpr>, most: Option<NumberExpr>, valid: Candidates) -> NumberBounds {
        NumberBounds::new(Interval::Between { least, most }, valid)
    }

    /// How many conditions hold.
    pub(super) fn count_true(conditions: Vec<Candidates>) -> NumberBounds {
        let is_exact = conditions.iter().all(|condition| condition.exact);
        let certain = conditions.iter().map(Candidates::certain).collect();
        let may = NumberExpr::CountTrue(conditions.into_iter().map(|condition| condition.truth).collect());
        match is_exact {
            true => NumberBounds::exactly(may, Candidates::EVERYWHERE),
            false => NumberBounds::between(Some(NumberExpr::CountTrue(certain)), Some(may), Candidates::EVERYWHERE),
        }
    }

    /// The number and where there is one, if both are known.
    pub(super) fn exact(self) -> Option<(NumberExpr, Truth)> {
        match self.interval {
            Interval::Exact(number) if self.valid.exact && self.open == Truth::Never => {
                Some((number, self.valid.truth))
            }
            _ => None,
        }
    }

    /// The number, if it is known where there is one.
    pub(super) fn value(&self) -> Option<&NumberExpr> {
        match &self.interval {
            Interval::Exact(number) if self.open == Truth::Never => Some(number),
            _ => None,
        }
    }

    /// The number, if it is the same everywhere.
    pub(super) fn constant_value(&self) -> Option<i32> {
        match self.value()? {
            NumberExpr::Constant(number) if self.valid == Candidates::EVERYWHERE => Some(*number),
            _ => None,
        }
    }

    /// The least and the largest number that it can be anywhere.
    pub(super) fn range(&self) -> Option<(i64, i64)> {
        let (least, most) = (self.interval.least()?, self.interval.most()?);
        (self.open == Truth::Never).then(|| (range_of(least).0, range_of(most).1))
    }

    /// Whether one of its bounds has more expressions than a limit.
    pub(super) fn is_larger_than(&self, limit: usize) -> bool {
        let numbers = [self.interval.least(), self.interval.most()].into_iter().flatten();
        let valid = [&self.open, &self.valid.truth].map(Expr::Truth);
        let mut all = numbers.map(Expr::Number).chain(valid);
        all.any(|expr| expr.is_larger_than(limit))
    }

    /// The same number where a condition holds, too.
    pub(super) fn and(self, condition: Candidates) -> NumberBounds {
        NumberBounds {
            valid: Candidates::both(condition, self.valid),
            ..self
        }
    }

    /// The same, but any number where a condition holds.
    pub(super) fn except(self, open: Truth) -> NumberBounds {
        NumberBounds {
            open: Truth::any([self.open, open]),
            ..self
        }
    }

    /// The number with so much more for each of some conditions that holds.
    pub(super) fn grown(self, by: i32, conditions: Vec<Candidates>) -> NumberBounds {
        self.grown_times(by, NumberBounds::count_true(conditions))
    }

    /// The same number after something was added to it so many times.
    pub(super) fn grown_times(self, by: i32, times: NumberBounds) -> NumberBounds {
        let times = match by {
            ..0 => times.interval.turned(),
            0.. => times.interval,
        };
        NumberBounds {
            interval: self.interval.plus(times.map(|times| scaled(by, times))),
            ..self
        }
    }

    /// What is known of it in another position of the game: the range of its values.
    pub(super) fn elsewhere(&self) -> NumberBounds {
        if self.open != Truth::Never {
            return NumberBounds::unknown(Candidates::EVERYWHERE);
        }
        let limit = i64::from(MAX_CONSTANT);
        let constant = |n: i64| {
            i32::try_from(n)
                .ok()
                .filter(|_| n.abs() <= limit)
                .map(NumberExpr::Constant)
        };
        let least = self.interval.least().and_then(|least| constant(range_of(least).0));
        let most = self.interval.most().and_then(|most| constant(range_of(most).1));
        match (&least, &most) {
            (Some(NumberExpr::Constant(a)), Some(NumberExpr::Constant(b))) if a == b => NumberBounds::constant(*a),
            _ => NumberBounds::between(least, most, Candidates::EVERYWHERE),
        }
    }

    /// The number `ids` later, where a condition says that there is such a position; `None` if that is too far.
    pub(super) fn after(self, ids: i32, there: Truth) -> Option<NumberBounds> {
        let numbers = [self.interval.least(), self.interval.most()];
        let reach = numbers.into_iter().flatten().map(NumberExpr::reach).max().unwrap_or(0);
        if reach.max(self.open.reach()).max(self.valid.reach()) >= Truth::REACH {
            return None;
        }
        Some(NumberBounds {
            interval: self.interval.map(|number| match number {
                NumberExpr::Constant(_) => number,
                number => NumberExpr::After(ids, Box::new(number)),
            }),
            open: self.open.after(ids),
            valid: self.valid.after(ids, &there),
        })
    }

    /// The negated number.
    pub(super) fn negated(self) -> NumberBounds {
        NumberBounds {
            interval: self.interval.negated(),
            ..self
        }
    }

    /// Its distance from 0.
    pub(super) fn absolute(self) -> NumberBounds {
        match self.interval {
            Interval::Exact(number) => {
                let both = max_of([number.clone(), scaled(-1, number)]);
                NumberBounds {
                    interval: bounded(both),
                    ..self
                }
            }
            Interval::Between { .. } => NumberBounds::not_negative(self.valid),
        }
    }

    /// The largest or smallest of those numbers that there are (docs/language/kinds.md#arithmetic).
    pub(super) fn extremum(largest: bool, numbers: Vec<NumberBounds>) -> NumberBounds {
        let valid = Candidates::any(numbers.iter().map(|number| number.valid.clone()).collect::<Vec<_>>());
        let exact: Option<Vec<(NumberExpr, Truth)>> = numbers.into_iter().map(NumberBounds::exact).collect();
        let Some(mut exact) = exact else {
            return NumberBounds::unknown(valid);
        };
        exact.retain(|(_, valid)| *valid != Truth::Never);
        let is_small = |number: &NumberExpr| {
            let (min, max) = range_of(number);
            min.abs().max(max.abs()) < i64::from(LEAST).abs()
        };
        if !exact.iter().all(|(number, _)| is_small(number)) {
            return NumberBounds::unknown(valid);
        }
        if exact.is_empty() {
            return NumberBounds::exactly(NumberExpr::Constant(0), valid);
        }
        let turned = |number| if largest { number } else { scaled(-1, number) };
        let number = max_of(exact.into_iter().map(|(number, valid)| match valid {
            Truth::Always => turned(number),
            valid => NumberExpr::Choose(
                Box::new(valid),
                Box::new(turned(number)),
                Box::new(NumberExpr::Constant(LEAST)),
            ),
        }));
        NumberBounds::new(bounded(turned(number)), valid)
    }

    /// A number that is no larger than the largest of some others, where there is one.
    pub(super) fn at_most_largest(numbers: Vec<NumberBounds>, valid: Candidates) -> NumberBounds {
        let open = Truth::any(numbers.iter().map(|number| number.open.clone()).collect::<Vec<_>>());
        let most = numbers.into_iter().map(|number| {
            let most = number.interval.most()?.clone();
            let least = i32::try_from(range_of(&most).0).ok()?;
            Some(match number.valid.truth {
                Truth::Always => most,
                valid => NumberExpr::Choose(Box::new(valid), Box::new(most), Box::new(NumberExpr::Constant(least))),
            })
        });
        let most: Option<Vec<NumberExpr>> = most.collect();
        let interval = Interval::Between {
            least: None,
            most: most.filter(|most| !most.is_empty()).map(max_of),
        };
        NumberBounds {
            open,
            ..NumberBounds::new(within_limit(interval), valid)
        }
    }

    /// One number where a condition holds, the other elsewhere.
    pub(super) fn chosen(holds: &Candidates, then: NumberBounds, otherwise: NumberBounds) -> NumberBounds {
        let fails = holds.clone().not();
        let both =
            |condition: &Candidates, number: &NumberBounds| Candidates::both(condition.clone(), number.valid.clone());
        let valid = match (&then.valid, &otherwise.valid) {
            (a, b) if *a == Candidates::EVERYWHERE && *b == Candidates::EVERYWHERE => Candidates::EVERYWHERE,
            _ => Candidates::either(both(holds, &then), both(&fails, &otherwise)),
        };
        let open = Truth::any([
            Truth::all([holds.truth.clone(), then.open]),
            Truth::all([fails.truth, otherwise.open]),
        ]);
        let interval = chosen(holds, then.interval, otherwise.interval);
        NumberBounds { interval, open, valid }
    }

    /// The largest of two numbers, if both are known everywhere.
    pub(super) fn larger(self, other: NumberBounds) -> Option<NumberBounds> {
        let both = [self, other].map(NumberBounds::exact);
        let [Some((a, Truth::Always)), Some((b, Truth::Always))] = both else {
            return None;
        };
        Some(NumberBounds::exactly(max_of([a, b]), Candidates::EVERYWHERE))
    }

    /// The negative of a number.
    pub(super) fn negative(self) -> NumberBounds {
        NumberBounds {
            interval: self.interval.negated(),
            ..self
        }
    }

    /// A sum or a difference, or a product with a constant.
    pub(super) fn arithmetic(op: Arithmetic, a: NumberBounds, b: NumberBounds) -> NumberBounds {
        let valid = Candidates::both(a.valid, b.valid);
        let open = Truth::any([a.open, b.open]);
        let interval = match (op, a.interval, b.interval) {
            (_, Interval::Exact(NumberExpr::Constant(x)), Interval::Exact(NumberExpr::Constant(y))) => {
                let number = match op {
                    Arithmetic::Add => x.checked_add(y),
                    Arithmetic::Subtract => x.checked_sub(y),
                    Arithmetic::Multiply => x.checked_mul(y),
                    Arithmetic::Divide => x.checked_div(y),
                    Arithmetic::Remainder => x.checked_rem(y),
                };
                match number {
                    Some(n) if n.unsigned_abs() <= MAX_CONSTANT => Interval::Exact(NumberExpr::Constant(n)),
                    _ => return NumberBounds::unknown(Candidates::at_most(valid.truth)),
                }
            }
            (Arithmetic::Add, a, b) => a.plus(b),
            (Arithmetic::Subtract, Interval::Exact(a), Interval::Exact(b)) => {
                bounded(NumberExpr::Difference(Box::new(a), Box::new(b)))
            }
            (Arithmetic::Subtract, a, b) => {
                let difference = |(a, b): (&NumberExpr, &NumberExpr)| {
                    NumberExpr::Difference(Box::new(a.clone()), Box::new(b.clone()))
                };
                within_limit(Interval::Between {
                    least: a.least().zip(b.most()).map(difference),
                    most: a.most().zip(b.least()).map(difference),
                })
            }
            (Arithmetic::Multiply, Interval::Exact(NumberExpr::Constant(by)), other)
            | (Arithmetic::Multiply, other, Interval::Exact(NumberExpr::Constant(by))) => {
                let other = if by < 0 { other.turned() } else { other };
                within_limit(other.map(|number| scaled(by, number)))
            }
            (Arithmetic::Multiply, Interval::Exact(a), Interval::Exact(b)) => match product(&a, &b) {
                Some(product) => within_limit(Interval::Exact(product)),
                None => Interval::UNKNOWN,
            },
            (Arithmetic::Multiply, ..) => Interval::UNKNOWN,
            (
                Arithmetic::Divide | Arithmetic::Remainder,
                Interval::Exact(a),
                Interval::Exact(NumberExpr::Constant(by)),
            ) if by != 0 => {
                let by = i64::from(by);
                let quotient = |n: i64| match op {
                    Arithmetic::Divide => n / by,
                    _ => n % by,
                };
                table(a, quotient).map_or(Interval::UNKNOWN, Interval::Exact)
            }
            // Without a value where it would be divided by zero.
            (Arithmetic::Divide | Arithmetic::Remainder, ..) => {
                return NumberBounds::unknown(Candidates::at_most(valid.truth));
            }
        };
        NumberBounds { interval, open, valid }
    }

    /// The square root, rounded down; there is none of a negative number.
    pub(super) fn square_root(self) -> NumberBounds {
        let NumberBounds { interval, open, valid } = self;
        let number = match interval {
            Interval::Exact(number) if range_of(&number).0 >= 0 => table(number, i64::isqrt),
            _ => None,
        };
        match number {
            Some(number) => NumberBounds {
                interval: Interval::Exact(number),
                open,
                valid,
            },
            None => NumberBounds::not_negative(Candidates::at_most(valid.truth)),
        }
    }

    /// Where a comparison may hold, apart from where the numbers are missing.
    pub(super) fn compared(comparison: Comparison, a: &NumberBounds, b: &NumberBounds) -> Candidates {
        let holds = compared(comparison, &a.interval, &b.interval);
        let open = Truth::any([a.open.clone(), b.open.clone()]);
        match open {
            Truth::Never => holds,
            open => Candidates::between(
                Truth::any([open.clone(), holds.truth.clone()]),
                Truth::all([open.not(), holds.certain()]),
            ),
        }
    }
}

fn compared(comparison: Comparison, a: &Interval, b: &Interval) -> Candidates {
    if let (Interval::Exact(a), Interval::Exact(b)) = (a, b) {
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
            let same = holds(Comparison::LessEqual, a.most(), b.least())
                .zip(holds(Comparison::GreaterEqual, a.least(), b.most()))
                .map(|(at_most, at_least)| Truth::all([at_most, at_least]));
            (Some(Truth::all(parts.into_iter().flatten())), same)
        }
        _ => (None, None),
    };
    Candidates::between(may.unwrap_or(Truth::Always), certain.unwrap_or(Truth::Never))
}

/// One interval where a condition holds, the other elsewhere.
fn chosen(holds: &Candidates, then: Interval, otherwise: Interval) -> Interval {
    let choose = |truth: Truth, a: NumberExpr, b: NumberExpr| match truth {
        Truth::Always => a,
        Truth::Never => b,
        _ if a == b => a,
        truth if let Some(number) = extended(&truth, &a, &b) => number,
        truth => {
            // Where it does not hold, it need not be asked again.
            let b = match b {
                NumberExpr::Choose(same, _, other) if *same == truth => *other,
                b => b,
            };
            NumberExpr::Choose(Box::new(truth), Box::new(a), Box::new(b))
        }
    };
    match (then, otherwise) {
        (Interval::Exact(a), Interval::Exact(b)) if a == b => Interval::Exact(a),
        (Interval::Exact(a), Interval::Exact(b)) if holds.exact => Interval::Exact(match steps(&a, &b) {
            Some(by) => sum(b, scaled(by, NumberExpr::CountTrue(vec![holds.truth.clone()]))),
            None => choose(holds.truth.clone(), a, b),
        }),
        (then, otherwise) => {
            // What the number can't be where the condition certainly fails, and what it can't be elsewhere.
            let either = |a: Option<&NumberExpr>, b: Option<&NumberExpr>, is_most: bool| {
                let (a, b) = a.zip(b)?;
                if let Some(by) = steps(a, b) {
                    let truth = if (by > 0) == is_most {
                        holds.truth.clone()
                    } else {
                        holds.certain()
                    };
                    return Some(sum(b.clone(), scaled(by, NumberExpr::CountTrue(vec![truth]))));
                }
                if holds.exact {
                    return Some(choose(holds.truth.clone(), a.clone(), b.clone()));
                }
                let sign = if is_most { 1 } else { -1 };
                let outer = max_of([a, b].map(|number| scaled(sign, number.clone())));
                Some(choose(holds.truth.clone(), scaled(sign, outer), b.clone()))
            };
            Interval::Between {
                least: either(then.least(), otherwise.least(), false),
                most: either(then.most(), otherwise.most(), true),
            }
        }
    }
}

/// The number, unless it might wrap around at 32 bits.
fn bounded(number: NumberExpr) -> Interval {
    within_limit(Interval::Exact(number))
}

fn within_limit(interval: Interval) -> Interval {
    let fits = |number: &NumberExpr| {
        let (min, max) = range_of(number);
        is_within_limit(min) && is_within_limit(max)
    };
    // A number that wraps around is not even above what it was at least.
    let is_within = [interval.least(), interval.most()].into_iter().flatten().all(fits);
    match is_within {
        true => interval,
        false => Interval::UNKNOWN,
    }
}
