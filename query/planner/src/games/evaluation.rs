//! Where the conditions of a plan hold in some games, temporal expressions included.

use std::ops::Range;

use postings::{BLOCK_SIZE, ChunkKind, Term};

use super::found_moves::FoundMoves;
use super::repeated::Repeated;
use super::side_by_side::is_better_side_by_side;
use super::spans::{GameMarks, GameSpans};
use crate::boards::Boards;
use crate::expr::{Truth, outer_temporals};
use crate::lists::LoadedPostings;
use crate::optimize::is_cheap;
use crate::plane::{CHUNK_WORDS, ZERO, is_zero};
use crate::positions::{PositionSet, RemainingPositions, TemporalResults};
use crate::sweep::{GameRanges, Scratch, Sweep};

/// If the first part of a conjunction leaves less than one position in `SELECTIVE`, these positions are put side by
/// side and the rest is evaluated for them alone. Reading a list then costs a few times as much, and the cost of
/// everything else shrinks with the number of positions.
const SELECTIVE: u32 = 64;

/// The same for heavy expressions: those that cost at least [`HEAVY`] besides the reading.
const SELECTIVE_HEAVY: u32 = 3;

/// The cost from which an expression counts as heavy, in plane operations for a block.
pub(crate) const HEAVY: f64 = 8_000.0;

/// What it costs to make a [`postings::Selection`] of a chunk, in plane operations for a block.
const SELECTING: f64 = 250.0;

/// The data with which expressions over a segment are evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation<'a> {
    /// The posting lists.
    pub postings: &'a LoadedPostings,
    /// The positions of the games that match each filter on headers.
    pub headers: &'a [GameRanges],
    /// Where the games are.
    pub spans: &'a GameSpans,
    /// Where conditions on the next move hold.
    pub moves: &'a FoundMoves<'a>,
}

/// Some games, and where temporal expressions hold in them: the stages of a plan hand it on.
#[derive(Debug)]
pub struct GameResults {
    games: Range<u32>,
    marks: Option<GameMarks>,
    temporals: TemporalResults,
}

impl GameResults {
    /// Nothing is known yet.
    pub fn new(games: Range<u32>) -> GameResults {
        GameResults {
            games,
            marks: None,
            temporals: TemporalResults::default(),
        }
    }
}

/// Some games, and what is known of them.
struct Games<'a, 't> {
    marks: &'a GameMarks,
    temporals: &'a mut TemporalResults,
    repeated: Repeated<'t>,
}

impl Evaluation<'_> {
    /// The positions of some games where a condition holds.
    pub fn first(&self, truth: &Truth, results: &mut GameResults, scratch: &mut Scratch) -> RemainingPositions {
        let range = self.spans.range(&results.games);
        if !outer_temporals(truth).is_empty() || *truth == Truth::Always {
            let mut positions = RemainingPositions::none(&range);
            positions.add_range(range);
            self.narrow(truth, results, &mut positions, scratch);
            return positions;
        }
        self.find(truth, range, scratch)
    }

    /// The positions of a range where a condition without temporal expressions holds.
    pub(super) fn find(&self, truth: &Truth, range: Range<u32>, scratch: &mut Scratch) -> RemainingPositions {
        let mut positions = RemainingPositions::none(&range);
        let spare = std::mem::take(scratch);
        let mut sweep = self.sweep(truth, spare);
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
                            positions.change_block((start - base) / BLOCK_SIZE, |words| *words = plane);
                        }
                    }
                }
            }
        }
        *scratch = sweep.into_scratch();
        positions
    }

    /// A sweep that evaluates a condition.
    fn sweep<'s>(&'s self, truth: &'s Truth, memory: Scratch) -> Sweep<'s> {
        let starts = self.spans.starts();
        Sweep::new(self.postings, truth, self.headers, starts, self.moves, memory)
    }

    /// A list that holds wherever the condition holds; the one with the fewest positions if there are several.
    fn emptiest(&self, truth: &Truth) -> Option<Term> {
        let terms = truth.conjuncts().iter().filter_map(|part| match part {
            Truth::Term(term) => Some(*term),
            _ => None,
        });
        terms.min_by_key(|term| self.postings.list(*term).map_or(0, postings::Postings::cardinality))
    }

    /// Keeps those positions where a condition without temporal expressions holds. Where men stand is read from their
    /// boards; the lists of men on squares need not be there.
    pub fn narrow_by_boards(
        &self,
        truth: &Truth,
        boards: &dyn Boards,
        positions: &mut RemainingPositions,
        scratch: &mut Scratch,
    ) {
        debug_assert!(
            outer_temporals(truth).is_empty(),
            "a temporal expression asks other positions"
        );
        let memory = std::mem::take(scratch);
        let sweep = self.sweep(truth, memory);
        let mut sweep = sweep.with_boards(Some(boards));
        positions.keep_selected(|selection| sweep.selected(selection));
        *scratch = sweep.into_scratch();
    }

    /// All positions of the games that have one of these.
    pub fn games_of(&self, positions: &RemainingPositions, results: &mut GameResults) -> RemainingPositions {
        let games = results.games.clone();
        let marks = results.marks.get_or_insert_with(|| self.spans.marks(games));
        RemainingPositions::of(positions.positions().whole_games(marks))
    }

    /// Keeps those positions where a condition holds.
    pub fn narrow(
        &self,
        truth: &Truth,
        results: &mut GameResults,
        positions: &mut RemainingPositions,
        scratch: &mut Scratch,
    ) {
        if outer_temporals(truth).is_empty() {
            return self.narrow_given(truth, &TemporalResults::default(), positions, scratch);
        }
        let GameResults {
            games,
            marks,
            temporals,
        } = results;
        let marks = marks.get_or_insert_with(|| self.spans.marks(games.clone()));
        let repeated = match Repeated::of(truth) {
            repeated if repeated.is_empty() => repeated,
            repeated => repeated.within(positions.positions().whole_games(marks)),
        };
        let mut games = Games {
            marks,
            temporals,
            repeated,
        };
        self.narrow_in_turn(truth, &mut games, positions, scratch);
    }

    /// The same: what does not look at other positions comes first. Then temporal expressions are evaluated one after the
    /// other, each for the games that are left; where a condition can hold in several ways, each way has its own games.
    fn narrow_in_turn(
        &self,
        truth: &Truth,
        games: &mut Games<'_, '_>,
        positions: &mut RemainingPositions,
        scratch: &mut Scratch,
    ) {
        let (local, mut temporal) = split(truth);
        let (repeated, local): (Vec<&Truth>, Vec<&Truth>) =
            local.into_iter().partition(|part| games.repeated.has(part));
        let (cheap, costly): (Vec<&Truth>, Vec<&Truth>) = local.into_iter().partition(|part| is_cheap(part));
        let all = |parts: Vec<&Truth>| Truth::all(parts.into_iter().cloned().collect::<Vec<_>>());
        self.narrow_given(&all(cheap), games.temporals, positions, scratch);
        for part in repeated {
            let found = games.repeated.positions(part, positions.count(), |all| {
                let mut all = RemainingPositions::of(all);
                self.narrow_given(part, &TemporalResults::default(), &mut all, scratch);
                all.into_positions()
            });
            match found {
                Some(found) => positions.keep_all(found),
                None => self.narrow_given(part, games.temporals, positions, scratch),
            }
        }
        self.narrow_given(&all(costly), games.temporals, positions, scratch);
        temporal.sort_by(|a, b| a.cost().total_cmp(&b.cost()));
        for part in temporal {
            match ways_of(part) {
                Some(ways) => self.narrow_by_ways(&ways, games, positions, scratch),
                None => {
                    self.find_temporals(part, games, positions.positions(), scratch);
                    self.narrow_given(part, games.temporals, positions, scratch);
                }
            }
        }
    }

    /// Keeps those positions where one of several conditions holds, each evaluated for what the others before have not found.
    fn narrow_by_ways(
        &self,
        ways: &[Truth],
        games: &mut Games<'_, '_>,
        positions: &mut RemainingPositions,
        scratch: &mut Scratch,
    ) {
        let mut open = positions.positions().clone();
        for way in ways {
            let mut here = RemainingPositions::of(open.clone());
            self.narrow_in_turn(way, games, &mut here, scratch);
            open.remove_all(here.positions());
        }
        positions.remove_all(&open);
    }

    /// Keeps those positions where an expression holds, given where the temporal expressions inside it do.
    fn narrow_given(
        &self,
        truth: &Truth,
        results: &TemporalResults,
        positions: &mut RemainingPositions,
        scratch: &mut Scratch,
    ) {
        if *truth == Truth::Always {
            return;
        }
        let cost = truth.cost();
        let selective = if cost > HEAVY { SELECTIVE_HEAVY } else { SELECTIVE };
        let live = positions.live_blocks();
        // From as many positions on, they are not put side by side.
        let many = u64::from(live.div_ceil(selective)) * u64::from(BLOCK_SIZE);
        let count = positions.count_up_to(many);
        if count == 0 {
            return;
        }
        let memory = std::mem::take(scratch);
        let mut sweep = self.sweep(truth, memory).with(results);
        let base = positions.base();
        let is_inside = positions.have_before(truth.reach().unsigned_abs());
        let selected = blocks_for(count);
        let chunks = positions.words().len() / CHUNK_WORDS;
        let is_worth_it = || f64::from(live - selected) * cost > SELECTING * chunks as f64;
        let is_better = || cost <= HEAVY || is_better_side_by_side(truth, selected, live);
        if is_inside && selected.saturating_mul(selective) < live && is_worth_it() && is_better() {
            positions.keep_selected(|selection| sweep.selected(selection));
        } else {
            let mut kind = (u32::MAX, ChunkKind::Some);
            for index in positions.live() {
                let block = base / BLOCK_SIZE + index;
                let chunk = block * BLOCK_SIZE / postings::CHUNK_SIZE;
                if kind.0 != chunk {
                    kind = (chunk, sweep.kind_of(chunk));
                }
                match kind.1 {
                    ChunkKind::Full => {}
                    ChunkKind::Empty => positions.change_block(index, |plane| plane.fill(0)),
                    ChunkKind::Some => positions.change_block(index, |plane| sweep.narrow(block, plane)),
                }
            }
        }
        *scratch = sweep.into_scratch();
    }

    /// Evaluates the temporal expressions of a condition for the games that have one of these positions. Those inside
    /// another one are evaluated for the games that the cheaper parts of that one leave. Where the condition is whether there is
    /// a position that is alike, it is evaluated for these positions alone.
    fn find_temporals(&self, truth: &Truth, games: &mut Games<'_, '_>, demand: &PositionSet, scratch: &mut Scratch) {
        let temporals = outer_temporals(truth);
        if temporals.is_empty() || demand.is_empty() {
            return;
        }
        let is_of_these = matches!(truth, Truth::Temporal(temporal) if temporal.op.is_asked_of_each());
        let demand = match is_of_these {
            true => demand.clone(),
            false => demand.whole_games(games.marks),
        };
        for temporal in temporals {
            let missing = games.temporals.missing(temporal.id, &demand);
            if missing.is_empty() {
                continue;
            }
            // What was asked of single positions before is not missing; the parts are asked of the whole game all the same.
            let whole = match temporal.op.is_asked_of_each() {
                true => missing.whole_games(games.marks),
                false => missing.clone(),
            };
            let whole = self.with_enough_moves(&temporal.op, whole, games.marks, scratch);
            let mut parts = Vec::new();
            for part in temporal.op.parts() {
                let mut positions = RemainingPositions::of(whole.clone());
                self.narrow_in_turn(part, games, &mut positions, scratch);
                parts.push(positions.into_positions());
            }
            let found = temporal.op.pass(&parts, &missing, games.marks, self.moves);
            games.temporals.insert(temporal.id, &missing, found);
        }
    }
}

/// The conditions that all have to hold: those that look at no other position, and those with temporal expressions.
fn split(truth: &Truth) -> (Vec<&Truth>, Vec<&Truth>) {
    let is_local = |part: &&Truth| outer_temporals(part).is_empty();
    truth.conjuncts().iter().partition(is_local)
}

/// The ways in which a condition can hold, if several of them have temporal expressions that wait for other conditions.
/// Those without are one way, and the first.
fn ways_of(truth: &Truth) -> Option<Vec<Truth>> {
    let Truth::Or(parts) = truth else { return None };
    let waits = |part: &&Truth| {
        let (local, temporal) = split(part);
        !local.is_empty() && !temporal.is_empty()
    };
    let (apart, together): (Vec<&Truth>, Vec<&Truth>) = parts.iter().partition(waits);
    if apart.len() < 2 {
        return None;
    }
    let together = Truth::any(together.into_iter().cloned().collect::<Vec<_>>());
    let first = Some(together).filter(|way| *way != Truth::Never);
    Some(first.into_iter().chain(apart.into_iter().cloned()).collect())
}

/// How many blocks this number of positions fills.
fn blocks_for(positions: u64) -> u32 {
    u32::try_from(positions.div_ceil(u64::from(BLOCK_SIZE))).unwrap_or(u32::MAX)
}
