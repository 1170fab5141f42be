//! The bytes of a list: roaring's portable format (<https://github.com/RoaringBitmap/RoaringFormatSpec>).
//!
//! What comes as words is written by the `roaring` crate, what comes as runs here. Reading needs only where each container is,
//! so that blocks can be read in place.

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

/// A container that is being written.
struct Open {
    key: u16,
    cardinality: u32,
    /// Where its pieces begin, in those of all containers.
    first: usize,
}

impl Open {
    /// The form in which it takes the fewest bytes, and how many; of two that take as many, the one that `roaring` takes.
    fn smallest(&self, runs: usize) -> (Form, usize) {
        let as_runs = 2 + 4 * runs;
        let values = 2 * self.cardinality as usize;
        match () {
            () if as_runs <= values.min(BITMAP_BYTES) => (Form::Runs, as_runs),
            () if self.cardinality <= MAX_VALUES => (Form::Values, values),
            () => (Form::Bitmap, BITMAP_BYTES),
        }
    }
}

/// Writes runs, ascending, no two of which touch. Each container takes the form in which it is smallest.
///
/// These are the bytes that the `roaring` crate would make. It would make each container as an object of its own, in
/// one form after the other, and most lists of a small segment have a few runs: it took longer than all else that is done to
/// them.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the two halves of a position; a list of MAX_POSITIONS positions has 512 MB at most"
)]
pub(super) fn encode(runs: &[Run]) -> Vec<u8> {
    if runs.is_empty() {
        return Vec::new();
    }
    // Runs, cut where containers end: the first position of each in its container, and the last.
    let mut pieces: Vec<(u16, u16)> = Vec::with_capacity(runs.len() + 16);
    let mut containers: Vec<Open> = Vec::new();
    for run in runs {
        let mut start = run.start;
        loop {
            let key = (start >> 16) as u16;
            let last = run.last.min(start | 0xffff);
            let count = last - start + 1;
            match containers.last_mut() {
                Some(open) if open.key == key => open.cardinality += count,
                _ => containers.push(Open {
                    key,
                    cardinality: count,
                    first: pieces.len(),
                }),
            }
            pieces.push((start as u16, last as u16));
            if last == run.last {
                break;
            }
            start = last + 1;
        }
    }
    let count = containers.len();
    let pieces_of = |number: usize| {
        let end = containers.get(number + 1).map_or(pieces.len(), |next| next.first);
        &pieces[containers[number].first..end]
    };
    let forms: Vec<(Form, usize)> = (0..count)
        .map(|number| containers[number].smallest(pieces_of(number).len()))
        .collect();
    let size: usize = forms.iter().map(|(_, size)| size).sum();
    let mut bytes = Vec::with_capacity(size + 9 * count + 8);
    let has_runs = |number: usize| forms[number].0 == Form::Runs;
    let is_any = (0..count).any(has_runs);
    if is_any {
        bytes.extend((WITH_RUNS | (count as u32 - 1) << 16).to_le_bytes());
        let eight = |byte: usize| {
            let numbers = 8 * byte..count.min(8 * byte + 8);
            numbers.fold(0u8, |flags, number| flags | u8::from(has_runs(number)) << (number % 8))
        };
        bytes.extend((0..count.div_ceil(8)).map(eight));
    } else {
        bytes.extend(WITHOUT_RUNS.to_le_bytes());
        bytes.extend((count as u32).to_le_bytes());
    }
    for open in &containers {
        bytes.extend(open.key.to_le_bytes());
        bytes.extend(((open.cardinality - 1) as u16).to_le_bytes());
    }
    if !is_any || count >= MIN_OFFSETS {
        let mut next = (bytes.len() + 4 * count) as u32;
        for (_, size) in &forms {
            bytes.extend(next.to_le_bytes());
            next += *size as u32;
        }
    }
    for (number, (form, _)) in forms.iter().enumerate() {
        write_content(*form, pieces_of(number), &mut bytes);
    }
    bytes
}

/// Writes the content of a container.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a container has 65,536 runs at most, and fewer as runs"
)]
fn write_content(form: Form, pieces: &[(u16, u16)], bytes: &mut Vec<u8>) {
    match form {
        Form::Runs | Form::Full | Form::Empty => {
            bytes.extend((pieces.len() as u16).to_le_bytes());
            for (first, last) in pieces {
                bytes.extend(first.to_le_bytes());
                bytes.extend((last - first).to_le_bytes());
            }
        }
        Form::Values => {
            for &(first, last) in pieces {
                (first..=last).for_each(|value| bytes.extend(value.to_le_bytes()));
            }
        }
        Form::Bitmap => {
            let mut words = vec![0u64; BITMAP_BYTES / 8];
            for &(first, last) in pieces {
                bits::set_range(&mut words, u32::from(first)..u32::from(last) + 1);
            }
            bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        }
    }
}

/// Writes a bitmap as it is; nothing if it is empty.
pub(super) fn bytes_of(bitmap: &RoaringBitmap) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(bitmap.serialized_size());
    if !bitmap.is_empty() {
        write(bitmap, &mut bytes);
    }
    bytes
}

fn write(bitmap: &RoaringBitmap, bytes: &mut Vec<u8>) {
    let written: io::Result<()> = bitmap.serialize_into(bytes);
    debug_assert!(written.is_ok(), "a vector takes all bytes");
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
