//! A set of positions inside one chunk of 65,536: the scratch that queries compute in.

use std::{fmt, ops::Range};

use crate::id::CHUNK_SIZE;

/// How many words a chunk has.
const WORDS: usize = 1024;

/// A bitmap of 65,536 positions, on the heap.
#[derive(Clone, PartialEq, Eq)]
pub struct Chunk(Box<[u64; WORDS]>);

impl Chunk {
    /// No position.
    pub fn new() -> Chunk {
        Chunk(Box::new([0; WORDS]))
    }

    /// The bits, position 0 in the lowest bit of the first word.
    #[inline]
    pub fn words(&self) -> &[u64; WORDS] {
        &self.0
    }

    /// The bits, for algebra of one's own.
    #[inline]
    pub fn words_mut(&mut self) -> &mut [u64; WORDS] {
        &mut self.0
    }

    /// Removes all positions.
    #[inline]
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Adds all 65,536 positions.
    #[inline]
    pub fn fill(&mut self) {
        self.0.fill(!0);
    }

    /// Adds the positions of a range, which is cut at 65,536.
    #[inline]
    pub fn insert_range(&mut self, range: Range<u32>) {
        let end = range.end.min(CHUNK_SIZE);
        if range.start < end {
            or_run(&mut self.0, range.start, end - 1);
        }
    }

    /// Removes the positions of a range, which is cut at 65,536.
    #[inline]
    pub fn remove_range(&mut self, range: Range<u32>) {
        let end = range.end.min(CHUNK_SIZE);
        if range.start < end {
            and_not_run(&mut self.0, range.start, end - 1);
        }
    }

    /// Adds one position.
    #[inline]
    pub fn insert(&mut self, position: u16) {
        self.0[usize::from(position >> 6)] |= 1 << (position & 63);
    }

    /// Whether the position is in the set.
    #[inline]
    pub fn contains(&self, position: u16) -> bool {
        self.0[usize::from(position >> 6)] >> (position & 63) & 1 != 0
    }

    /// Makes this the union.
    #[inline]
    pub fn or(&mut self, other: &Chunk) {
        self.combine(other, |a, b| a | b);
    }

    /// Makes this the intersection.
    #[inline]
    pub fn and(&mut self, other: &Chunk) {
        self.combine(other, |a, b| a & b);
    }

    /// Removes what is in the other.
    #[inline]
    pub fn and_not(&mut self, other: &Chunk) {
        self.combine(other, |a, b| a & !b);
    }

    /// Makes this the complement, of all 65,536 positions; [`Chunk::remove_range`] cuts the last chunk of a segment.
    #[inline]
    pub fn not(&mut self) {
        for word in self.0.iter_mut() {
            *word = !*word;
        }
    }

    #[inline]
    fn combine(&mut self, other: &Chunk, f: impl Fn(u64, u64) -> u64) {
        for (word, &theirs) in self.0.iter_mut().zip(other.0.iter()) {
            *word = f(*word, theirs);
        }
    }

    /// How many positions there are.
    #[inline]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// The positions, ascending.
    #[inline]
    pub fn iter(&self) -> Positions<'_> {
        Positions {
            words: &self.0,
            word: self.0[0],
            index: 0,
        }
    }
}

impl Default for Chunk {
    fn default() -> Chunk {
        Chunk::new()
    }
}

impl fmt::Debug for Chunk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for &'a Chunk {
    type Item = u16;
    type IntoIter = Positions<'a>;

    fn into_iter(self) -> Positions<'a> {
        self.iter()
    }
}

/// The positions of a chunk, ascending.
#[derive(Clone, Debug)]
pub struct Positions<'a> {
    words: &'a [u64; WORDS],
    word: u64,
    index: u16,
}

impl Iterator for Positions<'_> {
    type Item = u16;

    #[inline]
    fn next(&mut self) -> Option<u16> {
        while self.word == 0 {
            let index = self.index + 1;
            self.word = *self.words.get(usize::from(index))?;
            self.index = index;
        }
        let bit = self.word.trailing_zeros() as u16;
        self.word &= self.word - 1;
        Some(self.index << 6 | bit)
    }
}

/// The bits from `start` up in its word, and those up to `last` in its word.
#[inline]
const fn masks(start: u32, last: u32) -> (u64, u64) {
    (!0 << (start & 63), !0 >> (63 - (last & 63)))
}

/// Adds the run `start..=last`. The first and the last word are done without a branch on whether they are the same.
#[inline]
pub(crate) fn or_run(words: &mut [u64; WORDS], start: u32, last: u32) {
    let (first_word, last_word) = ((start >> 6) as usize % WORDS, (last >> 6) as usize % WORDS);
    let (low, high) = masks(start, last);
    let apart = u64::from(first_word != last_word).wrapping_neg();
    words[first_word] |= low & (high | apart);
    words[last_word] |= high & (low | apart);
    if last_word > first_word + 1 {
        words[first_word + 1..last_word].fill(!0);
    }
}

/// Removes the run `start..=last`.
#[inline]
pub(crate) fn and_not_run(words: &mut [u64; WORDS], start: u32, last: u32) {
    let (first_word, last_word) = ((start >> 6) as usize % WORDS, (last >> 6) as usize % WORDS);
    let (low, high) = masks(start, last);
    let apart = u64::from(first_word != last_word).wrapping_neg();
    words[first_word] &= !(low & (high | apart));
    words[last_word] &= !(high & (low | apart));
    if last_word > first_word + 1 {
        words[first_word + 1..last_word].fill(0);
    }
}
