//! Evaluates expressions over posting lists, a block of 4,096 positions at a time.

use std::ops::Range;

use postings::{ChunkKind, Selection, Term};

use super::block::{ONES, Plane, SetBlock, WORDS, ZERO, and, and_not, is_zero, not, or};
use super::expr::Truth;
use super::games::Found;
use super::leaves::{Leaves, Unpacked};
use super::sweep_counts::Adder;

/// Conjunctions of so many terms are added to a disjunction without a plane of their own.
const MAX_FUSED: usize = 8;

/// How many words a chunk has.
pub const CHUNK_WORDS: usize = postings::CHUNK_SIZE as usize / 64;

/// Memory that one sweep leaves to the next, and one block to the next: threads would wait for each other if they asked
/// for it for each block.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The unpacked blocks of the lists.
    planes: Vec<Plane>,
    /// Spare sets of squares.
    sets: Vec<SetBlock>,
    /// What sums are made in.
    pub(super) adder: Adder,
    /// The lists that a sum has, with their weights.
    pub(super) terms: Vec<(i64, Term)>,
}

/// The positions of the games that a filter on games lets through, as ascending ranges of ids.
pub type GameRanges = Vec<Range<u32>>;

/// An expression over one segment, ready to be evaluated chunk by chunk.
#[derive(Debug)]
pub struct Sweep<'a> {
    truth: &'a Truth,
    pub(super) leaves: &'a Leaves,
    /// By offset; the first one is for none.
    unpacked: Vec<Unpacked<'a>>,
    /// Which of them is read.
    level: usize,
    /// What the trees of the expression have found.
    found: Option<&'a Found>,
    games: &'a [GameRanges],
    /// The first position of each game, and one more than the last position.
    starts: &'a [u32],
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
    occupied_in: Option<(u32, i32)>,
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
        let planes = std::mem::take(&mut scratch.planes);
        Sweep {
            truth,
            leaves,
            unpacked: vec![Unpacked::new(leaves, 0, None, planes)],
            level: 0,
            found: None,
            games,
            starts,
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
    pub fn into_scratch(mut self) -> Scratch {
        if let Some(unpacked) = self.unpacked.first_mut() {
            self.scratch.planes = unpacked.take_planes();
        }
        self.scratch
    }

    /// The same with what the trees of the expression have found.
    #[must_use]
    pub fn with(mut self, found: &'a Found) -> Sweep<'a> {
        self.found = Some(found);
        self
    }

    /// Evaluates something so many ids later than the positions of the block.
    pub(super) fn later<T>(&mut self, ids: i32, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        let here = self.level;
        let offset = self.offset() + ids;
        self.level = match self.unpacked.iter().position(|unpacked| unpacked.offset == offset) {
            Some(level) => level,
            None => {
                let selection = self.selection.as_ref().map(|selection| selection.shifted(offset));
                self.unpacked
                    .push(Unpacked::new(self.leaves, offset, selection, Vec::new()));
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

    /// What is known of the expression in a chunk without unpacking anything.
    pub fn kind_of(&mut self, chunk: u32) -> ChunkKind {
        self.chunk = chunk;
        self.kind(self.truth, 0)
    }

    /// Whether a list has a position in a block; without a list, anything may be there.
    pub fn may_hold(&mut self, term: Option<Term>, block: u32) -> bool {
        self.block = block;
        term.is_none_or(|term| self.load(term))
    }

    /// Keeps those positions of a block where the expression holds.
    pub fn narrow(&mut self, block: u32, positions: &mut Plane) {
        self.block = block;
        self.demand = *positions;
        let (truth, mut out) = (self.truth, ZERO);
        self.truth_into(truth, &mut out);
        and(positions, &out);
    }

    /// Evaluates the expression for selected positions, and gives the words of those where it holds.
    pub fn selected(&mut self, selection: Selection) -> Vec<u64> {
        let blocks = selection.positions().len().div_ceil(WORDS * 64) as u32;
        self.selection = Some(Box::new(selection));
        self.unpacked.truncate(1);
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

    /// What is known of an expression in this chunk, so many ids later, without unpacking anything.
    fn kind(&self, truth: &Truth, offset: i32) -> ChunkKind {
        match truth {
            Truth::Always => ChunkKind::Full,
            Truth::Never => ChunkKind::Empty,
            Truth::Term(term) => match self.leaves.list(*term) {
                Some(postings) if offset == 0 => postings.chunk_kind(self.chunk),
                Some(postings) => {
                    let beside = self.chunk.checked_add_signed(offset.signum());
                    let empty = |chunk: u32| postings.chunk_kind(chunk) == ChunkKind::Empty;
                    if empty(self.chunk) && beside.is_none_or(empty) {
                        ChunkKind::Empty
                    } else {
                        ChunkKind::Some
                    }
                }
                None => ChunkKind::Empty,
            },
            Truth::After(ids, inner) => self.kind(inner, offset + ids),
            Truth::Not(inner) => match self.kind(inner, offset) {
                ChunkKind::Empty => ChunkKind::Full,
                // The last chunk of a segment is full before its end.
                ChunkKind::Full => ChunkKind::Empty,
                ChunkKind::Some => ChunkKind::Some,
            },
            Truth::And(parts) => {
                let kinds = || parts.iter().map(|part| self.kind(part, offset));
                if kinds().any(|kind| kind == ChunkKind::Empty) {
                    ChunkKind::Empty
                } else if kinds().all(|kind| kind == ChunkKind::Full) {
                    ChunkKind::Full
                } else {
                    ChunkKind::Some
                }
            }
            Truth::Or(parts) => {
                let kinds = || parts.iter().map(|part| self.kind(part, offset));
                if kinds().all(|kind| kind == ChunkKind::Empty) {
                    ChunkKind::Empty
                } else if kinds().any(|kind| kind == ChunkKind::Full) {
                    ChunkKind::Full
                } else {
                    ChunkKind::Some
                }
            }
            Truth::Games(index) => {
                let start = self.chunk * postings::CHUNK_SIZE;
                let end = start.saturating_add(postings::CHUNK_SIZE);
                if self.ranges_within(*index, start, end).next().is_none() {
                    ChunkKind::Empty
                } else {
                    ChunkKind::Some
                }
            }
            Truth::PlyAtLeast(_) | Truth::Any(_) | Truth::Compare(..) | Truth::Single(_) | Truth::Tree(_) => {
                ChunkKind::Some
            }
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
        let unpacked = &mut self.unpacked[self.level];
        match unpacked.known(slot, self.block) {
            Some(any) => any,
            None => unpacked.unpack(slot, self.block, self.selection.as_deref()),
        }
    }

    /// The plane of a term that [`Sweep::load`] has found in this block.
    #[inline]
    fn loaded(&self, term: Term) -> &Plane {
        let slot = self.leaves.slot(term).expect("the term was loaded");
        self.unpacked[self.level].plane(slot)
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

    /// Whether a condition may hold in the block, as far as the first list of a conjunction tells.
    pub(super) fn first_holds(&mut self, truth: &Truth) -> bool {
        match truth {
            Truth::Term(term) => self.load(*term),
            Truth::And(parts) => match parts.first() {
                Some(Truth::Term(first)) => self.load(*first),
                _ => true,
            },
            _ => true,
        }
    }

    /// Adds the positions where a term holds and one of others does.
    fn or_common_term(&mut self, common: Term, others: &[Truth], out: &mut Plane) {
        if !self.load(common) {
            return;
        }
        for other in others {
            if let Truth::Term(other) = other
                && self.load(*other)
            {
                super::block::or_and(out, self.loaded(common), self.loaded(*other));
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
                        && are_terms(terms)
                    {
                        self.or_all_terms(terms, out);
                        continue;
                    }
                    if !self.first_holds(part) {
                        continue;
                    }
                    if let Truth::And(inner) = part
                        && let [Truth::Term(common), Truth::Or(terms)] = &inner[..]
                        && are_terms(terms)
                    {
                        self.or_common_term(*common, terms, out);
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
            Truth::After(ids, inner) => self.later(*ids, |sweep| sweep.truth_into(inner, out)),
            Truth::Tree(tree) => self.tree_into(tree.id, out),
        }
    }

    /// Where a tree has been found.
    fn tree_into(&self, id: usize, out: &mut Plane) {
        *out = ZERO;
        let Some(found) = self.found.and_then(|found| found.tree(id)) else {
            return;
        };
        let offset = i64::from(self.offset());
        match &self.selection {
            None => *out = found.plane_at(i64::from(self.block) * (WORDS * 64) as i64 + offset),
            Some(selection) => {
                for (number, &position) in selection.block(self.block).iter().enumerate() {
                    let there = u32::try_from(i64::from(position) + offset).is_ok_and(|id| found.contains(id));
                    out[number / 64] |= u64::from(there) << (number % 64);
                }
            }
        }
    }

    fn and_truth(&mut self, truth: &Truth, out: &mut Plane) {
        match truth {
            Truth::Term(term) => match self.leaf(*term) {
                Some(leaf) => and(out, leaf),
                None => *out = ZERO,
            },
            Truth::Not(inner) => match &**inner {
                Truth::Or(terms) if are_terms(terms) => {
                    terms.iter().for_each(|term| self.and_not_truth(term, out));
                }
                other => self.and_not_truth(other, out),
            },
            other => {
                let mut plane = ZERO;
                self.truth_into(other, &mut plane);
                and(out, &plane);
            }
        }
    }

    fn and_not_truth(&mut self, truth: &Truth, out: &mut Plane) {
        if let Truth::Term(term) = truth {
            if let Some(leaf) = self.leaf(*term) {
                and_not(out, leaf);
            }
        } else {
            let mut plane = ZERO;
            self.truth_into(truth, &mut plane);
            and_not(out, &plane);
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
        let ply = ply.saturating_add_signed(self.offset().saturating_neg());
        let block = self.positions_of_block();
        let first = self
            .starts
            .partition_point(|&game| game <= block.start)
            .saturating_sub(1);
        for game in self.starts[first..].windows(2).take_while(|game| game[0] < block.end) {
            // The beginnings of games are as long as each other, and shorter than most of the rest.
            let end = game[0].saturating_add(ply).min(game[1]).min(block.end);
            self.fill_positions(out, game[0].max(block.start)..end);
        }
        not(out);
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
        bits::set_range(plane, number(range.start) - first..number(range.end) - first);
    }

    // --- scratch

    /// Memory for what is computed.
    pub(super) fn scratch(&mut self) -> &mut Scratch {
        &mut self.scratch
    }

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
        let here = Some((self.block, self.offset()));
        if self.occupied_in != here {
            self.occupied_in = here;
            self.occupied.clear();
            self.occupied_known = shakmaty::Bitboard::EMPTY;
        }
        if self.occupied_known.contains(square) {
            return;
        }
        self.occupied_known.add(square);
        let mut plane = ZERO;
        for man in chess::Man::all() {
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

/// Whether all of these are lists and nothing else.
fn are_terms(parts: &[Truth]) -> bool {
    parts.iter().all(|part| matches!(part, Truth::Term(_)))
}
