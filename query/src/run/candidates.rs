//! The positions that the index leaves of a range, a bit for each.

use std::ops::Range;

use storage::Selection;

use crate::plan::{CHUNK_WORDS, Scratch, Sweep, Truth};

/// Where the first part of a conjunction leaves less than one position in so many, the rest is asked about those side
/// by side, which costs more for each list and less for everything else.
const SELECTIVE: u64 = 3;

/// What a sweep found.
#[derive(Debug)]
pub(super) struct CandidateBits {
    /// The position of the first bit.
    base: u32,
    words: Vec<u64>,
}

impl CandidateBits {
    /// Evaluates a conjunction, stage by stage, in the chunks that have these positions.
    pub(super) fn sweep<'a>(
        sweep: impl Fn(&'a Truth, Scratch) -> Sweep<'a>,
        stages: &'a [Truth],
        positions: Range<u32>,
        scratch: &mut Scratch,
    ) -> CandidateBits {
        let mut bits = CandidateBits::everywhere(positions);
        for stage in stages {
            let left: u64 = bits.words.iter().map(|word| u64::from(word.count_ones())).sum();
            if left == 0 {
                break;
            }
            let mut sweep = sweep(stage, std::mem::take(scratch));
            if left * SELECTIVE < bits.words.len() as u64 * 64 {
                let selection = Selection::new(bits.base, std::mem::take(&mut bits.words));
                bits.words = sweep.selected(selection);
            } else {
                let mut found = [0; CHUNK_WORDS];
                for (chunk, words) in bits.chunks() {
                    found.fill(0);
                    sweep.chunk(chunk, &mut found);
                    words.iter_mut().zip(&found).for_each(|(word, found)| *word &= found);
                }
            }
            *scratch = sweep.into_scratch();
        }
        bits
    }

    /// Everything, in all chunks that have these positions.
    fn everywhere(positions: Range<u32>) -> CandidateBits {
        let first = positions.start / storage::CHUNK_SIZE;
        let chunks = if positions.is_empty() {
            0
        } else {
            positions.end.div_ceil(storage::CHUNK_SIZE) - first
        };
        CandidateBits {
            base: first * storage::CHUNK_SIZE,
            words: vec![u64::MAX; chunks as usize * CHUNK_WORDS],
        }
    }

    fn chunks(&mut self) -> impl Iterator<Item = (u32, &mut [u64; CHUNK_WORDS])> {
        (self.base / storage::CHUNK_SIZE..).zip(self.words.as_chunks_mut().0)
    }

    /// The first candidate from a position on.
    pub(super) fn next(&self, from: u32) -> Option<u32> {
        let at = from - self.base;
        let mut index = (at / 64) as usize;
        let mut word = self.words.get(index)? & (u64::MAX << (at % 64));
        while word == 0 {
            index += 1;
            word = *self.words.get(index)?;
        }
        Some(self.base + index as u32 * 64 + word.trailing_zeros())
    }

    /// How many candidates a range has.
    pub(super) fn count(&self, positions: Range<u32>) -> u32 {
        self.masked(positions).map(|(_, word)| word.count_ones()).sum()
    }

    /// Adds the candidates of a range, as distances from its start.
    pub(super) fn within(&self, positions: Range<u32>, nodes: &mut Vec<u32>) {
        let start = positions.start;
        for (first, mut word) in self.masked(positions) {
            while word != 0 {
                nodes.push(first + word.trailing_zeros() - start);
                word &= word - 1;
            }
        }
    }

    /// The words of a range, each with the position of its first bit, without the bits outside.
    fn masked(&self, positions: Range<u32>) -> impl Iterator<Item = (u32, u64)> + '_ {
        let (start, end) = (positions.start - self.base, positions.end - self.base);
        let words = (start / 64) as usize..(end.div_ceil(64) as usize).max((start / 64) as usize);
        self.words[words]
            .iter()
            .zip((start / 64 * 64..).step_by(64))
            .map(move |(word, first)| {
                let low = u64::MAX << start.saturating_sub(first).min(63);
                let high = match end - first {
                    rest @ 0..64 => (1 << rest) - 1,
                    _ => u64::MAX,
                };
                (self.base + first, word & low & high)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_all_lengths_are_counted_and_listed() {
        let bits = CandidateBits {
            base: 65_536,
            words: vec![!0, 0, 1 << 63 | 1, 0xff00, 0],
        };
        let set = |at: u32| bits.words[(at / 64) as usize] >> (at % 64) & 1 != 0;
        for start in 0..320 {
            let next = (start..320).find(|&at| set(at)).map(|at| at + bits.base);
            assert_eq!(bits.next(bits.base + start), next);
            for end in start..=320 {
                let range = bits.base + start..bits.base + end;
                let expected: Vec<u32> = (start..end).filter(|&at| set(at)).map(|at| at - start).collect();
                let mut found = Vec::new();
                bits.within(range.clone(), &mut found);
                assert_eq!(found, expected);
                assert_eq!(bits.count(range) as usize, expected.len());
            }
        }
    }
}
