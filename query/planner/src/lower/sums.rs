//! Numbers that are made of others: sums, multiples, products, and what is known of a choice between two of them.

use crate::expr::{NumberExpr, Truth, max_of, range_of};

/// Nothing is said of numbers that may be beyond this: where they are added or multiplied, they may wrap around at 32 bits.
const LIMIT: i64 = 1 << 28;

pub(super) fn is_within_limit(n: i64) -> bool {
    (-LIMIT..=LIMIT).contains(&n)
}

/// By how much the first number is larger than the second, if that is the same everywhere.
pub(super) fn steps(a: &NumberExpr, b: &NumberExpr) -> Option<i32> {
    fn parts(number: &NumberExpr) -> (Option<&NumberExpr>, i32) {
        match number {
            NumberExpr::Constant(n) => (None, *n),
            NumberExpr::Sum(inner, n) => match **n {
                NumberExpr::Constant(n) => {
                    let (base, more) = parts(inner);
                    (base, more.saturating_add(n))
                }
                _ => (Some(number), 0),
            },
            _ => (Some(number), 0),
        }
    }
    let ((a, more), (b, less)) = (parts(a), parts(b));
    (a == b).then(|| more.checked_sub(less)).flatten()
}

pub(super) fn sum(a: NumberExpr, b: NumberExpr) -> NumberExpr {
    match (a, b) {
        (number, NumberExpr::Constant(0)) | (NumberExpr::Constant(0), number) => number,
        (NumberExpr::CountTrue(mut parts), NumberExpr::CountTrue(more)) => {
            parts.extend(more);
            NumberExpr::CountTrue(parts)
        }
        (a, b) => NumberExpr::Sum(Box::new(a), Box::new(b)),
    }
}

pub(super) fn scaled(by: i32, number: NumberExpr) -> NumberExpr {
    match (by, number) {
        (0, _) => NumberExpr::Constant(0),
        (_, NumberExpr::CountTrue(parts)) if parts.iter().all(|part| *part == Truth::Never) => NumberExpr::Constant(0),
        (1, number) => number,
        (-1, NumberExpr::Constant(n)) if n != i32::MIN => NumberExpr::Constant(-n),
        (-1, NumberExpr::Scaled(-1, inner)) => *inner,
        (by, number) => NumberExpr::Scaled(by, Box::new(number)),
    }
}

/// How many values a table may have.
const MAX_TABLE: i64 = 260;

/// What a function gives for a number, if that has few values, and none of them is so large that it might wrap around.
pub(super) fn table(number: NumberExpr, function: impl Fn(i64) -> i64) -> Option<NumberExpr> {
    let (least, most) = range_of(&number);
    if most - least >= MAX_TABLE {
        return None;
    }
    let value = |n| {
        i32::try_from(function(n))
            .ok()
            .filter(|&value| is_within_limit(value.into()))
    };
    let values: Vec<i32> = (least..=most).map(value).collect::<Option<_>>()?;
    match (&number, &values[..]) {
        (NumberExpr::Constant(_), &[value]) => Some(NumberExpr::Constant(value)),
        _ => Some(NumberExpr::Table(Box::new(number), i32::try_from(least).ok()?, values)),
    }
}

/// A number times another one, if both have few values: as the difference of the quarters of two squares, of which the same is
/// lost by rounding.
pub(super) fn product(a: &NumberExpr, b: &NumberExpr) -> Option<NumberExpr> {
    let boxed = |number: &NumberExpr| Box::new(number.clone());
    if a == b {
        return table(a.clone(), |n| n * n);
    }
    let quarter = |n: i64| (n * n).div_euclid(4);
    let sum = table(NumberExpr::Sum(boxed(a), boxed(b)), quarter)?;
    let difference = table(NumberExpr::Difference(boxed(a), boxed(b)), quarter)?;
    Some(NumberExpr::Difference(Box::new(sum), Box::new(difference)))
}

/// The first number where a condition holds, and the second elsewhere, if the first is a sum of the second and others, or the
/// largest or the smallest of them.
pub(super) fn extended(truth: &Truth, a: &NumberExpr, b: &NumberExpr) -> Option<NumberExpr> {
    added(truth, a, b).or_else(|| largest_of(truth, a, b))
}

/// The same for sums and differences: what is added is 0 elsewhere.
fn added(truth: &Truth, a: &NumberExpr, b: &NumberExpr) -> Option<NumberExpr> {
    let part = |number: &NumberExpr| {
        let zero = Box::new(NumberExpr::Constant(0));
        Box::new(NumberExpr::Choose(
            Box::new(truth.clone()),
            Box::new(number.clone()),
            zero,
        ))
    };
    let rest = |number: &NumberExpr| match number == b {
        true => Some(Box::new(b.clone())),
        false => added(truth, number, b).map(Box::new),
    };
    match a {
        NumberExpr::Sum(x, y) => match rest(x) {
            Some(rest) => Some(NumberExpr::Sum(rest, part(y))),
            None => Some(NumberExpr::Sum(part(x), rest(y)?)),
        },
        NumberExpr::Difference(x, y) => Some(NumberExpr::Difference(rest(x)?, part(y))),
        _ => None,
    }
}

/// The same for the largest and the smallest number.
fn largest_of(truth: &Truth, a: &NumberExpr, b: &NumberExpr) -> Option<NumberExpr> {
    let parts_of = |sign: i32, number: &NumberExpr| match number {
        NumberExpr::Max(parts) if sign > 0 => parts.clone(),
        NumberExpr::Scaled(-1, inner)
            if sign < 0
                && let NumberExpr::Max(parts) = &**inner =>
        {
            parts.clone()
        }
        number => vec![scaled(sign, number.clone())],
    };
    [1, -1].into_iter().find_map(|sign| {
        let (all, known) = (parts_of(sign, a), parts_of(sign, b));
        if all.len() <= known.len() || !known.iter().all(|part| all.contains(part)) {
            return None;
        }
        // Where the condition does not hold, the others are no larger than what is known.
        let least = i32::try_from(range_of(&max_of(known.iter().cloned())).0).ok()?;
        let others = all.into_iter().filter(|part| !known.contains(part));
        let others = others.map(|part| {
            let least = Box::new(NumberExpr::Constant(least));
            NumberExpr::Choose(Box::new(truth.clone()), Box::new(part), least)
        });
        let others: Vec<NumberExpr> = others.collect();
        Some(scaled(sign, max_of(known.into_iter().chain(others))))
    })
}
