//! What lists say about a set of positions without a game being opened: where men stand, who is to move, at which move.

use chess::Man;
use postings::{BLOCK_SIZE, BLOCK_WORDS, Block, Term};
use roaring::RoaringBitmap;
use shakmaty::{Bitboard, Color};
use storage::Segment;

/// The squares of a board.
const SQUARES: usize = 64;

/// Positions of a segment, in the blocks in which lists are read.
#[derive(Debug)]
pub struct Tally<'p> {
    segment: &'p Segment,
    positions: &'p RoaringBitmap,
    blocks: Vec<(u32, Block)>,
}

/// A position as lists know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The game in its segment.
    pub game: u32,
    /// CQL's `positionid`.
    pub node: u32,
    /// The number of the move that is to be played; `None` in a variation, where only the game can tell.
    pub move_number: Option<u32>,
    /// Who is to move.
    pub side: Color,
}

impl<'p> Tally<'p> {
    /// Prepares positions of a segment.
    pub fn new(segment: &'p Segment, positions: &'p RoaringBitmap) -> Tally<'p> {
        let mut blocks: Vec<(u32, Block)> = Vec::new();
        for position in positions {
            let (block, bit) = (position / BLOCK_SIZE, position % BLOCK_SIZE);
            if blocks.last().is_none_or(|(last, _)| *last != block) {
                blocks.push((block, [0; BLOCK_WORDS]));
            }
            if let Some((_, words)) = blocks.last_mut() {
                words[bit as usize / 64] |= 1 << (bit % 64);
            }
        }
        Tally {
            segment,
            positions,
            blocks,
        }
    }

    /// In how many of the positions a term holds.
    fn count(&self, term: Term) -> Result<u64, storage::Error> {
        let postings = self.segment.postings(term)?;
        let mut cursor = postings.cursor();
        let (mut list, mut count) = ([0; BLOCK_WORDS], 0);
        for (block, words) in &self.blocks {
            if cursor.read_block(*block, &mut list) {
                let both = words.iter().zip(&list).map(|(a, b)| (a & b).count_ones());
                count += u64::from(both.sum::<u32>());
            }
        }
        Ok(count)
    }

    /// For each of some squares, in how many of the positions one of the men stands there. [`Man::EMPTY`] stands on a square
    /// where no other man does.
    ///
    /// # Errors
    ///
    /// When a list can't be read.
    pub fn placements(&self, men: &[Man], squares: Bitboard) -> Result<[u64; SQUARES], storage::Error> {
        let mut counts = [0; SQUARES];
        if self.blocks.is_empty() {
            return Ok(counts);
        }
        let (is_empty_wanted, counted) = looked_for(men);
        for square in squares {
            let mut count = 0;
            for &man in &counted {
                count += self.count(Term::Placement(man, square))?;
            }
            counts[usize::from(square)] = match is_empty_wanted {
                true => self.positions.len() - count,
                false => count,
            };
        }
        Ok(counts)
    }

    /// For each of the positions, in ascending order, the squares among some where one of the men stands, a bit for each.
    /// [`Man::EMPTY`] stands on a square where no other man does.
    ///
    /// # Errors
    ///
    /// When a list can't be read.
    pub fn sets(&self, men: &[Man], squares: Bitboard) -> Result<Vec<u64>, storage::Error> {
        let count = usize::try_from(self.positions.len()).unwrap_or(usize::MAX);
        let mut sets = vec![0; count];
        let (is_empty_wanted, counted) = looked_for(men);
        for square in squares {
            for &man in &counted {
                let postings = self.segment.postings(Term::Placement(man, square))?;
                let mut cursor = postings.cursor();
                let (mut list, mut before) = ([0; BLOCK_WORDS], 0);
                for (block, words) in &self.blocks {
                    let holds = cursor.read_block(*block, &mut list);
                    for (words, list) in words.iter().zip(&list) {
                        let mut both = if holds { words & list } else { 0 };
                        while both != 0 {
                            // How many of the positions in this word come before.
                            let rank = (words & ((both & both.wrapping_neg()) - 1)).count_ones();
                            sets[before + rank as usize] |= 1 << u32::from(square);
                            both &= both - 1;
                        }
                        before += words.count_ones() as usize;
                    }
                }
            }
        }
        if is_empty_wanted {
            sets.iter_mut().for_each(|set| *set = u64::from(squares) & !*set);
        }
        Ok(sets)
    }

    /// Visits the positions in ascending order, until `visit` returns false. Returns whether it has seen all of them.
    ///
    /// # Errors
    ///
    /// When a list can't be read.
    pub fn turns(&self, visit: &mut dyn FnMut(Turn) -> bool) -> Result<bool, storage::Error> {
        if self.positions.is_empty() {
            return Ok(true);
        }
        let starts = self.segment.starts()?;
        let (white, mainline) = (
            self.segment.postings(Term::WhiteToMove)?,
            self.segment.postings(Term::Mainline)?,
        );
        let has_variations = mainline.cardinality() < u64::from(self.segment.meta().positions);
        // The game of the position before, and whether Black began it.
        let (mut game, mut black_starts) = (None, false);
        for position in self.positions {
            let behind = game.map_or(0, |game: usize| game + 1);
            if game.is_none() || starts[behind] <= position {
                let next = starts[behind..].partition_point(|&start| start <= position) + behind;
                let Some(found) = next.checked_sub(1) else { continue };
                black_starts = !white.contains(starts[found]);
                game = Some(found);
            }
            let Some(found) = game else { continue };
            let node = position - starts[found];
            // The main line comes first, so that there the number of a position is its ply.
            let is_main = !has_variations || mainline.contains(position);
            let turn = Turn {
                game: u32::try_from(found).unwrap_or(u32::MAX),
                node,
                move_number: is_main.then(|| (node + u32::from(black_starts)) / 2 + 1),
                side: if white.contains(position) {
                    Color::White
                } else {
                    Color::Black
                },
            };
            if !visit(turn) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The men to look for, and whether the squares are wanted where none of them stands: a square is empty where no man
/// stands, and it is empty or has one of some men where none of the others stands.
fn looked_for(men: &[Man]) -> (bool, Vec<Man>) {
    let is_empty_wanted = men.contains(&Man::EMPTY);
    let all = (0..12).filter_map(Man::from_index);
    (
        is_empty_wanted,
        all.filter(|man| men.contains(man) != is_empty_wanted).collect(),
    )
}
