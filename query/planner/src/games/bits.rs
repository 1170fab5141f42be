//! One bit for every position of some games.

use std::ops::Range;

use super::super::block::{Plane, WORDS, ZERO};
use super::super::sweep::CHUNK_WORDS;

/// One bit for every position of some chunks.
#[derive(Clone, Debug)]
pub struct Bits {
    /// The number of the first chunk.
    pub(super) first_chunk: u32,
    first_word: usize,
    words: Vec<u64>,
}

impl Bits {
    /// No position, in the chunks of a range.
    pub(super) fn new(range: &Range<u32>) -> Bits {
        Bits::in_memory(range, Vec::new())
    }

    /// No position, in the chunks of a range. The memory is all zeros.
    pub(super) fn in_memory(range: &Range<u32>, mut memory: Vec<u64>) -> Bits {
        let first_chunk = range.start / postings::CHUNK_SIZE;
        let chunks = range.end.div_ceil(postings::CHUNK_SIZE).max(first_chunk) - first_chunk;
        memory.resize(chunks as usize * CHUNK_WORDS, 0);
        Bits {
            first_chunk,
            first_word: first_chunk as usize * CHUNK_WORDS,
            words: memory,
        }
    }

    /// The first position that the words tell of, and the words.
    pub(super) fn into_words(self) -> (u32, Vec<u64>) {
        (self.first_chunk * postings::CHUNK_SIZE, self.words)
    }

    /// The number of the first block.
    pub(super) fn first_block(&self) -> u32 {
        self.first_chunk * (CHUNK_WORDS / WORDS) as u32
    }

    /// Whether there is no position.
    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The words, the lowest ids first.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words, the lowest ids first.
    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Puts other words in their place.
    pub(super) fn replace_words(&mut self, words: impl FnOnce(Vec<u64>) -> Vec<u64>) {
        self.words = words(std::mem::take(&mut self.words));
    }

    /// Adds a position of the range.
    pub(super) fn insert(&mut self, id: u32) {
        self.words[id as usize / 64 - self.first_word] |= 1 << (id % 64);
    }

    /// Whether a position is there; those beyond the range are not.
    pub(crate) fn contains(&self, id: u32) -> bool {
        (id as usize / 64)
            .checked_sub(self.first_word)
            .and_then(|index| self.words.get(index))
            .is_some_and(|word| word >> (id % 64) & 1 != 0)
    }

    /// Makes a range of positions that is inside full or empty.
    pub(super) fn set_range(&mut self, range: Range<u32>, value: bool) {
        let mut at = range.start;
        while at < range.end {
            let upto = range.end.min((at / 64 + 1) * 64);
            let mask = ones(upto - at) << (at % 64);
            let word = &mut self.words[at as usize / 64 - self.first_word];
            if value {
                *word |= mask;
            } else {
                *word &= !mask;
            }
            at = upto;
        }
    }

    /// Calls `f` with the first id and the bits of every piece of a range that is inside one word and has a position.
    pub(super) fn pieces(&self, range: Range<u32>) -> impl DoubleEndedIterator<Item = (u32, u64)> + '_ {
        let last = range.end.div_ceil(64);
        (range.start / 64..last).filter_map(move |word| {
            let start = (word * 64).max(range.start);
            let end = ((word + 1) * 64).min(range.end);
            let bits = self.words[word as usize - self.first_word] >> (start % 64) & ones(end - start);
            (bits != 0).then_some((start, bits))
        })
    }

    /// The first position of a range.
    pub(super) fn first_in(&self, range: Range<u32>) -> Option<u32> {
        let (start, bits) = self.pieces(range).next()?;
        Some(start + bits.trailing_zeros())
    }

    /// The last position of a range.
    pub(super) fn last_in(&self, range: Range<u32>) -> Option<u32> {
        let (start, bits) = self.pieces(range).next_back()?;
        Some(start + 63 - bits.leading_zeros())
    }

    /// How many positions of a range there are.
    pub(super) fn count_in(&self, range: Range<u32>) -> u32 {
        self.pieces(range).map(|(_, bits)| bits.count_ones()).sum()
    }

    /// The word that begins at a bit, counted from id 0; beyond the range nothing is there.
    fn word_at(&self, bit: i64) -> u64 {
        let word = |index: i64| -> u64 {
            usize::try_from(index - self.first_word as i64)
                .ok()
                .and_then(|index| self.words.get(index))
                .copied()
                .unwrap_or(0)
        };
        let (index, shift) = (bit.div_euclid(64), bit.rem_euclid(64));
        if shift == 0 {
            word(index)
        } else {
            word(index) >> shift | word(index + 1) << (64 - shift)
        }
    }

    /// The plane that begins at a bit, counted from id 0.
    pub(crate) fn plane_at(&self, bit: i64) -> Plane {
        let mut plane = ZERO;
        for (word, out) in (0..).zip(plane.iter_mut()) {
            *out = self.word_at(bit + word * 64);
        }
        plane
    }
}

/// So many ones from the lowest bit on, 1 to 64.
fn ones(count: u32) -> u64 {
    u64::MAX >> (64 - count)
}
