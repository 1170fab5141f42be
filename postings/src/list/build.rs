//! From runs of positions to the bytes on disk.

use super::{
    BLOCK_SIZE, BLOCK_WORDS, BLOCKS, FULL,
    chunk::{ALL, BITMAP, HEADER, NOTHING},
    tokens::{MAX_LENGTH_BITS, MIN_LENGTH_BITS, SKIP, STEPS},
};
use crate::{list::CHUNK_SIZE, runs::Run};

/// With more tokens than this a block becomes a bitmap. A bitmap is smaller from 256 tokens of two bytes on; but
/// reading 200 tokens takes twenty times as long, and few blocks have that many: it costs 3 % of all bytes.
const MAX_TOKENS: usize = 192;

/// How many forms there are beside [`STEPS`].
const FORMS: usize = (MAX_LENGTH_BITS - MIN_LENGTH_BITS) as usize + 1;

/// By form: 2^16 divided by what the gap of a token can be, and the same of its length.
const GAPS: [u16; FORMS] = powers(false);
const LENGTHS: [u16; FORMS] = powers(true);

const fn powers(of_lengths: bool) -> [u16; FORMS] {
    let (mut powers, mut form) = ([0; FORMS], 0);
    while form < FORMS {
        let bits = MIN_LENGTH_BITS as usize + form;
        powers[form] = 1 << if of_lengths { 16 - bits } else { bits };
        form += 1;
    }
    powers
}

/// A run, or the part of one that is in a block.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// How many positions of the block lie between it and the one before.
    gap: u16,
    /// At least 1.
    length: u16,
}

/// The pieces of a chunk, block by block.
#[derive(Debug, Default)]
struct Pieces {
    all: Vec<Piece>,
    /// By block, where its pieces end.
    ends: [usize; BLOCKS as usize],
    /// By form, how many tokens it takes beside one for each piece.
    more: [u16; FORMS],
    /// How many tokens it takes in steps.
    steps: u32,
}

impl Pieces {
    fn clear(&mut self) {
        self.all.clear();
        self.ends = [0; BLOCKS as usize];
        self.more = [0; FORMS];
        self.steps = 0;
    }

    /// Adds a piece of a block; those of a block come one after the other.
    #[inline]
    fn push(&mut self, block: usize, piece: Piece) {
        self.all.push(piece);
        self.ends[block] = self.all.len();
        if u32::from(piece.length) == BLOCK_SIZE {
            // A full block has no tokens.
            return;
        }
        // An estimate: it divides by 2^n and not by 2^n - 1, which is the most that a token holds. The upper halves of
        // products are used because the processor computes eight of them at once.
        let upper = |one: u16, other: u16| ((u32::from(one) * u32::from(other)) >> 16) as u16;
        for (more, (gaps, lengths)) in self.more.iter_mut().zip(GAPS.into_iter().zip(LENGTHS)) {
            *more += upper(piece.gap, gaps) + upper(piece.length - 1, lengths);
        }
        self.steps += u32::from(piece.gap >> 8) + u32::from(piece.length);
    }

    /// The form in which the chunk is smallest.
    fn form(&self) -> u8 {
        let (bits, more) = (MIN_LENGTH_BITS..)
            .zip(self.more)
            .min_by_key(|(_, more)| *more)
            .unwrap_or((MIN_LENGTH_BITS, 0));
        let words = 2 * (self.all.len() + usize::from(more));
        if (self.steps as usize) < words { STEPS } else { bits }
    }

    fn blocks(&self) -> impl Iterator<Item = &[Piece]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            // For a block without pieces no end was noted.
            let end = end.max(start);
            &self.all[std::mem::replace(&mut start, end)..end]
        })
    }
}

/// Writes runs that end in the last of `chunks` chunks.
#[expect(
    clippy::cast_possible_truncation,
    reason = "bitmaps of MAX_POSITIONS positions are 256 MB"
)]
pub(super) fn encode(runs: &[Run], chunks: u32) -> Vec<u8> {
    if runs.is_empty() {
        return Vec::new();
    }
    let table = 4 * (chunks as usize + 1);
    let mut out = Vec::with_capacity(table + HEADER * chunks as usize + 2 * runs.len() + runs.len() / 8);
    out.resize(table, 0);
    out[..4].copy_from_slice(&(table as u32).to_le_bytes());
    let mut pieces = Pieces::default();
    // Invariant: the positions before `next` are written; the first of `rest` is the first run that ends behind them.
    let (mut rest, mut next) = (runs, 0);
    for chunk in 0..chunks {
        let (base, end) = (chunk * CHUNK_SIZE, (chunk + 1) * CHUNK_SIZE);
        pieces.clear();
        let mut is_full = false;
        while let Some(run) = rest.first().filter(|run| run.start < end) {
            let (start, stop) = (run.start.max(next), (run.last + 1).min(end));
            is_full = (start, stop) == (base, end);
            if !is_full {
                cut(start - base, stop - base, next.max(base) - base, &mut pieces);
            }
            next = stop;
            if run.last >= end {
                break;
            }
            rest = &rest[1..];
        }
        if !pieces.all.is_empty() {
            write_chunk(&pieces, &mut out);
        }
        let entry = out.len() as u32 | if is_full { FULL } else { 0 };
        let at = 4 * (chunk as usize + 1);
        out[at..at + 4].copy_from_slice(&entry.to_le_bytes());
    }
    out
}

/// Cuts a run at the ends of blocks; the one before it ended at `before`.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "distances inside a block of 4,096 positions"
)]
fn cut(mut start: u32, end: u32, before: u32, pieces: &mut Pieces) {
    while start < end {
        let block = start / BLOCK_SIZE;
        let base = block * BLOCK_SIZE;
        let stop = end.min(base + BLOCK_SIZE);
        let piece = Piece {
            gap: (start - before.max(base)) as u16,
            length: (stop - start) as u16,
        };
        pieces.push(block as usize, piece);
        start = stop;
    }
}

fn write_chunk(pieces: &Pieces, out: &mut Vec<u8>) {
    let header = out.len();
    let form = pieces.form();
    out.resize(header + HEADER, 0);
    out[header] = form;
    for (at, block) in (header + 1..).zip(pieces.blocks()) {
        out[at] = match block {
            [] => NOTHING,
            [Piece { length, .. }] if u32::from(*length) == BLOCK_SIZE => ALL,
            _ => write_block(form, block, out),
        };
    }
}

/// Writes the tokens of a block, or a bitmap, and returns the byte that the header has for the block.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "counts are up to MAX_TOKENS")]
fn write_block(form: u8, block: &[Piece], out: &mut Vec<u8>) -> u8 {
    let start = out.len();
    let count = match form {
        STEPS => {
            for piece in block {
                write_steps(*piece, out);
            }
            out.len() - start
        }
        bits => {
            for piece in block {
                write_words(*piece, bits, out);
            }
            (out.len() - start) / 2
        }
    };
    if count <= MAX_TOKENS {
        return count as u8;
    }
    out.truncate(start);
    let (mut words, mut end) = ([0u64; BLOCK_WORDS], 0);
    for piece in block {
        let first = end + u32::from(piece.gap);
        end = first + u32::from(piece.length);
        bits::set_range(&mut words, first..end);
    }
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    BITMAP
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a remainder of SKIP, which is a byte")]
fn write_steps(piece: Piece, out: &mut Vec<u8>) {
    let (skips, gap) = (piece.gap / u16::from(SKIP), piece.gap % u16::from(SKIP));
    out.extend(std::iter::repeat_n(SKIP, usize::from(skips)));
    out.push(gap as u8);
    out.extend(std::iter::repeat_n(0, usize::from(piece.length - 1)));
}

#[inline]
fn write_words(piece: Piece, bits: u8, out: &mut Vec<u8>) {
    let (max_gap, max_length) = (u16::MAX >> bits, (1 << bits) - 1);
    let Piece { mut gap, mut length } = piece;
    let mut write = |gap: u16, length: u16| out.extend_from_slice(&(gap << bits | length).to_le_bytes());
    while gap > max_gap {
        write(max_gap, 0);
        gap -= max_gap;
    }
    while length > max_length {
        write(gap, max_length);
        gap = 0;
        length -= max_length;
    }
    write(gap, length);
}
