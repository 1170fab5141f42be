//! Reads a posting list 4,096 positions at a time, so that what a query computes with stays in a core's own caches.

use super::container::{Content, Part};
use super::items::Items;
use super::{BLOCKS, Block, Postings};

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
        self.part(block).read(into)
    }

    /// Adds the positions of a block to others; returns false if the block has none.
    #[inline]
    pub fn add_block(&mut self, block: u32, into: &mut Block) -> bool {
        let part = self.part(block);
        part.add_to(into);
        !matches!(part, Part::Empty)
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
            self.items = match self.number.checked_add(1) == Some(number) {
                true => self.items.of_next_container(),
                false => Items::START,
            };
            self.number = number;
            self.content = self.list.content(number);
        }
        &self.content
    }
}
