//! The positions that the index leaves of a range, a bit for each.

use std::ops::Range;

use crate::plan::Bits;

/// What a sweep found.
#[derive(Debug)]
pub(super) struct CandidateBits {
    /// The position of the first bit.
    base: u32,
    words: Vec<u64>,
}

impl CandidateBits {
    /// The positions that were found in some games.
    pub(super) fn new(found: Bits) -> CandidateBits {
        let (base, words) = found.into_words();
        CandidateBits { base, words }
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
