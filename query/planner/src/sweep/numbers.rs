//! Numbers, for all positions of a block at once: one plane for every binary digit, two's complement, the sign last.

use chess::{Man, Quantity};
use language::hir::Comparison;
use postings::Term;
use shakmaty::{Bitboard, Role};

use super::Sweep;
use super::set_planes::SetPlanes;
use super::sums::count_on;
use crate::expr::{NumberExpr, SetExpr, everywhere, possible_men, value_of};
use crate::plane::{ONES, Plane, WORDS, ZERO, and, and_not, is_zero, not, or, or_and};

/// A number for every position of a block. There is always a sign.
type Digits = Vec<Plane>;

/// How many digits numbers mostly have room for: what men are worth needs eight.
const USUAL: usize = 12;

impl Sweep<'_> {
    /// Where the comparison of two numbers holds.
    pub(super) fn compare_into(&mut self, comparison: Comparison, a: &NumberExpr, b: &NumberExpr, out: &mut Plane) {
        if self.compare_size(comparison, [a, b], out) || self.compare_sums(comparison, [a, b], out) {
            return;
        }
        let (a, b) = (self.number(a), self.number(b));
        // a < b is the sign of a - b; the difference has a digit more than either, so it can't overflow.
        let (less, equal) = {
            let difference = difference(a, &b);
            let any = difference.iter().fold(ZERO, |mut any, digit| {
                or(&mut any, digit);
                any
            });
            let mut equal = any;
            not(&mut equal);
            (*difference.last().expect("a number has a sign"), equal)
        };
        *out = less;
        match comparison {
            Comparison::Less => {}
            Comparison::LessEqual => or(out, &equal),
            Comparison::Equal => *out = equal,
            Comparison::GreaterEqual => not(out),
            Comparison::Greater => {
                or(out, &equal);
                not(out);
            }
            _ => unreachable!("ancestors are compared as positions"),
        }
    }

    /// Where the number of squares of a set compares with a small number; false if that is not what is compared.
    fn compare_size(&mut self, comparison: Comparison, [a, b]: [&NumberExpr; 2], out: &mut Plane) -> bool {
        /// Up to this number, counting in steps is quicker than a sum.
        const FEW: i32 = 3;
        let (NumberExpr::Count(set), NumberExpr::Constant(n)) = (a, b) else {
            return false;
        };
        let more = n.saturating_add(1);
        // At least the first number, and not the second.
        let (least, below) = match comparison {
            Comparison::GreaterEqual => (Some(*n), None),
            Comparison::Greater => (Some(more), None),
            Comparison::Less => (None, Some(*n)),
            Comparison::LessEqual => (None, Some(more)),
            Comparison::Equal => (Some(*n), Some(more)),
            _ => return false,
        };
        if ![least, below].into_iter().flatten().all(|n| (1..=FEW).contains(&n)) || everywhere(set).is_some() {
            return false;
        }
        let steps = below.or(least).unwrap_or(0);
        let mut steps = vec![ZERO; steps.unsigned_abs() as usize];
        if let SetExpr::Contents(men, squares) = set
            && !men.contains(Man::EMPTY)
        {
            // No two men stand on a square.
            for man in men.iter() {
                for square in *squares {
                    if let Some(list) = self.plane(Term::Placement(man, square)) {
                        count_on(&mut steps, list);
                    }
                }
            }
        } else {
            self.each_of(set, |plane| count_on(&mut steps, plane));
        }
        let mut reached = |n: Option<i32>| n.and_then(|_| steps.pop());
        let (too_many, enough) = (reached(below), reached(least));
        *out = enough.unwrap_or(ONES);
        if let Some(too_many) = too_many {
            and_not(out, &too_many);
        }
        true
    }

    fn number(&mut self, number: &NumberExpr) -> Digits {
        match number {
            NumberExpr::Constant(n) => constant(*n),
            NumberExpr::Count(set) if let Some(men) = everywhere(set) => {
                let worths = men.iter().map(|man| (man, 1));
                self.worth(worths)
            }
            NumberExpr::Power(set) if let Some(men) = everywhere(set) => {
                let worths = men.iter().map(|man| (man, man.role().map_or(0, value_of)));
                self.worth(worths)
            }
            NumberExpr::Count(set) => {
                let mut adder = std::mem::take(&mut self.scratch().adder);
                adder.clear();
                self.each_of(set, |plane| adder.add(0, plane));
                let mut digits = adder.digits().to_vec();
                self.scratch().adder = adder;
                digits.push(ZERO);
                digits
            }
            NumberExpr::CountTrue(truths) => {
                let mut digits = Digits::with_capacity(USUAL);
                for truth in truths {
                    let mut plane = ZERO;
                    self.truth_into(truth, &mut plane);
                    increment(&mut digits, plane);
                }
                digits.push(ZERO);
                digits
            }
            NumberExpr::Power(set) => self.power(set),
            NumberExpr::Quantity(quantity) => self.quantity(*quantity),
            NumberExpr::After(ids, inner) => self.later(*ids, |sweep| sweep.number(inner)),
            NumberExpr::Sum(a, b) => {
                let mut sum = self.number(a);
                add_times(&mut sum, &self.number(b), 1);
                sum
            }
            NumberExpr::Difference(a, b) => difference(self.number(a), &self.number(b)),
            NumberExpr::Scaled(by, inner) => {
                let mut product = constant(0);
                add_times(&mut product, &self.number(inner), *by);
                product
            }
            NumberExpr::Table(inner, least, values) => {
                let number = self.number(inner);
                looked_up(&number, (*least..).zip(values.iter().copied()))
            }
            NumberExpr::Max(parts) => {
                let mut numbers = parts.iter().map(|part| self.number(part));
                let first = numbers.next().unwrap_or_else(|| constant(0));
                numbers.fold(first, larger)
            }
            NumberExpr::Coordinate(file, set) => {
                let block = self.set(set, Bitboard::FULL);
                let mut digits = vec![ZERO; 5];
                for square in block.live() {
                    let Some(plane) = block.get(square) else { continue };
                    let coordinate = if *file {
                        u32::from(square.file())
                    } else {
                        u32::from(square.rank())
                    } + 1;
                    for (bit, digit) in digits.iter_mut().enumerate() {
                        if coordinate >> bit & 1 != 0 {
                            or(digit, plane);
                        }
                    }
                }
                self.give_back(block);
                digits
            }
            NumberExpr::Choose(condition, a, b) => {
                let mut holds = ZERO;
                self.truth_into(condition, &mut holds);
                chosen(&holds, self.number(a), self.number(b))
            }
        }
    }

    /// A clock, a time or an evaluation: its digits are lists.
    fn quantity(&mut self, quantity: Quantity) -> Digits {
        let Some(slots) = self.postings.quantity(quantity) else {
            return constant(0);
        };
        let sign = self.list_plane(slots.negative);
        let digits = slots.digits.map(|slot| {
            let mut digit = self.list_plane(slot);
            for (digit, sign) in digit.iter_mut().zip(&sign) {
                *digit ^= sign;
            }
            digit
        });
        let mut digits: Digits = digits.collect();
        digits.push(sign);
        digits
    }

    /// The value of the men on a set.
    fn power(&mut self, set: &SetExpr) -> Digits {
        let men = possible_men(set);
        let block = self.set(set, Bitboard::FULL);
        let mut total = constant(0);
        for man in men.iter() {
            let worth = man.role().map_or(0, value_of);
            if worth > 0 {
                let count = self.count_man(man, Some(&block));
                add_times(&mut total, &count, worth);
            }
        }
        self.give_back(block);
        total
    }

    /// The sum of the values of all men of some kinds.
    fn worth(&mut self, worths: impl Iterator<Item = (Man, i32)>) -> Digits {
        let mut total = constant(0);
        for (man, worth) in worths.filter(|&(_, worth)| worth > 0) {
            let count = self.count_everywhere(man);
            add_times(&mut total, &count, worth);
        }
        total
    }

    /// How many men of a kind there are: how many of the lists for at least 1, 2, ... hold. Where there may be more men
    /// than these lists reach, the squares are counted.
    fn count_everywhere(&mut self, man: Man) -> Digits {
        if man.role() == Some(Role::King) {
            return constant(1);
        }
        if self.may_be_more(man) {
            return self.count_man(man, None);
        }
        let mut digits = Digits::with_capacity(USUAL);
        for n in 1..=Term::MAX_COUNT {
            let Some(step) = self.plane(Term::AtLeast(man, n)) else {
                break;
            };
            increment(&mut digits, *step);
        }
        digits.push(ZERO);
        digits
    }

    /// How many men of a kind there are, among some squares.
    fn count_man(&mut self, man: Man, among: Option<&SetPlanes>) -> Digits {
        let mut digits = Digits::with_capacity(USUAL);
        for square in among.map_or(Bitboard::FULL, SetPlanes::live) {
            let Some(list) = self.plane(Term::Placement(man, square)) else {
                continue;
            };
            let mut plane = *list;
            if let Some(set) = among.and_then(|among| among.get(square)) {
                and(&mut plane, set);
            }
            increment(&mut digits, plane);
        }
        digits.push(ZERO);
        digits
    }
}

/// Adds `times` times a number.
fn add_times(total: &mut Digits, number: &[Plane], times: i32) {
    for shift in (0..u32::BITS).filter(|shift| times.unsigned_abs() >> shift & 1 != 0) {
        add_shifted(total, number, shift as usize, times < 0);
    }
}

/// Adds a number whose digits are moved up by some places, or takes it away.
fn add_shifted(total: &mut Digits, number: &[Plane], shift: usize, is_taken_away: bool) {
    let [.., sign] = number else {
        unreachable!("a number has a sign")
    };
    // A digit more than either has, so that nothing is lost.
    let width = total.len().max(number.len() + shift) + 1;
    extend(total, width);
    // What is taken away is inverted, and one is added.
    let inverted = if is_taken_away { u64::MAX } else { 0 };
    let mut carry = [inverted; WORDS];
    for (digit, place) in total[shift..].iter_mut().zip(0..) {
        let other = number.get(place).unwrap_or(sign);
        for ((digit, other), carry) in digit.iter_mut().zip(other).zip(&mut carry) {
            let other = other ^ inverted;
            let half = *digit ^ other;
            let next = (*digit & other) | (half & *carry);
            *digit = half ^ *carry;
            *carry = next;
        }
    }
    trim(total);
}

/// One number without another one.
fn difference(mut a: Digits, b: &[Plane]) -> Digits {
    add_times(&mut a, b, -1);
    a
}

/// The first number where a condition holds, the second elsewhere.
fn chosen(holds: &Plane, mut a: Digits, mut b: Digits) -> Digits {
    let width = a.len().max(b.len());
    extend(&mut a, width);
    extend(&mut b, width);
    for (b, a) in b.iter_mut().zip(&a) {
        and_not(b, holds);
        or_and(b, a, holds);
    }
    b
}

/// The larger of two numbers.
fn larger(a: Digits, b: Digits) -> Digits {
    let less = *difference(a.clone(), &b).last().expect("a number has a sign");
    let mut larger = chosen(&less, b, a);
    trim(&mut larger);
    larger
}

/// Removes leading digits that only repeat the sign.
fn trim(digits: &mut Digits) {
    while let [.., before, sign] = &digits[..]
        && before == sign
    {
        digits.pop();
    }
}

/// What a table has for a number; 0 for what is not in it.
fn looked_up(number: &Digits, table: impl Iterator<Item = (i32, i32)>) -> Digits {
    let mut found = constant(0);
    for (key, value) in table.filter(|&(_, value)| value != 0) {
        // No position has a number that needs more digits.
        if !matches!(i64::from(key) >> (number.len() - 1), 0 | -1) {
            continue;
        }
        let mut here = ONES;
        for (bit, digit) in number.iter().enumerate() {
            match i64::from(key) >> bit & 1 != 0 {
                true => and(&mut here, digit),
                false => and_not(&mut here, digit),
            }
        }
        if is_zero(&here) {
            continue;
        }
        let width = constant(value).len();
        if found.len() < width {
            extend(&mut found, width);
        }
        for (bit, digit) in found.iter_mut().enumerate() {
            if i64::from(value) >> bit & 1 != 0 {
                or(digit, &here);
            }
        }
    }
    found
}

/// The same number everywhere.
fn constant(n: i32) -> Digits {
    let width = 33 - n.unsigned_abs().leading_zeros() as usize;
    let mut digits = Digits::with_capacity(USUAL);
    digits.extend((0..width.max(1) + 1).map(|bit| if i64::from(n) >> bit & 1 != 0 { ONES } else { ZERO }));
    digits
}

/// Adds one in the positions of a plane, without a sign.
fn increment(digits: &mut Digits, mut carry: Plane) {
    for digit in digits.iter_mut() {
        if is_zero(&carry) {
            return;
        }
        for (digit, carry) in digit.iter_mut().zip(carry.iter_mut()) {
            let sum = *digit ^ *carry;
            *carry &= *digit;
            *digit = sum;
        }
    }
    if !is_zero(&carry) {
        digits.push(carry);
    }
}

/// Repeats the sign up to `width` digits.
fn extend(digits: &mut Digits, width: usize) {
    let sign = *digits.last().expect("a number has a sign");
    digits.resize(width.max(digits.len()), sign);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Different numbers in the positions of a block.
    fn of(numbers: &[i32]) -> Digits {
        let mut digits = vec![ZERO; 33];
        for (position, &number) in (0..).zip(numbers) {
            for (bit, digit) in digits.iter_mut().enumerate() {
                if i64::from(number) >> bit & 1 != 0 {
                    bits::insert(digit, position);
                }
            }
        }
        trim(&mut digits);
        digits
    }

    fn to(digits: &[Plane], position: u32) -> i64 {
        let (sign, lower) = digits.split_last().expect("a number has a sign");
        let bit = |digit: &Plane| i64::from(bits::contains(digit, position));
        let lower = lower.iter().enumerate().map(|(place, digit)| bit(digit) << place);
        lower.sum::<i64>() - (bit(sign) << (digits.len() - 1))
    }

    #[test]
    fn sums_differences_and_products_are_those_of_each_position() {
        let all = [0, 1, -1, 2, -2, 3, 7, -8, 9, 39, -40, 1000, -1023, 70_000];
        for times in [1, -1, 2, 3, -3, 9, -12, 255] {
            for other in 0..all.len() {
                let others: Vec<i32> = (0..all.len()).map(|at| all[(at + other) % all.len()]).collect();
                let mut total = of(&all);
                add_times(&mut total, &of(&others), times);
                let larger = larger(of(&all), of(&others));
                for (position, (&one, &other)) in (0..).zip(all.iter().zip(&others)) {
                    let expected = i64::from(one) + i64::from(times) * i64::from(other);
                    assert_eq!(to(&total, position), expected, "{one} {times} {other}");
                    assert_eq!(to(&larger, position), i64::from(one.max(other)), "{one} {other}");
                }
            }
        }
    }
}
