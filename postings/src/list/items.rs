//! Which items of a container are in a block.

use super::{BLOCK_SIZE, BLOCKS};

/// What is known of where the blocks of a container begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Items {
    /// The block behind the one that was read last, counted from the beginning of the container.
    next: u32,
    /// All items before this one end before block `next`.
    first: usize,
    /// By block, how many items begin before it; made where blocks are read in a row.
    before: Option<[u16; BLOCKS as usize + 1]>,
    /// Whether it is made for the first block already.
    in_a_row: bool,
}

impl Items {
    /// Nothing has been read.
    pub(super) const START: Items = Items {
        next: 0,
        first: 0,
        before: None,
        in_a_row: false,
    };

    /// The same for the container behind this one.
    pub(super) fn of_next_container(&self) -> Items {
        Items {
            in_a_row: self.next == BLOCKS,
            ..Items::START
        }
    }

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
        if self.before.is_none() && (self.in_a_row || (block > 0 && block == self.next)) {
            self.before = count_before_blocks(items, &begin);
        }
        match &self.before {
            Some(before) => {
                self.next = block + 1;
                let Some(&[first, last]) = before.get(block as usize..).and_then(|before| before.first_chunk()) else {
                    return &[];
                };
                let (first, last) = (usize::from(first), usize::from(last));
                // The one before may go on in this block.
                let goes_on = first > 0 && items.get(first - 1).is_some_and(|item| end(item) > block * BLOCK_SIZE);
                items.get(first - usize::from(goes_on)..last).unwrap_or_default()
            }
            None => {
                let limit = (block + 1) * BLOCK_SIZE;
                let rest = self.seek(items, block, &end);
                let here = &rest[..count_before(rest, limit, begin)];
                let goes_on = here.last().is_some_and(|item| end(item) > limit);
                self.first += here.len() - usize::from(goes_on);
                here
            }
        }
    }

    /// Goes to the first item that ends in a block or behind it; returns the items from there on.
    #[inline]
    fn seek<'a, const N: usize>(
        &mut self,
        items: &'a [[u8; N]],
        block: u32,
        end: impl Fn(&[u8; N]) -> u32,
    ) -> &'a [[u8; N]] {
        let base = block * BLOCK_SIZE;
        let is_before = |item: &[u8; N]| end(item) <= base;
        let mut first = if block >= self.next { self.first } else { 0 };
        if items.get(first).is_some_and(is_before) {
            // In steps that grow, because it is near most times.
            let mut step = 8;
            while items.get(first + step).is_some_and(is_before) {
                first += step;
                step *= 2;
            }
            let until = items.len().min(first + step);
            first += items[first..until].partition_point(is_before);
        }
        (self.next, self.first) = (block + 1, first);
        items.get(first..).unwrap_or_default()
    }
}

/// By block, how many items begin before it; `None` if there are too many items for 16 bits.
///
/// All blocks together take less time than to look for the end of each: no branch depends on the items.
fn count_before_blocks<const N: usize>(
    items: &[[u8; N]],
    begin: impl Fn(&[u8; N]) -> u32,
) -> Option<[u16; BLOCKS as usize + 1]> {
    u16::try_from(items.len()).ok()?;
    let mut before = [0; BLOCKS as usize + 1];
    for (count, item) in (1..).zip(items) {
        before[((begin(item) / BLOCK_SIZE) as usize + 1) % (BLOCKS as usize + 1)] = count;
    }
    let mut most = 0;
    for count in &mut before {
        most = most.max(*count);
        *count = most;
    }
    Some(before)
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
