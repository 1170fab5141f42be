//! The positions where one term holds, read from the bytes as they lie on disk.
//!
//! A list is cut into chunks of 65,536 positions and these into blocks of 4,096, which queries compute with. A block is
//! full, or a bitmap, or tokens: each token skips some positions and then sets some, so that a reader has no cases to
//! tell apart. Any bytes are safe to read; those that do not follow the format
//! (docs/format.md#7-posting-list-of-a-term) give wrong positions, which is why there is a checksum around every list.

use crate::{
    damage::Damage,
    runs::{self, Run},
};

/// How many positions a chunk of a list has.
pub const CHUNK_SIZE: u32 = 1 << 16;

mod build;
mod chunk;
mod cursor;
mod selection;
mod tokens;

use chunk::Chunk;
pub use cursor::Cursor;
pub use selection::Selection;

/// How many positions a block has.
pub const BLOCK_SIZE: u32 = 1 << 12;
/// How many words a block of positions has.
pub const BLOCK_WORDS: usize = BLOCK_SIZE as usize / 64;

/// A bit for each of 4,096 positions in a row, the first in the lowest bit of the first word.
pub type Block = [u64; BLOCK_WORDS];

/// How many blocks a chunk has.
const BLOCKS: u32 = CHUNK_SIZE / BLOCK_SIZE;

/// In the table of chunks, beside the place where a chunk ends: it is full and has no bytes.
const FULL: u32 = 1 << 31;

/// How much of one chunk a posting list has, which is known without reading it.
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Postings {
    /// The table, one number of 32 bits for each chunk, and then the chunks.
    bytes: Vec<u8>,
    /// How many chunks the table has: up to the last that has a position.
    chunks: u32,
    /// How many positions there are in all.
    total: u32,
}

impl Postings {
    /// Writes runs, which are ascending and do not touch.
    pub fn from_runs(runs: &[Run]) -> Postings {
        let chunks = runs.last().map_or(0, |run| run.last / CHUNK_SIZE + 1);
        Postings {
            bytes: build::encode(runs, chunks),
            chunks,
            total: runs::stats(runs).cardinality,
        }
    }

    /// Takes over the bytes of a list that has `total` positions. Only its table is checked.
    ///
    /// # Errors
    ///
    /// When the table of chunks contradicts itself or the number of bytes.
    #[expect(clippy::cast_possible_truncation, reason = "the number of chunks is checked first")]
    pub fn from_bytes(bytes: Vec<u8>, total: u32) -> Result<Postings, Damage> {
        let Some(first) = bytes.first_chunk() else {
            return match bytes.is_empty() {
                true => Ok(Postings::default()),
                false => Err(Damage::Truncated),
            };
        };
        // The first chunk begins behind the table.
        let table = u32::from_le_bytes(*first);
        let entries = bytes.get(4..table as usize).ok_or(Damage::Truncated)?;
        let is_too_long = entries.len() as u64 / 4 > runs::MAX_POSITIONS / u64::from(CHUNK_SIZE);
        if !table.is_multiple_of(4) || entries.is_empty() || is_too_long {
            return Err(Damage::Invalid("the table of chunks has a wrong size"));
        }
        let mut end = table;
        for entry in entries.as_chunks().0 {
            let entry = u32::from_le_bytes(*entry);
            let (start, is_full) = (end, entry & FULL != 0);
            end = entry & !FULL;
            if end < start || is_full && end != start {
                return Err(Damage::Invalid("chunks out of order"));
            }
        }
        if end as usize != bytes.len() {
            return Err(Damage::Invalid("the last chunk does not end the list"));
        }
        Ok(Postings {
            chunks: entries.len() as u32 / 4,
            bytes,
            total,
        })
    }

    /// The list as it lies on disk; empty for a term that does not occur.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many positions there are in all.
    pub fn cardinality(&self) -> u64 {
        u64::from(self.total)
    }

    /// Whether the list can belong to a segment with this number of positions: none of its chunks begins behind the
    /// last.
    pub fn fits(&self, positions: u32) -> bool {
        self.chunks <= positions.div_ceil(CHUNK_SIZE)
    }

    /// How many chunks there are up to the last that has a position.
    #[cfg(test)]
    fn chunks(&self) -> u32 {
        self.chunks
    }

    /// Where a chunk begins, and the entry that says where it ends.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the two halves of a word")]
    fn entry(&self, chunk: u32) -> Option<(u32, u32)> {
        if chunk >= self.chunks {
            return None;
        }
        let two = self.bytes.get(4 * chunk as usize..)?.first_chunk::<8>()?;
        let both = u64::from_le_bytes(*two);
        Some((both as u32 & !FULL, (both >> 32) as u32))
    }

    #[inline]
    fn chunk(&self, chunk: u32) -> Chunk<'_> {
        match self.entry(chunk) {
            Some((start, end)) if start < end & !FULL => {
                let content = self.bytes.get(start as usize..(end & !FULL) as usize);
                Chunk::open(content.unwrap_or_default())
            }
            Some((_, end)) if end & FULL != 0 => Chunk::FULL,
            _ => Chunk::EMPTY,
        }
    }

    /// Whether a chunk has no, all or some positions.
    #[inline]
    pub fn chunk_kind(&self, chunk: u32) -> ChunkKind {
        match self.entry(chunk) {
            Some((start, end)) if start < end & !FULL => ChunkKind::Some,
            Some((_, end)) if end & FULL != 0 => ChunkKind::Full,
            _ => ChunkKind::Empty,
        }
    }

    /// Whether the list has this position.
    pub fn contains(&self, position: u32) -> bool {
        let id = position % BLOCK_SIZE;
        let chunk = self.chunk(position / CHUNK_SIZE);
        let mut found = false;
        chunk.walk(position / BLOCK_SIZE % BLOCKS, |start, end| {
            found |= (start..end).contains(&id);
        });
        found
    }

    /// The runs of consecutive positions, both ends included, ascending. A run may come in several pieces that touch.
    pub fn runs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.chunks).flat_map(move |number| {
            let chunk = self.chunk(number);
            let mut runs = Vec::new();
            for block in 0..BLOCKS {
                let base = number * CHUNK_SIZE + block * BLOCK_SIZE;
                chunk.walk(block, |start, end| {
                    if start < end && end <= BLOCK_SIZE {
                        runs.push((base + start, base + (end - 1)));
                    }
                });
            }
            runs
        })
    }

    /// The positions, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.runs().flat_map(|(start, last)| start..=last)
    }

    /// Adds the runs to an empty list, and checks everything that reading relies on.
    ///
    /// # Errors
    ///
    /// When the bytes do not follow the format.
    #[expect(clippy::cast_possible_truncation, reason = "the ends of runs are checked first")]
    pub fn decode_into(&self, list: &mut Vec<Run>) -> Result<(), Damage> {
        debug_assert!(list.is_empty(), "runs are decoded into an empty list");
        // A token takes two bytes, and nearly every run is one token.
        list.reserve(self.bytes.len() / 2);
        let mut is_sound = true;
        for number in 0..self.chunks {
            let chunk = self.chunk(number);
            is_sound &= chunk.is_complete();
            for block in 0..BLOCKS {
                let base = u64::from(number) * u64::from(CHUNK_SIZE) + u64::from(block * BLOCK_SIZE);
                chunk.walk(block, |start, end| {
                    let (first, next) = (base + u64::from(start), base + u64::from(end));
                    is_sound &= end <= BLOCK_SIZE && next <= runs::MAX_POSITIONS;
                    if start < end && is_sound {
                        runs::push(
                            list,
                            Run {
                                start: first as u32,
                                last: (next - 1) as u32,
                            },
                        );
                    }
                });
            }
        }
        if is_sound {
            Ok(())
        } else {
            Err(Damage::Invalid("a posting list contradicts itself"))
        }
    }
}

/// From ascending positions.
impl FromIterator<u32> for Postings {
    fn from_iter<I: IntoIterator<Item = u32>>(positions: I) -> Postings {
        let mut runs = Vec::new();
        for position in positions {
            runs::push(
                &mut runs,
                Run {
                    start: position,
                    last: position,
                },
            );
        }
        Postings::from_runs(&runs)
    }
}

#[cfg(test)]
mod tests;
