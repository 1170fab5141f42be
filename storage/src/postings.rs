//! The positions where one term holds, read from roaring's portable bytes without unpacking them.

use crate::{error::Damage, id::CHUNK_SIZE, runs::Run, varint::Reader};

mod build;
mod cursor;
mod selection;

pub use cursor::{BLOCK_WORDS, Block, Cursor};
pub use selection::Selection;

/// Roaring's mark of a serialization without run containers.
const COOKIE_PLAIN: u32 = 12346;
/// Roaring's mark, in the lower half, of a serialization with run containers.
const COOKIE_RUNS: u32 = 12347;
/// From how many containers on a serialization with runs has offsets too.
const OFFSETS_FROM: usize = 4;
/// Up to how many ids a container without runs is an array of them.
const ARRAY_MAX: u32 = 4096;
/// The bytes of a bitmap container.
const BITMAP_BYTES: usize = 8192;

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

/// How the positions of a chunk are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Array,
    Bitmap,
    Runs,
}

/// One container of the serialization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Container {
    cardinality: u32,
    form: Form,
    /// Where the ids, words or runs are in the bytes, without the count of runs before them.
    start: u32,
    end: u32,
}

/// No container.
const NONE: Container = Container {
    cardinality: 0,
    form: Form::Array,
    start: 0,
    end: 0,
};

/// The positions of one segment where one term holds.
///
/// The bytes are checked once, so that no later access can fail.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Postings {
    bytes: Vec<u8>,
    /// By chunk, up to the highest that has a position.
    containers: Vec<Container>,
    total: u64,
}

impl Postings {
    /// Serializes runs, each chunk in the smallest of roaring's three forms.
    pub(crate) fn from_runs(runs: &[Run]) -> Postings {
        build::from_runs(runs)
    }

    /// Checks the portable serialization of a roaring bitmap and takes it over.
    ///
    /// # Errors
    ///
    /// When the bytes are anything else than such a serialization, complete and in order.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Postings, Damage> {
        let mut reader = Reader::new(&bytes);
        let cookie = reader.u32()?;
        let (count, run_flags) = match cookie {
            COOKIE_PLAIN => (reader.u32()? as usize, None),
            _ if cookie & 0xffff == COOKIE_RUNS => {
                let count = (cookie >> 16) as usize + 1;
                (count, Some(reader.bytes(count.div_ceil(8))?))
            }
            _ => return Err(Damage::Invalid("not a roaring bitmap")),
        };
        if count > 1 << 16 {
            return Err(Damage::Invalid("too many containers"));
        }
        let mut descriptions = Reader::new(reader.bytes(4 * count)?);
        let mut offsets = match run_flags {
            Some(_) if count < OFFSETS_FROM => None,
            _ => Some(Reader::new(reader.bytes(4 * count)?)),
        };
        let (mut containers, mut total) = (Vec::new(), 0);
        for index in 0..count {
            let key = usize::from(descriptions.u16()?);
            let cardinality = u32::from(descriptions.u16()?) + 1;
            if key < containers.len() {
                return Err(Damage::Invalid("containers out of order"));
            }
            if let Some(offsets) = &mut offsets
                && offsets.u32()? as usize != bytes.len() - reader.len()
            {
                return Err(Damage::Invalid("a container is not where it should be"));
            }
            let is_runs = run_flags.is_some_and(|flags| flags[index / 8] >> (index % 8) & 1 != 0);
            let (form, size) = match (is_runs, cardinality) {
                (true, _) => (Form::Runs, 4 * usize::from(reader.u16()?)),
                (false, ..=ARRAY_MAX) => (Form::Array, 2 * cardinality as usize),
                (false, _) => (Form::Bitmap, BITMAP_BYTES),
            };
            let start = bytes.len() - reader.len();
            check(form, cardinality, reader.bytes(size)?)?;
            containers.resize(key, NONE);
            containers.push(Container {
                cardinality,
                form,
                start: start as u32,
                end: (start + size) as u32,
            });
            total += u64::from(cardinality);
        }
        reader.finish()?;
        Ok(Postings {
            bytes,
            containers,
            total,
        })
    }

    /// The serialization; empty for a term that does not occur.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many positions there are in all.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// One more than the last position; 0 if there is none.
    pub fn end(&self) -> u64 {
        let Some(&container) = self.containers.last() else {
            return 0;
        };
        let content = self.content(container);
        let last = match container.form {
            Form::Array => ids(content).last().map_or(0, u32::from),
            Form::Bitmap => {
                let words = bitmap(content).zip((0..).step_by(64)).filter(|(word, _)| *word != 0);
                words
                    .last()
                    .map_or(0, |(word, base): (u64, u32)| base + 63 - word.leading_zeros())
            }
            Form::Runs => runs(content).last().map_or(0, |(_, last)| last),
        };
        (self.containers.len() as u64 - 1) * u64::from(CHUNK_SIZE) + u64::from(last) + 1
    }

    /// How many chunks there may be something in: one more than the highest that has.
    pub fn chunks(&self) -> u32 {
        self.containers.len() as u32
    }

    #[inline]
    fn container(&self, chunk: u32) -> Container {
        self.containers.get(chunk as usize).copied().unwrap_or(NONE)
    }

    #[inline]
    fn content(&self, container: Container) -> &[u8] {
        &self.bytes[container.start as usize..container.end as usize]
    }

    /// Whether a chunk has no, all or some positions.
    #[inline]
    pub fn chunk_kind(&self, chunk: u32) -> ChunkKind {
        match self.container(chunk).cardinality {
            0 => ChunkKind::Empty,
            CHUNK_SIZE => ChunkKind::Full,
            _ => ChunkKind::Some,
        }
    }

    /// How many positions of a chunk there are.
    #[inline]
    pub fn cardinality(&self, chunk: u32) -> u32 {
        self.container(chunk).cardinality
    }

    /// How much work a chunk is to read: its number of runs, of ids, or of words.
    #[inline]
    pub fn chunk_cost(&self, chunk: u32) -> u32 {
        let container = self.container(chunk);
        match container.form {
            Form::Array => container.cardinality,
            Form::Bitmap => (BITMAP_BYTES / 8) as u32,
            Form::Runs => (container.end - container.start) / 4,
        }
    }

    /// Whether the list has this position.
    pub fn contains(&self, position: u32) -> bool {
        let container = self.container(position / CHUNK_SIZE);
        let content = self.content(container);
        let id = position as u16;
        match container.form {
            Form::Array => {
                let (pairs, _) = content.as_chunks();
                pairs
                    .binary_search_by_key(&id, |pair| u16::from_le_bytes(*pair))
                    .is_ok()
            }
            Form::Bitmap => content[usize::from(id >> 3)] >> (id & 7) & 1 != 0,
            Form::Runs => {
                let (quads, _) = content.as_chunks();
                let after = quads.partition_point(|quad| run(*quad).0 <= u32::from(id));
                after > 0 && run(quads[after - 1]).1 >= u32::from(id)
            }
        }
    }

    /// The runs of consecutive positions, both ends included, ascending; one that crosses the end of a chunk comes in
    /// two pieces.
    pub fn runs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.containers
            .iter()
            .zip((0..).step_by(CHUNK_SIZE as usize))
            .flat_map(|(&container, base)| {
                let content = self.content(container);
                // Two of the three are empty.
                let form = |wanted| if container.form == wanted { content } else { &[] };
                let from_ids = ids(form(Form::Array)).map(|id| (u32::from(id), u32::from(id)));
                let from_words = bitmap(form(Form::Bitmap))
                    .zip((0..).step_by(64))
                    .flat_map(|(word, base)| {
                        (0u32..64)
                            .filter(move |bit| word >> bit & 1 != 0)
                            .map(move |bit| (base + bit, base + bit))
                    });
                let from_runs = runs(form(Form::Runs));
                from_ids
                    .chain(from_words)
                    .chain(from_runs)
                    .map(move |(start, last)| (base + start, base + last))
            })
    }

    /// The positions, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.runs().flat_map(|(start, last)| start..=last)
    }
}

/// The ids of an array container.
#[inline]
fn ids(content: &[u8]) -> impl Iterator<Item = u16> + '_ {
    content.as_chunks().0.iter().map(|pair| u16::from_le_bytes(*pair))
}

/// The words of a bitmap container.
#[inline]
fn bitmap(content: &[u8]) -> impl Iterator<Item = u64> + '_ {
    content.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes))
}

/// The runs of a run container, both ends included.
#[inline]
fn runs(content: &[u8]) -> impl Iterator<Item = (u32, u32)> + '_ {
    content.as_chunks().0.iter().map(|quad| run(*quad))
}

/// One run: start and length less one, 16 bits each.
#[inline]
fn run(quad: [u8; 4]) -> (u32, u32) {
    let both = u32::from_le_bytes(quad);
    let start = both & 0xffff;
    (start, start + (both >> 16))
}

/// Whether a container is in order, so that it can be read without a check.
fn check(form: Form, cardinality: u32, content: &[u8]) -> Result<(), Damage> {
    let (ascending, found) = match form {
        Form::Array => {
            let pairs = content.as_chunks::<2>().0;
            let ascending = pairs
                .windows(2)
                .all(|two| u16::from_le_bytes(two[0]) < u16::from_le_bytes(two[1]));
            (ascending, pairs.len() as u32)
        }
        Form::Bitmap => (true, bitmap(content).map(u64::count_ones).sum()),
        Form::Runs => {
            // Invariant: `next` is the lowest id where the following run may start.
            let (mut next, mut ascending, mut found) = (0, true, 0);
            for (start, last) in runs(content) {
                ascending &= start >= next && last < CHUNK_SIZE;
                next = last + 1;
                found += last - start + 1;
            }
            (ascending, found)
        }
    };
    match (ascending, found == cardinality) {
        (false, _) => Err(Damage::Invalid("ids out of order")),
        (true, false) => Err(Damage::Invalid("a container has more or fewer ids than it says")),
        (true, true) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
