//! One bit for every position of some games.

use std::ops::Range;

use super::words::Words;
use crate::plane::{CHUNK_WORDS, Plane, ZERO};

/// One bit for every position of some chunks.
#[derive(Clone, Debug)]
pub(crate) struct PositionSet {
    /// The number of the first chunk.
    first_chunk: u32,
    words: Words,
}

impl PositionSet {
    /// No position, in the chunks of a range.
    pub(crate) fn new(range: &Range<u32>) -> PositionSet {
        let first_chunk = range.start / postings::CHUNK_SIZE;
        let chunks = range.end.div_ceil(postings::CHUNK_SIZE).max(first_chunk) - first_chunk;
        PositionSet {
            first_chunk,
            words: Words::zeros(chunks as usize * CHUNK_WORDS),
        }
    }

    /// No position, in the same chunks.
    pub(crate) fn empty(&self) -> PositionSet {
        PositionSet {
            first_chunk: self.first_chunk,
            words: Words::zeros(self.words.len()),
        }
    }

    /// The number of the first block.
    pub(crate) fn first_block(&self) -> u32 {
        self.base() / postings::BLOCK_SIZE
    }

    /// Whether there is no position.
    pub(crate) fn is_empty(&self) -> bool {
        bits::is_empty(&self.words)
    }

    /// The words, the lowest ids first.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words, the lowest ids first.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Replaces the words.
    pub(crate) fn replace_words(&mut self, words: impl FnOnce(Vec<u64>) -> Vec<u64>) {
        self.words.replace(words);
    }

    /// How many positions there are.
    pub(crate) fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Keeps the positions of a set over the same chunks.
    pub(crate) fn keep_all(&mut self, others: &PositionSet) {
        debug_assert_eq!(
            self.first_chunk, others.first_chunk,
            "the sets are about the same chunks"
        );
        for (word, other) in self.words.iter_mut().zip(others.words.iter()) {
            *word &= other;
        }
    }

    /// Adds the positions of a set over the same chunks.
    pub(crate) fn add_all(&mut self, others: &PositionSet) {
        debug_assert_eq!(
            self.first_chunk, others.first_chunk,
            "the sets are about the same chunks"
        );
        for (word, other) in self.words.iter_mut().zip(others.words.iter()) {
            *word |= other;
        }
    }

    /// Removes the positions of a set over the same chunks.
    pub(crate) fn remove_all(&mut self, others: &PositionSet) {
        debug_assert_eq!(
            self.first_chunk, others.first_chunk,
            "the sets are about the same chunks"
        );
        for (word, other) in self.words.iter_mut().zip(others.words.iter()) {
            *word &= !other;
        }
    }

    /// The position of bit 0 of the first word.
    pub(crate) fn base(&self) -> u32 {
        self.first_chunk * postings::CHUNK_SIZE
    }

    /// A range of positions, counted from the first bit.
    fn local(&self, range: &Range<u32>) -> Range<u32> {
        let base = self.base();
        range.start - base..range.end - base
    }

    /// Adds a position of the range.
    pub(crate) fn insert(&mut self, id: u32) {
        let at = id - self.base();
        bits::insert(&mut self.words, at);
    }

    /// Whether a position is there; those beyond the range are not.
    pub(crate) fn contains(&self, id: u32) -> bool {
        id.checked_sub(self.base())
            .is_some_and(|at| bits::contains(&self.words, at))
    }

    /// Makes a range of positions that is inside full or empty.
    pub(crate) fn set_range(&mut self, range: Range<u32>, value: bool) {
        let range = self.local(&range);
        if value {
            bits::set_range(&mut self.words, range);
        } else {
            bits::clear_range(&mut self.words, range);
        }
    }

    /// Removes the positions before and behind a range.
    pub(crate) fn clear_outside(&mut self, range: &Range<u32>) {
        let local = self.local(range);
        let end = u32::try_from(self.words.len()).map_or(u32::MAX, |words| words.saturating_mul(bits::BITS));
        bits::clear_range(&mut self.words, 0..local.start);
        bits::clear_range(&mut self.words, local.end..end);
    }

    /// The words in which a range has a position, each with the id of its bit 0, without the bits outside the range.
    pub(crate) fn words_in(&self, range: Range<u32>) -> impl DoubleEndedIterator<Item = (u32, u64)> + '_ {
        let base = self.base();
        bits::words_in(&self.words, self.local(&range)).map(move |(first, word)| (base + first, word))
    }

    /// The first position of a range.
    pub(crate) fn first_in(&self, range: Range<u32>) -> Option<u32> {
        bits::first_in(&self.words, self.local(&range)).map(|at| self.base() + at)
    }

    /// The last position of a range.
    pub(crate) fn last_in(&self, range: Range<u32>) -> Option<u32> {
        bits::last_in(&self.words, self.local(&range)).map(|at| self.base() + at)
    }

    /// How many positions of a range there are.
    pub(crate) fn count_in(&self, range: Range<u32>) -> u32 {
        bits::count_range(&self.words, self.local(&range))
    }

    /// The word that begins at a bit, counted from id 0; beyond the range all bits are 0.
    fn word_at(&self, bit: i64) -> u64 {
        let first_word = i64::from(self.base() / bits::BITS);
        let word = |index: i64| -> u64 {
            usize::try_from(index - first_word)
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
