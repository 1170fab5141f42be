//! Ranges of numbers in sets.

use std::ops::Range;

use crate::{
    one_word::{below, ones_between},
    words::BITS,
};

/// The bits of a range of numbers in the word at an index.
///
/// ```
/// assert_eq!(bits::within(1, &(66..1000)), !0b11);
/// assert_eq!(bits::within(0, &(66..1000)), 0);
/// ```
#[inline]
pub fn within(index: usize, numbers: &Range<u32>) -> u64 {
    let first = u32::try_from(index).unwrap_or(u32::MAX).saturating_mul(BITS);
    let bits_before = |number: u32| below(number.saturating_sub(first));
    bits_before(numbers.end) & !bits_before(numbers.start)
}

/// The word indices of the first and the last number of a range with the bits that the range has there; `None` if it is
/// empty.
#[inline]
fn ends(numbers: &Range<u32>) -> Option<[(usize, u64); 2]> {
    let last = numbers.end.checked_sub(1).filter(|&last| last >= numbers.start)?;
    let low = u64::MAX << (numbers.start % BITS);
    let high = u64::MAX >> (BITS - 1 - last % BITS);
    Some([((numbers.start / BITS) as usize, low), ((last / BITS) as usize, high)])
}

/// Adds all numbers of a range.
///
/// # Panics
///
/// If one of them is beyond the words.
///
/// ```
/// let mut words = [0; 3];
/// bits::set_range(&mut words, 62..129);
/// assert_eq!(words, [0b11 << 62, u64::MAX, 0b1]);
/// ```
#[inline]
pub fn set_range(words: &mut [u64], numbers: Range<u32>) {
    let Some([(first, low), (last, high)]) = ends(&numbers) else {
        return;
    };
    if first == last {
        words[first] |= low & high;
        return;
    }
    words[first] |= low;
    words[first + 1..last].fill(u64::MAX);
    words[last] |= high;
}

/// Takes all numbers of a range out.
///
/// # Panics
///
/// If one of them is beyond the words.
///
/// ```
/// let mut words = [u64::MAX; 3];
/// bits::clear_range(&mut words, 1..129);
/// assert_eq!(words, [1, 0, !1]);
/// ```
#[inline]
pub fn clear_range(words: &mut [u64], numbers: Range<u32>) {
    let Some([(first, low), (last, high)]) = ends(&numbers) else {
        return;
    };
    if first == last {
        words[first] &= !(low & high);
        return;
    }
    words[first] &= !low;
    words[first + 1..last].fill(0);
    words[last] &= !high;
}

/// Makes a set the numbers below `count`, and no others.
///
/// ```
/// let mut words = [0, 0, 7];
/// bits::set_first(&mut words, 65);
/// assert_eq!(words, [u64::MAX, 1, 0]);
/// ```
#[inline]
pub fn set_first(words: &mut [u64], count: u32) {
    for (index, word) in words.iter_mut().enumerate() {
        *word = within(index, &(0..count));
    }
}

/// The words in which a range has a number of the set, without the bits outside the range, each with the number of its
/// bit 0; ascending, or descending from the other end.
///
/// # Panics
///
/// If a number of the range is beyond the words.
///
/// ```
/// let words = [0b1011, 0, 0b1];
/// assert_eq!(bits::words_in(&words, 1..190).collect::<Vec<_>>(), [(0, 0b1010), (128, 0b1)]);
/// ```
#[inline]
pub fn words_in(words: &[u64], numbers: Range<u32>) -> impl DoubleEndedIterator<Item = (u32, u64)> + Clone {
    let indices = numbers.start / BITS..numbers.end.div_ceil(BITS);
    indices.filter_map(move |index| {
        let first = index * BITS;
        let end = (numbers.end - first).min(BITS);
        let bits = words[index as usize] & ones_between(numbers.start.saturating_sub(first), end);
        (bits != 0).then_some((first, bits))
    })
}

/// The first number of a set that is in a range.
///
/// # Panics
///
/// If a number of the range is beyond the words.
///
/// ```
/// assert_eq!(bits::first_in(&[0b1011], 2..64), Some(3));
/// assert_eq!(bits::first_in(&[0b1011], 4..64), None);
/// ```
#[inline]
pub fn first_in(words: &[u64], numbers: Range<u32>) -> Option<u32> {
    let (first, bits) = words_in(words, numbers).next()?;
    Some(first + bits.trailing_zeros())
}

/// The last number of a set that is in a range.
///
/// # Panics
///
/// If a number of the range is beyond the words.
///
/// ```
/// assert_eq!(bits::last_in(&[0b1011], 0..3), Some(1));
/// ```
#[inline]
pub fn last_in(words: &[u64], numbers: Range<u32>) -> Option<u32> {
    let (first, bits) = words_in(words, numbers).next_back()?;
    Some(first + (BITS - 1) - bits.leading_zeros())
}

/// How many numbers of a set are in a range.
///
/// # Panics
///
/// If a number of the range is beyond the words.
///
/// ```
/// assert_eq!(bits::count_range(&[u64::MAX; 2], 60..70), 10);
/// ```
#[inline]
pub fn count_range(words: &[u64], numbers: Range<u32>) -> u32 {
    words_in(words, numbers).map(|(_, bits)| bits.count_ones()).sum()
}
