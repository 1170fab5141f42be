//! Reads a posting list forward, 4,096 positions at a time: what a query computes in stays in a core's own caches.

use super::{Form, Postings, bitmap, run};
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

/// Reads one list; it may be asked for any block, and is quick for ascending ones. What it looks at for a block that has
/// no position of the list is all in here.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    list: &'a Postings,
    /// What is written of the chunk.
    content: &'a [u8],
    form: Form,
    chunk: u32,
    block: u32,
    /// The ids or runs of the chunk that end before the block that was read last.
    pub(super) passed: u32,
    /// From the block that was read last on, the chunk has no id below this one, counted from its beginning.
    next: u32,
}

impl Postings {
    /// A cursor at the beginning.
    pub fn cursor(&self) -> Cursor<'_> {
        Cursor {
            list: self,
            content: &[],
            form: Form::Array,
            chunk: u32::MAX,
            block: 0,
            passed: 0,
            next: 0,
        }
    }
}

impl<'a> Cursor<'a> {
    /// Makes `into` the positions of a block; false if it has none, and then `into` is not touched.
    #[inline]
    pub fn read_block(&mut self, block: u32, into: &mut Block) -> bool {
        self.go_on(block / BLOCKS, block);
        let base = block % BLOCKS * BLOCK_SIZE;
        self.next < base + BLOCK_SIZE && self.read(base, into)
    }

    /// Goes to a block in a chunk: on from where it stands, or from the beginning of the chunk.
    #[inline]
    pub(super) fn go_on(&mut self, chunk: u32, block: u32) {
        if self.chunk != chunk || block <= self.block {
            self.open(chunk);
        }
        self.block = block;
    }

    fn open(&mut self, chunk: u32) {
        let container = self.list.container(chunk);
        self.content = self.list.content(container);
        self.form = container.form;
        self.chunk = chunk;
        self.passed = 0;
        self.next = if container.cardinality == 0 { CHUNK_SIZE } else { 0 };
    }

    /// What is written of the chunk, and how.
    pub(super) fn chunk(&self) -> (Form, &'a [u8]) {
        (self.form, self.content)
    }

    /// Notes the first id or run that the next block may have something of.
    #[inline]
    fn note(&mut self, passed: usize, next: Option<u32>) {
        self.passed = passed as u32;
        self.next = next.unwrap_or(CHUNK_SIZE);
    }

    fn read(&mut self, base: u32, into: &mut Block) -> bool {
        let content = self.content;
        let end = base + BLOCK_SIZE;
        match self.form {
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
                let id = |at: usize| pairs.get(at).map(|pair| u32::from(u16::from_le_bytes(*pair)));
                let first = skip(pairs, self.passed as usize, |pair| {
                    u32::from(u16::from_le_bytes(*pair)) < base
                });
                let mut at = first;
                if id(first).is_some_and(|id| id < end) {
                    into.fill(0);
                    while let Some(id) = id(at).filter(|&id| id < end) {
                        into[((id - base) / 64) as usize] |= 1 << (id & 63);
                        at += 1;
                    }
                }
                self.note(at, id(at));
                at > first
            }
            Form::Runs => {
                let quads = content.as_chunks::<4>().0;
                let run = |at: usize| quads.get(at).map(|quad| run(*quad));
                let first = skip(quads, self.passed as usize, |quad| super::run(*quad).1 < base);
                let mut at = first;
                let Some((mut start, mut last)) = run(at).filter(|&(start, _)| start < end) else {
                    self.note(first, run(first).map(|(start, _)| start));
                    return false;
                };
                start = start.max(base);
                into.fill(0);
                // Only the first run can begin before the block, and only the last can end behind it.
                while last < end {
                    or_run(into, start - base, last - base);
                    at += 1;
                    let following = run(at);
                    let Some((next_start, next_last)) = following.filter(|&(start, _)| start < end) else {
                        self.note(at, following.map(|(start, _)| start));
                        return true;
                    };
                    (start, last) = (next_start, next_last);
                }
                or_run(into, start - base, BLOCK_SIZE - 1);
                self.note(at, Some(start));
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
