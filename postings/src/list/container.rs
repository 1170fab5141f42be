//! A container of a list, and its part in one block.

use super::items::{Items, end, start, value, within};
use super::{BLOCK_SIZE, BLOCKS, Block, fill};

/// The content of a container.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content<'a> {
    /// It has no position.
    Empty,
    /// It has all.
    Full,
    /// Values, ascending, of 16 bits each.
    Values(&'a [[u8; 2]]),
    /// Runs, ascending: the first value and how many follow it, 16 bits each.
    Runs(&'a [[u8; 4]]),
    /// A bit for each value.
    Bitmap(&'a [u8]),
}

/// What a list has in one block.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part<'a> {
    /// No position.
    Empty,
    /// All positions.
    Full,
    /// Values that are in the block, which begins with the value `base`.
    Values { values: &'a [[u8; 2]], base: u32 },
    /// Runs that are at least in part in the block, which begins with the value `base`.
    Runs { runs: &'a [[u8; 4]], base: u32 },
    /// A bit for each position.
    Bitmap(&'a [u8]),
}

impl<'a> Content<'a> {
    /// The part in a block. `items` says what is known of the container from the blocks that were read before.
    #[inline]
    pub(super) fn part(&self, block: u32, items: &mut Items) -> Part<'a> {
        let number = block % BLOCKS;
        let base = number * BLOCK_SIZE;
        match *self {
            Content::Empty => Part::Empty,
            Content::Full => Part::Full,
            Content::Bitmap(bytes) => {
                let size = BLOCK_SIZE as usize / 8;
                bytes
                    .get(number as usize * size..)
                    .map_or(Part::Empty, |bytes| Part::Bitmap(&bytes[..size.min(bytes.len())]))
            }
            Content::Values(values) => match items.within(values, number, value, |item| value(item) + 1) {
                [] => Part::Empty,
                values => Part::Values { values, base },
            },
            Content::Runs(runs) => match items.within(runs, number, start, end) {
                [] => Part::Empty,
                [run] if start(run) <= base && end(run) >= base + BLOCK_SIZE => Part::Full,
                runs => Part::Runs { runs, base },
            },
        }
    }

    /// Whether a value of 16 bits is in the container.
    #[inline]
    pub(super) fn contains(&self, id: u32) -> bool {
        match self {
            Content::Empty => false,
            Content::Full => true,
            Content::Bitmap(bytes) => bytes.get(id as usize / 8).is_some_and(|byte| byte >> (id % 8) & 1 == 1),
            Content::Values(values) => {
                let at = values.partition_point(|item| value(item) < id);
                values.get(at).is_some_and(|item| value(item) == id)
            }
            Content::Runs(runs) => {
                let at = runs.partition_point(|run| end(run) <= id);
                runs.get(at).is_some_and(|run| start(run) <= id)
            }
        }
    }

    /// Calls `each` with where each run of values begins and ends; the end is left out. Runs may touch.
    pub(super) fn walk(&self, mut each: impl FnMut(u32, u32)) {
        match self {
            Content::Empty => {}
            Content::Full => each(0, super::CHUNK_SIZE),
            Content::Values(values) => values.iter().for_each(|item| each(value(item), value(item) + 1)),
            Content::Runs(runs) => runs.iter().for_each(|run| each(start(run), end(run))),
            Content::Bitmap(bytes) => {
                for (bits, base) in words(bytes).zip((0..).step_by(64)) {
                    bits::ones(bits).for_each(|bit| each(base + bit, base + bit + 1));
                }
            }
        }
    }
}

/// The words of a bitmap.
#[inline]
pub(super) fn words(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word))
}

impl Part<'_> {
    /// Adds the positions of the block.
    #[inline]
    pub(super) fn add_to(&self, into: &mut Block) {
        match self {
            Part::Empty => {}
            Part::Full => into.fill(u64::MAX),
            Part::Bitmap(bytes) => {
                for (word, theirs) in into.iter_mut().zip(words(bytes)) {
                    *word |= theirs;
                }
            }
            Part::Values { values, base } => {
                fill::set_values(into, values, *base);
            }
            Part::Runs { runs, base } => {
                fill::set_runs(into, runs, *base);
            }
        }
    }

    /// How many values or runs there are; `None` for a bitmap.
    #[inline]
    pub(super) fn items(&self) -> Option<usize> {
        match self {
            Part::Empty => Some(0),
            Part::Full => Some(1),
            Part::Values { values, .. } => Some(values.len()),
            Part::Runs { runs, .. } => Some(runs.len()),
            Part::Bitmap(_) => None,
        }
    }

    /// Calls `each` with where each run begins and ends, counted from the beginning of the block; the end is left out.
    #[inline]
    pub(super) fn walk(&self, mut each: impl FnMut(u32, u32)) {
        match self {
            Part::Empty => {}
            Part::Full => each(0, BLOCK_SIZE),
            Part::Values { values, base } => {
                for item in *values {
                    let id = value(item).saturating_sub(*base);
                    each(id, id + 1);
                }
            }
            Part::Runs { runs, base } => {
                for run in *runs {
                    let (start, end) = within(run, *base);
                    each(start, end);
                }
            }
            Part::Bitmap(bytes) => {
                for (bits, base) in words(bytes).zip((0..).step_by(64)) {
                    bits::ones(bits).for_each(|bit| each(base + bit, base + bit + 1));
                }
            }
        }
    }
}
