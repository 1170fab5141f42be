//! Comparisons of numbers, brought to one unknown where there is only one: `1 - #b >= -2` is `#b <= 3`.

use language::hir::Comparison;

use super::construct::{choose, compare_with};
use super::merge::any_of;
use super::possible::{range_of, scaled};
use super::{NumberExpr, SetExpr, Truth};

/// A number as a sum of others, each with a factor.
#[derive(Clone, Debug, Default)]
struct Linear {
    constant: i64,
    terms: Vec<(i64, NumberExpr)>,
}

impl Linear {
    /// Adds a number, `factor` times.
    fn add(&mut self, number: NumberExpr, factor: i64) {
        match number {
            NumberExpr::Constant(n) => self.constant += factor * i64::from(n),
            NumberExpr::Sum(a, b) => {
                self.add(*a, factor);
                self.add(*b, factor);
            }
            NumberExpr::Difference(a, b) => {
                self.add(*a, factor);
                self.add(*b, -factor);
            }
            NumberExpr::Scaled(by, inner) => self.add(*inner, factor * i64::from(by)),
            other => {
                if let (min, max) = range_of(&other)
                    && min == max
                {
                    self.constant += factor * min;
                    return;
                }
                match self.terms.iter().position(|(_, known)| *known == other) {
                    Some(place) => self.terms[place].0 += factor,
                    None => self.terms.push((factor, other)),
                }
                self.terms.retain(|(factor, _)| *factor != 0);
            }
        }
    }

    /// The least and the largest value.
    fn range(&self) -> (i64, i64) {
        let (mut min, mut max) = (self.constant, self.constant);
        for (factor, number) in &self.terms {
            let (low, high) = scaled(range_of(number), *factor);
            (min, max) = (min + low, max + high);
        }
        (min, max)
    }
}

/// The largest of some numbers.
pub(crate) fn max_of(numbers: impl IntoIterator<Item = NumberExpr>) -> NumberExpr {
    let mut parts: Vec<NumberExpr> = Vec::new();
    for number in numbers {
        match number {
            NumberExpr::Max(inner) => parts.extend(inner),
            other => parts.push(other),
        }
    }
    let mut kept: Vec<NumberExpr> = Vec::new();
    for part in parts {
        if kept.iter().any(|known| is_at_most(&part, known)) {
            continue;
        }
        kept.retain(|known| !is_at_most(known, &part));
        kept.push(part);
    }
    match kept.len() {
        1 => kept.swap_remove(0),
        _ => NumberExpr::Max(kept),
    }
}

/// Whether a number is certainly not larger than another: it counts the same men on fewer squares, or never gets as far as the
/// least value of the other one.
fn is_at_most(a: &NumberExpr, b: &NumberExpr) -> bool {
    match (a, b) {
        (NumberExpr::Count(SetExpr::Contents(men, squares)), NumberExpr::Count(SetExpr::Contents(more, all))) => {
            more.is_superset(*men) && (*squares & !*all).is_empty()
        }
        _ => a == b || range_of(a).1 <= range_of(b).0,
    }
}

/// Where the comparison of two numbers holds.
pub(crate) fn compare(comparison: Comparison, a: NumberExpr, b: NumberExpr) -> Truth {
    let mut difference = Linear::default();
    difference.add(a.clone(), 1);
    difference.add(b.clone(), -1);
    difference.compare(comparison, Some((a, b)))
}

impl Linear {
    /// Where the sum compares with 0; it is the difference of two numbers.
    fn compare(mut self, comparison: Comparison, numbers: Option<(NumberExpr, NumberExpr)>) -> Truth {
        let difference = &mut self;
        let (min, max) = difference.range();
        let (always, never) = match comparison {
            Comparison::Equal => (min == 0 && max == 0, min > 0 || max < 0),
            Comparison::Less => (max < 0, min >= 0),
            Comparison::LessEqual => (max <= 0, min > 0),
            Comparison::Greater => (min > 0, max <= 0),
            Comparison::GreaterEqual => (min >= 0, max < 0),
            _ => {
                let (a, b) = numbers.unwrap_or_else(|| self.sides());
                return compare_with(comparison, a, b);
            }
        };
        if always {
            return Truth::Always;
        }
        if never {
            return Truth::Never;
        }
        if difference.terms.len() == 1
            && let Some((factor, number)) = difference.terms.pop()
        {
            return compare_scaled(comparison, factor, number, -difference.constant);
        }
        if let Some(truth) = self.taken_apart(comparison) {
            return truth;
        }
        let (a, b) = numbers.unwrap_or_else(|| self.sides());
        compare_with(comparison, a, b)
    }

    /// The parts with a positive factor, and the others.
    fn sides(self) -> (NumberExpr, NumberExpr) {
        let (mut a, mut b) = (NumberExpr::Constant(0), NumberExpr::Constant(0));
        let constant = i32::try_from(self.constant).unwrap_or(i32::MAX);
        let terms = self.terms.into_iter().chain([(1, NumberExpr::Constant(constant))]);
        for (factor, number) in terms {
            let side = if factor < 0 { &mut b } else { &mut a };
            let by = i32::try_from(factor.unsigned_abs()).unwrap_or(i32::MAX);
            let number = match by {
                1 => number,
                by => NumberExpr::Scaled(by, Box::new(number)),
            };
            *side = match std::mem::replace(side, NumberExpr::Constant(0)) {
                NumberExpr::Constant(0) => number,
                sum => NumberExpr::Sum(Box::new(sum), Box::new(number)),
            };
        }
        (a, b)
    }

    /// The comparison for each of the numbers of which one part of the sum is the largest.
    fn taken_apart(&self, comparison: Comparison) -> Option<Truth> {
        let place = self
            .terms
            .iter()
            .position(|(_, number)| matches!(number, NumberExpr::Max(_)))?;
        let (factor, NumberExpr::Max(numbers)) = &self.terms[place] else {
            return None;
        };
        let each = |comparison| {
            numbers.iter().map(move |number| {
                let mut sum = self.clone();
                sum.terms.remove(place);
                sum.add(number.clone(), *factor);
                sum.compare(comparison, None)
            })
        };
        let more = match comparison {
            Comparison::Greater | Comparison::GreaterEqual => true,
            Comparison::Less | Comparison::LessEqual => false,
            _ => {
                let [at_least, at_most] =
                    [Comparison::GreaterEqual, Comparison::LessEqual].map(|comparison| self.taken_apart(comparison));
                return Some(Truth::all([at_least?, at_most?]));
            }
        };
        // A largest number with a negative factor is the smallest part.
        Some(if more == (*factor > 0) {
            any_of(each(comparison))
        } else {
            any_of(each(negated(comparison))).not()
        })
    }
}

/// Where `factor` times a number compares with `n`.
fn compare_scaled(comparison: Comparison, factor: i64, number: NumberExpr, n: i64) -> Truth {
    let (comparison, factor, n) = if factor < 0 {
        (comparison.mirrored(), -factor, -n)
    } else {
        (comparison, factor, n)
    };
    let bound = match comparison {
        Comparison::Equal if n % factor != 0 => return Truth::Never,
        // Less than the next multiple, more than the one before.
        Comparison::Less | Comparison::GreaterEqual => -(-n).div_euclid(factor),
        _ => n.div_euclid(factor),
    };
    // The ranges were compared before, so the bound is not far away.
    let bound = i32::try_from(bound).unwrap_or(if bound < 0 { i32::MIN } else { i32::MAX });
    compare_one(comparison, number, bound)
}

/// Where a number compares with a constant.
fn compare_one(comparison: Comparison, number: NumberExpr, n: i32) -> Truth {
    let with = |comparison, number: &NumberExpr| compare(comparison, number.clone(), NumberExpr::Constant(n));
    match number {
        NumberExpr::Max(parts) => match comparison {
            Comparison::GreaterEqual | Comparison::Greater => any_of(parts.iter().map(|part| with(comparison, part))),
            Comparison::Less | Comparison::LessEqual => {
                any_of(parts.iter().map(|part| with(negated(comparison), part))).not()
            }
            _ => {
                let reached = any_of(parts.iter().map(|part| with(Comparison::GreaterEqual, part)));
                let exceeded = any_of(parts.iter().map(|part| with(Comparison::Greater, part)));
                Truth::all([reached, exceeded.not()])
            }
        },
        NumberExpr::Choose(condition, a, b)
            if [&a, &b]
                .iter()
                .any(|number| matches!(***number, NumberExpr::Constant(_))) =>
        {
            choose(&condition, with(comparison, &a), with(comparison, &b))
        }
        NumberExpr::After(ids, inner) => with(comparison, &inner).after(ids),
        other => compare_with(comparison, other, NumberExpr::Constant(n)),
    }
}

fn negated(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::GreaterEqual,
        Comparison::LessEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessEqual,
        Comparison::GreaterEqual => Comparison::Less,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use chess::Man;
    use language::hir::ManSet;
    use postings::Term;
    use shakmaty::{Bitboard, Color, Role};

    use super::*;

    fn bishops(squares: Bitboard) -> NumberExpr {
        NumberExpr::Count(SetExpr::Contents(
            ManSet::from_man(Man::new(Color::Black, Role::Bishop)),
            squares,
        ))
    }

    fn constant(n: i32) -> Box<NumberExpr> {
        Box::new(NumberExpr::Constant(n))
    }

    #[test]
    fn comparisons_with_one_unknown_compare_it() {
        let all = || Box::new(bishops(Bitboard::FULL));
        let at_least = |n| Truth::Term(Term::AtLeast(Man::new(Color::Black, Role::Bishop), n));
        // 1 - #b < -2
        let less = compare(
            Comparison::Less,
            NumberExpr::Difference(constant(1), all()),
            NumberExpr::Constant(-2),
        );
        assert_eq!(less, at_least(4));
        let twice = |comparison, n| compare(comparison, NumberExpr::Scaled(2, all()), NumberExpr::Constant(n));
        assert_eq!(twice(Comparison::GreaterEqual, 3), at_least(2));
        assert_eq!(twice(Comparison::Greater, 3), at_least(2));
        assert_eq!(twice(Comparison::Less, 3), at_least(2).not());
        assert_eq!(twice(Comparison::LessEqual, 3), at_least(2).not());
        assert_eq!(twice(Comparison::Equal, 3), Truth::Never);
        assert_eq!(twice(Comparison::GreaterEqual, -3), Truth::Always);
        assert_eq!(twice(Comparison::Less, 0), Truth::Never);
    }

    #[test]
    fn the_largest_of_some_counts_is_that_of_the_most_squares() {
        let (some, all) = (bishops(Bitboard::DARK_SQUARES), bishops(Bitboard::FULL));
        assert_eq!(max_of([some.clone(), all.clone(), some]), all);
    }
}
