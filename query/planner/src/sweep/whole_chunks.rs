//! Where men stand in whole chunks: read at once where a query asks for it in block after block.

use chess::Man;
use postings::{BLOCK_SIZE, CHUNK_SIZE, Chunk, DisjointUnion, Term};
use shakmaty::{Bitboard, Square};

use super::unpacked::UnpackedBlocks;
use crate::lists::LoadedPostings;
use crate::plane::{CHUNK_WORDS, Plane, WORDS};

/// How many blocks a chunk has.
const BLOCKS: u32 = CHUNK_SIZE / BLOCK_SIZE;

/// A square that is asked for in this many blocks of a chunk is read for the whole next chunk.
const OFTEN: u8 = 12;

/// The squares of some men in the chunk that was read last.
#[derive(Debug)]
pub(super) struct WholeChunks {
    chunk: u32,
    /// Whether it is the first one of the games that are searched.
    is_first: bool,
    /// How many of its blocks were asked for.
    blocks: u32,
    /// The last one of them.
    block: u32,
    /// By square, in how many blocks of the chunk it was asked for.
    asked: [u8; 64],
    /// The squares that are asked for in most blocks, as far as the chunk before tells.
    often: Bitboard,
    /// Those of them that were read.
    read: Bitboard,
    /// Those of them where one of the men stands somewhere in the chunk.
    occupied: Bitboard,
    /// By square, where one of the men stands there.
    planes: Vec<Chunk>,
    union: Option<DisjointUnion>,
}

/// The lists of the men, and their blocks that were unpacked.
type Lists<'l> = (&'l LoadedPostings, &'l UnpackedBlocks<'l>);

/// Where men stand on a square in a block.
pub(super) enum Found<'c> {
    /// That is not read for whole chunks.
    Unknown,
    /// Nowhere.
    Nowhere,
    /// At these positions, or nowhere.
    Maybe(&'c Plane),
}

impl Default for WholeChunks {
    fn default() -> WholeChunks {
        WholeChunks {
            chunk: u32::MAX,
            is_first: true,
            blocks: 0,
            block: u32::MAX,
            asked: [0; 64],
            often: Bitboard::EMPTY,
            read: Bitboard::EMPTY,
            occupied: Bitboard::EMPTY,
            planes: Vec::new(),
            union: None,
        }
    }
}

impl WholeChunks {
    /// Forgets what was read, as other games are searched; the memory is kept, and what is asked for often.
    pub(super) fn forget(&mut self) {
        self.chunk = u32::MAX;
    }

    /// The positions of a block where one of some men stands on a square. The same men are asked for each time, and a square
    /// once for each block.
    pub(super) fn find(
        &mut self,
        lists: Lists<'_>,
        men: impl Iterator<Item = Man> + Clone,
        square: Square,
        block: u32,
    ) -> Found<'_> {
        let is_read = self.reads(lists, men.clone(), square, block);
        let asked = &mut self.asked[usize::from(square)];
        *asked = asked.saturating_add(1);
        match is_read {
            true => self.read(lists.0, men, square, block),
            false => Found::Unknown,
        }
    }

    /// Whether a square is read for the whole chunk of a block: it is asked for often, and the query does not ask for most of
    /// its men alone, so that their blocks are unpacked anyway.
    pub(super) fn reads(
        &mut self,
        (postings, unpacked): Lists<'_>,
        men: impl Iterator<Item = Man>,
        square: Square,
        block: u32,
    ) -> bool {
        let chunk = block / BLOCKS;
        if self.chunk != chunk {
            self.begin(chunk);
        }
        if self.block != block {
            self.block = block;
            self.blocks += 1;
        }
        if self.often.contains(square) && !self.read.contains(square) {
            let slots = men.filter_map(|man| postings.slot(Term::Placement(man, square)));
            let (mut all, mut alone) = (0, 0);
            for slot in slots {
                all += 1;
                alone += u32::from(unpacked.is_unpacked(slot, block));
            }
            if 2 * alone > all {
                self.often.discard(square);
            }
        }
        self.often.contains(square)
    }

    /// The same as [`WholeChunks::find`] where it is read for the whole chunk, which [`WholeChunks::reads`] has begun.
    pub(super) fn read(
        &mut self,
        postings: &LoadedPostings,
        men: impl Iterator<Item = Man> + Clone,
        square: Square,
        block: u32,
    ) -> Found<'_> {
        let place = usize::from(square);
        if !self.read.contains(square) {
            self.read.add(square);
            if self.planes.is_empty() {
                self.planes.resize(64, [0; CHUNK_WORDS]);
            }
            let lists = men.filter_map(|man| postings.list(Term::Placement(man, square)));
            let union = self.union.get_or_insert_default();
            let any = union.read(lists, self.chunk, &mut self.planes[place]);
            self.occupied.set(square, any);
        }
        let (blocks, _) = self.planes[place].as_chunks::<WORDS>();
        match blocks.get((block % BLOCKS) as usize) {
            Some(plane) if self.occupied.contains(square) => Found::Maybe(plane),
            _ => Found::Nowhere,
        }
    }

    fn begin(&mut self, chunk: u32) {
        // Some games are searched at a time. They may begin with the last blocks of a chunk, and the games before them tell
        // what is asked for often.
        let is_known = self.chunk == u32::MAX || (self.is_first && self.blocks < u32::from(OFTEN));
        if !is_known {
            let is_next = self.chunk.checked_add(1) == Some(chunk);
            let asked = Square::ALL.into_iter().zip(self.asked);
            let often = asked.filter(|&(_, blocks)| is_next && blocks >= OFTEN);
            self.often = often.map(|(square, _)| square).collect();
        }
        self.is_first = self.chunk == u32::MAX;
        self.asked = [0; 64];
        self.blocks = 0;
        self.read = Bitboard::EMPTY;
        self.chunk = chunk;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use postings::Postings;
    use shakmaty::{Color, Role};

    use super::*;
    use crate::plane::ZERO;

    const MEN: [Man; 3] = [
        Man::new(Color::White, Role::Rook),
        Man::new(Color::Black, Role::Pawn),
        Man::new(Color::Black, Role::Queen),
    ];

    /// Nobody, or one of the men, stands on a square for some positions each.
    fn lists(squares: &[Square], chunks: u32) -> LoadedPostings {
        let mixed = |n: u32| n.wrapping_mul(0x9e37_79b9) >> 16;
        let man_on = |square: Square, position: u32| {
            let stretch = position / (1 + mixed(position >> 10 | u32::from(square) << 24) % 90);
            MEN.get((mixed(stretch ^ u32::from(square)) % 4) as usize)
        };
        let mut terms: Vec<Term> = squares
            .iter()
            .flat_map(|&square| MEN.map(|man| Term::Placement(man, square)))
            .collect();
        terms.sort();
        let list = |&term: &Term| {
            let Term::Placement(man, square) = term else {
                unreachable!("all terms are men on squares")
            };
            let all = (0..chunks * CHUNK_SIZE).filter(|&position| man_on(square, position) == Some(&man));
            Arc::new(all.collect::<Postings>())
        };
        let lists = terms.iter().map(list).collect();
        LoadedPostings::new(terms, lists)
    }

    /// The positions of a block, list by list.
    fn by_lists(postings: &LoadedPostings, square: Square, block: u32) -> Plane {
        let mut plane = ZERO;
        for list in MEN
            .iter()
            .filter_map(|&man| postings.list(Term::Placement(man, square)))
        {
            list.cursor().add_block(block, &mut plane);
        }
        plane
    }

    #[test]
    fn whole_chunks_have_the_positions_of_their_blocks() {
        let squares = [Square::A1, Square::E4];
        let postings = lists(&squares, 3);
        let unpacked = UnpackedBlocks::new(&postings, 0, None, &mut Vec::new());
        let mut chunks = WholeChunks::default();
        let per_chunk = CHUNK_SIZE / BLOCK_SIZE;
        for block in 0..4 * per_chunk {
            for square in squares {
                // The second square is asked for too seldom in the second chunk.
                if square == Square::E4 && block / per_chunk == 1 && block % 2 == 0 {
                    continue;
                }
                let expected = by_lists(&postings, square, block);
                let is_read = !matches!((square, block / per_chunk), (_, 0) | (Square::E4, 2));
                match chunks.find((&postings, &unpacked), MEN.into_iter(), square, block) {
                    Found::Unknown => assert!(!is_read, "{square} in block {block}"),
                    Found::Nowhere => assert!(is_read && expected == ZERO, "{square} in block {block}"),
                    Found::Maybe(plane) => assert!(is_read && *plane == expected, "{square} in block {block}"),
                }
            }
        }
        let is_read = |chunks: &mut WholeChunks, block| {
            let found = chunks.find((&postings, &unpacked), MEN.into_iter(), Square::A1, block);
            !matches!(found, Found::Unknown)
        };
        // Other games begin with the last blocks of a chunk.
        chunks.forget();
        assert!((per_chunk - 3..3 * per_chunk).all(|block| is_read(&mut chunks, block)));
        // Few blocks of a chunk are asked for.
        assert!(is_read(&mut chunks, 3 * per_chunk));
        assert!(!is_read(&mut chunks, 4 * per_chunk));
    }
}
