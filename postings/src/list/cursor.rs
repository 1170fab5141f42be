//! Reads a posting list 4,096 positions at a time: what a query computes in stays in a core's own caches.

use super::{BLOCKS, Postings, chunk::Chunk};

/// How many words a block of positions has.
pub const BLOCK_WORDS: usize = 64;

/// A bit for each of 4,096 positions in a row, the first in the lowest bit of the first word.
pub type Block = [u64; BLOCK_WORDS];

/// Reads one list; it may be asked for any block, and is quick for those of the same chunk. What it looks at for a block
/// that has no position of the list is all in here.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    list: &'a Postings,
    /// The number of the chunk that is open; no chunk has the highest one.
    number: u32,
    chunk: Chunk<'a>,
}

impl Postings {
    /// A cursor that has read nothing.
    pub fn cursor(&self) -> Cursor<'_> {
        Cursor {
            list: self,
            number: u32::MAX,
            chunk: Chunk::EMPTY,
        }
    }
}

impl<'a> Cursor<'a> {
    /// Makes `into` the positions of a block; false if it has none, and then `into` is not touched.
    #[inline]
    pub fn read_block(&mut self, block: u32, into: &mut Block) -> bool {
        self.chunk(block / BLOCKS).read(block, into)
    }

    /// A chunk, opened if it is not the one that is.
    #[inline]
    pub(super) fn chunk(&mut self, number: u32) -> &Chunk<'a> {
        if self.number != number {
            self.number = number;
            self.chunk = self.list.chunk(number);
        }
        &self.chunk
    }
}
