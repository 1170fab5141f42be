//! Reads a posting list forward, 4,096 positions at a time: what a query computes in stays in a core's own caches.

use super::{Container, Form, Postings, bitmap, run};
use crate::id::CHUNK_SIZE;

/// How many words a block of positions has.
pub const BLOCK_WORDS: usize = 64;

/// How many positions that is.
const BLOCK_SIZE: u32 = 64 * BLOCK_WORDS as u32;
/// How many blocks a chunk has.
const BLOCKS: u32 = CHUNK_SIZE / BLOCK_SIZE;
/// So many items are stepped over one by one before the rest is searched by halves.
const STEPS: usize = 8;

/// A bit for each of 4,096 positions in a row, the first in the lowest bit of the first word.
pub type Block = [u64; BLOCK_WORDS];

/// Where the reading of a list stands. One cursor belongs to one list; it may be asked for any block, and is quick for
/// ascending ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    chunk: u32,
    /// The ids or runs of the chunk that end before the block that was read last.
    pub(super) passed: u32,
    block: u32,
}

impl Cursor {
    /// At the beginning of a list.
    pub const START: Cursor = Cursor {
        chunk: 0,
        passed: 0,
        block: 0,
    };

    /// Goes to a block in a chunk: on from where it stands, or from the beginning of the chunk.
    #[inline]
    pub(super) fn go_on(&mut self, chunk: u32, block: u32) {
        if self.chunk != chunk || block < self.block {
            *self = Cursor {
                chunk,
                passed: 0,
                block,
            };
        }
        self.block = block;
    }
}

impl Postings {
    /// Makes `into` the positions of a block; false if it has none, and then `into` is not touched.
    #[inline]
    pub fn read_block(&self, cursor: &mut Cursor, block: u32, into: &mut Block) -> bool {
        let chunk = block / BLOCKS;
        let container = self.container(chunk);
        if container.cardinality == 0 {
            return false;
        }
        cursor.go_on(chunk, block);
        self.read(container, &mut cursor.passed, block % BLOCKS * BLOCK_SIZE, into)
    }

    fn read(&self, container: Container, passed: &mut u32, base: u32, into: &mut Block) -> bool {
        let content = self.content(container);
        let end = base + BLOCK_SIZE;
        match container.form {
            Form::Bitmap => {
                let mut any = 0;
                for (word, theirs) in into.iter_mut().zip(bitmap(&content[base as usize / 8..])) {
                    *word = theirs;
                    any |= theirs;
                }
                any != 0
            }
            Form::Array => {
                let pairs = content.as_chunks::<2>().0;
                let id = |pair: &[u8; 2]| u32::from(u16::from_le_bytes(*pair));
                let mut at = skip(pairs, *passed as usize, |pair| id(pair) < base);
                *passed = at as u32;
                if pairs.get(at).is_none_or(|pair| id(pair) >= end) {
                    return false;
                }
                into.fill(0);
                while let Some(id) = pairs.get(at).map(id).filter(|&id| id < end) {
                    into[((id - base) / 64) as usize] |= 1 << (id & 63);
                    at += 1;
                }
                *passed = at as u32;
                true
            }
            Form::Runs => {
                let quads = content.as_chunks::<4>().0;
                let first = skip(quads, *passed as usize, |quad| run(*quad).1 < base);
                let mut at = first;
                let mut next = || {
                    let found = quads.get(at).map(|quad| run(*quad)).filter(|&(start, _)| start < end);
                    at += usize::from(found.is_some());
                    found
                };
                let Some((mut start, mut last)) = next() else {
                    *passed = first as u32;
                    return false;
                };
                start = start.max(base);
                into.fill(0);
                // Only the first run can begin before the block, and only the last can end behind it.
                while last < end {
                    or_run(into, start - base, last - base);
                    let Some(following) = next() else {
                        *passed = at as u32;
                        return true;
                    };
                    (start, last) = following;
                }
                or_run(into, start - base, BLOCK_SIZE - 1);
                *passed = at as u32 - 1;
                true
            }
        }
    }
}

/// The first of the ascending items, from `at` on, that is not before.
#[inline]
pub(super) fn skip<T>(items: &[T], at: usize, before: impl Fn(&T) -> bool) -> usize {
    let rest = &items[at.min(items.len())..];
    let near = rest.iter().take(STEPS).take_while(|item| before(item)).count();
    if near < STEPS {
        return at + near;
    }
    at + near + rest[near..].partition_point(before)
}

/// Adds the run `start..=last`, without a branch on whether it begins and ends in the same word.
#[inline]
pub(super) fn or_run<const WORDS: usize>(words: &mut [u64; WORDS], start: u32, last: u32) {
    let (first_word, last_word) = ((start >> 6) as usize % WORDS, (last >> 6) as usize % WORDS);
    let (low, high) = (u64::MAX << (start & 63), u64::MAX >> (63 - (last & 63)));
    let apart = u64::from(first_word != last_word).wrapping_neg();
    words[first_word] |= low & (high | apart);
    words[last_word] |= high & (low | apart);
    if last_word > first_word + 1 {
        words[first_word + 1..last_word].fill(u64::MAX);
    }
}
