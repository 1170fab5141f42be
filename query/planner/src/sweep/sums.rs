//! Sums of posting lists compared with a number: men on the board, their value, how many conditions hold. All addends
//! go into one carry-save adder, those with a negative weight into another.

use chess::Man;
use language::hir::{Comparison, ManSet};
use postings::Term;
use shakmaty::{Role, Square};

use super::Sweep;
use crate::expr::{NumberExpr, SetExpr, Truth, everywhere, value_of};
use crate::plane::{ONES, Plane, ZERO, and, and_not, is_zero, not, or, or_and};

/// Lists are counted step by step up to this number, and up to this number of lists for each step.
const MOST_STEPS: usize = 8;
const LISTS_A_STEP: usize = 4;

/// A number as a sum of conditions, each with a weight.
#[derive(Debug)]
struct LinearSum<'e> {
    constant: i64,
    terms: Vec<(i64, Term)>,
    truths: Vec<(i64, &'e Truth)>,
    /// Squares, where they are occupied.
    occupied: Vec<(i64, Square)>,
}

impl LinearSum<'_> {
    /// Whether something is subtracted.
    fn has_negative(&self) -> bool {
        self.terms.iter().any(|(weight, _)| *weight < 0)
            || self.truths.iter().any(|(weight, _)| *weight < 0)
            || self.occupied.iter().any(|(weight, _)| *weight < 0)
    }
}

impl LinearSum<'_> {
    /// How many of a few lists the comparison asks for at least, if each counts once; `None` for other comparisons.
    fn least(&self, comparison: Comparison) -> Option<usize> {
        let is_plain =
            self.truths.is_empty() && self.occupied.is_empty() && self.terms.iter().all(|&(weight, _)| weight == 1);
        let least = match comparison {
            Comparison::GreaterEqual => -self.constant,
            Comparison::Greater => 1 - self.constant,
            _ => return None,
        };
        let least = usize::try_from(least)
            .ok()
            .filter(|least| (2..=MOST_STEPS).contains(least))?;
        (is_plain && self.terms.len() <= LISTS_A_STEP * least).then_some(least)
    }
}

impl Sweep<'_> {
    /// Where at least `least` of some lists have a position. The shortest list is read first, and no more lists are read where
    /// too few are left.
    fn at_least_of(&mut self, terms: &mut [(i64, Term)], least: usize, out: &mut Plane) {
        terms.sort_unstable_by_key(|&(_, term)| {
            let list = self.postings.list(term);
            list.map_or(0, postings::Postings::cardinality)
        });
        let mut storage = [ZERO; MOST_STEPS];
        let steps = &mut storage[..least];
        for (index, &(_, term)) in terms.iter().enumerate() {
            if let Some(plane) = self.plane(term) {
                count_on(steps, plane);
            }
            let left = terms.len() - 1 - index;
            if left < least {
                // Where fewer were there, all that are left are too few.
                let mut reached = steps[least - 1 - left];
                and(&mut reached, &self.demand);
                if is_zero(&reached) {
                    *out = ZERO;
                    return;
                }
            }
        }
        *out = steps[least - 1];
    }

    /// Where the comparison of two sums of conditions holds; false if one of the numbers is something else.
    pub(super) fn compare_sums(&mut self, comparison: Comparison, [a, b]: [&NumberExpr; 2], out: &mut Plane) -> bool {
        let mut sum = LinearSum {
            constant: 0,
            terms: std::mem::take(&mut self.scratch().terms),
            truths: Vec::new(),
            occupied: Vec::new(),
        };
        sum.terms.clear();
        if !(self.sum_of(a, 1, &mut sum) && self.sum_of(b, -1, &mut sum)) {
            self.scratch().terms = sum.terms;
            return false;
        }
        if let Some(least) = sum.least(comparison) {
            self.at_least_of(&mut sum.terms, least, out);
            self.scratch().terms = sum.terms;
            return true;
        }
        let mut adder = std::mem::take(&mut self.scratch().adder);
        let mut subtracted = std::mem::take(&mut self.scratch().subtracted);
        adder.clear();
        subtracted.clear();
        for &(weight, term) in &sum.terms {
            if let Some(list) = self.plane(term) {
                let to = if weight < 0 { &mut subtracted } else { &mut adder };
                to.add_times(weight.unsigned_abs(), list);
            }
        }
        for &(weight, truth) in &sum.truths {
            if !self.first_holds(truth) {
                continue;
            }
            let mut plane = ZERO;
            self.truth_into(truth, &mut plane);
            if !is_zero(&plane) {
                let to = if weight < 0 { &mut subtracted } else { &mut adder };
                to.add_times(weight.unsigned_abs(), &plane);
            }
        }
        for &(weight, square) in &sum.occupied {
            self.find_occupied(square);
            if let Some(plane) = self.occupied(square) {
                let to = if weight < 0 { &mut subtracted } else { &mut adder };
                to.add_times(weight.unsigned_abs(), plane);
            }
        }
        let [less, equal] = if sum.has_negative() {
            let to = if sum.constant < 0 { &mut subtracted } else { &mut adder };
            to.add_times(sum.constant.unsigned_abs(), &ONES);
            compared(adder.digits(), subtracted.digits())
        } else {
            adder.compared(-sum.constant)
        };
        self.scratch().subtracted = subtracted;
        self.scratch().adder = adder;
        self.scratch().terms = sum.terms;
        *out = less;
        match comparison {
            Comparison::Less => {}
            Comparison::LessEqual => or(out, &equal),
            Comparison::Equal => *out = equal,
            Comparison::GreaterEqual => not(out),
            _ => {
                or(out, &equal);
                not(out);
            }
        }
        true
    }

    /// Adds `factor` times a number to a sum; false if the number is not a sum of conditions.
    fn sum_of<'e>(&mut self, number: &'e NumberExpr, factor: i64, sum: &mut LinearSum<'e>) -> bool {
        match number {
            NumberExpr::Constant(n) => sum.constant += factor * i64::from(*n),
            NumberExpr::Count(set) => return self.sum_of_men(set, |_| 1, factor, sum),
            NumberExpr::Power(set) => return self.sum_of_men(set, |role| i64::from(value_of(role)), factor, sum),
            NumberExpr::Sum(a, b) => return self.sum_of(a, factor, sum) && self.sum_of(b, factor, sum),
            NumberExpr::Difference(a, b) => return self.sum_of(a, factor, sum) && self.sum_of(b, -factor, sum),
            NumberExpr::CountTrue(truths) => {
                for truth in truths {
                    match truth {
                        Truth::Term(term) => sum.terms.push((factor, *term)),
                        other => sum.truths.push((factor, other)),
                    }
                }
            }
            NumberExpr::Scaled(by, inner) => return self.sum_of(inner, factor * i64::from(*by), sum),
            NumberExpr::Coordinate(..) | NumberExpr::Choose(..) | NumberExpr::After(..) => return false,
            NumberExpr::Quantity(_) | NumberExpr::Max(_) | NumberExpr::Table(..) => return false,
        }
        true
    }

    /// Adds the value of the men on some squares; false for other sets.
    fn sum_on_squares(&self, set: &SetExpr, worth: fn(Role) -> i64, factor: i64, sum: &mut LinearSum<'_>) -> bool {
        /// More lists than this are counted as a set.
        const MANY: usize = 256;
        let SetExpr::Contents(men, squares) = set else {
            return false;
        };
        // An empty square counts as a square, but has no value.
        let counts = factor * worth(Role::King);
        if *men == ManSet::EMPTY_SQUARE {
            sum.constant += counts * i64::from(bits::count(&[squares.0]));
            if counts != 0 {
                sum.occupied.extend(squares.into_iter().map(|square| (-counts, square)));
            }
            return true;
        }
        let empty = men.contains(Man::EMPTY) && counts != 0;
        let kinds: Vec<Man> = Man::all().filter(|&man| men.contains(man) != empty).collect();
        if kinds.len() * squares.count() > MANY {
            return false;
        }
        if empty {
            sum.constant += counts * i64::from(bits::count(&[squares.0]));
        }
        let sign = if empty { -1 } else { 1 };
        for (man, role) in kinds.into_iter().filter_map(|man| Some((man, man.role()?))) {
            let weight = sign * factor * worth(role);
            if weight != 0 {
                sum.terms
                    .extend(squares.into_iter().map(|square| (weight, Term::Placement(man, square))));
            }
        }
        true
    }

    /// Whether more men of a kind may stand on the board than lists count, at a position of the block that matters. Few games
    /// begin with so many; blocks without such a game are counted by lists.
    pub(super) fn may_be_more(&mut self, man: Man) -> bool {
        let most = Term::AtLeast(man, Term::MAX_COUNT);
        let list = self.postings.list(most);
        if list.is_none_or(|list| list.cardinality() == 0) {
            return false;
        }
        let demand = self.demand;
        self.plane(most)
            .is_some_and(|plane| plane.iter().zip(&demand).any(|(most, demand)| most & demand != 0))
    }

    /// Adds the value of the men of some kinds on the whole board; false if there may be more than the lists can count.
    fn sum_of_men(&mut self, set: &SetExpr, worth: fn(Role) -> i64, factor: i64, sum: &mut LinearSum<'_>) -> bool {
        let Some(men) = everywhere(set) else {
            return self.sum_on_squares(set, worth, factor, sum);
        };
        for (man, role) in men.iter().filter_map(|man| Some((man, man.role()?))) {
            let weight = factor * worth(role);
            if weight == 0 {
                continue;
            }
            if role == Role::King {
                sum.constant += weight;
                continue;
            }
            if self.may_be_more(man) {
                return false;
            }
            let holds = |n: u8| {
                self.postings
                    .list(Term::AtLeast(man, n))
                    .is_some_and(|list| list.cardinality() > 0)
            };
            let steps = (1..Term::MAX_COUNT).take_while(|&n| holds(n));
            sum.terms.extend(steps.map(|n| (weight, Term::AtLeast(man, n))));
        }
        true
    }
}

/// Where one sum is less than another, and where they are equal, given the digits of both.
fn compared(a: &[Plane], b: &[Plane]) -> [Plane; 2] {
    let (mut less, mut equal) = (ZERO, ONES);
    for bit in (0..a.len().max(b.len())).rev() {
        let (a, b) = (a.get(bit).unwrap_or(&ZERO), b.get(bit).unwrap_or(&ZERO));
        for (((less, equal), a), b) in less.iter_mut().zip(equal.iter_mut()).zip(a).zip(b) {
            *less |= *equal & !a & b;
            *equal &= !(a ^ b);
        }
    }
    [less, equal]
}

/// Adds planes up, for each position separately. Up to two planes wait at each binary digit; with the third they become
/// one plane and a carry.
#[derive(Clone, Debug, Default)]
pub(super) struct Adder {
    levels: Vec<Level>,
    /// The digits of the last sum.
    digits: Vec<Plane>,
}

#[derive(Clone, Debug)]
struct Level {
    waiting: usize,
    planes: [Plane; 2],
}

impl Level {
    /// Adds a plane; whether there is something to add at the next digit, which is then in `over`.
    fn add(&mut self, plane: &Plane, over: &mut Plane) -> bool {
        if self.waiting < 2 {
            self.planes[self.waiting] = *plane;
            self.waiting += 1;
            return false;
        }
        let [a, b] = &mut self.planes;
        let mut any = 0;
        for ((a, over), (b, plane)) in a.iter_mut().zip(over.iter_mut()).zip(b.iter().zip(plane)) {
            let half = *a ^ b;
            *over = (*a & b) | (half & plane);
            *a = half ^ plane;
            any |= *over;
        }
        self.waiting = 1;
        any != 0
    }
}

impl Adder {
    /// Nothing is added yet.
    pub(super) fn clear(&mut self) {
        self.levels.iter_mut().for_each(|level| level.waiting = 0);
    }

    /// Adds a plane `times` times.
    fn add_times(&mut self, times: u64, plane: &Plane) {
        for level in (0..63).filter(|level| times >> level & 1 != 0) {
            self.add(level, plane);
        }
    }

    /// Adds a plane at a binary digit.
    pub(super) fn add(&mut self, mut level: usize, plane: &Plane) {
        let mut over = ZERO;
        if !self.level(level).add(plane, &mut over) {
            return;
        }
        loop {
            level += 1;
            let plane = over;
            if !self.level(level).add(&plane, &mut over) {
                return;
            }
        }
    }

    fn level(&mut self, level: usize) -> &mut Level {
        while self.levels.len() <= level {
            self.levels.push(Level {
                waiting: 0,
                planes: [ZERO; 2],
            });
        }
        &mut self.levels[level]
    }

    /// The digits of the sum, the lowest first.
    pub(super) fn digits(&mut self) -> &[Plane] {
        let mut digits = std::mem::take(&mut self.digits);
        digits.clear();
        let mut level = 0;
        while level < self.levels.len() {
            let Level { waiting, planes } = &mut self.levels[level];
            match *waiting {
                0 => digits.push(ZERO),
                1 => digits.push(planes[0]),
                _ => {
                    let [mut sum, mut carry] = *planes;
                    for (a, b) in sum.iter_mut().zip(carry.iter_mut()) {
                        (*a, *b) = (*a ^ *b, *a & *b);
                    }
                    digits.push(sum);
                    if !is_zero(&carry) {
                        *waiting = 0;
                        self.add(level + 1, &carry);
                    }
                }
            }
            level += 1;
        }
        self.digits = digits;
        &self.digits
    }

    /// Where the sum is less than a number, and where it is that number.
    fn compared(&mut self, number: i64) -> [Plane; 2] {
        if number < 0 {
            return [ZERO; 2];
        }
        let digits = self.digits();
        if number >> digits.len().min(62) != 0 {
            return [ONES, ZERO];
        }
        let (mut less, mut equal) = (ZERO, ONES);
        for (bit, digit) in digits.iter().enumerate().rev() {
            if number >> bit & 1 != 0 {
                let mut not_digit = *digit;
                not(&mut not_digit);
                or_and(&mut less, &equal, &not_digit);
                and(&mut equal, digit);
            } else {
                and_not(&mut equal, digit);
            }
        }
        [less, equal]
    }
}

/// Goes a step further where a plane has the bit: step `n - 1` is reached once `n` planes had it.
pub(super) fn count_on(steps: &mut [Plane], plane: &Plane) {
    for step in (1..steps.len()).rev() {
        let (before, here) = steps.split_at_mut(step);
        or_and(&mut here[0], &before[step - 1], plane);
    }
    if let Some(first) = steps.first_mut() {
        or(first, plane);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_lists_is_asked_for_step_by_step_where_it_is_small() {
        let sum = |lists: usize, constant: i64, weight: i64| LinearSum {
            constant,
            terms: vec![(weight, Term::Mainline); lists],
            truths: Vec::new(),
            occupied: Vec::new(),
        };
        assert_eq!(sum(6, -4, 1).least(Comparison::GreaterEqual), Some(4));
        assert_eq!(sum(6, -4, 1).least(Comparison::Greater), Some(5));
        assert_eq!(sum(6, -4, 1).least(Comparison::Equal), None);
        assert_eq!(sum(6, -4, 3).least(Comparison::GreaterEqual), None);
        assert_eq!(sum(6, -1, 1).least(Comparison::GreaterEqual), None);
        assert_eq!(sum(100, -4, 1).least(Comparison::GreaterEqual), None);
    }

    #[test]
    fn sums_compare_as_numbers_do() {
        // In position i of the block, plane p has bit p of a mixed i.
        let mixed = |i: usize| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
        let plane = |p: usize| -> Plane {
            std::array::from_fn(|word| (0..64).fold(0, |bits, bit| bits | (mixed(word * 64 + bit) >> p & 1) << bit))
        };
        for planes in [0, 1, 2, 3, 7, 20, 40] {
            for number in [-1, 0, 1, 2, 5, 19, 40, 1000] {
                let mut adder = Adder::default();
                let mut sums = [0i64; 64];
                for p in 0..planes {
                    let level = p % 3;
                    adder.add(level, &plane(p));
                    for (i, sum) in sums.iter_mut().enumerate() {
                        *sum += ((mixed(i) >> p & 1) << level).cast_signed();
                    }
                }
                let [less, equal] = adder.compared(number);
                for (i, sum) in sums.iter().enumerate() {
                    assert_eq!(less[0] >> i & 1 != 0, *sum < number, "{planes} {number} {i}");
                    assert_eq!(equal[0] >> i & 1 != 0, *sum == number, "{planes} {number} {i}");
                }
            }
        }
        let mut steps = [ZERO; 3];
        (0..9).map(plane).for_each(|plane| count_on(&mut steps, &plane));
        for i in 0..64 {
            assert_eq!(steps[2][0] >> i & 1 != 0, (mixed(i) & 0x1ff).count_ones() >= 3);
        }
    }
}
