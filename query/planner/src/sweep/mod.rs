//! Evaluates expressions over posting lists, a block of 4,096 positions at a time.
//!
//! A condition is a plane of bits, one for each position of the block ([`truth`]). A set of squares is a plane for each
//! square ([`sets`], [`attacks`], [`rays`], [`pawns`]), and a number is a plane for each binary digit ([`numbers`],
//! [`sums`]). Temporal expressions are found before, for whole games, and only looked up here.

mod attackers;
mod attacks;
mod chunks;
mod moves;
mod numbers;
mod occupied;
mod pawns;
mod pins;
mod rays;
mod set_planes;
mod sets;
mod shifted;
mod squares;
mod sums;
mod truth;
mod unpacked;
mod whole_chunks;

use std::ops::Range;
use std::rc::Rc;

use chess::Quantity;
use postings::{BLOCK_SIZE, ChunkKind, Selection, Term};

use self::attackers::Lines;
use self::moves::MovesRead;
use self::occupied::{Occupied, OccupiedChunks};
use self::pins::KeptPins;
use self::set_planes::SetPlanes;
use self::shifted::Shifted;
use self::sums::Adder;
use self::unpacked::UnpackedBlocks;
use crate::boards::{Boards, Placements};
use crate::expr::{NamedSet, Truth};
use crate::games::FoundMoves;
use crate::lists::LoadedPostings;
use crate::plane::{ONES, Plane, ZERO, and};
use crate::positions::TemporalResults;

/// Memory that is used again by the next block and the next sweep: if threads allocated it for each block, they would
/// wait for each other in the allocator.
#[derive(Debug, Default)]
pub struct Scratch {
    /// For unpacked blocks of lists.
    planes: Vec<Vec<Plane>>,
    /// For the squares of men in whole chunks.
    chunks: OccupiedChunks,
    /// Spare sets of squares.
    sets: Vec<SetPlanes>,
    /// The adder for sums.
    adder: Adder,
    /// The adder for what is subtracted from a sum.
    subtracted: Adder,
    /// The lists of a sum, with their weights.
    terms: Vec<(i64, Term)>,
}

/// How many pieces of spare memory for unpacked blocks are kept.
const MOST_SPARE: usize = 16;

/// The positions of the games that match a filter on games, as ascending ranges of ids.
pub type GameRanges = Vec<Range<u32>>;

/// An expression over one segment, ready to be evaluated chunk by chunk.
#[derive(Debug)]
pub(crate) struct Sweep<'a> {
    truth: &'a Truth,
    postings: &'a LoadedPostings,
    /// By offset; the first one is without an offset.
    unpacked: Vec<UnpackedBlocks<'a>>,
    /// The index of the one that is read now.
    level: usize,
    /// Where the temporal expressions inside it hold.
    temporals: Option<&'a TemporalResults>,
    games: &'a [GameRanges],
    /// The first position of each game, and one more than the last position.
    starts: &'a [u32],
    /// The positions to evaluate, if not all: blocks then consist of selected positions.
    selection: Option<Box<Selection>>,
    /// What the lists of men on squares are read from, if not from themselves.
    placements: Option<Rc<Placements<'a>>>,
    /// Where conditions on the next move hold.
    moves: &'a FoundMoves<'a>,
    /// The blocks for which moves were read last.
    moves_read: Vec<MovesRead>,
    chunk: u32,
    /// The number of the block, in the segment or in the selection.
    block: u32,
    /// The positions of the block that still matter: elsewhere the bits of a plane are undefined.
    demand: Plane,
    scratch: Scratch,
    /// The occupied squares, by offset.
    occupied: Vec<Occupied>,
    /// The same for whole chunks.
    chunks: OccupiedChunks,
    /// The positions of the block that matter to the whole expression.
    asked: Plane,
    /// The lines on which men attack, where many squares are asked for.
    lines: Vec<Lines>,
    /// Pins, where many squares are asked for.
    pins: Vec<KeptPins>,
    /// Conditions that are asked a few ids away.
    shifted: Shifted,
}

impl<'a> Sweep<'a> {
    /// A sweep over the posting lists of a segment: `starts` are the first positions of its games, and the number of
    /// all positions behind them.
    pub(crate) fn new(
        postings: &'a LoadedPostings,
        truth: &'a Truth,
        games: &'a [GameRanges],
        starts: &'a [u32],
        moves: &'a FoundMoves<'a>,
        mut scratch: Scratch,
    ) -> Sweep<'a> {
        let unpacked = vec![UnpackedBlocks::new(postings, 0, None, &mut scratch.planes)];
        let chunks = std::mem::take(&mut scratch.chunks);
        Sweep {
            truth,
            postings,
            unpacked,
            level: 0,
            temporals: None,
            games,
            starts,
            selection: None,
            placements: None,
            moves,
            moves_read: Vec::new(),
            chunk: 0,
            block: 0,
            demand: ONES,
            scratch,
            occupied: Vec::new(),
            chunks,
            asked: ONES,
            lines: Vec::new(),
            pins: Vec::new(),
            shifted: Shifted::default(),
        }
    }

    /// The memory, for another sweep.
    pub(crate) fn into_scratch(mut self) -> Scratch {
        self.forget_lines();
        self.forget_pins();
        for unpacked in self.unpacked {
            self.scratch.planes.extend(unpacked.into_planes());
        }
        self.scratch
            .sets
            .extend(self.occupied.into_iter().flat_map(Occupied::into_sets));
        self.chunks.forget();
        self.scratch.chunks = self.chunks;
        self.scratch.planes.truncate(MOST_SPARE);
        self.scratch
    }

    /// The same with where the temporal expressions inside it hold.
    #[must_use]
    pub(crate) fn with(mut self, temporals: &'a TemporalResults) -> Sweep<'a> {
        self.temporals = Some(temporals);
        self
    }

    /// The same with boards for the lists of men on squares; only [`Sweep::selected`] reads them.
    #[must_use]
    pub(crate) fn with_boards(mut self, boards: Option<&'a dyn Boards>) -> Sweep<'a> {
        let placements = boards.map(|boards| Rc::new(Placements::new(boards, self.postings)));
        let unpacked = self.unpacked.pop().map(|unpacked| unpacked.with(placements.as_ref()));
        self.unpacked.extend(unpacked);
        self.placements = placements;
        self
    }

    /// Evaluates something `ids` later than the positions of the block.
    fn later<T>(&mut self, ids: i32, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        let here = self.level;
        let offset = self.offset() + ids;
        self.level = match self.unpacked.iter().position(|unpacked| unpacked.offset == offset) {
            Some(level) => level,
            None => {
                let selection = self.selection.as_ref().map(|selection| selection.shifted(offset));
                let unpacked = UnpackedBlocks::new(self.postings, offset, selection, &mut self.scratch.planes);
                self.unpacked.push(unpacked.with(self.placements.as_ref()));
                self.unpacked.len() - 1
            }
        };
        let value = evaluate(self);
        self.level = here;
        value
    }

    /// How many ids later than the positions of the block the lists are read.
    fn offset(&self) -> i32 {
        self.unpacked[self.level].offset
    }

    /// The block whose positions the lists are read at, or just beside.
    fn block_there(&self) -> u32 {
        let size = BLOCK_SIZE.cast_signed();
        let blocks = (self.offset() + size / 2).div_euclid(size);
        self.block.saturating_add_signed(blocks)
    }

    /// Whether the expression holds everywhere or nowhere in a chunk, as far as it is known without unpacking blocks.
    pub(crate) fn kind_of(&mut self, chunk: u32) -> ChunkKind {
        self.chunk = chunk;
        self.kind(self.truth, 0)
    }

    /// Whether a list has a position in a block; without a list, anything may be there.
    pub(crate) fn may_hold(&mut self, term: Option<Term>, block: u32) -> bool {
        self.block = block;
        term.is_none_or(|term| self.load(term))
    }

    /// Keeps those positions of a block where the expression holds.
    pub(crate) fn narrow(&mut self, block: u32, positions: &mut Plane) {
        self.block = block;
        self.demand = *positions;
        self.asked = *positions;
        let (truth, mut out) = (self.truth, ZERO);
        self.truth_into(truth, &mut out);
        and(positions, &out);
    }

    /// Evaluates the expression for selected positions, and returns the words of those where it holds.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a block has many positions, which have 32 bits"
    )]
    pub(crate) fn selected(&mut self, selection: Selection) -> Vec<u64> {
        let count = selection.positions().len() as u32;
        let blocks = count.div_ceil(BLOCK_SIZE);
        self.selection = Some(Box::new(selection));
        self.unpacked.truncate(1);
        self.forget_occupied();
        self.forget_lines();
        self.forget_pins();
        let truth = self.truth;
        let found: Vec<Plane> = (0..blocks)
            .map(|block| {
                self.block = block;
                self.demand = ZERO;
                bits::set_range(&mut self.demand, 0..(count - block * BLOCK_SIZE).min(BLOCK_SIZE));
                self.asked = self.demand;
                let mut out = ZERO;
                self.truth_into(truth, &mut out);
                out
            })
            .collect();
        self.selection
            .take()
            .map(|selection| selection.keep(&found))
            .unwrap_or_default()
    }

    /// The parts of a game filter's ranges between two ids.
    fn ranges_within(&self, index: usize, start: u32, end: u32) -> impl Iterator<Item = Range<u32>> + '_ {
        let ranges = &self.games[index];
        let first = ranges.partition_point(|range| range.end <= start);
        ranges[first..]
            .iter()
            .take_while(move |range| range.start < end)
            .map(move |range| range.start.max(start)..range.end.min(end))
    }

    /// Unpacks the block of a term; false where it holds nowhere in it.
    #[inline]
    fn load(&mut self, term: Term) -> bool {
        match self.postings.slot(term) {
            Some(slot) => self.load_list(slot),
            None => false,
        }
    }

    /// Unpacks the block of a list; false where it has no position.
    #[inline]
    fn load_list(&mut self, slot: usize) -> bool {
        self.unpacked[self.level].ensure_unpacked(slot, self.block, self.selection.as_deref())
    }

    /// The plane of a term that [`Sweep::load`] has found in this block.
    #[inline]
    fn loaded(&self, term: Term) -> &Plane {
        let slot = self.postings.slot(term).expect("the term was loaded");
        self.unpacked[self.level].plane(slot)
    }

    /// The plane of a term in this block; `None` where it holds nowhere.
    #[inline]
    fn plane(&mut self, term: Term) -> Option<&Plane> {
        if self.load(term) { Some(self.loaded(term)) } else { None }
    }

    /// Adds the positions of a term in this block; false if there are none.
    #[inline]
    fn add_term(&mut self, term: Term, into: &mut Plane) -> bool {
        self.postings
            .slot(term)
            .is_some_and(|slot| self.unpacked[self.level].add_to(slot, self.block, self.selection.as_deref(), into))
    }

    /// Makes `into` the positions of a term in this block; false, and `into` may have any bits, if there are none. A list that is
    /// asked once in a block is not unpacked elsewhere.
    #[inline]
    fn read_term(&mut self, term: Term, into: &mut Plane) -> bool {
        self.postings
            .slot(term)
            .is_some_and(|slot| self.unpacked[self.level].read_to(slot, self.block, self.selection.as_deref(), into))
    }

    /// The plane of a named set in this block; `None` where it has no position.
    fn set_plane(&mut self, set: &NamedSet) -> Option<&Plane> {
        let slot = self.postings.set_slot(set)?;
        if self.load_list(slot) {
            Some(self.unpacked[self.level].plane(slot))
        } else {
            None
        }
    }

    /// Where a quantity has a value in this block.
    fn given_plane(&mut self, quantity: Quantity) -> Plane {
        match self.postings.quantity(quantity) {
            Some(slots) => self.list_plane(slots.given),
            None => ZERO,
        }
    }

    /// The plane of a list in this block.
    fn list_plane(&mut self, slot: usize) -> Plane {
        match self.load_list(slot) {
            true => *self.unpacked[self.level].plane(slot),
            false => ZERO,
        }
    }

    // --- scratch

    /// Memory for intermediate results.
    fn scratch(&mut self) -> &mut Scratch {
        &mut self.scratch
    }

    /// An empty set of squares.
    fn spare(&mut self) -> SetPlanes {
        let mut block = self.scratch.sets.pop().unwrap_or_else(SetPlanes::new);
        block.clear();
        block
    }

    /// Keeps a set for later use.
    fn give_back(&mut self, block: SetPlanes) {
        self.scratch.sets.push(block);
    }
}
