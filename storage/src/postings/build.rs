//! From runs of positions to roaring's portable serialization.

use super::cursor::or_run;
use super::{ARRAY_MAX, BITMAP_BYTES, COOKIE_PLAIN, COOKIE_RUNS, Container, Form, NONE, OFFSETS_FROM, Postings};
use crate::{id::CHUNK_SIZE, runs::Run};

/// The part of a list inside one chunk.
#[derive(Clone, Copy)]
struct Part<'a> {
    chunk: u32,
    cardinality: u32,
    /// The runs that have a position in the chunk; the first and the last may go beyond it.
    runs: &'a [Run],
}

impl Part<'_> {
    /// The smallest form, and its bytes without the count of runs.
    fn form(&self) -> (Form, u32) {
        let plain = if self.cardinality <= ARRAY_MAX {
            (Form::Array, 2 * self.cardinality)
        } else {
            (Form::Bitmap, BITMAP_BYTES as u32)
        };
        let size = 4 * self.runs.len() as u32;
        if 2 + size < plain.1 { (Form::Runs, size) } else { plain }
    }

    /// The first and last position of each run, cut at the ends of the chunk and counted from its beginning.
    #[inline]
    fn pieces(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let (first, last) = (self.chunk * CHUNK_SIZE, self.chunk * CHUNK_SIZE + (CHUNK_SIZE - 1));
        self.runs
            .iter()
            .map(move |run| (run.start.max(first) - first, run.last.min(last) - first))
    }

    /// Writes the ids, words or runs.
    fn write(&self, form: Form, content: &mut [u8]) {
        match form {
            Form::Runs => {
                for (to, (start, last)) in content.as_chunks_mut().0.iter_mut().zip(self.pieces()) {
                    *to = (start | (last - start) << 16).to_le_bytes();
                }
            }
            Form::Array => {
                let ids = self.pieces().flat_map(|(start, last)| start..=last);
                for (to, id) in content.as_chunks_mut().0.iter_mut().zip(ids) {
                    *to = (id as u16).to_le_bytes();
                }
            }
            Form::Bitmap => {
                let mut words = [0u64; BITMAP_BYTES / 8];
                for (start, last) in self.pieces() {
                    or_run(&mut words, start, last);
                }
                for (to, word) in content.as_chunks_mut().0.iter_mut().zip(words) {
                    *to = word.to_le_bytes();
                }
            }
        }
    }
}

/// Cuts runs into chunks.
fn parts(runs: &[Run]) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    // Invariant: the positions before `start` are in parts; the first run of `rest` has those from there on.
    let (mut rest, mut start) = (runs, runs.first().map_or(0, |run| run.start));
    while let Some(first) = rest.first() {
        let chunk = start / CHUNK_SIZE;
        let end = (chunk + 1) * CHUNK_SIZE;
        let (inside, after) = rest.split_at(rest.partition_point(|run| run.start < end));
        let sum: u32 = inside.iter().map(|run| run.last - run.start + 1).sum();
        let beyond = inside.last().map_or(0, |run| (run.last + 1).saturating_sub(end));
        parts.push(Part {
            chunk,
            cardinality: sum - (start - first.start) - beyond,
            runs: inside,
        });
        if beyond > 0 {
            (rest, start) = (&rest[inside.len() - 1..], end);
        } else {
            (rest, start) = (after, after.first().map_or(0, |run| run.start));
        }
    }
    parts
}

/// Serializes runs; no run is no byte.
pub(super) fn from_runs(runs: &[Run]) -> Postings {
    if runs.is_empty() {
        return Postings::default();
    }
    let parts = parts(runs);
    let count = parts.len();
    let any_runs = parts.iter().any(|part| part.form().0 == Form::Runs);
    let mut bytes = Vec::new();
    if any_runs {
        bytes.extend_from_slice(&(COOKIE_RUNS | (count as u32 - 1) << 16).to_le_bytes());
        let mut flags = vec![0u8; count.div_ceil(8)];
        for (index, _) in parts.iter().enumerate().filter(|(_, part)| part.form().0 == Form::Runs) {
            flags[index / 8] |= 1 << (index % 8);
        }
        bytes.extend_from_slice(&flags);
    } else {
        bytes.extend_from_slice(&COOKIE_PLAIN.to_le_bytes());
        bytes.extend_from_slice(&(count as u32).to_le_bytes());
    }
    for part in &parts {
        bytes.extend_from_slice(&(part.chunk as u16).to_le_bytes());
        bytes.extend_from_slice(&((part.cardinality - 1) as u16).to_le_bytes());
    }
    let has_offsets = !any_runs || count >= OFFSETS_FROM;
    let mut at = (bytes.len() + if has_offsets { 4 * count } else { 0 }) as u32;
    let mut containers = vec![NONE; parts.last().map_or(0, |part| part.chunk as usize + 1)];
    for part in &parts {
        let (form, size) = part.form();
        let start = if form == Form::Runs { at + 2 } else { at };
        containers[part.chunk as usize] = Container {
            cardinality: part.cardinality,
            form,
            start,
            end: start + size,
        };
        if has_offsets {
            bytes.extend_from_slice(&at.to_le_bytes());
        }
        at = start + size;
    }
    bytes.resize(at as usize, 0);
    for part in &parts {
        let Container { form, start, end, .. } = containers[part.chunk as usize];
        if form == Form::Runs {
            bytes[start as usize - 2..start as usize].copy_from_slice(&(part.runs.len() as u16).to_le_bytes());
        }
        part.write(form, &mut bytes[start as usize..end as usize]);
    }
    let total = parts.iter().map(|part| u64::from(part.cardinality)).sum();
    Postings {
        bytes,
        containers,
        total,
    }
}
