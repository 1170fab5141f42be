//! Sets runs of positions in a block, without branches that depend on how long they are.

use super::Block;

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
