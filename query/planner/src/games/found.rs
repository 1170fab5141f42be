//! Where the [`Tree`]s of a plan hold in some games.

use std::ops::Range;

use postings::{BLOCK_SIZE, ChunkKind, Selection, Term};

use super::super::block::{ZERO, is_zero};
use super::super::bound::in_stages;
use super::super::expr::{NumberExpr, SetExpr, Truth};
use super::super::leaves::Leaves;
use super::super::sweep::{CHUNK_WORDS, GameRanges, Scratch, Sweep};
use super::bits::Bits;
use super::lines::{Frame, GameLines};
use super::narrowed::Narrowed;
use super::tree::{Step, Tree};

/// Where the first part of a conjunction leaves less than one position in so many, the rest is asked about those side
/// by side: reading a list costs a few times as much then, and everything else as much less as there are fewer positions.
const SELECTIVE: u32 = 64;

/// The same for what costs so much beside the reading.
const SELECTIVE_HEAVY: u32 = 3;

/// How many plane operations that is.
const HEAVY: f64 = 8_000.0;

/// What it costs to make a [`Selection`] of a chunk, in plane operations for a block.
const SELECTING: f64 = 250.0;

/// What expressions over a segment are evaluated with.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation<'a> {
    /// The posting lists.
    pub leaves: &'a Leaves,
    /// The positions that the filters on headers let through.
    pub headers: &'a [GameRanges],
    /// Where the games are.
    pub lines: &'a GameLines,
}

/// The positions of some games where the trees of an expression hold.
#[derive(Debug, Default)]
pub struct Found {
    trees: Vec<Option<Bits>>,
}

impl Evaluation<'_> {
    /// The positions of some games where a condition holds. The memory is all zeros.
    pub fn first(&self, truth: &Truth, games: Range<u32>, memory: Vec<u64>, scratch: &mut Scratch) -> Narrowed {
        let range = self.lines.range(&games);
        let mut positions = Narrowed::none(&range, memory);
        let mut trees = Vec::new();
        collect(truth, &mut trees);
        if !trees.is_empty() || *truth == Truth::Always {
            positions.add_range(range);
            self.narrow(truth, games, &mut positions, scratch);
            return positions;
        }
        let spare = std::mem::take(scratch);
        let mut sweep = Sweep::new(self.leaves, truth, self.headers, self.lines.starts(), spare);
        let emptiest = self.emptiest(truth);
        let base = positions.base();
        let of_chunk = |chunk: u32| {
            let start = chunk * postings::CHUNK_SIZE;
            start.max(range.start)..start.saturating_add(postings::CHUNK_SIZE).min(range.end)
        };
        for chunk in range.start / postings::CHUNK_SIZE..range.end.div_ceil(postings::CHUNK_SIZE) {
            let here = of_chunk(chunk);
            match sweep.kind_of(chunk) {
                ChunkKind::Empty => {}
                ChunkKind::Full => positions.add_range(here),
                ChunkKind::Some => {
                    for block in here.start / BLOCK_SIZE..here.end.div_ceil(BLOCK_SIZE) {
                        if !sweep.may_hold(emptiest, block) {
                            continue;
                        }
                        let start = block * BLOCK_SIZE;
                        let mut plane = ZERO;
                        let inside = here.start.max(start) - start..here.end.min(start + BLOCK_SIZE) - start;
                        bits::set_range(&mut plane, inside);
                        sweep.narrow(block, &mut plane);
                        if !is_zero(&plane) {
                            positions.put_block(((start - base) / BLOCK_SIZE) as usize, &plane);
                        }
                    }
                }
            }
        }
        *scratch = sweep.into_scratch();
        positions
    }

    /// The list without which a condition holds nowhere; the one with the fewest positions if there are several.
    fn emptiest(&self, truth: &Truth) -> Option<Term> {
        let parts = match truth {
            Truth::And(parts) => parts.as_slice(),
            one => std::slice::from_ref(one),
        };
        let terms = parts.iter().filter_map(|part| match part {
            Truth::Term(term) => Some(*term),
            _ => None,
        });
        terms.min_by_key(|term| self.leaves.list(*term).map_or(0, postings::Postings::total))
    }

    /// Keeps those positions where a condition holds.
    pub fn narrow(&self, truth: &Truth, games: Range<u32>, positions: &mut Narrowed, scratch: &mut Scratch) {
        let found = self.find(truth, games, positions.bits(), scratch);
        self.narrow_found(truth, &found, positions, scratch);
    }

    /// Keeps those positions where an expression holds whose trees are known.
    fn narrow_found(&self, truth: &Truth, found: &Found, positions: &mut Narrowed, scratch: &mut Scratch) {
        if *truth == Truth::Always {
            return;
        }
        let count = positions.count();
        if count == 0 {
            return;
        }
        let memory = std::mem::take(scratch);
        let mut sweep = Sweep::new(self.leaves, truth, self.headers, self.lines.starts(), memory).with(found);
        let base = positions.base();
        // What is looked at before the first position of all is not there.
        let is_inside = truth.reach() == 0 || base > 0;
        let (live, selected) = (positions.live_blocks(), count.div_ceil(u64::from(BLOCK_SIZE)) as u32);
        let chunks = positions.words().len() / CHUNK_WORDS;
        let cost = truth.cost();
        let selective = if cost > HEAVY { SELECTIVE_HEAVY } else { SELECTIVE };
        let is_worth_it = || f64::from(live - selected) * cost > SELECTING * chunks as f64;
        if is_inside && selected.saturating_mul(selective) < live && is_worth_it() {
            positions.replace_words(|words| sweep.selected(Selection::new(base, words)));
        } else {
            let mut kind = (u32::MAX, ChunkKind::Some);
            for index in positions.live() {
                let block = base / BLOCK_SIZE + index as u32;
                let chunk = block * BLOCK_SIZE / postings::CHUNK_SIZE;
                if kind.0 != chunk {
                    kind = (chunk, sweep.kind_of(chunk));
                }
                let plane = positions.block_mut(index);
                match kind.1 {
                    ChunkKind::Full => continue,
                    ChunkKind::Empty => plane.fill(0),
                    ChunkKind::Some => sweep.narrow(block, plane),
                }
                if is_zero(plane) {
                    positions.kill(index);
                }
            }
        }
        *scratch = sweep.into_scratch();
    }

    /// Evaluates the trees of an expression for the games that have one of these positions; of the others they may say
    /// anything.
    fn find(&self, truth: &Truth, games: Range<u32>, demand: &Bits, scratch: &mut Scratch) -> Found {
        let mut trees = Vec::new();
        collect(truth, &mut trees);
        let mut found = Found::default();
        if trees.is_empty() || demand.is_empty() {
            return found;
        }
        let frame = self.lines.frame(games);
        let demand = demand.whole_games(&frame);
        for tree in trees {
            if found.trees.len() <= tree.id {
                found.trees.resize_with(tree.id + 1, || None);
            }
            if found.trees[tree.id].is_some() {
                continue;
            }
            let mut parts = Vec::new();
            for part in tree.step.parts() {
                let mut positions = Narrowed::of(demand.clone());
                for stage in in_stages(part) {
                    self.narrow_found(&stage, &found, &mut positions, scratch);
                }
                parts.push(positions.into_bits());
            }
            found.trees[tree.id] = Some(tree.step.pass(&parts, &frame));
        }
        found
    }
}

impl Found {
    /// Where a tree holds; nowhere if it was not evaluated.
    pub(crate) fn tree(&self, id: usize) -> Option<&Bits> {
        self.trees.get(id).and_then(Option::as_ref)
    }
}

impl Step {
    /// Where it holds, given where its parts do.
    fn pass(&self, parts: &[Bits], frame: &Frame) -> Bits {
        let (first, second) = (&parts[0], parts.last().unwrap_or(&parts[0]));
        let mut out = match *self {
            Step::Next(_) => first.next(frame),
            Step::Previous(_) => first.previous(frame),
            Step::Game(_) => first.whole_games(frame),
            Step::Until { stride: 1, .. } => second.until(first, frame),
            Step::Until { stride, .. } => second.until_by(first, stride, frame),
            Step::Since { stride: 1, .. } => second.since(first, frame),
            Step::Since { stride, .. } => second.since_by(first, stride, frame),
            Step::Run(_, count) => first.run(count, frame),
            Step::Count {
                backward: false,
                min,
                max,
                ..
            } => first.count_ahead(min, max, frame),
            Step::Count { min, max, .. } => first.count_behind(min, max, frame),
        };
        for &index in &frame.branching {
            self.bound(first, second, &frame.games[index], &mut out);
        }
        out
    }

    /// An upper bound for a game with variations: a descendant is a later position, an ancestor an earlier one.
    fn bound(&self, first: &Bits, second: &Bits, game: &Range<u32>, out: &mut Bits) {
        out.set_range(game.clone(), false);
        let last = |found: &Bits| found.last_in(game.clone());
        let earliest = |found: &Bits| found.first_in(game.clone());
        let whole = match *self {
            Step::Next(_) => last(first).map(|last| game.start..last),
            Step::Previous(_) => earliest(first).map(|first| first + 1..game.end),
            Step::Game(_) => earliest(first).map(|_| game.clone()),
            Step::Until { .. } => last(second).map(|last| game.start..last + 1),
            Step::Since { .. } => earliest(second).map(|first| first..game.end),
            Step::Run(..) => last(first).map(|last| game.start..last + 1),
            // Of a subtree it is known that it has no more than the game has, and the last ones may be elsewhere.
            Step::Count { min, .. } => (first.count_in(game.clone()) >= min).then(|| game.clone()),
        };
        if let Some(range) = whole {
            out.set_range(range, true);
        }
    }
}

/// The trees of an expression, those inside another one before it.
fn collect<'t>(truth: &'t Truth, trees: &mut Vec<&'t Tree>) {
    match truth {
        Truth::Always | Truth::Never | Truth::Term(_) | Truth::Games(_) | Truth::PlyAtLeast(_) => {}
        Truth::Not(inner) | Truth::After(_, inner) => collect(inner, trees),
        Truth::And(parts) | Truth::Or(parts) => parts.iter().for_each(|part| collect(part, trees)),
        Truth::Any(set) | Truth::Single(set) => collect_set(set, trees),
        Truth::Compare(_, a, b) => {
            collect_number(a, trees);
            collect_number(b, trees);
        }
        Truth::Tree(tree) => {
            tree.step.parts().for_each(|part| collect(part, trees));
            trees.push(tree);
        }
    }
}

fn collect_set<'t>(set: &'t SetExpr, trees: &mut Vec<&'t Tree>) {
    match set {
        SetExpr::Constant(_) | SetExpr::Contents(..) | SetExpr::Pawns(..) => {}
        SetExpr::Union(parts) | SetExpr::Intersection(parts) => parts.iter().for_each(|part| collect_set(part, trees)),
        SetExpr::Complement(inner) | SetExpr::Steps { from: inner, .. } | SetExpr::After(_, inner) => {
            collect_set(inner, trees);
        }
        SetExpr::Rays { arguments, .. } => arguments.iter().for_each(|part| collect_set(part, trees)),
        SetExpr::Between { ends, .. } => ends.iter().for_each(|part| collect_set(part, trees)),
        SetExpr::Pins(arguments, _) => arguments.iter().for_each(|part| collect_set(part, trees)),
        SetExpr::Attacks(a, b) | SetExpr::AttackedBy(a, b) => {
            collect_set(a, trees);
            collect_set(b, trees);
        }
        SetExpr::Choose(condition, a, b) => {
            collect(condition, trees);
            collect_set(a, trees);
            collect_set(b, trees);
        }
        SetExpr::Squares(parts) => parts.iter().for_each(|(_, truth)| collect(truth, trees)),
    }
}

fn collect_number<'t>(number: &'t NumberExpr, trees: &mut Vec<&'t Tree>) {
    match number {
        NumberExpr::Constant(_) => {}
        NumberExpr::Count(set) | NumberExpr::Power(set) | NumberExpr::Coordinate(_, set) => collect_set(set, trees),
        NumberExpr::CountTrue(parts) => parts.iter().for_each(|part| collect(part, trees)),
        NumberExpr::Sum(a, b) | NumberExpr::Difference(a, b) => {
            collect_number(a, trees);
            collect_number(b, trees);
        }
        NumberExpr::Choose(condition, a, b) => {
            collect(condition, trees);
            collect_number(a, trees);
            collect_number(b, trees);
        }
        NumberExpr::After(_, inner) => collect_number(inner, trees),
    }
}
