//! Conditions that are asked some ids away: they are evaluated where they stand, for whole blocks, and what they give is
//! shifted. To shift each list that such a condition reads takes longer, and the steps of a sequence ask the same condition at
//! several distances.

use std::collections::HashMap;

use postings::BLOCK_SIZE;

use super::Sweep;
use crate::expr::{Truth, hash_of};
use crate::plane::{ONES, Plane, WORDS, ZERO, shift};

/// A condition that costs no more, in plane operations, is read at the offset.
const CHEAP: f64 = 8.0;

/// Where fewer positions of a block are left, a condition that is not known there is asked for these alone.
const FEW: u32 = 256;

/// A condition is no longer evaluated for whole blocks after this many blocks of which nothing could be used again.
const MOST_IN_VAIN: u32 = 8;

/// How many blocks are known at a time: the one before, this one, and the next.
const BLOCKS: usize = 3;

/// What is known of the conditions that are asked some ids away.
#[derive(Debug, Default)]
pub(super) struct Shifted {
    /// By the address of a condition in the expression that is evaluated, which stays where it is as long as this: where it is
    /// among the conditions; nowhere if it is cheap.
    places: HashMap<usize, Option<usize>>,
    conditions: Vec<Condition>,
}

/// A condition, and where it holds in some blocks.
#[derive(Debug)]
struct Condition {
    hash: u64,
    truth: Truth,
    /// By the number of the block.
    blocks: [(u32, Plane); BLOCKS],
    /// How often it was asked, and how many blocks were evaluated for that.
    asked: u32,
    evaluated: u32,
}

impl Shifted {
    /// Where a condition is among those that are evaluated for whole blocks.
    fn place(&mut self, truth: &Truth) -> Option<usize> {
        let address = std::ptr::from_ref(truth).addr();
        if let Some(known) = self.places.get(&address) {
            return *known;
        }
        let place = (truth.cost() > CHEAP).then(|| {
            let hash = hash_of(truth);
            let mut conditions = self.conditions.iter();
            let known = conditions.position(|condition| condition.hash == hash && condition.truth == *truth);
            known.unwrap_or_else(|| {
                self.conditions.push(Condition {
                    hash,
                    truth: truth.clone(),
                    blocks: [(u32::MAX, ZERO); BLOCKS],
                    asked: 0,
                    evaluated: 0,
                });
                self.conditions.len() - 1
            })
        });
        self.places.insert(address, place);
        place
    }
}

impl Condition {
    fn is_known(&self, block: u32) -> bool {
        self.blocks[block as usize % BLOCKS].0 == block
    }

    fn plane(&self, block: u32) -> &Plane {
        &self.blocks[block as usize % BLOCKS].1
    }
}

impl Sweep<'_> {
    /// Where a condition holds `ids` later.
    pub(super) fn after_into(&mut self, ids: i32, truth: &Truth, out: &mut Plane) {
        let is_list = match truth {
            Truth::Term(_) => true,
            Truth::Move(next) => next.place().is_some(),
            _ => false,
        };
        if is_list || !self.whole_blocks_after(ids, truth, out) {
            self.later(ids, |sweep| sweep.truth_into(truth, out));
        }
    }

    /// The same, from whole blocks; false if it is better asked at the offset.
    fn whole_blocks_after(&mut self, ids: i32, truth: &Truth, out: &mut Plane) -> bool {
        let size = BLOCK_SIZE.cast_signed();
        let is_whole = self.selection.is_none() && self.offset() % size == 0 && ids.abs() <= Truth::REACH;
        if !is_whole {
            return false;
        }
        let Some(place) = self.shifted.place(truth) else {
            return false;
        };
        let here = self.block_there();
        // The other block is needed only where the positions beside it are.
        let other = match ids > 0 {
            true => (self.demand[WORDS - 1] >> (64 - ids) != 0).then(|| here.checked_add(1)),
            false => (self.demand[0] << (64 + ids) != 0).then(|| here.checked_sub(1)),
        };
        let other = other.flatten();
        let condition = &mut self.shifted.conditions[place];
        let blocks = || [Some(here), other].into_iter().flatten();
        let missing = blocks().filter(|&block| !condition.is_known(block)).count();
        let is_in_vain = missing > 1 && condition.evaluated > condition.asked + MOST_IN_VAIN;
        if is_in_vain || missing > 0 && bits::count(&self.demand) < FEW {
            return false;
        }
        condition.asked += 1;
        for block in blocks() {
            let condition = &mut self.shifted.conditions[place];
            if condition.is_known(block) {
                continue;
            }
            condition.evaluated += 1;
            let demand = std::mem::replace(&mut self.demand, ONES);
            let mut plane = ZERO;
            match block.cast_signed() - here.cast_signed() {
                0 => self.truth_into(truth, &mut plane),
                blocks => self.later(blocks * size, |sweep| sweep.truth_into(truth, &mut plane)),
            }
            self.demand = demand;
            self.shifted.conditions[place].blocks[block as usize % BLOCKS] = (block, plane);
        }
        let condition = &self.shifted.conditions[place];
        let of = |block: Option<u32>| block.map_or(ZERO, |block| *condition.plane(block));
        match ids > 0 {
            true => shift(&[of(Some(here)), of(other)], ids.unsigned_abs(), out),
            false => shift(&[of(other), of(Some(here))], BLOCK_SIZE - ids.unsigned_abs(), out),
        }
        true
    }
}
