//! Tokens, and what they do to a block: skip some positions, then set some.
//!
//! A chunk has one *form* of tokens out of several. All loops run a known number of times and, except for very long
//! runs, have no branch that depends on what is in a token. For the same reason runs are set here, two words at a time,
//! and not by `bits::set_range`.

use super::Block;

/// The form in which a token is a byte: it skips that many positions and sets one, but 255 sets none.
pub(super) const STEPS: u8 = 0;
/// The byte that only skips.
pub(super) const SKIP: u8 = 255;

/// The other forms are the number of bits that a token of 16 bits has for the positions that it sets, the low ones; the
/// others are for those that it skips.
pub(super) const MIN_LENGTH_BITS: u8 = 4;
pub(super) const MAX_LENGTH_BITS: u8 = 11;

/// Whether a number is that of a form.
pub(super) const fn is_form(form: u8) -> bool {
    matches!(form, STEPS | MIN_LENGTH_BITS..=MAX_LENGTH_BITS)
}

/// How many bytes a token takes.
#[inline]
pub(super) const fn token_bytes(form: u8) -> usize {
    if form == STEPS { 1 } else { 2 }
}

/// Calls `each` with where each token begins and ends to set positions, counted from the beginning of the block; both
/// are the same for a token that sets none.
#[inline(always)]
fn words<const BITS: u32>(bytes: &[u8], mut each: impl FnMut(u32, u32)) {
    let mut end = 0;
    for token in bytes.as_chunks::<2>().0 {
        let token = u32::from(u16::from_le_bytes(*token));
        let start = end + (token >> BITS);
        end = start + (token & ((1 << BITS) - 1));
        each(start, end);
    }
}

#[inline(always)]
fn steps(bytes: &[u8], mut each: impl FnMut(u32, u32)) {
    let mut end = 0;
    for &step in bytes {
        let start = end + u32::from(step);
        end = start + u32::from(step != SKIP);
        each(start, end);
    }
}

/// Calls `each` with the start and end of each run of a block; some runs are empty. An unknown form has none.
#[inline]
pub(super) fn walk(form: u8, bytes: &[u8], each: impl FnMut(u32, u32)) {
    match form {
        STEPS => steps(bytes, each),
        4 => words::<4>(bytes, each),
        5 => words::<5>(bytes, each),
        6 => words::<6>(bytes, each),
        7 => words::<7>(bytes, each),
        8 => words::<8>(bytes, each),
        9 => words::<9>(bytes, each),
        10 => words::<10>(bytes, each),
        11 => words::<11>(bytes, each),
        _ => {}
    }
}

/// Sets the positions of a block that has none yet.
#[inline]
pub(super) fn set(form: u8, bytes: &[u8], into: &mut Block) {
    match form {
        STEPS => steps(bytes, |start, end| {
            into[(start >> 6) as usize % into.len()] |= u64::from(end - start) << (start & 63);
        }),
        4 => words::<4>(bytes, |start, end| set_short(into, start, end)),
        5 => words::<5>(bytes, |start, end| set_short(into, start, end)),
        6 => words::<6>(bytes, |start, end| set_short(into, start, end)),
        _ => {
            let mut whole = 0;
            walk(form, bytes, |start, end| whole |= set_ends(into, start, end));
            // Once for the block: whether one run has whole words is unpredictable, whether a block has any is not.
            for word in bits::ones(whole) {
                into[word as usize % into.len()] = u64::MAX;
            }
        }
    }
}

/// Sets a run of up to 63 positions: a word and the next.
#[inline(always)]
fn set_short(into: &mut Block, start: u32, end: u32) {
    let ones = (1u64 << (end - start)) - 1;
    let (word, bit) = ((start >> 6) as usize, start & 63);
    into[word % into.len()] |= ones << bit;
    // In two shifts, because the shift is by 64 where no bit goes over into the next word.
    into[(word + 1) % into.len()] |= ones >> 1 >> (63 - bit);
}

/// Sets the positions of a run in the words where it begins and ends; returns the words between, a bit for each.
#[inline(always)]
fn set_ends(into: &mut Block, start: u32, end: u32) -> u64 {
    let (first, last) = ((start >> 6) as usize, (end >> 6) as usize);
    let (low, high) = (u64::MAX << (start & 63), (1u64 << (end & 63)) - 1);
    let apart = u64::from(first != last).wrapping_neg();
    into[first % into.len()] |= low & (high | apart);
    into[last % into.len()] |= high & (low | apart);
    // The end of the block is the beginning of a word behind the last one.
    bits::below(end >> 6) & u64::MAX << (first & 63) << 1 & apart
}

/// Sets the positions of a block from `start` to `end`, which is left out; both count from the beginning of the block,
/// and `end` is at most its size.
#[inline]
pub(super) fn set_run(into: &mut Block, start: u32, end: u32) {
    let (first, last) = ((start >> 6) as usize, (end >> 6) as usize);
    set_ends(into, start, end);
    if last > first + 1 && last <= into.len() {
        into[first + 1..last].fill(u64::MAX);
    }
}
