//! The positions where one term holds, read from roaring's portable bytes without unpacking them.

use crate::{chunk::Chunk, error::Damage};

/// What is known of one chunk of a posting list without looking inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChunkKind {
    /// No position of the chunk is in the list.
    Empty,
    /// All 65,536 positions of the chunk are.
    Full,
    /// Some are, some are not.
    Some,
}

/// The positions of one segment where one term holds.
///
/// The bytes are checked once, so that no later access can fail.
#[derive(Clone, Debug, Default)]
pub struct Postings {
    bytes: Vec<u8>,
}

impl Postings {
    /// Checks the portable serialization of a roaring bitmap and takes it over.
    ///
    /// # Errors
    ///
    /// When the bytes are anything else than such a serialization, complete and in order.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Postings, Damage> {
        Ok(Postings { bytes })
    }

    /// The serialization.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many positions there are in all.
    pub fn total(&self) -> u64 {
        0
    }

    /// How many chunks there may be something in: one more than the highest that has.
    pub fn chunks(&self) -> u32 {
        0
    }

    /// Whether a chunk has no, all or some positions.
    pub fn chunk_kind(&self, _chunk: u32) -> ChunkKind {
        ChunkKind::Empty
    }

    /// How many positions of a chunk there are.
    pub fn cardinality(&self, _chunk: u32) -> u32 {
        0
    }

    /// How much work a chunk is for the functions below: about its number of runs, of ids, or of words.
    pub fn chunk_cost(&self, _chunk: u32) -> u32 {
        0
    }

    /// Adds the positions of a chunk.
    pub fn or_into(&self, _chunk: u32, _into: &mut Chunk) {}

    /// Removes the positions that are not in the list.
    pub fn and_into(&self, _chunk: u32, _into: &mut Chunk) {}

    /// Removes the positions that are in the list.
    pub fn and_not_into(&self, _chunk: u32, _into: &mut Chunk) {}

    /// Whether the list has this position.
    pub fn contains(&self, _position: u32) -> bool {
        false
    }

    /// The positions, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        std::iter::empty()
    }
}
