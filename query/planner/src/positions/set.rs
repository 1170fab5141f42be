//! One bit for every position of some games.

use std::ops::Range;

use super::words::Words;
use crate::plane::{CHUNK_WORDS, Plane, WORDS, ZERO};

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
        self.words.marked().all(|index| self.words[index] == 0)
    }

    /// The words, the lowest ids first.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The words, the lowest ids first. All of them count as having a position then.
    pub(crate) fn words_mut(&mut self) -> &mut [u64] {
        self.words.all_mut()
    }

    /// A bit for each word that may have a position, by block.
    pub(super) fn marks(&self) -> &[u64] {
        self.words.marks()
    }

    /// The last word before one that may have a position.
    pub(crate) fn last_used(&self, before: usize) -> Option<usize> {
        let end = u32::try_from(before).ok()?;
        bits::last_in(self.marks(), 0..end).map(|index| index as usize)
    }

    /// The first word from one on that may have a position.
    pub(crate) fn next_used(&self, from: usize) -> Option<usize> {
        let from = u32::try_from(from).ok()?;
        bits::next(self.marks(), from).map(|index| index as usize)
    }

    /// How many words may have a position.
    fn used_count(&self) -> usize {
        self.marks().iter().map(|marks| marks.count_ones() as usize).sum()
    }

    /// Whether most words have no position, so that it is better looked through game by game.
    pub(crate) fn is_sparse(&self) -> bool {
        self.used_count() * 2 < self.words().len()
    }

    /// Gives a word a value.
    #[inline]
    pub(crate) fn put_word(&mut self, index: usize, word: u64) {
        self.words.put(index, word);
    }

    /// Changes the words of a block, which is counted from the first one of the set.
    pub(super) fn change_block(&mut self, block: u32, change: impl FnOnce(&mut Plane)) {
        self.words.change_block(block as usize, change);
    }

    /// Replaces the words by others that have no new positions.
    pub(super) fn narrow_words(&mut self, words: impl FnOnce(Vec<u64>) -> Vec<u64>) {
        self.words.narrow(words);
    }

    /// All positions, ascending.
    pub(super) fn to_vec(&self) -> Vec<u32> {
        let mut all = Vec::with_capacity(usize::try_from(self.count()).unwrap_or(0));
        // To collect them would ask a nested iterator for each.
        self.iter().for_each(|id| all.push(id));
        all
    }

    /// All positions, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let blocks = self.marks().iter().zip(self.words.as_chunks::<WORDS>().0);
        let blocks = blocks.zip((self.base()..).step_by(postings::BLOCK_SIZE as usize));
        blocks.flat_map(|((&marks, block), first)| {
            let words = bits::ones(marks).map(move |word| (block[word as usize], first + word * bits::BITS));
            words.flat_map(|(word, first)| bits::ones(word).map(move |bit| first + bit))
        })
    }

    /// Looks again at which words have a position.
    pub(crate) fn tidy(&mut self) {
        self.words.replace_each(|_, word| word);
    }

    /// How many positions there are.
    pub(crate) fn count(&self) -> u64 {
        self.count_up_to(u64::MAX)
    }

    /// The same, or some number from `enough` on if there are as many.
    pub(super) fn count_up_to(&self, enough: u64) -> u64 {
        self.words.count_up_to(enough)
    }

    /// Keeps the positions of a set over the same chunks.
    pub(crate) fn keep_all(&mut self, others: &PositionSet) {
        debug_assert_eq!(
            self.first_chunk, others.first_chunk,
            "the sets are about the same chunks"
        );
        self.words.replace_each(|index, word| word & others.words[index]);
    }

    /// Adds the positions of a set over the same chunks.
    pub(crate) fn add_all(&mut self, others: &PositionSet) {
        debug_assert_eq!(
            self.first_chunk, others.first_chunk,
            "the sets are about the same chunks"
        );
        self.words.add_all(&others.words);
    }

    /// Removes the positions of a set over the same chunks.
    pub(crate) fn remove_all(&mut self, others: &PositionSet) {
        debug_assert_eq!(
            self.first_chunk, others.first_chunk,
            "the sets are about the same chunks"
        );
        self.words.replace_each(|index, word| word & !others.words[index]);
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
        let index = (at / bits::BITS) as usize;
        self.words.put(index, self.words[index] | 1 << (at % bits::BITS));
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
            self.words.set_range(range);
        } else {
            self.words.clear_range(range);
        }
    }

    /// Removes the positions before and behind a range.
    pub(crate) fn clear_outside(&mut self, range: &Range<u32>) {
        let local = self.local(range);
        let end = u32::try_from(self.words.len()).map_or(u32::MAX, |words| words.saturating_mul(bits::BITS));
        self.words.clear_range(0..local.start);
        self.words.clear_range(local.end..end);
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

    /// The first position from one of the range on.
    pub(crate) fn first_from(&self, id: u32) -> Option<u32> {
        let at = id - self.base();
        let index = (at / bits::BITS) as usize;
        let here = self.words.get(index)? & u64::MAX << (at % bits::BITS);
        if here != 0 {
            return Some(id - at % bits::BITS + here.trailing_zeros());
        }
        // A word that may have a position need not have one.
        let mut next = self.next_used(index + 1)?;
        while self.words[next] == 0 {
            next = self.next_used(next + 1)?;
        }
        let first = u32::try_from(next).ok()? * bits::BITS;
        Some(self.base() + first + self.words[next].trailing_zeros())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_from_any_on() {
        let range = 70_000..300_000;
        let mut set = PositionSet::new(&range);
        let positions = [70_000, 70_001, 70_063, 70_064, 131_072, 250_000, 299_999];
        positions.into_iter().for_each(|position| set.insert(position));
        // Words of which no position is left are passed over.
        set.set_range(200_000..200_300, true);
        set.set_range(200_000..200_300, false);
        assert_eq!(set.to_vec(), positions);
        for from in positions
            .iter()
            .flat_map(|&position| position - 1..position + 2)
            .chain([200_010, 260_000])
        {
            let expected = positions.into_iter().find(|&position| position >= from);
            assert_eq!(set.first_from(from), expected, "{from}");
        }
    }
}
