//! The bits of one word.

/// The numbers of the bits that are set in a word, ascending from 0, or descending from the other end.
///
/// ```
/// assert_eq!(bits::ones(0b1_0110).collect::<Vec<_>>(), [1, 2, 4]);
/// assert_eq!(bits::ones(0b1_0110).next_back(), Some(4));
/// assert_eq!(bits::ones(0b1_0110).len(), 3);
/// ```
#[inline]
pub fn ones(word: u64) -> Ones {
    Ones(word)
}

/// See [`ones`].
#[derive(Clone, Copy, Debug)]
pub struct Ones(u64);

impl Iterator for Ones {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl DoubleEndedIterator for Ones {
    #[inline]
    fn next_back(&mut self) -> Option<u32> {
        let bit = 63u32.checked_sub(self.0.leading_zeros())?;
        self.0 ^= 1 << bit;
        Some(bit)
    }
}

impl ExactSizeIterator for Ones {}

impl std::iter::FusedIterator for Ones {}

/// A word with the `count` lowest bits set; all of them from 64 on.
///
/// ```
/// assert_eq!(bits::below(3), 0b111);
/// assert_eq!((bits::below(0), bits::below(64)), (0, u64::MAX));
/// ```
#[inline]
pub const fn below(count: u32) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// A word with the bits from `start` up to `end` set, `end` left out.
///
/// ```
/// assert_eq!(bits::ones_between(1, 4), 0b1110);
/// assert_eq!(bits::ones_between(4, 4), 0);
/// ```
#[inline]
pub const fn ones_between(start: u32, end: u32) -> u64 {
    below(end) & !below(start)
}
