//! Evaluates expressions over posting lists, a block of 4,096 positions at a time.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use storage::{Chunk, ChunkKind, Postings, Term};

use super::block::{ONES, Plane, SetBlock, WORDS, ZERO, and, and_not, is_zero, not, or};
use super::expr::{NumberExpr, SetExpr, Truth};

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

/// How many blocks a chunk has.
const BLOCKS: usize = storage::CHUNK_SIZE as usize / (WORDS * 64);

impl Unpacked {
    fn fill(&mut self, postings: &Postings, number: u32) {
        self.number = Some(number);
        self.blocks = 0;
        if postings.chunk_kind(number) == ChunkKind::Empty {
            return;
        }
        let chunk = self.chunk.get_or_insert_with(|| Box::new(Chunk::new()));
        chunk.clear();
        postings.or_into(number, chunk);
        for (index, words) in chunk.words().chunks_exact(WORDS).enumerate() {
            self.blocks |= u16::from(words.iter().fold(0, |all, word| all | word) != 0) << index;
        }
    }
}

/// The posting lists that an expression reads, by the code of their term.
#[derive(Debug)]
pub struct Leaves(Vec<Option<Arc<Postings>>>);

impl Leaves {
    /// Reads the posting lists that an expression needs.
    ///
    /// # Errors
    ///
    /// When a posting list can't be read.
    pub fn read<S>(source: &S, truth: &Truth) -> Result<Leaves, S::Error>
    where
        S: TermSource + Sync,
        S::Error: Send,
    {
        let mut used = vec![false; Term::CODES];
        truth.terms(&mut used);
        let lists = used.into_par_iter().enumerate().map(|(code, used)| {
            let term = Term::from_code(code as u16).filter(|_| used);
            term.map(|term| source.postings(term)).transpose()
        });
        Ok(Leaves(lists.collect::<Result<Vec<_>, _>>()?))
    }

    /// How many bytes the lists have.
    pub fn bytes(&self) -> u64 {
        self.0
            .iter()
            .flatten()
            .map(|postings| postings.as_bytes().len() as u64)
            .sum()
    }
}

/// The chunk of a posting list that was unpacked last.
#[derive(Debug, Default)]
struct Unpacked {
    chunk: Option<Box<Chunk>>,
    number: Option<u32>,
    /// The blocks of the chunk that have a position.
    blocks: u16,
}

/// The positions of the games that a filter on games lets through, as ascending ranges of ids.
pub type GameRanges = Vec<Range<u32>>;

/// An expression over one segment, ready to be evaluated chunk by chunk.
#[derive(Debug)]
pub struct Sweep<'a> {
    truth: &'a Truth,
    leaves: &'a Leaves,
    unpacked: Vec<Unpacked>,
    games: &'a [GameRanges],
    positions: u32,
    chunk: u32,
    pub(super) block: usize,
    /// The positions of the block that still matter: elsewhere a plane may have any bits.
    pub(super) demand: Plane,
    /// Spare sets of squares.
    pool: Vec<SetBlock>,
    /// The occupied squares as far as they are known, and the block that they belong to.
    occupied: SetBlock,
    occupied_known: shakmaty::Bitboard,
    occupied_in: Option<(u32, usize)>,
}

impl<'a> Sweep<'a> {
    /// A sweep over the posting lists of a segment with so many positions.
    pub fn new(leaves: &'a Leaves, truth: &'a Truth, games: &'a [GameRanges], positions: u32) -> Sweep<'a> {
        let unpacked = leaves.0.iter().map(|_| Unpacked::default()).collect();
        Sweep {
            truth,
            leaves,
            unpacked,
            games,
            positions,
            chunk: 0,
            block: 0,
            demand: ONES,
            pool: Vec::new(),
            occupied: SetBlock::new(),
            occupied_known: shakmaty::Bitboard::EMPTY,
            occupied_in: None,
        }
    }

    /// Evaluates the expression for one chunk; false when it holds nowhere in it, and then `into` is not touched.
    pub fn chunk(&mut self, chunk: u32, into: &mut Chunk) -> bool {
        self.chunk = chunk;
        let start = chunk * storage::CHUNK_SIZE;
        let count = (self.positions - start).min(storage::CHUNK_SIZE);
        match self.kind(self.truth) {
            ChunkKind::Empty => return false,
            ChunkKind::Full => {
                into.clear();
                into.insert_range(0..count);
                return true;
            }
            ChunkKind::Some => {}
        }
        let truth = self.truth;
        let mut found = false;
        for block in 0..BLOCKS {
            self.block = block;
            let out = &mut into.words_mut()[block * WORDS..][..WORDS];
            let out: &mut Plane = out.try_into().expect("a block has WORDS words");
            if (block * WORDS * 64) as u32 >= count {
                *out = ZERO;
                continue;
            }
            self.demand = ONES;
            self.truth_into(truth, out);
            found |= !is_zero(out);
        }
        if count < storage::CHUNK_SIZE {
            into.remove_range(count..storage::CHUNK_SIZE);
        }
        found
    }

    /// What is known of an expression in this chunk without unpacking anything.
    fn kind(&self, truth: &Truth) -> ChunkKind {
        match truth {
            Truth::Always => ChunkKind::Full,
            Truth::Never => ChunkKind::Empty,
            Truth::Term(term) => match &self.leaves.0[term.code() as usize] {
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
            Truth::Any(_) | Truth::Compare(..) | Truth::Single(_) => ChunkKind::Some,
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

    /// Unpacks the chunk of a term; false where it holds nowhere in the block.
    #[inline]
    pub(super) fn load(&mut self, term: Term) -> bool {
        let code = term.code() as usize;
        let Some(postings) = self.leaves.0[code].as_deref() else {
            return false;
        };
        let unpacked = &mut self.unpacked[code];
        if unpacked.number != Some(self.chunk) {
            unpacked.fill(postings, self.chunk);
        }
        unpacked.blocks >> self.block & 1 != 0
    }

    /// The plane of a term that [`Sweep::load`] has found in this block.
    #[inline]
    fn loaded(&self, term: Term) -> &Plane {
        let chunk = self.unpacked[term.code() as usize]
            .chunk
            .as_ref()
            .expect("the term was loaded");
        chunk.words()[self.block * WORDS..][..WORDS]
            .try_into()
            .expect("a block has WORDS words")
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
        let start = self.chunk * storage::CHUNK_SIZE + (self.block * WORDS * 64) as u32;
        let end = start.saturating_add((WORDS * 64) as u32);
        for range in self.ranges_within(index, start, end) {
            fill(out, range.start - start, range.end - start);
        }
    }

    // --- scratch

    /// An empty set of squares.
    pub(super) fn spare(&mut self) -> SetBlock {
        let mut block = self.pool.pop().unwrap_or_else(SetBlock::new);
        block.clear();
        block
    }

    /// Takes a set back for later.
    pub(super) fn give_back(&mut self, block: SetBlock) {
        self.pool.push(block);
    }

    /// Makes sure that it is known in which positions of the block a square is occupied.
    pub(super) fn find_occupied(&mut self, square: shakmaty::Square) {
        if self.occupied_in != Some((self.chunk, self.block)) {
            self.occupied_in = Some((self.chunk, self.block));
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

impl Truth {
    /// Marks the terms that the expression reads, by code.
    fn terms(&self, used: &mut [bool]) {
        match self {
            Truth::Always | Truth::Never | Truth::Games(_) => {}
            Truth::Term(term) => used[term.code() as usize] = true,
            Truth::Not(inner) => inner.terms(used),
            Truth::And(parts) | Truth::Or(parts) => parts.iter().for_each(|part| part.terms(used)),
            Truth::Any(set) | Truth::Single(set) => set.terms(used),
            Truth::Compare(_, a, b) => {
                a.terms(used);
                b.terms(used);
            }
        }
    }
}

/// Marks all placements.
fn all_men(used: &mut [bool]) {
    for man in storage::Man::all() {
        for square in shakmaty::Square::ALL {
            used[Term::Placement(man, square).code() as usize] = true;
        }
    }
}

impl SetExpr {
    fn terms(&self, used: &mut [bool]) {
        match self {
            SetExpr::Constant(_) => {}
            SetExpr::Contents(men, squares) => {
                for man in men.iter() {
                    for square in *squares {
                        if man == storage::Man::EMPTY {
                            for man in storage::Man::all() {
                                used[Term::Placement(man, square).code() as usize] = true;
                            }
                        } else {
                            used[Term::Placement(man, square).code() as usize] = true;
                        }
                    }
                }
            }
            SetExpr::Union(parts) | SetExpr::Intersection(parts) => parts.iter().for_each(|part| part.terms(used)),
            SetExpr::Complement(inner) | SetExpr::Steps { from: inner, .. } => inner.terms(used),
            SetExpr::Attacks(a, b) | SetExpr::AttackedBy(a, b) => {
                // Whatever stands between is in the way.
                all_men(used);
                a.terms(used);
                b.terms(used);
            }
            SetExpr::Choose(condition, a, b) => {
                condition.terms(used);
                a.terms(used);
                b.terms(used);
            }
            SetExpr::Squares(parts) => parts.iter().for_each(|(_, truth)| truth.terms(used)),
        }
    }
}

impl NumberExpr {
    fn terms(&self, used: &mut [bool]) {
        match self {
            NumberExpr::Constant(_) => {}
            NumberExpr::Count(set) | NumberExpr::Coordinate(_, set) => set.terms(used),
            NumberExpr::Power(set) => {
                all_men(used);
                set.terms(used);
            }
            NumberExpr::CountTrue(truths) => truths.iter().for_each(|truth| truth.terms(used)),
            NumberExpr::Sum(a, b) | NumberExpr::Difference(a, b) => {
                a.terms(used);
                b.terms(used);
            }
            NumberExpr::Choose(condition, a, b) => {
                condition.terms(used);
                a.terms(used);
                b.terms(used);
            }
        }
    }
}
