//! One segment with all that the search of it needs.

#![expect(
    clippy::cast_possible_truncation,
    reason = "positions, games and tasks of a segment have 32-bit numbers"
)]

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use planner::{Evaluation, GameRanges, GameSpans, LoadedPostings, RemainingPositions, Scratch, Truth, stages_of};
use postings::Term;
use storage::{Segment, SegmentMeta};

use super::games::{game_number, game_ranges};
use super::headers::Headers;
use super::lists::Lists;
use super::stage::Stage;
use super::task_result::StageResult;
use super::worker::{Worker, Workers};
use super::{Search, SearchError, Summary};

/// One segment with all that the search of it needs.
#[derive(Debug)]
pub(super) struct SegmentSearch<'s, 'q> {
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
    spans: GameSpans,
    pub(super) headers: Option<Headers>,
    /// The positions of the games that the header's filters let through, for each of them.
    wanted: Vec<GameRanges>,
    mainline_positions: u32,
    /// Games that the header's `gamenumber` allows, local to the segment.
    allowed: Range<u32>,
}

/// How many positions one task takes: the posting lists of its ends are looked at twice.
const TASK: u32 = 8 * postings::CHUNK_SIZE;

/// How many tasks a segment is searched in.
pub(super) fn tasks(meta: &SegmentMeta) -> usize {
    // One without games is looked at, too.
    meta.positions.div_ceil(TASK).max(1) as usize
}

/// Whether variations are searched, and a segment has some.
pub(super) fn branches(search: &Search<'_>, segment: &Segment) -> Result<bool, storage::Error> {
    Ok(search.variations && segment.term_stats(Term::Mainline)?.cardinality < segment.meta().positions)
}

impl<'s, 'q> SegmentSearch<'s, 'q> {
    /// Reads what the plan needs of a segment, without posting lists.
    pub(super) fn open(
        search: &'s Search<'q>,
        segment: Segment,
        workers: &Workers<'s, 'q>,
    ) -> Result<SegmentSearch<'s, 'q>, SearchError> {
        let branching = branches(search, &segment)?;
        SegmentSearch::open_as(search, segment, workers, branching)
    }

    /// The same, whether it has variations or not.
    pub(super) fn open_as(
        search: &'s Search<'q>,
        segment: Segment,
        workers: &Workers<'s, 'q>,
        branching: bool,
    ) -> Result<SegmentSearch<'s, 'q>, SearchError> {
        let plan = search.plan_for(branching);
        let starts = segment.starts()?;
        let ranges = |filter| workers.with(|worker| game_ranges(search, &segment, &starts, filter, worker));
        let games = plan.games.iter().map(|filter| ranges(filter));
        let games = games.collect::<Result<Vec<_>, _>>()?;
        let wanted = search.query.header.games.iter().map(ranges);
        let wanted = wanted.collect::<Result<Vec<_>, _>>()?;
        let meta = *segment.meta();
        let mainline = segment.term_stats(Term::Mainline)?.cardinality;
        let statistics = Lists {
            segment: &segment,
            games: &games,
        };
        let mut parts = vec![plan.candidates.truth.clone()];
        if !search.variations && mainline < meta.positions {
            parts.push(Truth::Term(Term::Mainline));
        }
        let truth = Truth::all(parts)
            .fold_constants(&Lists::of(&segment), meta.positions)?
            .ordered(&statistics, meta.positions)?;
        let mut expected = f64::from(meta.positions - meta.removed.positions);
        let stages = stages_of(&truth)
            .into_iter()
            .map(|stage| {
                let stage = stage.ordered(&statistics, meta.positions)?;
                expected *= stage.estimate(&statistics, meta.positions)?.share;
                Ok(Stage::new(stage.factored(), expected))
            })
            .collect::<Result<Vec<_>, storage::Error>>()?;
        let headers = match search.needs.header {
            true => Some(Headers::read(&segment, search.reads)?),
            false => None,
        };
        Ok(SegmentSearch {
            spans: GameSpans::read(&Lists::of(&segment), Arc::clone(&starts), branching, plan.has_temporals)?,
            search,
            truth,
            stages,
            exact: plan.candidates.exact,
            games,
            starts,
            headers,
            wanted,
            mainline_positions: mainline,
            allowed: allowed_games(search, &meta),
            segment,
        })
    }

    pub(super) fn statistics(&self) -> Lists<'_> {
        Lists {
            segment: &self.segment,
            games: &self.games,
        }
    }

    /// Where the query may match.
    pub(super) fn truth(&self) -> &Truth {
        &self.truth
    }

    fn evaluation<'a>(&'a self, postings: &'a LoadedPostings) -> Evaluation<'a> {
        Evaluation {
            postings,
            headers: &self.games,
            spans: &self.spans,
        }
    }

    /// How many positions an expression lets through, asked alone.
    pub(super) fn count(&self, truth: &Truth, postings: &LoadedPostings) -> u64 {
        let games = 0..self.meta().games;
        let evaluation = self.evaluation(postings);
        let mut positions = evaluation.first(truth, games.clone(), Vec::new(), &mut Scratch::default());
        self.leave_removed_out(&games, &mut positions);
        positions.count()
    }

    /// Adds what is known of the posting lists when all tasks are through.
    pub(super) fn note_lists(&self, summary: &mut Summary) {
        let (mut terms, mut all) = (BTreeSet::new(), 0);
        for (stage, known) in self.stages.iter().zip(summary.stages_mut(self.stages.len())) {
            known.expected += stage.expected;
            let Some(postings) = stage.loaded() else { continue };
            for term in postings.terms() {
                let bytes = self.segment.term_stats(*term).map_or(0, |stats| u64::from(stats.bytes));
                known.bytes_read += bytes;
                // Several stages may look at a list.
                if terms.insert(term.code()) {
                    all += bytes;
                }
            }
        }
        summary.bytes_read += all;
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
        results: &mut Vec<StageResult>,
    ) -> Result<RemainingPositions, SearchError> {
        let (first, rest) = self.stages.split_first().ok_or(SearchError::Stopped)?;
        let mut started = Instant::now();
        let mut note = |positions: &RemainingPositions| {
            let left = positions.count();
            results.push(StageResult {
                left,
                sweeping: started.elapsed(),
            });
            started = Instant::now();
            left > 0
        };
        let postings = first.postings(&self.segment)?;
        let mut positions = self
            .evaluation(postings)
            .first(&first.truth, games.clone(), memory, scratch);
        self.leave_removed_out(games, &mut positions);
        let mut goes_on = note(&positions);
        for stage in rest {
            if !goes_on {
                break;
            }
            let postings = stage.postings(&self.segment)?;
            self.evaluation(postings)
                .narrow(&stage.truth, games.clone(), &mut positions, scratch);
            goes_on = note(&positions);
        }
        Ok(positions)
    }

    fn leave_removed_out(&self, games: &Range<u32>, positions: &mut RemainingPositions) {
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
            let trees = self.segment.trees(block)?;
            worker.boards_read += trees.stored_bytes() as u64;
            worker.block = Some((id, block, trees));
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
    let local = |number: i64| {
        let number = u64::try_from(number).unwrap_or(0).saturating_sub(meta.first_game);
        u32::try_from(number).unwrap_or(u32::MAX).min(meta.games)
    };
    let (start, end) = (local(i64::from(range.min) - 1), local(i64::from(range.max)));
    start..end.max(start)
}
