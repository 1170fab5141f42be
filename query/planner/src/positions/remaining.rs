//! The positions of some games that may still match, and which blocks have any, so that empty blocks are skipped.

use std::ops::Range;

use postings::BLOCK_SIZE;

use super::set::PositionSet;
use crate::plane::{Plane, WORDS, is_zero};

/// Positions of some games, a bit for each.
#[derive(Debug)]
pub struct RemainingPositions {
    positions: PositionSet,
    /// A bit for each block that may have a position; the others have none.
    live: Vec<u64>,
}

impl RemainingPositions {
    /// No position of a range.
    pub fn none(range: &Range<u32>) -> RemainingPositions {
        let positions = PositionSet::new(range);
        let blocks = positions.words().len() / WORDS;
        RemainingPositions {
            positions,
            live: vec![0; blocks.div_ceil(64)],
        }
    }

    /// These positions.
    pub(crate) fn of(positions: PositionSet) -> RemainingPositions {
        let blocks: &[Plane] = positions.words().as_chunks().0;
        let mut live = vec![0; blocks.len().div_ceil(64)];
        for (block, plane) in (0..).zip(blocks) {
            if !is_zero(plane) {
                bits::insert(&mut live, block);
            }
        }
        RemainingPositions { positions, live }
    }

    /// The positions as bits.
    pub(crate) fn positions(&self) -> &PositionSet {
        &self.positions
    }

    /// The positions as bits.
    pub(crate) fn into_positions(self) -> PositionSet {
        self.positions
    }

    /// How many positions there are.
    pub fn count(&self) -> u64 {
        self.count_up_to(u64::MAX)
    }

    /// The same, or some number from `enough` on if there are as many.
    pub(crate) fn count_up_to(&self, enough: u64) -> u64 {
        let mut count = 0;
        for block in self.live() {
            let words = self.block(block).iter().filter(|&&word| word != 0);
            count += words.map(|word| u64::from(word.count_ones())).sum::<u64>();
            if count >= enough {
                break;
            }
        }
        count
    }

    /// The position of the first bit of all.
    pub fn base(&self) -> u32 {
        self.positions.base()
    }

    /// Whether there are so many positions in the segment before each of these. There is nothing before the first one of all.
    pub(crate) fn have_before(&self, ids: u32) -> bool {
        ids <= self.base() || ids <= self.first()
    }

    /// The first position; the largest number if there is none.
    fn first(&self) -> u32 {
        let found = self.live().find_map(|block| {
            let plane = self.block(block);
            let word = plane.iter().position(|&word| word != 0)?;
            let word = u32::try_from(word).ok()?;
            Some(self.base() + block * BLOCK_SIZE + word * u64::BITS + plane[word as usize].trailing_zeros())
        });
        found.unwrap_or(u32::MAX)
    }

    /// The numbers of the blocks that may have a position, counted from [`RemainingPositions::base`] on, ascending.
    pub fn live(&self) -> impl Iterator<Item = u32> + use<> {
        let live = self.live.clone();
        live.into_iter()
            .zip((0..).step_by(64))
            .flat_map(|(word, first)| bits::ones(word).map(move |bit| first + bit))
    }

    /// How many blocks may have a position.
    pub fn live_blocks(&self) -> u32 {
        bits::count(&self.live)
    }

    /// The first block from one on that may have a position.
    pub fn next_live(&self, from: u32) -> Option<u32> {
        bits::next(&self.live, from)
    }

    /// The bits of a block.
    pub fn block(&self, block: u32) -> &Plane {
        &self.positions.words().as_chunks().0[block as usize]
    }

    /// All bits, the lowest first.
    pub fn words(&self) -> &[u64] {
        self.positions.words()
    }

    pub(crate) fn block_mut(&mut self, block: u32) -> &mut Plane {
        &mut self.positions.words_mut().as_chunks_mut().0[block as usize]
    }

    /// Puts positions into a block that has none.
    pub(crate) fn put_block(&mut self, block: u32, plane: &Plane) {
        *self.block_mut(block) = *plane;
        bits::insert(&mut self.live, block);
    }

    /// Adds all positions of a range.
    pub fn add_range(&mut self, range: Range<u32>) {
        if range.is_empty() {
            return;
        }
        let base = self.base();
        let blocks = (range.start - base) / BLOCK_SIZE..(range.end - base).div_ceil(BLOCK_SIZE);
        bits::set_range(&mut self.live, blocks);
        self.positions.set_range(range, true);
    }

    /// Removes all positions of a range.
    pub fn remove_range(&mut self, range: Range<u32>) {
        self.positions.set_range(range, false);
    }

    /// Adds the positions of another set over the same chunks.
    pub fn add_all(&mut self, others: &RemainingPositions) {
        for (word, other) in self.live.iter_mut().zip(&others.live) {
            *word |= other;
        }
        self.positions.add_all(&others.positions);
    }

    /// Keeps the positions of a set over the same chunks.
    pub(crate) fn keep_all(&mut self, others: &PositionSet) {
        self.positions.keep_all(others);
    }

    /// Removes the positions of a set over the same chunks.
    pub(crate) fn remove_all(&mut self, others: &PositionSet) {
        self.positions.remove_all(others);
    }

    /// Records that a block has no positions any more.
    pub(crate) fn clear_block(&mut self, block: u32) {
        bits::remove(&mut self.live, block);
    }

    /// Replaces the words; the new ones have no new positions.
    pub(crate) fn replace_words(&mut self, words: impl FnOnce(Vec<u64>) -> Vec<u64>) {
        self.positions.replace_words(words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_position_is_found_behind_empty_blocks() {
        let mut positions = RemainingPositions::none(&(0..4 * BLOCK_SIZE));
        assert_eq!(positions.first(), u32::MAX);
        let at = 2 * BLOCK_SIZE + 77;
        positions.add_range(at..at + 5);
        assert_eq!(positions.first(), at);
        // Blocks that may have a position need not have one.
        positions.add_range(3..4);
        positions.remove_range(0..10);
        assert_eq!(positions.first(), at);
    }
}
