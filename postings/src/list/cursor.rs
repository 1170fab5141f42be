//! Reads a posting list 4,096 positions at a time, so that what a query computes with stays in a core's own caches.

use super::{BLOCKS, Block, Postings, chunk::Chunk};

/// Reads one list. Blocks may be read in any order; those of the same chunk are quickest. For a block without
/// positions, only the cursor itself is read.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    list: &'a Postings,
    /// The number of the chunk that is open; `u32::MAX` if none is.
    number: u32,
    chunk: Chunk<'a>,
}

impl Postings {
    /// A cursor over the list.
    pub fn cursor(&self) -> Cursor<'_> {
        Cursor {
            list: self,
            number: u32::MAX,
            chunk: Chunk::EMPTY,
        }
    }
}

impl<'a> Cursor<'a> {
    /// Makes `into` the positions of a block; returns false, and leaves `into` as it is, if the block has none.
    #[inline]
    pub fn read_block(&mut self, block: u32, into: &mut Block) -> bool {
        self.chunk(block / BLOCKS).read(block, into)
    }

    /// A chunk; it is opened unless it was opened last.
    #[inline]
    pub(super) fn chunk(&mut self, number: u32) -> &Chunk<'a> {
        if self.number != number {
            self.number = number;
            self.chunk = self.list.chunk(number);
        }
        &self.chunk
    }
}
