//! Numbers, for all positions of a block at once: one plane for every binary digit, two's complement, the sign last.

use chess::{Man, Quantity};
use language::hir::Comparison;
use postings::Term;
use shakmaty::{Bitboard, Role};

use super::Sweep;
use super::set_planes::SetPlanes;
use super::sums::count_on;
use crate::expr::{NumberExpr, SetExpr, everywhere, possible_men, value_of};
use crate::plane::{ONES, Plane, ZERO, and, and_not, is_zero, not, or, or_and};

/// A number for every position of a block. There is always a sign.
type Digits = Vec<Plane>;

impl Sweep<'_> {
    /// Where the comparison of two numbers holds.
    pub(super) fn compare_into(&mut self, comparison: Comparison, a: &NumberExpr, b: &NumberExpr, out: &mut Plane) {
        if self.compare_size(comparison, [a, b], out) || self.compare_sums(comparison, [a, b], out) {
            return;
        }
        let (a, b) = (self.number(a), self.number(b));
        // a < b is the sign of a - b; the difference has a digit more than either, so it can't overflow.
        let (less, equal) = {
            let difference = add(&a, &negated(&b));
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
                let mut digits = Vec::new();
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
            NumberExpr::Sum(a, b) => add(&self.number(a), &self.number(b)),
            NumberExpr::Difference(a, b) => add(&self.number(a), &negated(&self.number(b))),
            NumberExpr::Scaled(by, inner) => {
                let number = self.number(inner);
                let mut product = constant(0);
                for shift in (0..32).filter(|shift| by.unsigned_abs() >> shift & 1 != 0) {
                    let mut shifted = vec![ZERO; shift];
                    shifted.extend_from_slice(&number);
                    product = trimmed(add(&product, &shifted));
                }
                if *by < 0 { negated(&product) } else { product }
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
        let mut digits = Vec::new();
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
        let mut digits = Vec::new();
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

/// Adds `times` times a number, digit by digit.
fn add_times(total: &mut Digits, number: &Digits, times: i32) {
    for shift in (0..31).filter(|shift| times >> shift & 1 != 0) {
        let mut shifted = vec![ZERO; shift];
        shifted.extend_from_slice(number);
        *total = trimmed(add(total, &shifted));
    }
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
    let less = *add(&a, &negated(&b)).last().expect("a number has a sign");
    trimmed(chosen(&less, b, a))
}

/// Removes leading digits that only repeat the sign.
fn trimmed(mut digits: Digits) -> Digits {
    while let [.., before, sign] = &digits[..]
        && before == sign
    {
        digits.pop();
    }
    digits
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
    (0..width.max(1) + 1)
        .map(|bit| if i64::from(n) >> bit & 1 != 0 { ONES } else { ZERO })
        .collect()
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

fn add(a: &Digits, b: &Digits) -> Digits {
    let width = a.len().max(b.len()) + 1;
    let (mut a, mut b) = (a.clone(), b.clone());
    extend(&mut a, width);
    extend(&mut b, width);
    let mut carry = ZERO;
    for (a, b) in a.iter_mut().zip(&b) {
        for ((a, b), carry) in a.iter_mut().zip(b).zip(carry.iter_mut()) {
            let half = *a ^ b;
            let next = (*a & b) | (half & *carry);
            *a = half ^ *carry;
            *carry = next;
        }
    }
    a
}

fn negated(digits: &Digits) -> Digits {
    let inverted: Digits = digits
        .iter()
        .map(|digit| {
            let mut digit = *digit;
            not(&mut digit);
            digit
        })
        .collect();
    add(&inverted, &constant(1))
}
