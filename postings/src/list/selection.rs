//! Reads a posting list at some positions only, as if there were no others: a query that has narrowed down where it may
//! match goes on with those positions side by side.

use std::cell::OnceCell;

use super::container::{Content, Part};
use super::fill::set_run;
use super::{BLOCK_SIZE, BLOCK_WORDS, BLOCKS, Block, Cursor};
use crate::list::CHUNK_SIZE;

/// Where this many times more positions of a block are selected than it has runs, the runs are mapped to ranks.
const DENSE: usize = 3;

/// Up to this many selected positions of a block are looked up one by one.
const FEW: usize = 3;

/// How many bits a byte has set.
#[expect(clippy::cast_possible_truncation, reason = "a byte, and its eight bits")]
const ONES: [u8; 256] = {
    let mut ones = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        ones[byte] = (byte as u8).count_ones() as u8;
        byte += 1;
    }
    ones
};

/// Positions of a segment, numbered from 0 in their order.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The position of bit 0 of the first word, at the beginning of a chunk.
    base: u32,
    words: Vec<u64>,
    /// By byte of the words, how many positions are selected before it; made when it is first needed.
    ranks: OnceCell<Vec<u32>>,
    positions: Vec<u32>,
    /// Ascending: the selected positions of a block that are in the same block of the lists.
    parts: Vec<SelectedPart>,
    /// By block, its first part; and one entry more.
    firsts: Vec<u32>,
}

/// Selected positions of a block that are in the same block of the lists.
#[derive(Clone, Copy, Debug)]
struct SelectedPart {
    /// The block of the lists.
    number: u32,
    /// The ranks of the positions, in the block.
    first: u16,
    end: u16,
}

impl Selection {
    /// The positions whose bits are set; bit 0 of the first word is position `base`, which begins a chunk.
    pub fn new(base: u32, words: Vec<u64>) -> Selection {
        let positions = bits::ones_from(base, &words).collect();
        Selection::of(base, words, positions)
    }

    /// The same where the positions are known, ascending.
    pub fn of(base: u32, words: Vec<u64>, positions: Vec<u32>) -> Selection {
        debug_assert!(base.is_multiple_of(CHUNK_SIZE), "a selection begins with a chunk");
        debug_assert!(
            bits::ones_from(base, &words).eq(positions.iter().copied()),
            "the positions are those of the words"
        );
        let (parts, firsts) = parts(&positions);
        Selection {
            base,
            words,
            ranks: OnceCell::new(),
            positions,
            parts,
            firsts,
        }
    }

    /// The positions `by` ids later, or earlier if it is negative: none may come before position 0.
    #[must_use]
    pub fn shifted(&self, by: i32) -> Selection {
        let base = if by < 0 {
            self.base.saturating_sub(CHUNK_SIZE)
        } else {
            self.base
        };
        let ids = self.words.len() * 64 + (self.base - base + CHUNK_SIZE) as usize;
        let mut words = vec![0; ids / 64];
        let positions: Vec<u32> = (self.positions.iter())
            .map(|position| position.saturating_add_signed(by))
            .collect();
        for position in &positions {
            bits::insert(&mut words, position - base);
        }
        Selection::of(base, words, positions)
    }

    /// The selected positions, ascending.
    pub fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// The selected positions of a block, ascending; none behind the last block.
    pub fn block(&self, block: u32) -> &[u32] {
        let size = BLOCK_SIZE as usize;
        let first = (block as usize * size).min(self.positions.len());
        &self.positions[first..self.positions.len().min(first + size)]
    }

    /// How many positions before this one are selected. The position is not before the first word.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "positions have 32 bits, and the byte is the lowest of the word"
    )]
    pub fn rank(&self, position: u32) -> u32 {
        let at = (position - self.base) as usize;
        let Some(before) = self.ranks.get_or_init(|| ranks(&self.words)).get(at / 8) else {
            return self.positions.len() as u32;
        };
        let byte = (self.words[at / 64] >> (at & 56)) as u8;
        let below = byte & ((1 << (at & 7)) - 1);
        before + u32::from(ONES[usize::from(below)])
    }

    /// Keeps the selected positions whose bits are set in `blocks`, as words of positions.
    pub fn keep(mut self, blocks: &[Block]) -> Vec<u64> {
        let found = blocks.as_flattened();
        for (rank, position) in (0..).zip(&self.positions) {
            if !bits::contains(found, rank) {
                bits::remove(&mut self.words, position - self.base);
            }
        }
        self.words
    }
}

/// By byte of some words, how many bits are set before it.
fn ranks(words: &[u64]) -> Vec<u32> {
    let mut ranks = Vec::with_capacity(words.len() * 8);
    let mut rank = 0;
    for byte in words.iter().flat_map(|word| word.to_le_bytes()) {
        ranks.push(rank);
        rank += u32::from(ONES[usize::from(byte)]);
    }
    ranks
}

/// Cuts selected positions into parts; returns these, and by block the first one.
#[expect(
    clippy::cast_possible_truncation,
    reason = "ranks inside a block of 4,096, and no more parts than positions"
)]
fn parts(positions: &[u32]) -> (Vec<SelectedPart>, Vec<u32>) {
    let (mut parts, mut firsts) = (Vec::new(), vec![0]);
    for block in positions.chunks(BLOCK_SIZE as usize) {
        let mut first = 0;
        for same in block.chunk_by(|one, next| one / BLOCK_SIZE == next / BLOCK_SIZE) {
            let end = first + same.len();
            parts.push(SelectedPart {
                number: same[0] / BLOCK_SIZE,
                first: first as u16,
                end: end as u16,
            });
            first = end;
        }
        firsts.push(parts.len() as u32);
    }
    (parts, firsts)
}

impl Cursor<'_> {
    /// Makes `into` the selected positions of a block that are in the list; returns false if there are none, and then
    /// `into` may have any bits.
    pub fn read_selected(&mut self, selection: &Selection, block: u32, into: &mut Block) -> bool {
        let Some(&[first, end]) = selection
            .firsts
            .get(block as usize..)
            .and_then(|firsts| firsts.first_chunk())
        else {
            return false;
        };
        let mut any = false;
        for part in &selection.parts[first as usize..end as usize] {
            let (first, end) = (u32::from(part.first), u32::from(part.end));
            let origin = block * BLOCK_SIZE;
            let reader = PartReader {
                selection,
                base: part.number * BLOCK_SIZE,
                origin,
                first,
                here: &selection.positions[(origin + first) as usize..(origin + end) as usize],
            };
            // Most lists have nothing in a chunk: then nothing of it is read.
            if let Content::Empty = self.open(part.number / BLOCKS) {
                continue;
            }
            if !any {
                into.fill(0);
                any = true;
            }
            if reader.here.len() <= FEW {
                reader.look_up_each(self.open(part.number / BLOCKS), into);
            } else {
                reader.read(&self.part(part.number), into);
            }
        }
        any && into.iter().fold(0, |all, word| all | word) != 0
    }
}

/// Reads the positions of a part.
struct PartReader<'a> {
    selection: &'a Selection,
    /// The first position of the list's block.
    base: u32,
    /// The rank of the first position of the block that is read.
    origin: u32,
    /// The rank in that block of the first position that is here.
    first: u32,
    here: &'a [u32],
}

impl PartReader<'_> {
    /// Adds those that are in the list.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "ranks inside a block of 4,096")]
    fn read(&self, part: &Part<'_>, into: &mut Block) {
        let count = self.here.len();
        match part {
            Part::Empty => {}
            Part::Full => set_run(into, self.first, self.first + count as u32),
            _ if part.items().is_some_and(|items| count > DENSE * items) => self.map(part, into),
            _ => self.look_up(part, into),
        }
    }

    /// Maps each run to ranks.
    #[expect(clippy::cast_possible_truncation, reason = "ranks inside a block of 4,096")]
    fn map(&self, part: &Part<'_>, into: &mut Block) {
        let ranks = self.origin + self.first..=self.origin + self.first + self.here.len() as u32;
        let rank = |id: u32| self.selection.rank(self.base + id).clamp(*ranks.start(), *ranks.end()) - self.origin;
        part.walk(|start, end| set_run(into, rank(start), rank(end)));
    }

    /// Looks a few selected positions up in the container.
    fn look_up_each(&self, content: &Content<'_>, into: &mut Block) {
        for (position, rank) in self.here.iter().zip(self.first..) {
            let found = content.contains(position % CHUNK_SIZE);
            into[(rank / 64) as usize % BLOCK_WORDS] |= u64::from(found) << (rank % 64);
        }
    }

    /// Unpacks the block of the list and looks the selected positions up in it.
    fn look_up(&self, part: &Part<'_>, into: &mut Block) {
        let mut words = [0; BLOCK_WORDS];
        part.add_to(&mut words);
        for (position, rank) in self.here.iter().zip(self.first..) {
            let id = position - self.base;
            let bit = words[(id / 64) as usize % BLOCK_WORDS] >> (id % 64) & 1;
            into[(rank / 64) as usize] |= bit << (rank % 64);
        }
    }
}
