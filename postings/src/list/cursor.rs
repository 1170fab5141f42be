//! Reads a posting list 4,096 positions at a time, so that what a query computes with stays in a core's own caches.

use super::container::{Content, Part};
use super::items::{Items, end, start, value};
use super::{BLOCK_SIZE, BLOCKS, Block, Postings, fill};

/// Reads one list. Blocks may be read in any order; ascending is quickest. For a block without positions, only the
/// cursor itself is read where the block before it was read, too.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    list: &'a Postings,
    /// The number of the container that is open; `u32::MAX` if none is.
    number: u32,
    content: Content<'a>,
    items: Items,
}

impl Postings {
    /// A cursor over the list.
    pub fn cursor(&self) -> Cursor<'_> {
        Cursor {
            list: self,
            number: u32::MAX,
            content: Content::Empty,
            items: Items::START,
        }
    }
}

impl<'a> Cursor<'a> {
    /// Makes `into` the positions of a block; returns false, and leaves `into` as it is, if the block has none.
    #[inline]
    pub fn read_block(&mut self, block: u32, into: &mut Block) -> bool {
        self.read(block, into, |into| into.fill(0))
    }

    /// Adds the positions of a block to others; returns false if the block has none.
    #[inline]
    pub fn add_block(&mut self, block: u32, into: &mut Block) -> bool {
        self.read(block, into, |_| ())
    }

    /// Adds the positions of a block, if it has any, to what `prepare` has made of `into`; returns whether it has.
    #[inline(always)]
    fn read(&mut self, block: u32, into: &mut Block, prepare: impl FnOnce(&mut Block)) -> bool {
        self.open(block / BLOCKS);
        let number = block % BLOCKS;
        let (base, limit) = (number * BLOCK_SIZE, (number + 1) * BLOCK_SIZE);
        // Where the items of the block end is found as they are set.
        match self.content {
            Content::Values(values) => {
                let values = self.items.seek(values, number, |item| value(item) + 1);
                if values.first().is_none_or(|item| value(item) >= limit) {
                    return false;
                }
                prepare(into);
                self.items.skip(fill::set_values(into, values, base));
            }
            Content::Runs(runs) => {
                let runs = self.items.seek(runs, number, end);
                if runs.first().is_none_or(|run| start(run) >= limit) {
                    return false;
                }
                prepare(into);
                self.items.skip(fill::set_runs(into, runs, base));
            }
            content => {
                let part = content.part(number, &mut self.items);
                if let Part::Empty = part {
                    return false;
                }
                prepare(into);
                part.add_to(into);
            }
        }
        true
    }

    /// What the list has in a block.
    #[inline]
    pub(super) fn part(&mut self, block: u32) -> Part<'a> {
        self.open(block / BLOCKS);
        self.content.part(block, &mut self.items)
    }

    /// A container; it is opened unless it was opened last.
    #[inline]
    pub(super) fn open(&mut self, number: u32) -> &Content<'a> {
        if self.number != number {
            self.items = Items::START;
            self.number = number;
            self.content = self.list.content(number);
        }
        &self.content
    }
}
