//! The positions of some games that are left, and where there are any, so that what is empty is never looked at.

use std::ops::Range;

use postings::BLOCK_SIZE;

use super::super::block::{Plane, WORDS};
use super::bits::Bits;

/// Positions of some games, a bit for each.
#[derive(Debug)]
pub struct Narrowed {
    bits: Bits,
    /// A bit for each block that may have a position; the others have none.
    live: Vec<u64>,
}

impl Narrowed {
    /// No position of a range. The memory is all zeros, as [`Narrowed::into_memory`] gives it.
    pub fn none(range: &Range<u32>, memory: Vec<u64>) -> Narrowed {
        let bits = Bits::in_memory(range, memory);
        let blocks = bits.words().len() / WORDS;
        Narrowed {
            bits,
            live: vec![0; blocks.div_ceil(64)],
        }
    }

    /// These positions.
    pub(super) fn of(bits: Bits) -> Narrowed {
        let blocks = bits.words().len() / WORDS;
        let mut live = vec![0; blocks.div_ceil(64)];
        bits::set_first(&mut live, blocks as u32);
        Narrowed { bits, live }
    }

    /// The memory, all zeros again.
    pub fn into_memory(mut self) -> Vec<u64> {
        for block in self.live() {
            self.block_mut(block).fill(0);
        }
        self.bits.into_words().1
    }

    /// The positions as bits.
    pub(super) fn bits(&self) -> &Bits {
        &self.bits
    }

    /// The positions as bits.
    pub(super) fn into_bits(self) -> Bits {
        self.bits
    }

    /// How many positions there are.
    pub fn count(&self) -> u64 {
        self.live().map(|block| u64::from(bits::count(self.block(block)))).sum()
    }

    /// The position of the first bit of all.
    pub fn base(&self) -> u32 {
        self.bits.base()
    }

    /// The numbers of the blocks that may have a position, counted from [`Narrowed::base`] on, ascending.
    pub fn live(&self) -> impl Iterator<Item = usize> + use<> {
        let live = self.live.clone();
        live.into_iter()
            .enumerate()
            .flat_map(|(index, word)| bits::ones(word).map(move |bit| 64 * index + bit as usize))
    }

    /// How many blocks may have a position.
    pub(super) fn live_blocks(&self) -> u32 {
        bits::count(&self.live)
    }

    /// The first block from one on that may have a position.
    pub fn next_live(&self, from: usize) -> Option<usize> {
        bits::next(&self.live, from as u32).map(|block| block as usize)
    }

    /// The bits of a block.
    pub fn block(&self, block: usize) -> &Plane {
        &self.bits.words().as_chunks().0[block]
    }

    /// All bits, the lowest first.
    pub fn words(&self) -> &[u64] {
        self.bits.words()
    }

    pub(super) fn block_mut(&mut self, block: usize) -> &mut Plane {
        &mut self.bits.words_mut().as_chunks_mut().0[block]
    }

    /// Puts positions into a block that has none.
    pub(super) fn put_block(&mut self, block: usize, plane: &Plane) {
        *self.block_mut(block) = *plane;
        bits::insert(&mut self.live, block as u32);
    }

    /// Adds all positions of a range.
    pub fn add_range(&mut self, range: Range<u32>) {
        if range.is_empty() {
            return;
        }
        let base = self.base();
        let blocks = (range.start - base) / BLOCK_SIZE..(range.end - base).div_ceil(BLOCK_SIZE);
        bits::set_range(&mut self.live, blocks);
        self.bits.set_range(range, true);
    }

    /// Takes all positions of a range out.
    pub fn remove_range(&mut self, range: Range<u32>) {
        self.bits.set_range(range, false);
    }

    /// Notes that a block has no position any more.
    pub(super) fn kill(&mut self, block: usize) {
        bits::remove(&mut self.live, block as u32);
    }

    /// Puts other words in their place, which have no new positions.
    pub(super) fn replace_words(&mut self, words: impl FnOnce(Vec<u64>) -> Vec<u64>) {
        self.bits.replace_words(words);
    }
}
