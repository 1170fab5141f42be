//! The positions where one term holds: a roaring bitmap, read from its bytes as they are stored.
//!
//! A container of the bitmap has 65,536 positions, which are called a chunk here. Queries compute with blocks of 4,096.
//! Any bytes are safe to read; those that do not follow the format (docs/format.md#7-posting-list-of-a-term) give wrong
//! positions, which is why there is a checksum around every list.

use roaring::RoaringBitmap;

use crate::{
    damage::Damage,
    runs::{self, Run},
};

/// How many positions a chunk of a list has.
pub const CHUNK_SIZE: u32 = 1 << 16;

mod container;
mod cursor;
mod disjoint;
mod fill;
mod items;
mod portable;
mod selection;

use container::Content;
pub use cursor::Cursor;
pub use disjoint::DisjointUnion;
pub use selection::Selection;

/// How many positions a block has.
pub const BLOCK_SIZE: u32 = 1 << 12;
/// How many words a block of positions has.
pub const BLOCK_WORDS: usize = BLOCK_SIZE as usize / 64;

/// A bit for each of 4,096 positions in a row, the first in the lowest bit of the first word.
pub type Block = [u64; BLOCK_WORDS];

/// How many words a chunk of positions has.
pub const CHUNK_WORDS: usize = CHUNK_SIZE as usize / 64;

/// A bit for each of 65,536 positions in a row, the first in the lowest bit of the first word.
pub type Chunk = [u64; CHUNK_WORDS];

/// How many blocks a chunk has.
const BLOCKS: u32 = CHUNK_SIZE / BLOCK_SIZE;

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

/// Where a container is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Container {
    form: Form,
    /// Its first byte, counted from the beginning of the list.
    start: u32,
    /// How many values or runs it has.
    items: u32,
    /// How many positions.
    cardinality: u32,
}

/// How a container holds its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// There are none, and no bytes.
    Empty,
    /// All positions of the chunk are in it.
    Full,
    /// As values.
    Values,
    /// As runs.
    Runs,
    /// As a bitmap.
    Bitmap,
}

impl Container {
    /// That of a chunk without positions.
    const EMPTY: Container = Container {
        form: Form::Empty,
        start: 0,
        items: 0,
        cardinality: 0,
    };
}

/// The positions of one segment where one term holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Postings {
    /// A roaring bitmap in its portable format; empty if there are no positions.
    bytes: Vec<u8>,
    /// By chunk, up to the last that has a position.
    containers: Vec<Container>,
    /// How many positions there are in all.
    total: u32,
}

impl Postings {
    /// Writes runs, which are ascending and do not touch.
    pub fn from_runs(runs: &[Run]) -> Postings {
        let bytes = portable::encode(runs);
        Postings {
            containers: portable::containers(&bytes).unwrap_or_default(),
            bytes,
            total: runs::stats(runs).cardinality,
        }
    }

    /// The bytes of [`Postings::from_runs`] alone, for a list that is only written.
    pub fn encode(runs: &[Run]) -> Vec<u8> {
        portable::encode(runs)
    }

    /// The positions whose bits are set, the first in the lowest bit of the first word. It is made for lists that stay in
    /// memory: it takes less time than to look for runs.
    pub fn from_words(words: &[u64]) -> Postings {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let bitmap = RoaringBitmap::from_lsb0_bytes(0, &bytes);
        let bytes = portable::bytes_of(&bitmap);
        Postings {
            containers: match bytes.is_empty() {
                true => Vec::new(),
                false => portable::containers(&bytes).unwrap_or_default(),
            },
            bytes,
            total: u32::try_from(bitmap.len()).unwrap_or(u32::MAX),
        }
    }

    /// Takes over the bytes of a list that has `total` positions. Only its header is checked.
    ///
    /// # Errors
    ///
    /// When the header contradicts itself, the number of bytes or that of positions.
    pub fn from_bytes(bytes: Vec<u8>, total: u32) -> Result<Postings, Damage> {
        let containers = match bytes.is_empty() {
            true => Vec::new(),
            false => portable::containers(&bytes)?,
        };
        let found: u64 = containers
            .iter()
            .map(|container| u64::from(container.cardinality))
            .sum();
        if found != u64::from(total) {
            return Err(Damage::Invalid("a posting list has another number of positions"));
        }
        Ok(Postings {
            bytes,
            containers,
            total,
        })
    }

    /// The list as a roaring bitmap in its portable format; empty for a term that does not occur.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many bytes of memory it takes.
    pub fn memory(&self) -> usize {
        self.bytes.len() + size_of_val(self.containers.as_slice()) + size_of::<Postings>()
    }

    /// How many positions there are in all.
    pub fn cardinality(&self) -> u64 {
        u64::from(self.total)
    }

    /// Whether the list can belong to a segment with this number of positions: none of its chunks begins behind the
    /// last.
    pub fn fits(&self, positions: u32) -> bool {
        self.containers.len() <= positions.div_ceil(CHUNK_SIZE) as usize
    }

    /// How many chunks there are up to the last that has a position.
    #[expect(clippy::cast_possible_truncation, reason = "there are no more than 65,536")]
    fn chunks(&self) -> u32 {
        self.containers.len() as u32
    }

    #[inline]
    fn content(&self, chunk: u32) -> Content<'_> {
        let Some(container) = self.containers.get(chunk as usize) else {
            return Content::Empty;
        };
        let (start, items) = (container.start as usize, container.items as usize);
        let bytes = |size: usize| self.bytes.get(start..start + size).unwrap_or_default();
        match container.form {
            Form::Empty => Content::Empty,
            Form::Full => Content::Full,
            Form::Values => Content::Values(bytes(2 * items).as_chunks().0),
            Form::Runs => Content::Runs(bytes(4 * items).as_chunks().0),
            Form::Bitmap => Content::Bitmap(bytes(portable::BITMAP_BYTES)),
        }
    }

    /// Whether a chunk has no, all or some positions.
    #[inline]
    pub fn chunk_kind(&self, chunk: u32) -> ChunkKind {
        match self.containers.get(chunk as usize).map(|container| container.form) {
            None | Some(Form::Empty) => ChunkKind::Empty,
            Some(Form::Full) => ChunkKind::Full,
            Some(Form::Values | Form::Runs | Form::Bitmap) => ChunkKind::Some,
        }
    }

    /// Whether the list has this position.
    pub fn contains(&self, position: u32) -> bool {
        self.content(position / CHUNK_SIZE).contains(position % CHUNK_SIZE)
    }

    /// The runs of consecutive positions, both ends included, ascending. A run may come in several pieces that touch.
    pub fn runs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.chunks()).flat_map(move |number| {
            let base = number * CHUNK_SIZE;
            let mut runs = Vec::new();
            self.content(number).walk(|start, end| {
                if start < end && end <= CHUNK_SIZE {
                    runs.push((base + start, base + (end - 1)));
                }
            });
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
        // Most containers have runs of four bytes.
        list.reserve(self.bytes.len() / 4);
        let mut is_sound = true;
        for (number, container) in (0..).zip(&self.containers) {
            let base = u64::from(number) * u64::from(CHUNK_SIZE);
            let (mut free, mut count) = (0, 0);
            self.content(number).walk(|start, end| {
                is_sound &= free <= start && start < end && end <= CHUNK_SIZE;
                let (first, next) = (base + u64::from(start), base + u64::from(end));
                is_sound &= next <= runs::MAX_POSITIONS;
                if is_sound {
                    free = end;
                    count += end - start;
                    runs::push(
                        list,
                        Run {
                            start: first as u32,
                            last: (next - 1) as u32,
                        },
                    );
                }
            });
            is_sound &= count == container.cardinality;
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
