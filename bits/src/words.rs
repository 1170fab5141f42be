//! Sets in words of any number.

use crate::one_word::ones;

/// How many numbers a word has.
pub const BITS: u32 = u64::BITS;

/// Where a number is: the index of its word, and a word with its bit.
#[inline]
fn place(number: u32) -> (usize, u64) {
    ((number / BITS) as usize, 1 << (number % BITS))
}

/// Whether a number is in a set; no number beyond the words is.
///
/// ```
/// assert!(bits::contains(&[0b100], 2));
/// assert!(!bits::contains(&[0b100], 1000));
/// ```
#[inline]
pub fn contains(words: &[u64], number: u32) -> bool {
    let (index, bit) = place(number);
    words.get(index).is_some_and(|word| word & bit != 0)
}

/// Adds a number.
///
/// # Panics
///
/// If it is beyond the words.
///
/// ```
/// let mut words = [0; 2];
/// bits::insert(&mut words, 65);
/// assert_eq!(words, [0, 0b10]);
/// ```
#[inline]
pub fn insert(words: &mut [u64], number: u32) {
    let (index, bit) = place(number);
    words[index] |= bit;
}

/// Takes a number out.
///
/// # Panics
///
/// If it is beyond the words.
///
/// ```
/// let mut words = [0b11];
/// bits::remove(&mut words, 0);
/// assert_eq!(words, [0b10]);
/// ```
#[inline]
pub fn remove(words: &mut [u64], number: u32) {
    let (index, bit) = place(number);
    words[index] &= !bit;
}

/// Whether a set has no number. It reads all words, without a branch for each.
///
/// ```
/// assert!(bits::is_empty(&[0, 0]) && !bits::is_empty(&[0, 1]));
/// ```
#[inline]
pub fn is_empty(words: &[u64]) -> bool {
    words.iter().fold(0, |all, word| all | word) == 0
}

/// How many numbers a set has.
///
/// ```
/// assert_eq!(bits::count(&[0b101, 0b1]), 3);
/// ```
#[inline]
pub fn count(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// The numbers of a set, ascending.
///
/// ```
/// assert_eq!(bits::ones_of(&[0b101, 0b10]).collect::<Vec<_>>(), [0, 2, 65]);
/// ```
#[inline]
pub fn ones_of(words: &[u64]) -> impl Iterator<Item = u32> + Clone {
    ones_from(0, words)
}

/// The numbers of a set, ascending, where bit 0 of the first word is the number `base`.
///
/// ```
/// assert_eq!(bits::ones_from(1000, &[0b101, 0b10]).collect::<Vec<_>>(), [1000, 1002, 1065]);
/// ```
#[inline]
pub fn ones_from(base: u32, words: &[u64]) -> impl Iterator<Item = u32> + Clone {
    let firsts = (base..).step_by(BITS as usize);
    words
        .iter()
        .zip(firsts)
        .flat_map(|(&word, first)| ones(word).map(move |bit| first + bit))
}

/// The first number of a set that is at least `from`.
///
/// ```
/// assert_eq!(bits::next(&[0b101, 0b10], 3), Some(65));
/// assert_eq!(bits::next(&[0b101, 0b10], 66), None);
/// ```
#[inline]
pub fn next(words: &[u64], from: u32) -> Option<u32> {
    next_where(words.len(), from, |index| words[index])
}

/// The first number that is at least `from` of a set that is computed word by word: `word` gives the word at an index
/// below `words`. It serves for what two sets have in common, and the like.
///
/// ```
/// let (a, b) = ([0b110], [0b101]);
/// assert_eq!(bits::next_where(1, 0, |index| a[index] & b[index]), Some(2));
/// assert_eq!(bits::next_where(1, 2, |index| a[index] & !b[index]), None);
/// ```
#[inline]
pub fn next_where(words: usize, from: u32, word: impl Fn(usize) -> u64) -> Option<u32> {
    let mut mask = u64::MAX << (from % BITS);
    let (mut index, mut first) = ((from / BITS) as usize, from / BITS * BITS);
    while index < words {
        let here = word(index) & mask;
        if here != 0 {
            return Some(first + here.trailing_zeros());
        }
        (index, first, mask) = (index + 1, first.wrapping_add(BITS), u64::MAX);
    }
    None
}

/// Keeps the numbers for which `keep` is true.
///
/// ```
/// let mut words = [0b1111];
/// bits::retain(&mut words, |number| number % 2 == 0);
/// assert_eq!(words, [0b0101]);
/// ```
#[inline]
pub fn retain(words: &mut [u64], mut keep: impl FnMut(u32) -> bool) {
    let kept: Result<(), std::convert::Infallible> = try_retain(words, |number| Ok(keep(number)));
    let Ok(()) = kept;
}

/// Keeps the numbers for which `keep` is true, up to the first error; the words behind that are as they were.
///
/// # Errors
///
/// The first error of `keep`.
///
/// ```
/// let mut words = [0b1111];
/// assert_eq!(bits::try_retain(&mut words, |number| if number < 2 { Ok(false) } else { Err(number) }), Err(2));
/// ```
#[inline]
pub fn try_retain<E>(words: &mut [u64], mut keep: impl FnMut(u32) -> Result<bool, E>) -> Result<(), E> {
    for (word, first) in words.iter_mut().zip((0..).step_by(BITS as usize)) {
        for bit in ones(*word) {
            if !keep(first + bit)? {
                *word &= !(1 << bit);
            }
        }
    }
    Ok(())
}

/// Makes rows columns: bit `i` of word `j` becomes bit `j` of word `i` (H. S. Warren, "Hacker's Delight", section 7-3).
///
/// ```
/// let mut matrix = [0; 64];
/// matrix[3] = 1 << 40;
/// bits::transpose(&mut matrix);
/// assert_eq!((matrix[3], matrix[40]), (0, 1 << 3));
/// ```
pub fn transpose(matrix: &mut [u64; 64]) {
    // The matrix is cut into squares of this width, and of each four of them two change places.
    let (mut width, mut low) = (32, u64::MAX >> 32);
    while width > 0 {
        for rows in matrix.chunks_exact_mut(2 * width) {
            let (upper, lower) = rows.split_at_mut(width);
            for (upper, lower) in upper.iter_mut().zip(lower) {
                let swapped = (*upper >> width ^ *lower) & low;
                *upper ^= swapped << width;
                *lower ^= swapped;
            }
        }
        width /= 2;
        low ^= low << width;
    }
}

/// The runs of numbers in a row, ascending, the end of each left out; no two of them touch.
///
/// ```
/// assert_eq!(bits::runs(&[1 << 63, 0b1011]).collect::<Vec<_>>(), [63..66, 67..68]);
/// ```
#[inline]
pub fn runs(words: &[u64]) -> impl Iterator<Item = std::ops::Range<u32>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = next(words, from)?;
        // The first number that is not there; behind the last word there is none.
        let end = next_where(words.len() + 1, start, |index| !words.get(index).copied().unwrap_or(0))?;
        from = end;
        Some(start..end)
    })
}
