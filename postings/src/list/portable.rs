//! The bytes of a list: roaring's portable format (<https://github.com/RoaringBitmap/RoaringFormatSpec>).
//!
//! The `roaring` crate writes them. Reading needs only where each container is, so that blocks can be read in place.

use std::io;

use roaring::RoaringBitmap;

use super::{CHUNK_SIZE, Container, Form};
use crate::{damage::Damage, runs::Run, varint::Reader};

/// The first 16 bits of a bitmap that has run containers.
const WITH_RUNS: u32 = 12_347;
/// The first 32 bits of a bitmap that has none.
const WITHOUT_RUNS: u32 = 12_346;
/// A bitmap with run containers and fewer containers than this says nowhere where they begin.
const MIN_OFFSETS: usize = 4;
/// An array container has no more values than this.
const MAX_VALUES: u32 = 4096;
/// The bytes of a bitmap container.
pub(super) const BITMAP_BYTES: usize = CHUNK_SIZE as usize / 8;

/// Writes runs, ascending, no two of which touch. Each container takes the form in which it is smallest.
pub(super) fn encode(runs: &[Run]) -> Vec<u8> {
    if runs.is_empty() {
        return Vec::new();
    }
    let mut bitmap = read_back(&all_as_runs(runs));
    bitmap.optimize();
    bytes_of(&bitmap)
}

/// Writes a bitmap as it is; nothing if it is empty.
pub(super) fn bytes_of(bitmap: &RoaringBitmap) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(bitmap.serialized_size());
    if !bitmap.is_empty() {
        write(bitmap, &mut bytes);
    }
    bytes
}

/// Reads what was just written.
fn read_back(bytes: &[u8]) -> RoaringBitmap {
    #[expect(clippy::expect_used, reason = "the bytes are those of `all_as_runs`")]
    RoaringBitmap::deserialize_from(bytes).expect("runs that are ascending and do not touch are a bitmap")
}

fn write(bitmap: &RoaringBitmap, bytes: &mut Vec<u8>) {
    let written: io::Result<()> = bitmap.serialize_into(bytes);
    debug_assert!(written.is_ok(), "a vector takes all bytes");
}

/// Writes runs as run containers only, which is quicker than to add them to a bitmap one by one.
#[expect(clippy::cast_possible_truncation, reason = "the two halves of a position")]
fn all_as_runs(runs: &[Run]) -> Vec<u8> {
    /// A container that is being written.
    struct Open {
        key: u16,
        cardinality: u32,
        runs: u16,
        /// Where the number of its runs stands.
        at: usize,
    }
    let (mut containers, mut content): (Vec<Open>, Vec<u8>) = (Vec::new(), Vec::with_capacity(4 * runs.len() + 1024));
    for run in runs {
        let mut start = run.start;
        loop {
            let key = (start >> 16) as u16;
            let last = run.last.min(start | 0xffff);
            if containers.last().is_none_or(|open| open.key != key) {
                let at = content.len();
                content.extend([0; 2]);
                containers.push(Open {
                    key,
                    cardinality: 0,
                    runs: 0,
                    at,
                });
            }
            if let Some(open) = containers.last_mut() {
                open.runs += 1;
                open.cardinality += last - start + 1;
                content[open.at..open.at + 2].copy_from_slice(&open.runs.to_le_bytes());
            }
            content.extend((start as u16).to_le_bytes());
            content.extend(((last - start) as u16).to_le_bytes());
            if last == run.last {
                break;
            }
            start = last + 1;
        }
    }
    let count = containers.len();
    let mut bytes = Vec::with_capacity(content.len() + 9 * count + 8);
    bytes.extend((WITH_RUNS | (count as u32 - 1) << 16).to_le_bytes());
    bytes.extend(std::iter::repeat_n(u8::MAX, count / 8));
    if !count.is_multiple_of(8) {
        bytes.push((1 << (count % 8)) - 1);
    }
    for open in &containers {
        bytes.extend(open.key.to_le_bytes());
        bytes.extend(((open.cardinality - 1) as u16).to_le_bytes());
    }
    if count >= MIN_OFFSETS {
        let first = (bytes.len() + 4 * count) as u32;
        for open in &containers {
            bytes.extend((first + open.at as u32).to_le_bytes());
        }
    }
    bytes.extend(content);
    bytes
}

/// Finds the containers, by their numbers, up to the last one that there is. Their content is not checked.
///
/// # Errors
///
/// When the header contradicts itself or the number of bytes.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a list of MAX_POSITIONS positions has 512 MB at most"
)]
pub(super) fn containers(bytes: &[u8]) -> Result<Vec<Container>, Damage> {
    let mut reader = Reader::new(bytes);
    let cookie = reader.u32()?;
    let (count, flags) = if cookie == WITHOUT_RUNS {
        (reader.u32()? as usize, None)
    } else if cookie & 0xffff == WITH_RUNS {
        let count = (cookie >> 16) as usize + 1;
        (count, Some(reader.bytes(count.div_ceil(8))?))
    } else {
        return Err(Damage::Invalid("a posting list is no roaring bitmap"));
    };
    if count == 0 || count > usize::from(u16::MAX) / 2 + 1 {
        return Err(Damage::Invalid("a posting list has a wrong number of containers"));
    }
    let has_runs = |container: usize| flags.is_some_and(|flags| flags[container / 8] >> (container % 8) & 1 == 1);
    let mut descriptions = Reader::new(reader.bytes(4 * count)?);
    if flags.is_none() || count >= MIN_OFFSETS {
        // Where containers begin follows from their sizes.
        reader.bytes(4 * count)?;
    }
    let mut containers: Vec<Container> = Vec::new();
    for number in 0..count {
        let key = usize::from(descriptions.u16()?);
        let cardinality = u32::from(descriptions.u16()?) + 1;
        if key < containers.len() {
            return Err(Damage::Invalid("the containers of a posting list are out of order"));
        }
        containers.resize(key, Container::EMPTY);
        let (form, items, size) = if has_runs(number) {
            let runs = u32::from(reader.u16()?);
            (Form::Runs, runs, 4 * runs as usize)
        } else if cardinality <= MAX_VALUES {
            (Form::Values, cardinality, 2 * cardinality as usize)
        } else {
            (Form::Bitmap, 1, BITMAP_BYTES)
        };
        let start = (bytes.len() - reader.len()) as u32;
        reader.bytes(size)?;
        containers.push(Container {
            form: if cardinality == CHUNK_SIZE { Form::Full } else { form },
            start,
            items,
            cardinality,
        });
    }
    match reader.is_empty() {
        true => Ok(containers),
        false => Err(Damage::TrailingBytes),
    }
}
