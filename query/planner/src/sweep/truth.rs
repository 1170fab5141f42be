//! Conditions, for all positions of a block at once.

use std::ops::Range;

use language::hir::ManSet;
use postings::{BLOCK_SIZE, Term};
use shakmaty::{Color, Square};

use super::Sweep;
use crate::expr::Truth;
use crate::plane::{ONES, Plane, ZERO, and, and_not, covers, is_zero, not, or, or_and};

/// After this many lists of a disjunction, it is looked whether the others are needed.
const CHECKED: usize = 8;

/// How many kinds of men a color has.
const ONE_COLOR: usize = 6;

/// Conjunctions of up to this many terms are added to a disjunction without a plane of their own.
const MAX_FUSED: usize = 8;

impl Sweep<'_> {
    /// Adds the positions where all of these terms hold.
    fn or_all_terms(&mut self, parts: &[Truth], out: &mut Plane) {
        let terms = || {
            parts.iter().filter_map(|part| {
                if let Truth::Term(term) = part {
                    Some(*term)
                } else {
                    None
                }
            })
        };
        if !terms().all(|term| self.load(term)) {
            return;
        }
        let mut planes = [&ZERO; MAX_FUSED];
        for (slot, term) in planes.iter_mut().zip(terms()) {
            *slot = self.loaded(term);
        }
        match planes[..parts.len()] {
            [a, b] => or_and(out, a, b),
            [a, b, c] => {
                for (word, ((a, b), c)) in out.iter_mut().zip(a.iter().zip(b).zip(c)) {
                    *word |= a & b & c;
                }
            }
            ref planes => {
                for (index, word) in out.iter_mut().enumerate() {
                    *word |= planes.iter().fold(u64::MAX, |all, plane| all & plane[index]);
                }
            }
        }
    }

    /// Whether a condition may hold in the block, judged by the first list of a conjunction.
    pub(super) fn first_holds(&mut self, truth: &Truth) -> bool {
        match truth {
            Truth::Term(term) => self.load(*term),
            Truth::And(parts) => parts.first().is_none_or(|first| self.first_holds(first)),
            Truth::After(ids, inner) => match **inner {
                Truth::Term(term) => self.later(*ids, |sweep| sweep.load(term)),
                _ => true,
            },
            Truth::Move(next) => match next.place() {
                Some((group, number)) => self.may_move(group, number),
                None => self.first_holds(next.listed()),
            },
            _ => true,
        }
    }

    /// Adds the positions where a term holds and one of others does.
    fn or_common_term(&mut self, common: Term, others: &[Truth], out: &mut Plane) {
        if !self.load(common) {
            return;
        }
        for other in others {
            if let Truth::Term(other) = other
                && self.load(*other)
            {
                or_and(out, self.loaded(common), self.loaded(*other));
            }
        }
    }

    /// Evaluates a condition for the block.
    pub(super) fn truth_into(&mut self, truth: &Truth, out: &mut Plane) {
        match truth {
            Truth::Always => *out = ONES,
            Truth::Never => *out = ZERO,
            Truth::Term(term) => *out = self.plane(*term).copied().unwrap_or(ZERO),
            Truth::PositionSet(set) => *out = self.set_plane(set).copied().unwrap_or(ZERO),
            Truth::Given(quantity) => *out = self.given_plane(*quantity),
            Truth::Not(inner) => {
                self.truth_into(inner, out);
                not(out);
            }
            Truth::And(parts) => {
                let outer = self.demand;
                *out = outer;
                for part in parts {
                    self.and_truth(part, out);
                    if is_zero(out) {
                        break;
                    }
                    self.demand = *out;
                }
                self.demand = outer;
            }
            Truth::Or(parts) => {
                if let Some((color, square)) = all_men_on_one_square(parts) {
                    *out = self.where_men_stand(color, square);
                    return;
                }
                *out = ZERO;
                let outer = self.demand;
                let mut added = 0;
                for part in parts {
                    if let Truth::Term(term) = part {
                        self.add_term(*term, out);
                        added += 1;
                        if added % CHECKED == 0 && covers(out, &outer) {
                            break;
                        }
                        continue;
                    }
                    if let Truth::And(terms) = part
                        && terms.len() <= MAX_FUSED
                        && are_terms(terms)
                    {
                        self.or_all_terms(terms, out);
                        continue;
                    }
                    if !self.first_holds(part) {
                        continue;
                    }
                    if let Truth::And(inner) = part
                        && let [Truth::Term(common), Truth::Or(terms)] = &inner[..]
                        && are_terms(terms)
                    {
                        self.or_common_term(*common, terms, out);
                        continue;
                    }
                    // Where one holds, the others are not asked.
                    self.demand = outer;
                    and_not(&mut self.demand, out);
                    if is_zero(&self.demand) {
                        break;
                    }
                    let mut plane = ZERO;
                    self.truth_into(part, &mut plane);
                    or(out, &plane);
                }
                self.demand = outer;
            }
            Truth::Games(index) => self.games_into(*index, out),
            Truth::PlyAtLeast(ply) => self.plies_into(*ply, out),
            Truth::Any(set) => {
                *out = ZERO;
                if !self.any_by_conditions(set, out) {
                    self.each_of(set, |plane| or(out, plane));
                }
            }
            Truth::Single(set) => {
                let (mut once, mut twice) = (ZERO, ZERO);
                let block = self.set(set, shakmaty::Bitboard::FULL);
                for square in block.live() {
                    if let Some(plane) = block.get(square) {
                        or_and(&mut twice, &once, plane);
                        or(&mut once, plane);
                    }
                }
                self.give_back(block);
                and_not(&mut once, &twice);
                *out = once;
            }
            Truth::Compare(comparison, a, b) => self.compare_into(*comparison, a, b, out),
            Truth::After(ids, inner) => self.after_into(*ids, inner, out),
            Truth::Move(next) => match next.place() {
                Some((group, number)) => self.moves_into(group, number, out),
                None => self.truth_into(next.listed(), out),
            },
            Truth::Temporal(temporal) => self.temporal_into(temporal.id, out),
        }
    }

    /// Where a temporal expression holds.
    fn temporal_into(&self, id: usize, out: &mut Plane) {
        *out = ZERO;
        let Some(found) = self.temporals.and_then(|results| results.get(id)) else {
            return;
        };
        let offset = i64::from(self.offset());
        match &self.selection {
            None => *out = found.plane_at(i64::from(self.block) * i64::from(BLOCK_SIZE) + offset),
            Some(selection) => {
                for (number, &position) in selection.block(self.block).iter().enumerate() {
                    let there = u32::try_from(i64::from(position) + offset).is_ok_and(|id| found.contains(id));
                    out[number / 64] |= u64::from(there) << (number % 64);
                }
            }
        }
    }

    fn and_truth(&mut self, truth: &Truth, out: &mut Plane) {
        match truth {
            Truth::Term(term) => match self.plane(*term) {
                Some(list) => and(out, list),
                None => *out = ZERO,
            },
            Truth::Not(inner) => match &**inner {
                Truth::Or(terms) if are_terms(terms) => {
                    for group in terms.chunks(CHECKED) {
                        group.iter().for_each(|term| self.and_not_truth(term, out));
                        if terms.len() > CHECKED && is_zero(out) {
                            break;
                        }
                    }
                }
                other => self.and_not_truth(other, out),
            },
            other => {
                let mut plane = ZERO;
                self.truth_into(other, &mut plane);
                and(out, &plane);
            }
        }
    }

    fn and_not_truth(&mut self, truth: &Truth, out: &mut Plane) {
        if let Truth::Term(term) = truth {
            if let Some(list) = self.plane(*term) {
                and_not(out, list);
            }
        } else {
            let mut plane = ZERO;
            self.truth_into(truth, &mut plane);
            and_not(out, &plane);
        }
    }

    fn games_into(&self, index: usize, out: &mut Plane) {
        *out = ZERO;
        let block = self.positions_of_block();
        for range in self.ranges_within(index, block.start, block.end) {
            self.fill_positions(out, range);
        }
    }

    fn plies_into(&self, ply: u32, out: &mut Plane) {
        *out = ZERO;
        let beside =
            self.offset() - (self.block_there().cast_signed() - self.block.cast_signed()) * BLOCK_SIZE.cast_signed();
        let ply = ply.saturating_add_signed(beside.saturating_neg());
        let block = self.positions_of_block();
        let first = self
            .starts
            .partition_point(|&game| game <= block.start)
            .saturating_sub(1);
        for game in self.starts[first..].windows(2).take_while(|game| game[0] < block.end) {
            // It is cheaper to set the first positions of each game and complement the result: they are fewer than the
            // others.
            let end = game[0].saturating_add(ply).min(game[1]).min(block.end);
            self.fill_positions(out, game[0].max(block.start)..end);
        }
        not(out);
    }

    /// The positions from the first to the last of the block, or of that whose lists are read.
    fn positions_of_block(&self) -> Range<u32> {
        match self.selection.as_ref().map(|selection| selection.block(self.block)) {
            None => {
                let start = self.block_there().saturating_mul(BLOCK_SIZE);
                start..start.saturating_add(BLOCK_SIZE)
            }
            Some([first, .., last]) => *first..last + 1,
            Some([only]) => *only..only + 1,
            Some([]) => 0..0,
        }
    }

    /// Sets the bits of the positions in a range that lies in the block.
    fn fill_positions(&self, plane: &mut Plane, range: Range<u32>) {
        if range.is_empty() {
            return;
        }
        let (number, first): (&dyn Fn(u32) -> u32, u32) = match &self.selection {
            None => (&|position| position, self.block_there() * BLOCK_SIZE),
            Some(selection) => (&|position| selection.rank(position), self.block * BLOCK_SIZE),
        };
        bits::set_range(plane, number(range.start) - first..number(range.end) - first);
    }
}

/// The square on which any man stands, or any man of a color, where that is what a disjunction says.
fn all_men_on_one_square(parts: &[Truth]) -> Option<(Option<Color>, Square)> {
    if parts.len() != ONE_COLOR && parts.len() != 2 * ONE_COLOR {
        return None;
    }
    let Some(Truth::Term(Term::Placement(_, square))) = parts.first() else {
        return None;
    };
    let man = |part: &Truth| match part {
        Truth::Term(Term::Placement(man, at)) if at == square => Some(*man),
        _ => None,
    };
    let men: ManSet = parts.iter().map(man).collect::<Option<_>>()?;
    let color = match [men.is_superset(ManSet::WHITE), men.is_superset(ManSet::BLACK)] {
        [true, true] => None,
        [true, false] => Some(Color::White),
        [false, true] => Some(Color::Black),
        [false, false] => return None,
    };
    Some((color, *square))
}

/// Whether all of these are plain terms.
fn are_terms(parts: &[Truth]) -> bool {
    parts.iter().all(|part| matches!(part, Truth::Term(_)))
}
