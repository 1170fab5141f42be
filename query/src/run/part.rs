//! One segment with all that the search of it needs.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use storage::{Segment, SegmentMeta, Term};

use super::games::{game_number, game_ranges};
use super::headers::Headers;
use super::worker::{Worker, Workers};
use super::{Search, SearchError};
use crate::plan::{Evaluation, GameLines, GameRanges, Leaves, Narrowed, Scratch, Truth, in_stages};

/// A condition with its posting lists, which are read when the first task gets that far.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) truth: Truth,
    leaves: OnceLock<Leaves>,
    /// Held while they are read.
    reading: Mutex<()>,
}

/// One segment with all that the search of it needs.
#[derive(Debug)]
pub(super) struct Part<'s, 'q> {
    pub(super) search: &'s Search<'q>,
    pub(super) segment: Segment,
    /// Where the query may match, main line and header filters included.
    truth: Truth,
    /// The same as a conjunction of stages, each asked where those before it hold.
    stages: Vec<Stage>,
    /// Whether the query matches wherever the index says that it may.
    pub(super) exact: bool,
    games: Vec<GameRanges>,
    pub(super) starts: Arc<[u32]>,
    lines: GameLines,
    pub(super) headers: Option<Headers>,
    /// The positions of the games that the header's filters let through, for each of them.
    wanted: Vec<GameRanges>,
    mainline_positions: u32,
    /// Games that the header's `gamenumber` allows, local to the segment.
    allowed: Range<u32>,
}

/// How many positions one task takes: the posting lists of its ends are looked at twice.
const TASK: u32 = 8 * storage::CHUNK_SIZE;

/// How many tasks a segment is searched in.
pub(super) fn tasks(meta: &SegmentMeta) -> usize {
    // One without games is looked at, too.
    meta.positions.div_ceil(TASK).max(1) as usize
}

impl Stage {
    fn new(truth: Truth) -> Stage {
        Stage {
            truth,
            leaves: OnceLock::new(),
            reading: Mutex::new(()),
        }
    }

    /// Its posting lists.
    fn leaves(&self, segment: &Segment) -> Result<&Leaves, storage::Error> {
        if let Some(leaves) = self.leaves.get() {
            return Ok(leaves);
        }
        let _reading = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
        match self.leaves.get() {
            Some(leaves) => Ok(leaves),
            None => {
                let leaves = Leaves::read(segment, std::slice::from_ref(&self.truth))?;
                Ok(self.leaves.get_or_init(|| leaves))
            }
        }
    }
}

impl<'s, 'q> Part<'s, 'q> {
    /// Reads what the plan needs of a segment, without posting lists.
    pub(super) fn open(
        search: &'s Search<'q>,
        segment: Segment,
        workers: &Workers<'s, 'q>,
    ) -> Result<Part<'s, 'q>, SearchError> {
        let starts = segment.starts()?;
        let ranges = |filter| workers.with(|worker| game_ranges(search, &segment, &starts, filter, worker));
        let games = search.plan.games.iter().map(|filter| ranges(filter));
        let games = games.collect::<Result<Vec<_>, _>>()?;
        let wanted = search.query.header.games.iter().map(ranges);
        let wanted = wanted.collect::<Result<Vec<_>, _>>()?;
        let meta = *segment.meta();
        let mainline = segment.term_stats(Term::Mainline)?.cardinality;
        let mut parts = vec![search.plan.candidates.truth.clone()];
        if !search.variations && mainline < meta.positions {
            parts.push(Truth::Term(Term::Mainline));
        }
        let truth = Truth::all(parts)
            .known(&segment, meta.positions)?
            .ordered(&segment, meta.positions)?;
        let stages = in_stages(&truth)
            .into_iter()
            .map(|stage| Ok(Stage::new(stage.ordered(&segment, meta.positions)?)))
            .collect::<Result<Vec<_>, storage::Error>>()?;
        let headers = match search.needs.header {
            true => Some(Headers::read(&segment, search.reads)?),
            false => None,
        };
        Ok(Part {
            lines: GameLines::read(
                &segment,
                Arc::clone(&starts),
                search.variations,
                search.plan.has_trees(),
            )?,
            search,
            truth,
            stages,
            exact: search.plan.candidates.exact,
            games,
            starts,
            headers,
            wanted,
            mainline_positions: mainline,
            allowed: allowed_games(search, &meta),
            segment,
        })
    }

    /// Where the query may match.
    pub(super) fn truth(&self) -> &Truth {
        &self.truth
    }

    /// The positions that the filters on games let through, and where the games are.
    pub(super) fn into_games(self) -> (Vec<GameRanges>, GameLines) {
        (self.games, self.lines)
    }

    pub(super) fn meta(&self) -> &SegmentMeta {
        self.segment.meta()
    }

    /// The games that count as searched: those that are not removed.
    pub(super) fn games_searched(&self) -> u32 {
        self.meta().games - self.meta().removed.games
    }

    /// The positions that count as searched: those of variations only if they are searched.
    pub(super) fn positions_searched(&self) -> u32 {
        if self.search.variations {
            self.meta().positions - self.meta().removed.positions
        } else {
            self.mainline_positions.saturating_sub(self.meta().removed.mainline)
        }
    }

    /// The games of a task: those that begin in a part of the segment, as far as they are allowed.
    pub(super) fn games(&self, task: u32) -> Range<u32> {
        let starts = &self.starts[..self.starts.len() - 1];
        let first_from = |position: u32| starts.partition_point(|&start| start < position) as u32;
        let (first, end) = (
            first_from(task.saturating_mul(TASK)),
            first_from((task + 1).saturating_mul(TASK)),
        );
        let first = first.max(self.allowed.start);
        first..end.min(self.allowed.end).max(first)
    }

    /// The positions of some games that the index leaves. The memory is all zeros.
    pub(super) fn sweep(
        &self,
        games: &Range<u32>,
        memory: Vec<u64>,
        scratch: &mut Scratch,
    ) -> Result<Narrowed, SearchError> {
        let evaluation = |leaves| Evaluation {
            leaves,
            headers: &self.games,
            lines: &self.lines,
        };
        let (first, rest) = self.stages.split_first().ok_or(SearchError::Stopped)?;
        let leaves = first.leaves(&self.segment)?;
        let mut positions = evaluation(leaves).first(&first.truth, games.clone(), memory, scratch);
        self.leave_removed_out(games, &mut positions);
        for stage in rest {
            if positions.is_empty() {
                break;
            }
            let leaves = stage.leaves(&self.segment)?;
            evaluation(leaves).narrow(&stage.truth, games.clone(), &mut positions, scratch);
        }
        Ok(positions)
    }

    fn leave_removed_out(&self, games: &Range<u32>, positions: &mut Narrowed) {
        if self.meta().removed.games == 0 {
            return;
        }
        for game in games.clone().filter(|&game| self.segment.is_removed(game)) {
            positions.remove_range(self.starts[game as usize]..self.starts[game as usize + 1]);
        }
    }

    /// Whether the filters of the query's header let a game through.
    pub(super) fn is_wanted(&self, game: u32) -> bool {
        let start = self.starts[game as usize];
        self.wanted.iter().all(|ranges| {
            let behind = ranges.partition_point(|range| range.end <= start);
            ranges.get(behind).is_some_and(|range| range.start <= start)
        })
    }

    /// Whether every game is as wanted as any other.
    pub(super) fn wants_all(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Rebuilds the positions of a game.
    pub(super) fn load(&self, worker: &mut Worker<'q>, game: u32) -> Result<(), SearchError> {
        let (block, index) = self.segment.block_of(game)?;
        let id = self.meta().id;
        let current = worker.block.as_ref().map(|(segment, number, _)| (*segment, *number));
        if current != Some((id, block)) {
            worker.block = Some((id, block, self.segment.trees(block)?));
        }
        let Some((_, _, block)) = &worker.block else {
            unreachable!("the block was just read")
        };
        block.tree(index, &mut worker.tree)?;
        worker.view.load(&worker.tree, self.search.variations);
        worker.view.number = game_number(&self.segment, game);
        Ok(())
    }
}

/// Which games of a segment the header's `gamenumber` allows.
fn allowed_games(search: &Search<'_>, meta: &SegmentMeta) -> Range<u32> {
    let Some(range) = search.query.header.game_numbers else {
        return 0..meta.games;
    };
    let local = |number: i64| (number - meta.first_game as i64).clamp(0, i64::from(meta.games)) as u32;
    let (start, end) = (local(i64::from(range.min) - 1), local(i64::from(range.max)));
    start..end.max(start)
}
