//! Evaluates expressions over posting lists, a block of 4,096 positions at a time.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use storage::{ChunkKind, Cursor, Postings, Selection, Term};

use super::block::{ONES, Plane, SetBlock, WORDS, ZERO, and, and_not, is_zero, not, or};
use super::expr::Truth;
use super::terms::Terms;

/// Where posting lists come from: a segment, or a map in tests.
pub trait TermSource {
    /// What may go wrong.
    type Error;

    /// The positions where a term holds.
    ///
    /// # Errors
    ///
    /// When the list can't be read.
    fn postings(&self, term: Term) -> Result<Arc<Postings>, Self::Error>;

    /// How many positions that is.
    ///
    /// # Errors
    ///
    /// When the statistics can't be read.
    fn cardinality(&self, term: Term) -> Result<u32, Self::Error>;
}

/// Conjunctions of so many terms are added to a disjunction without a plane of their own.
const MAX_FUSED: usize = 8;

/// How many words a chunk has.
pub const CHUNK_WORDS: usize = storage::CHUNK_SIZE as usize / 64;

/// How many blocks a chunk has.
const BLOCKS: usize = CHUNK_WORDS / WORDS;

/// The posting lists that an expression reads.
#[derive(Debug)]
pub struct Leaves {
    /// Where the list of a term is, by the term's code; [`Leaves::NONE`] if it is not read.
    slots: Vec<u16>,
    lists: Vec<Arc<Postings>>,
}

impl Leaves {
    const NONE: u16 = u16::MAX;

    /// Reads the posting lists that expressions need.
    ///
    /// # Errors
    ///
    /// When a posting list can't be read.
    pub fn read<S>(source: &S, truths: &[Truth]) -> Result<Leaves, S::Error>
    where
        S: TermSource + Sync,
        S::Error: Send,
    {
        let terms = Terms::of(truths).list(source)?;
        let mut slots = vec![Leaves::NONE; Term::CODES];
        for (slot, term) in (0..).zip(&terms) {
            slots[term.code() as usize] = slot;
        }
        let lists = terms.into_par_iter().map(|term| source.postings(term));
        Ok(Leaves {
            slots,
            lists: lists.collect::<Result<Vec<_>, _>>()?,
        })
    }

    /// How many bytes the lists have.
    pub fn bytes(&self) -> u64 {
        let bytes = |postings: &Arc<Postings>| postings.as_bytes().len() as u64;
        self.lists.iter().map(bytes).sum()
    }

    #[inline]
    fn slot(&self, term: Term) -> Option<usize> {
        let slot = self.slots[term.code() as usize];
        (slot != Leaves::NONE).then_some(usize::from(slot))
    }

    pub(super) fn list(&self, term: Term) -> Option<&Postings> {
        self.slot(term).map(|slot| &*self.lists[slot])
    }
}

/// The blocks of the posting lists that were unpacked last, by slot. What is looked at each time lies close together.
#[derive(Debug)]
struct Unpacked<'a> {
    states: Vec<State>,
    cursors: Vec<Cursor<'a>>,
}

/// What is known of the last block of a list.
#[derive(Clone, Copy, Debug)]
struct State {
    /// Its number; no block has the highest one.
    block: u32,
    /// Whether it has a position; if not, the plane is garbage.
    any: bool,
}

impl<'a> Unpacked<'a> {
    fn new(leaves: &'a Leaves) -> Unpacked<'a> {
        let nothing = State {
            block: u32::MAX,
            any: false,
        };
        Unpacked {
            states: vec![nothing; leaves.lists.len()],
            cursors: leaves.lists.iter().map(|list| list.cursor()).collect(),
        }
    }
}

/// Memory that one sweep leaves to the next.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The unpacked blocks of the lists.
    planes: Vec<Plane>,
    /// Spare sets of squares.
    sets: Vec<SetBlock>,
}

/// The positions of the games that a filter on games lets through, as ascending ranges of ids.
pub type GameRanges = Vec<Range<u32>>;

/// An expression over one segment, ready to be evaluated chunk by chunk.
#[derive(Debug)]
pub struct Sweep<'a> {
    truth: &'a Truth,
    pub(super) leaves: &'a Leaves,
    unpacked: Unpacked<'a>,
    games: &'a [GameRanges],
    /// The first position of each game, and one more than the last position.
    starts: &'a [u32],
    positions: u32,
    /// Where it looks, if not everywhere: blocks are of selected positions then.
    selection: Option<Box<Selection>>,
    chunk: u32,
    /// The number of the block, in the segment or in the selection.
    block: u32,
    /// The positions of the block that still matter: elsewhere a plane may have any bits.
    pub(super) demand: Plane,
    scratch: Scratch,
    /// The occupied squares as far as they are known, and the block that they belong to.
    occupied: SetBlock,
    occupied_known: shakmaty::Bitboard,
    occupied_in: Option<u32>,
}

impl<'a> Sweep<'a> {
    /// A sweep over the posting lists of a segment: `starts` are the first positions of its games, and the number of all
    /// positions behind them.
    pub fn new(
        leaves: &'a Leaves,
        truth: &'a Truth,
        games: &'a [GameRanges],
        starts: &'a [u32],
        mut scratch: Scratch,
    ) -> Sweep<'a> {
        if scratch.planes.len() < leaves.lists.len() {
            scratch.planes.resize(leaves.lists.len(), ZERO);
        }
        let unpacked = Unpacked::new(leaves);
        Sweep {
            truth,
            leaves,
            unpacked,
            games,
            starts,
            positions: starts.last().copied().unwrap_or(0),
            selection: None,
            chunk: 0,
            block: 0,
            demand: ONES,
            scratch,
            occupied: SetBlock::new(),
            occupied_known: shakmaty::Bitboard::EMPTY,
            occupied_in: None,
        }
    }

    /// The memory, for another sweep.
    pub fn into_scratch(self) -> Scratch {
        self.scratch
    }

    /// Evaluates the expression for one chunk, a bit for each position; false when it holds nowhere in it, and then
    /// `into` is not touched.
    pub fn chunk(&mut self, chunk: u32, into: &mut [u64; CHUNK_WORDS]) -> bool {
        self.chunk = chunk;
        let start = chunk * storage::CHUNK_SIZE;
        let count = (self.positions - start).min(storage::CHUNK_SIZE) as usize;
        match self.kind(self.truth) {
            ChunkKind::Empty => return false,
            ChunkKind::Full => into.fill(u64::MAX),
            ChunkKind::Some => {
                let truth = self.truth;
                for (block, out) in into.as_chunks_mut().0.iter_mut().enumerate() {
                    if block * WORDS * 64 >= count {
                        break;
                    }
                    self.block = chunk * BLOCKS as u32 + block as u32;
                    self.demand = ONES;
                    self.truth_into(truth, out);
                }
            }
        }
        // Nothing is behind the last position of a segment.
        into[count.div_ceil(64)..].fill(0);
        if !count.is_multiple_of(64) {
            into[count / 64] &= (1 << (count % 64)) - 1;
        }
        into.iter().fold(0, |all, word| all | word) != 0
    }

    /// Evaluates the expression for selected positions, and gives the words of those where it holds.
    pub fn selected(&mut self, selection: Selection) -> Vec<u64> {
        let blocks = selection.positions().len().div_ceil(WORDS * 64) as u32;
        self.selection = Some(Box::new(selection));
        let truth = self.truth;
        let found: Vec<Plane> = (0..blocks)
            .map(|block| {
                self.block = block;
                self.demand = ONES;
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

    /// What is known of an expression in this chunk without unpacking anything.
    fn kind(&self, truth: &Truth) -> ChunkKind {
        match truth {
            Truth::Always => ChunkKind::Full,
            Truth::Never => ChunkKind::Empty,
            Truth::Term(term) => match self.leaves.list(*term) {
                Some(postings) => postings.chunk_kind(self.chunk),
                None => ChunkKind::Empty,
            },
            Truth::Not(inner) => match self.kind(inner) {
                ChunkKind::Empty => ChunkKind::Full,
                // The last chunk of a segment is full before its end.
                ChunkKind::Full => ChunkKind::Empty,
                ChunkKind::Some => ChunkKind::Some,
            },
            Truth::And(parts) => {
                let kinds = || parts.iter().map(|part| self.kind(part));
                if kinds().any(|kind| kind == ChunkKind::Empty) {
                    ChunkKind::Empty
                } else if kinds().all(|kind| kind == ChunkKind::Full) {
                    ChunkKind::Full
                } else {
                    ChunkKind::Some
                }
            }
            Truth::Or(parts) => {
                let kinds = || parts.iter().map(|part| self.kind(part));
                if kinds().all(|kind| kind == ChunkKind::Empty) {
                    ChunkKind::Empty
                } else if kinds().any(|kind| kind == ChunkKind::Full) {
                    ChunkKind::Full
                } else {
                    ChunkKind::Some
                }
            }
            Truth::Games(index) => {
                let start = self.chunk * storage::CHUNK_SIZE;
                let end = start.saturating_add(storage::CHUNK_SIZE);
                if self.ranges_within(*index, start, end).next().is_none() {
                    ChunkKind::Empty
                } else {
                    ChunkKind::Some
                }
            }
            Truth::PlyAtLeast(_) | Truth::Any(_) | Truth::Compare(..) | Truth::Single(_) => ChunkKind::Some,
        }
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
    pub(super) fn load(&mut self, term: Term) -> bool {
        let Some(slot) = self.leaves.slot(term) else {
            return false;
        };
        let state = self.unpacked.states[slot];
        if state.block == self.block {
            state.any
        } else {
            self.unpack(slot)
        }
    }

    fn unpack(&mut self, slot: usize) -> bool {
        let block = self.block;
        let (cursor, plane) = (&mut self.unpacked.cursors[slot], &mut self.scratch.planes[slot]);
        let any = match &self.selection {
            None => cursor.read_block(block, plane),
            Some(selection) => cursor.read_selected(selection, block, plane),
        };
        self.unpacked.states[slot] = State { block, any };
        any
    }

    /// The plane of a term that [`Sweep::load`] has found in this block.
    #[inline]
    fn loaded(&self, term: Term) -> &Plane {
        let slot = self.leaves.slot(term).expect("the term was loaded");
        &self.scratch.planes[slot]
    }

    /// The plane of a term in this block; nothing where it holds nowhere.
    #[inline]
    pub(super) fn leaf(&mut self, term: Term) -> Option<&Plane> {
        if self.load(term) { Some(self.loaded(term)) } else { None }
    }

    /// Adds the positions where all of these terms hold.
    fn or_all_terms(&mut self, parts: &[Truth], out: &mut Plane) {
        let terms = || {
            parts.iter().filter_map(|part| {
                if let Truth::Term(term) = part {
                    Some(*term)
                } else {
                    None
                }
            })
        };
        if !terms().all(|term| self.load(term)) {
            return;
        }
        let mut planes = [&ZERO; MAX_FUSED];
        for (slot, term) in planes.iter_mut().zip(terms()) {
            *slot = self.loaded(term);
        }
        match planes[..parts.len()] {
            [a, b] => super::block::or_and(out, a, b),
            [a, b, c] => {
                for (word, ((a, b), c)) in out.iter_mut().zip(a.iter().zip(b).zip(c)) {
                    *word |= a & b & c;
                }
            }
            ref planes => {
                for (index, word) in out.iter_mut().enumerate() {
                    *word |= planes.iter().fold(u64::MAX, |all, plane| all & plane[index]);
                }
            }
        }
    }

    /// Evaluates a condition for the block.
    pub(super) fn truth_into(&mut self, truth: &Truth, out: &mut Plane) {
        match truth {
            Truth::Always => *out = ONES,
            Truth::Never => *out = ZERO,
            Truth::Term(term) => *out = self.leaf(*term).copied().unwrap_or(ZERO),
            Truth::Not(inner) => {
                self.truth_into(inner, out);
                not(out);
            }
            Truth::And(parts) => {
                let outer = self.demand;
                *out = outer;
                for part in parts {
                    self.and_truth(part, out);
                    if is_zero(out) {
                        break;
                    }
                    self.demand = *out;
                }
                self.demand = outer;
            }
            Truth::Or(parts) => {
                *out = ZERO;
                for part in parts {
                    if let Truth::Term(term) = part {
                        if let Some(leaf) = self.leaf(*term) {
                            or(out, leaf);
                        }
                        continue;
                    }
                    if let Truth::And(terms) = part
                        && terms.len() <= MAX_FUSED
                        && terms.iter().all(|term| matches!(term, Truth::Term(_)))
                    {
                        self.or_all_terms(terms, out);
                        continue;
                    }
                    let mut plane = ZERO;
                    self.truth_into(part, &mut plane);
                    or(out, &plane);
                }
            }
            Truth::Games(index) => self.games_into(*index, out),
            Truth::PlyAtLeast(ply) => self.plies_into(*ply, out),
            Truth::Any(set) => {
                *out = ZERO;
                let block = self.set(set, shakmaty::Bitboard::FULL);
                for square in block.live() {
                    if let Some(plane) = block.get(square) {
                        or(out, plane);
                    }
                }
                self.give_back(block);
            }
            Truth::Single(set) => {
                let (mut once, mut twice) = (ZERO, ZERO);
                let block = self.set(set, shakmaty::Bitboard::FULL);
                for square in block.live() {
                    if let Some(plane) = block.get(square) {
                        super::block::or_and(&mut twice, &once, plane);
                        or(&mut once, plane);
                    }
                }
                self.give_back(block);
                and_not(&mut once, &twice);
                *out = once;
            }
            Truth::Compare(comparison, a, b) => self.compare_into(*comparison, a, b, out),
        }
    }

    fn and_truth(&mut self, truth: &Truth, out: &mut Plane) {
        match truth {
            Truth::Term(term) => match self.leaf(*term) {
                Some(leaf) => and(out, leaf),
                None => *out = ZERO,
            },
            Truth::Not(inner) if matches!(**inner, Truth::Term(_)) => {
                if let Truth::Term(term) = **inner
                    && let Some(leaf) = self.leaf(term)
                {
                    and_not(out, leaf);
                }
            }
            other => {
                let mut plane = ZERO;
                self.truth_into(other, &mut plane);
                and(out, &plane);
            }
        }
    }

    fn games_into(&self, index: usize, out: &mut Plane) {
        *out = ZERO;
        let block = self.positions_of_block();
        for range in self.ranges_within(index, block.start, block.end) {
            self.fill_positions(out, range);
        }
    }

    fn plies_into(&self, ply: u32, out: &mut Plane) {
        *out = ZERO;
        let block = self.positions_of_block();
        let first = self
            .starts
            .partition_point(|&game| game <= block.start)
            .saturating_sub(1);
        for game in self.starts[first..].windows(2).take_while(|game| game[0] < block.end) {
            let from = game[0].saturating_add(ply).max(block.start);
            self.fill_positions(out, from..game[1].min(block.end));
        }
    }

    /// The positions from the first to the last of the block.
    fn positions_of_block(&self) -> Range<u32> {
        match self.selection.as_ref().map(|selection| selection.block(self.block)) {
            None => {
                let start = self.block * (WORDS * 64) as u32;
                start..start.saturating_add((WORDS * 64) as u32)
            }
            Some([first, .., last]) => *first..last + 1,
            Some([only]) => *only..only + 1,
            Some([]) => 0..0,
        }
    }

    /// Sets the bits of the positions in a range that lies in the block.
    fn fill_positions(&self, plane: &mut Plane, range: Range<u32>) {
        if range.is_empty() {
            return;
        }
        let number = |position| match &self.selection {
            None => position,
            Some(selection) => selection.rank(position),
        };
        let first = self.block * (WORDS * 64) as u32;
        fill(plane, number(range.start) - first, number(range.end) - first);
    }

    // --- scratch

    /// An empty set of squares.
    pub(super) fn spare(&mut self) -> SetBlock {
        let mut block = self.scratch.sets.pop().unwrap_or_else(SetBlock::new);
        block.clear();
        block
    }

    /// Takes a set back for later.
    pub(super) fn give_back(&mut self, block: SetBlock) {
        self.scratch.sets.push(block);
    }

    /// Makes sure that it is known in which positions of the block a square is occupied.
    pub(super) fn find_occupied(&mut self, square: shakmaty::Square) {
        if self.occupied_in != Some(self.block) {
            self.occupied_in = Some(self.block);
            self.occupied.clear();
            self.occupied_known = shakmaty::Bitboard::EMPTY;
        }
        if self.occupied_known.contains(square) {
            return;
        }
        self.occupied_known.add(square);
        let mut plane = ZERO;
        for man in storage::Man::all() {
            if let Some(leaf) = self.leaf(Term::Placement(man, square)) {
                or(&mut plane, leaf);
            }
        }
        self.occupied.put(square, &plane);
    }

    /// Where a square is occupied that [`Sweep::find_occupied`] was asked about.
    #[inline]
    pub(super) fn occupied(&self, square: shakmaty::Square) -> Option<&Plane> {
        self.occupied.get(square)
    }
}

/// Sets the bits from `start` to `end`, which is left out.
fn fill(plane: &mut Plane, start: u32, end: u32) {
    let (mut at, end) = (start as usize, end as usize);
    while at < end {
        let upto = end.min((at / 64 + 1) * 64);
        let bits = upto - at;
        let mask = if bits == 64 {
            u64::MAX
        } else {
            ((1 << bits) - 1) << (at % 64)
        };
        plane[at / 64] |= mask;
        at = upto;
    }
}
