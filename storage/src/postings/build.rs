//! From runs of positions to roaring's portable serialization.

use super::{ARRAY_MAX, BITMAP_BYTES, COOKIE_PLAIN, COOKIE_RUNS, Container, Form, NONE, OFFSETS_FROM, Postings};
use crate::{chunk::or_run, id::CHUNK_SIZE, runs::Run};

/// The part of a list inside one chunk, before it has a place.
#[derive(Clone, Copy)]
struct Part {
    chunk: u32,
    cardinality: u32,
    runs: u32,
}

impl Part {
    /// The smallest form, and its bytes without the count of runs.
    fn form(self) -> (Form, u32) {
        let plain = if self.cardinality <= ARRAY_MAX {
            (Form::Array, 2 * self.cardinality)
        } else {
            (Form::Bitmap, BITMAP_BYTES as u32)
        };
        if 2 + 4 * self.runs < plain.1 {
            (Form::Runs, 4 * self.runs)
        } else {
            plain
        }
    }
}

/// Calls `f` for each run, cut where chunks end, with its chunk and the first and last position in it.
#[inline]
fn for_each_piece(runs: &[Run], mut f: impl FnMut(u32, u32, u32)) {
    for run in runs {
        let (mut start, last) = (run.start, run.last);
        while start / CHUNK_SIZE != last / CHUNK_SIZE {
            f(start / CHUNK_SIZE, start % CHUNK_SIZE, CHUNK_SIZE - 1);
            start = (start / CHUNK_SIZE + 1) * CHUNK_SIZE;
        }
        f(start / CHUNK_SIZE, start % CHUNK_SIZE, last % CHUNK_SIZE);
    }
}

fn parts(runs: &[Run]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for_each_piece(runs, |chunk, start, last| match parts.last_mut() {
        Some(part) if part.chunk == chunk => {
            part.cardinality += last - start + 1;
            part.runs += 1;
        }
        _ => parts.push(Part {
            chunk,
            cardinality: last - start + 1,
            runs: 1,
        }),
    });
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
    for part in parts.iter().filter(|part| part.form().0 == Form::Runs) {
        let start = containers[part.chunk as usize].start as usize;
        bytes[start - 2..start].copy_from_slice(&(part.runs as u16).to_le_bytes());
    }
    write_contents(&mut bytes, &containers, runs);
    let total = parts.iter().map(|part| u64::from(part.cardinality)).sum();
    Postings {
        bytes,
        containers,
        total,
    }
}

/// Fills in the ids, words and runs.
fn write_contents(bytes: &mut [u8], containers: &[Container], runs: &[Run]) {
    let mut words = Box::new([0; BITMAP_BYTES / 8]);
    // Where the next run or id of the current chunk goes.
    let (mut current, mut container, mut at) = (u32::MAX, NONE, 0);
    let end_bitmap = |bytes: &mut [u8], container: Container, words: &mut [u64; BITMAP_BYTES / 8]| {
        if container.form == Form::Bitmap {
            let content = &mut bytes[container.start as usize..container.end as usize];
            for (to, word) in content.as_chunks_mut().0.iter_mut().zip(words.iter()) {
                *to = word.to_le_bytes();
            }
            words.fill(0);
        }
    };
    for_each_piece(runs, |chunk, start, last| {
        if chunk != current {
            end_bitmap(bytes, container, &mut words);
            (current, container) = (chunk, containers[chunk as usize]);
            at = container.start as usize;
        }
        match container.form {
            Form::Runs => {
                let both = start | (last - start) << 16;
                bytes[at..at + 4].copy_from_slice(&both.to_le_bytes());
                at += 4;
            }
            Form::Array => {
                for id in start..=last {
                    bytes[at..at + 2].copy_from_slice(&(id as u16).to_le_bytes());
                    at += 2;
                }
            }
            Form::Bitmap => or_run(&mut words, start, last),
        }
    });
    end_bitmap(bytes, container, &mut words);
}
