//! Where each of many conditions holds. What one game changes lies close together in memory, whichever conditions it is about.

use std::ops::Range;

use postings::{BLOCK_SIZE, BLOCK_WORDS};

use crate::plane::{Plane, ZERO, shift};

/// The words of a condition that lie side by side: a line of the processor's cache.
const LINE_WORDS: usize = 8;

/// How many lines a block has for each condition.
const LINES: usize = BLOCK_WORDS / LINE_WORDS;

/// Some positions for each of some conditions, which are counted from 0.
#[derive(Debug)]
pub(crate) struct FoundPlanes {
    conditions: usize,
    /// The number of the first block.
    first: u32,
    /// By block, line and condition, the words; none if no condition holds in the block.
    blocks: Vec<Box<[[u64; LINE_WORDS]]>>,
    /// A bit for each block and condition: whether it holds somewhere there.
    holds: Vec<u64>,
    /// By condition, how many positions were noted for it since they were last taken; none if they are not counted.
    counts: Vec<u32>,
}

impl FoundPlanes {
    /// No position, for conditions on positions of a range.
    pub(super) fn new(range: &Range<u32>, conditions: usize) -> FoundPlanes {
        let first = range.start / BLOCK_SIZE;
        let blocks = (range.end.div_ceil(BLOCK_SIZE).max(first) - first) as usize;
        FoundPlanes {
            conditions,
            first,
            blocks: vec![Box::default(); blocks],
            holds: vec![0; (blocks * conditions).div_ceil(bits::BITS as usize)],
            counts: Vec::new(),
        }
    }

    /// Counts the positions that are noted from now on.
    pub(super) fn count(&mut self) {
        self.counts.resize(self.conditions, 0);
    }

    /// Calls `each` with how many positions were noted for each condition since the last call, one after the other.
    pub(super) fn take_counts(&mut self, mut each: impl FnMut(u32)) {
        self.counts.iter_mut().for_each(|count| each(std::mem::take(count)));
    }

    /// Notes which conditions hold at positions in a row, the first of which is given: each has a word with a bit for each
    /// of some conditions, whose numbers `by_bit` tells. Other bits mean nothing.
    pub(super) fn insert_in_a_row(&mut self, start: u32, holding: &[u64], by_bit: &[usize]) {
        let (mut position, mut rest) = (start, holding);
        while !rest.is_empty() {
            // Up to the end of a word of the planes.
            let (some, behind) = rest.split_at(rest.len().min((bits::BITS - position % bits::BITS) as usize));
            if by_bit.len() <= FEW_BITS {
                for (bit, &condition) in by_bit.iter().enumerate() {
                    let words = some.iter().rev();
                    let positions = words.fold(0, |positions, word| positions << 1 | word >> bit & 1);
                    self.insert_some(condition, position, positions);
                }
            } else {
                let mut by_position = [0; bits::BITS as usize];
                by_position[..some.len()].copy_from_slice(some);
                bits::transpose(&mut by_position);
                for (&positions, &condition) in by_position.iter().zip(by_bit) {
                    self.insert_some(condition, position, positions);
                }
            }
            position = (position | (bits::BITS - 1)) + 1;
            rest = behind;
        }
    }

    /// Notes that a condition holds at a position.
    #[inline]
    pub(super) fn insert(&mut self, condition: usize, position: u32) {
        self.insert_some(condition, position, 1);
    }

    /// The same for the positions from one to another.
    pub(super) fn insert_all(&mut self, condition: usize, from: u32, last: u32) {
        let mut position = from;
        while position <= last {
            let end = (position | (bits::BITS - 1)).min(last);
            self.insert_some(condition, position, bits::below(end - position + 1));
            position = end + 1;
        }
    }

    /// The same for those positions from one on that have a bit; all of them are in one word.
    #[inline]
    fn insert_some(&mut self, condition: usize, position: u32, positions: u64) {
        if positions == 0 {
            return;
        }
        let (block, line, word, bit) = self.place(condition, position);
        let lines = &mut self.blocks[block];
        if lines.is_empty() {
            *lines = empty(self.conditions);
        }
        lines[line][word] |= positions * bit;
        if let Some(count) = self.counts.get_mut(condition) {
            *count += positions.count_ones();
        }
        let number = block * self.conditions + condition;
        self.holds[number / 64] |= 1 << (number % 64);
    }

    /// Whether a condition holds at a position.
    pub(crate) fn contains(&self, condition: usize, position: u32) -> bool {
        if !self.has(condition, i64::from(position / BLOCK_SIZE)) {
            return false;
        }
        let (block, line, word, bit) = self.place(condition, position);
        self.blocks[block][line][word] & bit != 0
    }

    /// Whether there may be such a position in a block that begins at a position.
    pub(crate) fn may_hold(&self, condition: usize, start: i64) -> bool {
        let first = start.div_euclid(i64::from(BLOCK_SIZE));
        self.has(condition, first) || self.has(condition, first + 1)
    }

    /// Makes `out` those positions of a block that begins at a position where a condition holds.
    pub(crate) fn plane_into(&self, condition: usize, start: i64, out: &mut Plane) {
        let first = start.div_euclid(i64::from(BLOCK_SIZE));
        // It is less than the size of a block.
        let ids = u32::try_from(start.rem_euclid(i64::from(BLOCK_SIZE))).unwrap_or(0);
        if ids == 0 {
            self.block_into(condition, first, out);
        } else if self.has(condition, first) || self.has(condition, first + 1) {
            let mut both = [ZERO; 2];
            self.block_into(condition, first, &mut both[0]);
            self.block_into(condition, first + 1, &mut both[1]);
            shift(&both, ids, out);
        } else {
            *out = ZERO;
        }
    }

    /// The same for a block counted from id 0.
    fn block_into(&self, condition: usize, block: i64, out: &mut Plane) {
        let Some(index) = self.index(block).filter(|_| self.has(condition, block)) else {
            *out = ZERO;
            return;
        };
        let lines = self.blocks[index].iter().skip(condition).step_by(self.conditions);
        for (out, line) in out.chunks_exact_mut(LINE_WORDS).zip(lines) {
            out.copy_from_slice(line);
        }
    }

    /// Whether a condition holds somewhere in a block, counted from id 0.
    fn has(&self, condition: usize, block: i64) -> bool {
        self.index(block).is_some_and(|block| {
            let number = block * self.conditions + condition;
            self.holds[number / 64] >> (number % 64) & 1 != 0
        })
    }

    /// The index of a block, if it is among these.
    fn index(&self, block: i64) -> Option<usize> {
        let index = usize::try_from(block - i64::from(self.first)).ok()?;
        (index < self.blocks.len()).then_some(index)
    }

    /// The index of the block of a position, and of the line of a condition, the word and the bit in it.
    #[inline]
    fn place(&self, condition: usize, position: u32) -> (usize, usize, usize, u64) {
        let block = (position / BLOCK_SIZE - self.first) as usize;
        let word = (position % BLOCK_SIZE / bits::BITS) as usize;
        let line = word / LINE_WORDS * self.conditions + condition;
        (block, line, word % LINE_WORDS, 1 << (position % bits::BITS))
    }
}

/// For no more conditions than this, bits are taken out of the words one by one.
const FEW_BITS: usize = 3;

/// A block in which no condition holds yet.
#[cold]
fn empty(conditions: usize) -> Box<[[u64; LINE_WORDS]]> {
    vec![[0; LINE_WORDS]; LINES * conditions].into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plane::ONES;
    use crate::positions::PositionSet;

    #[test]
    fn planes_are_those_of_a_set_for_each_condition() {
        let range = 3 * BLOCK_SIZE + 100..9 * BLOCK_SIZE - 7;
        let mut found = FoundPlanes::new(&range, 5);
        let mut sets = vec![PositionSet::new(&range); 5];
        for number in 0..700u32 {
            let condition = (number % 4) as usize;
            // Nothing holds in the blocks of the middle.
            let position = range.start + number.wrapping_mul(0x9e37_79b9) % (2 * BLOCK_SIZE);
            found.insert(condition, position);
            sets[condition].insert(position);
        }
        let last = range.end - 1;
        found.insert_all(4, last - 5_000, last);
        sets[4].set_range(last - 5_000..last + 1, true);
        for (condition, set) in sets.iter().enumerate() {
            for start in (0..12 * i64::from(BLOCK_SIZE))
                .step_by(607)
                .chain([0, 4096, 8 * 4096, 8 * 4096 + 64])
            {
                let mut plane = ONES;
                found.plane_into(condition, start, &mut plane);
                assert_eq!(plane, set.plane_at(start), "{condition} at {start}");
                assert!(found.may_hold(condition, start) || plane == ZERO);
            }
            assert!(
                range
                    .clone()
                    .all(|position| found.contains(condition, position) == set.contains(position))
            );
        }
    }
}
