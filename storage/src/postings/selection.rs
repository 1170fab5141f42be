//! Reads a posting list at some positions only, as if there were no others: a query that has narrowed down where it may
//! match goes on with those positions side by side.

use super::cursor::{BLOCK_WORDS, Block, Cursor, or_run, skip};
use super::{Form, bitmap, run};
use crate::id::CHUNK_SIZE;

/// How many selected positions a block has.
const BLOCK_SIZE: usize = 64 * BLOCK_WORDS;

/// Where a list has so many times more items than positions are selected, the positions are looked up one by one.
const SPARSE: usize = 4;

/// How many bits a byte has set.
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
    /// The first position that the words tell of, at the beginning of a chunk.
    base: u32,
    words: Vec<u64>,
    /// By byte of the words, how many positions are selected before it.
    ranks: Vec<u32>,
    positions: Vec<u32>,
}

impl Selection {
    /// The positions whose bits are set; bit 0 of the first word is position `base`, which begins a chunk.
    pub fn new(base: u32, words: Vec<u64>) -> Selection {
        debug_assert!(base.is_multiple_of(CHUNK_SIZE), "a selection begins with a chunk");
        let mut ranks = Vec::with_capacity(words.len() * 8);
        let mut positions = Vec::new();
        let mut rank = 0;
        for (first, &word) in (base..).step_by(64).zip(&words) {
            for byte in word.to_le_bytes() {
                ranks.push(rank);
                rank += u32::from(ONES[usize::from(byte)]);
            }
            let mut rest = word;
            while rest != 0 {
                positions.push(first + rest.trailing_zeros());
                rest &= rest - 1;
            }
        }
        Selection {
            base,
            words,
            ranks,
            positions,
        }
    }

    /// The positions so many ids later, or earlier if that is negative: none may come before the first of all.
    #[must_use]
    pub fn shifted(&self, by: i32) -> Selection {
        let base = if by < 0 {
            self.base.saturating_sub(CHUNK_SIZE)
        } else {
            self.base
        };
        let ids = self.words.len() * 64 + (self.base - base + CHUNK_SIZE) as usize;
        let mut words = vec![0; ids / 64];
        for position in &self.positions {
            let at = position.saturating_add_signed(by) - base;
            words[(at / 64) as usize] |= 1 << (at % 64);
        }
        Selection::new(base, words)
    }

    /// The selected positions, ascending.
    pub fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// The selected positions of a block, ascending; none behind the last.
    pub fn block(&self, block: u32) -> &[u32] {
        let first = (block as usize * BLOCK_SIZE).min(self.positions.len());
        &self.positions[first..self.positions.len().min(first + BLOCK_SIZE)]
    }

    /// How many positions before this one are selected; it lies not before the first or behind the last that the
    /// selection tells of.
    #[inline]
    pub fn rank(&self, position: u32) -> u32 {
        let at = (position - self.base) as usize;
        let Some(before) = self.ranks.get(at / 8) else {
            return self.positions.len() as u32;
        };
        let byte = (self.words[at / 64] >> (at & 56)) as u8;
        let below = byte & ((1 << (at & 7)) - 1);
        before + u32::from(ONES[usize::from(below)])
    }

    /// Keeps the selected positions whose bits are set in `blocks`, as words of positions.
    pub fn keep(mut self, blocks: &[Block]) -> Vec<u64> {
        let bits = blocks.as_flattened();
        for (rank, position) in self.positions.iter().enumerate() {
            if bits[rank / 64] >> (rank % 64) & 1 == 0 {
                let at = position - self.base;
                self.words[(at / 64) as usize] &= !(1 << (at % 64));
            }
        }
        self.words
    }
}

impl Cursor<'_> {
    /// Makes `into` the selected positions of a block that are in the list; false if there are none, and then `into` may
    /// have any bits.
    pub fn read_selected(&mut self, selection: &Selection, block: u32, into: &mut Block) -> bool {
        let selected = selection.block(block);
        let (Some(&first), Some(&last)) = (selected.first(), selected.last()) else {
            return false;
        };
        into.fill(0);
        let mut rest = selected;
        let mut any = false;
        for chunk in first / CHUNK_SIZE..=last / CHUNK_SIZE {
            let end = (chunk + 1) * CHUNK_SIZE;
            let (here, behind) = rest.split_at(rest.partition_point(|&position| position < end));
            self.go_on(chunk, block);
            let (form, content) = self.chunk();
            if !content.is_empty() && !here.is_empty() {
                let mut reader = SelectedReader {
                    selection,
                    base: chunk * CHUNK_SIZE,
                    origin: block * BLOCK_SIZE as u32,
                    first_rank: (selected.len() - rest.len()) as u32,
                    into,
                    any: false,
                };
                reader.read(form, content, &mut self.passed, here);
                any |= reader.any;
            }
            rest = behind;
        }
        any
    }
}

/// Reads the selected positions of one chunk.
struct SelectedReader<'a> {
    selection: &'a Selection,
    /// The first position of the chunk.
    base: u32,
    /// The rank of the block's first position.
    origin: u32,
    /// The number in the block of the first selected position that is in the chunk.
    first_rank: u32,
    into: &'a mut Block,
    any: bool,
}

impl SelectedReader<'_> {
    fn read(&mut self, form: Form, content: &[u8], passed: &mut u32, here: &[u32]) {
        let (Some(&low), Some(&high)) = (here.first(), here.last()) else {
            return;
        };
        let (low, high) = (low - self.base, high - self.base);
        match form {
            Form::Bitmap => {
                let words = (low / 64) as usize..=(high / 64) as usize;
                let selected = &self.selection.words[((self.base - self.selection.base) / 64) as usize..];
                let both = bitmap(content).zip(selected).enumerate();
                for (index, (theirs, selected)) in both.skip(*words.start()).take(words.count()) {
                    let mut word = theirs & selected;
                    while word != 0 {
                        let id = index as u32 * 64 + word.trailing_zeros();
                        if (low..=high).contains(&id) {
                            self.add(id, id);
                        }
                        word &= word - 1;
                    }
                }
            }
            Form::Array => {
                let pairs = content.as_chunks::<2>().0;
                let id = |pair: &[u8; 2]| u32::from(u16::from_le_bytes(*pair));
                let at = self.items(pairs, *passed as usize, here, |pair| (id(pair), id(pair)));
                *passed = at as u32;
            }
            Form::Runs => {
                let quads = content.as_chunks::<4>().0;
                let at = self.items(quads, *passed as usize, here, |quad| run(*quad));
                *passed = at as u32;
            }
        }
    }

    /// Goes through the items of a container from `at` on, each a run of ids; gives where the next block goes on.
    #[inline]
    fn items<T>(&mut self, items: &[T], at: usize, here: &[u32], run: impl Fn(&T) -> (u32, u32)) -> usize {
        let (Some(&low), Some(&high)) = (here.first(), here.last()) else {
            return at;
        };
        let (low, high) = (low - self.base, high - self.base);
        let mut at = skip(items, at, |item| run(item).1 < low);
        if here.len() * SPARSE < items.len() - at.min(items.len()) {
            for (number, position) in here.iter().enumerate() {
                let id = position - self.base;
                at = skip(items, at, |item| run(item).1 < id);
                match items.get(at).map(&run) {
                    None => break,
                    Some((start, _)) if start <= id => {
                        let bit = self.first_rank as usize + number;
                        self.into[bit / 64] |= 1 << (bit % 64);
                        self.any = true;
                    }
                    Some(_) => {}
                }
            }
            return at;
        }
        while let Some((start, last)) = items.get(at).map(&run)
            && start <= high
        {
            self.add(start.max(low), last.min(high));
            if last > high {
                break;
            }
            at += 1;
        }
        at
    }

    /// Adds the selected ones among these ids.
    #[inline]
    fn add(&mut self, start: u32, last: u32) {
        let first = self.selection.rank(self.base + start);
        let end = self.selection.rank(self.base + last + 1);
        if first < end {
            or_run(self.into, first - self.origin, end - 1 - self.origin);
            self.any = true;
        }
    }
}
