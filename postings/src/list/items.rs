//! The items of a container, values or runs, and which of them are in a block.

use super::BLOCK_SIZE;

/// The value of an item of an array container.
#[inline(always)]
pub(super) fn value(item: &[u8; 2]) -> u32 {
    u32::from(u16::from_le_bytes(*item))
}

/// The first value of a run.
#[inline(always)]
pub(super) fn start(run: &[u8; 4]) -> u32 {
    u32::from_le_bytes(*run) & 0xffff
}

/// The value behind the last one of a run.
#[inline(always)]
pub(super) fn end(run: &[u8; 4]) -> u32 {
    let run = u32::from_le_bytes(*run);
    (run & 0xffff) + (run >> 16) + 1
}

/// The part of a run that is in the block that begins with the value `base`, counted from there.
#[inline(always)]
pub(super) fn within(run: &[u8; 4], base: u32) -> (u32, u32) {
    let start = start(run).saturating_sub(base);
    (start, end(run).saturating_sub(base).min(BLOCK_SIZE))
}

/// What is known of where the blocks of a container begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Items {
    /// The block behind the one that was read last, counted from the beginning of the container.
    next: u32,
    /// All items before this one end before block `next`.
    first: usize,
}

impl Items {
    /// Nothing has been read.
    pub(super) const START: Items = Items { next: 0, first: 0 };

    /// The items that are at least in part in a block. Items ascend and have no value in common; `begin` is the first value
    /// of an item, `end` the one behind its last.
    #[inline]
    pub(super) fn within<'a, const N: usize>(
        &mut self,
        items: &'a [[u8; N]],
        block: u32,
        begin: impl Fn(&[u8; N]) -> u32,
        end: impl Fn(&[u8; N]) -> u32,
    ) -> &'a [[u8; N]] {
        let limit = (block + 1) * BLOCK_SIZE;
        let rest = self.seek(items, block, &end);
        let here = &rest[..count_before(rest, limit, begin)];
        let goes_on = here.last().is_some_and(|item| end(item) > limit);
        self.first += here.len() - usize::from(goes_on);
        here
    }

    /// Goes on behind this many items of those that [`Items::seek`] found.
    #[inline]
    pub(super) fn skip(&mut self, count: usize) {
        self.first += count;
    }

    /// Goes to the first item that ends in a block or behind it; returns the items from there on.
    #[inline(always)]
    pub(super) fn seek<'a, const N: usize>(
        &mut self,
        items: &'a [[u8; N]],
        block: u32,
        end: impl Fn(&[u8; N]) -> u32,
    ) -> &'a [[u8; N]] {
        let is_before = |item: &[u8; N]| end(item) <= block * BLOCK_SIZE;
        let mut first = if block >= self.next { self.first } else { 0 };
        // Not where blocks are read in a row.
        if items.get(first).is_some_and(is_before) {
            first = pass_over(items, first, is_before);
        }
        (self.next, self.first) = (block + 1, first);
        items.get(first..).unwrap_or_default()
    }
}

/// The first item behind those that are before something; the one at `first` is.
#[inline(never)]
fn pass_over<const N: usize>(items: &[[u8; N]], mut first: usize, is_before: impl Fn(&[u8; N]) -> bool) -> usize {
    // In steps that grow, because it is near most times.
    let mut step = 8;
    while items.get(first + step).is_some_and(&is_before) {
        first += step;
        step *= 2;
    }
    let until = items.len().min(first + step);
    first + items[first..until].partition_point(is_before)
}

/// How many items at the front begin before `limit`. They are compared in groups, which the processor does at once.
#[inline(always)]
fn count_before<const N: usize>(items: &[[u8; N]], limit: u32, begin: impl Fn(&[u8; N]) -> u32) -> usize {
    if items.first().is_none_or(|item| begin(item) >= limit) {
        return 0;
    }
    let before = |items: &[[u8; N]]| items.iter().map(|item| usize::from(begin(item) < limit)).sum::<usize>();
    let (groups, rest) = items.as_chunks::<16>();
    let mut count = 0;
    for group in groups {
        let here = before(group);
        count += here;
        if here < group.len() {
            return count;
        }
    }
    count + before(rest)
}
