//! The positions of some games that may still match, and which blocks have any, so that empty blocks are skipped.

use std::cell::OnceCell;
use std::ops::Range;

use postings::Selection;

use super::set::PositionSet;
use crate::plane::Plane;

/// Positions of some games, a bit for each.
#[derive(Debug)]
pub struct RemainingPositions {
    positions: PositionSet,
    /// How many there are, once they were counted.
    count: OnceCell<u64>,
}

impl RemainingPositions {
    /// No position of a range.
    pub fn none(range: &Range<u32>) -> RemainingPositions {
        RemainingPositions::of(PositionSet::new(range))
    }

    /// These positions.
    pub(crate) fn of(positions: PositionSet) -> RemainingPositions {
        RemainingPositions {
            positions,
            count: OnceCell::new(),
        }
    }

    /// The positions as bits.
    pub(crate) fn positions(&self) -> &PositionSet {
        &self.positions
    }

    /// The positions as bits.
    pub(crate) fn into_positions(self) -> PositionSet {
        self.positions
    }

    /// The positions, which are about to change.
    fn changing(&mut self) -> &mut PositionSet {
        self.count.take();
        &mut self.positions
    }

    /// How many positions there are.
    pub fn count(&self) -> u64 {
        *self.count.get_or_init(|| self.positions.count())
    }

    /// The same, or some number from `enough` on if there are as many.
    pub(crate) fn count_up_to(&self, enough: u64) -> u64 {
        (self.count.get().copied()).unwrap_or_else(|| self.positions.count_up_to(enough))
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
        self.positions.first_from(self.base()).unwrap_or(u32::MAX)
    }

    /// The numbers of the blocks that may have a position, counted from [`RemainingPositions::base`] on, ascending.
    pub fn live(&self) -> impl Iterator<Item = u32> + use<> {
        let live: Vec<u32> = (0..)
            .zip(self.positions.marks())
            .filter_map(|(block, &used)| (used != 0).then_some(block))
            .collect();
        live.into_iter()
    }

    /// How many blocks may have a position.
    pub fn live_blocks(&self) -> u32 {
        self.positions.marks().iter().map(|&used| u32::from(used != 0)).sum()
    }

    /// The first block from one on that may have a position.
    pub fn next_live(&self, from: u32) -> Option<u32> {
        let blocks = (from..).zip(self.positions.marks().get(from as usize..)?);
        let mut live = blocks.filter(|(_, used)| **used != 0);
        live.next().map(|(block, _)| block)
    }

    /// The bits of a block.
    pub fn block(&self, block: u32) -> &Plane {
        &self.positions.words().as_chunks().0[block as usize]
    }

    /// All bits, the lowest first.
    pub fn words(&self) -> &[u64] {
        self.positions.words()
    }

    /// Changes the bits of a block.
    pub(crate) fn change_block(&mut self, block: u32, change: impl FnOnce(&mut Plane)) {
        self.changing().change_block(block, change);
    }

    /// Adds all positions of a range.
    pub fn add_range(&mut self, range: Range<u32>) {
        if !range.is_empty() {
            self.changing().set_range(range, true);
        }
    }

    /// Removes all positions of a range.
    pub fn remove_range(&mut self, range: Range<u32>) {
        self.changing().set_range(range, false);
    }

    /// Adds the positions of another set over the same chunks.
    pub fn add_all(&mut self, others: &RemainingPositions) {
        self.changing().add_all(&others.positions);
    }

    /// Keeps the positions of a set over the same chunks.
    pub(crate) fn keep_all(&mut self, others: &PositionSet) {
        self.changing().keep_all(others);
    }

    /// Removes the positions of a set over the same chunks.
    pub(crate) fn remove_all(&mut self, others: &PositionSet) {
        self.changing().remove_all(others);
    }

    /// Keeps those positions, side by side, that are asked for; `keep` gives their words.
    pub(crate) fn keep_selected(&mut self, keep: impl FnOnce(Selection) -> Vec<u64>) {
        let (base, positions) = (self.base(), self.positions.to_vec());
        self.changing()
            .narrow_words(|words| keep(Selection::of(base, words, positions)));
    }
}

#[cfg(test)]
mod tests {
    use postings::BLOCK_SIZE;

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
