//! Sets positions in a block, without branches that depend on how long their runs are.

use super::items::{end, start, value, within};
use super::{BLOCK_SIZE, BLOCK_WORDS, Block};

/// From this many runs on, those of a block are set all at once.
const MANY_RUNS: usize = 10;

/// Sets the values of a container that are in the block that begins with the value `base`, and returns how many they are.
/// No value is before the block.
#[inline]
pub(super) fn set_values(into: &mut Block, values: &[[u8; 2]], base: u32) -> usize {
    let mut count = 0;
    for item in values {
        let id = value(item).wrapping_sub(base);
        if id >= BLOCK_SIZE {
            break;
        }
        insert(into, id);
        count += 1;
    }
    count
}

/// Sets the runs of a container that are at least in part in the block that begins with the value `base`, and returns how
/// many of them end in it. No run ends before the block.
#[inline]
pub(super) fn set_runs(into: &mut Block, runs: &[[u8; 4]], base: u32) -> usize {
    match runs {
        [run, ..] if start(run) <= base && end(run) >= base + BLOCK_SIZE => {
            into.fill(u64::MAX);
            usize::from(end(run) == base + BLOCK_SIZE)
        }
        runs if runs.get(MANY_RUNS).is_some_and(|run| start(run) < base + BLOCK_SIZE) => {
            set_all_at_once(into, runs, base)
        }
        runs => set_each(into, runs, base),
    }
}

/// Sets runs one by one.
#[inline]
fn set_each(into: &mut Block, runs: &[[u8; 4]], base: u32) -> usize {
    let limit = base + BLOCK_SIZE;
    let (mut whole, mut count) = (0, 0);
    for run in runs {
        if start(run) >= limit {
            break;
        }
        let (first, last) = within(run, base);
        whole |= set_ends(into, first, last);
        count += usize::from(end(run) <= limit);
    }
    // Once for the block: whether one run has whole words is unpredictable, whether a block has any is not.
    for word in bits::ones(whole) {
        into[word as usize % BLOCK_WORDS] = u64::MAX;
    }
    count
}

/// Sets runs all at once.
#[inline]
fn set_all_at_once(into: &mut Block, runs: &[[u8; 4]], base: u32) -> usize {
    let Some((first, rest)) = runs.split_first() else {
        return 0;
    };
    let limit = base + BLOCK_SIZE;
    let mut sum = [0; BLOCK_WORDS];
    begin(&mut sum, start(first).saturating_sub(base));
    let (mut last, mut count) = (end(first), 0);
    for run in rest {
        let next = start(run);
        if next >= limit {
            break;
        }
        finish(&mut sum, last.wrapping_sub(base) % BLOCK_SIZE);
        begin(&mut sum, next.wrapping_sub(base) % BLOCK_SIZE);
        last = end(run);
        count += 1;
    }
    if last < limit {
        finish(&mut sum, last.wrapping_sub(base) % BLOCK_SIZE);
    }
    carry_on(&mut sum);
    for (word, runs) in into.iter_mut().zip(sum) {
        *word |= runs;
    }
    count + usize::from(last <= limit)
}

/// Subtracts from a sum of runs where one of them begins. As a number, a run is 2^end - 2^start; each word of the sum gets what is
/// in it, and [`carry_on`] does the rest.
#[inline(always)]
pub(super) fn begin(sum: &mut [u64], id: u32) {
    let word = &mut sum[(id >> 6) as usize];
    *word = word.wrapping_sub(1 << (id & 63));
}

/// Adds to a sum of runs where one of them ends.
#[inline(always)]
pub(super) fn finish(sum: &mut [u64], id: u32) {
    let word = &mut sum[(id >> 6) as usize];
    *word = word.wrapping_add(1 << (id & 63));
}

/// Makes a sum of runs the set of their positions: -1 is carried on from each word whose last position is in a run, as that run
/// goes on in the next word.
#[inline(always)]
pub(super) fn carry_on(sum: &mut [u64]) {
    let mut carry = 0;
    for word in sum {
        *word = word.wrapping_add(carry);
        carry = (word.cast_signed() >> 63).cast_unsigned();
    }
}

/// Sets one position.
#[inline(always)]
fn insert(block: &mut Block, id: u32) {
    block[(id >> 6) as usize % BLOCK_WORDS] |= 1 << (id & 63);
}

/// Sets the positions of a run in the words where it begins and ends; returns the words between, a bit for each.
#[inline(always)]
pub(super) fn set_ends(into: &mut Block, start: u32, end: u32) -> u64 {
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
