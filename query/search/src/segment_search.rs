//! One segment with all that the search of it needs.

#![expect(
    clippy::cast_possible_truncation,
    reason = "positions, games and tasks of a segment have 32-bit numbers"
)]

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use chess::GameText;
use evaluator::GameHeader;
use planner::Effects;
use postings::Term;
use storage::{Segment, SegmentMeta};

use super::games::game_number;
use super::headers::Headers;
use super::kept::{KeptAnswer, KeptAnswers};
use super::numbers::allowed_games;
use super::segment_plans::SegmentPlans;
use super::sets::QuerySets;
use super::worker::{LoadedGame, Workers};
use super::{Detail, Route, Search, SearchError, Summary};

/// One segment with all that the search of it needs.
#[derive(Debug)]
pub(super) struct SegmentSearch<'s, 'q> {
    pub(super) search: &'s Search<'q>,
    pub(super) segment: Segment,
    /// What an earlier search has found in the first games.
    pub(super) kept: Option<KeptAnswer>,
    /// How many games that are.
    pub(super) covered: usize,
    /// How many games and positions match, if nothing else is asked for, and it is known.
    pub(super) counted: Option<(u64, u64)>,
    /// How the other games are searched; `None` if there are none.
    pub(super) plans: Option<SegmentPlans>,
    /// How long it took to make the plans.
    pub(super) opening: Duration,
    /// All that was known before the search.
    pub(super) answers: &'s KeptAnswers,
    /// Whether the matching positions are noted, so that later searches need not look for them.
    pub(super) is_recorded: bool,
    /// The first position of every game, and the number of positions; empty if the counts are known.
    pub(super) starts: Arc<[u32]>,
    /// A bit for each position where a game begins.
    pub(super) beginnings: Arc<[u64]>,
    pub(super) headers: Option<Headers>,
    mainline_positions: u32,
    /// Games that the header's `gamenumber` allows, local to the segment.
    allowed: Range<u32>,
}

/// How many positions one task takes: the posting lists of its ends are looked at twice.
pub(super) const TASK: u32 = 8 * postings::CHUNK_SIZE;

/// How many tasks a segment is searched in, given what is known of it.
pub(super) fn tasks(meta: &SegmentMeta, search: &Search<'_>, answers: &KeptAnswers) -> usize {
    if counts(meta, search, answers).is_some() {
        return 1;
    }
    // One without games is looked at, too.
    meta.positions.div_ceil(TASK).max(1) as usize
}

/// How many games and positions match, if a kept answer tells, and nothing else is asked for.
fn counts(meta: &SegmentMeta, search: &Search<'_>, answers: &KeptAnswers) -> Option<(u64, u64)> {
    let only_counts = search.options.detail == Detail::Count;
    answers.counts(meta).filter(|_| only_counts)
}

/// Whether the candidates of exact plans are not looked at: nothing but their number is asked for.
pub(super) fn only_counts(search: &Search<'_>) -> bool {
    search.options.route == Route::Plan
        && search.options.detail == Detail::Count
        && search.effects == Effects::Position
        && search.query.header.match_count.is_none()
}

impl<'s, 'q> SegmentSearch<'s, 'q> {
    /// Reads what the search needs of a segment, without posting lists.
    pub(super) fn open(
        search: &'s Search<'q>,
        segment: Segment,
        workers: &Workers<'s, 'q>,
        (answers, sets): (&'s KeptAnswers, &QuerySets),
    ) -> Result<SegmentSearch<'s, 'q>, SearchError> {
        let started = Instant::now();
        let meta = *segment.meta();
        let counted = counts(&meta, search, answers);
        let kept = match counted {
            Some(_) => None,
            None => answers.of(&meta),
        };
        let plans = match counted.is_some() || kept.as_ref().is_some_and(|kept| kept.covers(&meta)) {
            true => None,
            false => Some(SegmentPlans::open(search, &segment, workers, sets)?),
        };
        // Games with a kept answer are as wanted as they are there; only what the query says of them has to be found.
        let evaluates = plans.is_some() || search.options.detail == Detail::Results;
        let headers = match search.needs.header && evaluates {
            true => Some(Headers::read(&segment, search.reads)?),
            false => None,
        };
        let (starts, beginnings) = match counted {
            Some(_) => Default::default(),
            None => (segment.starts()?, segment.beginnings()?),
        };
        let opening = match plans {
            Some(_) => started.elapsed(),
            None => Duration::ZERO,
        };
        let records = |plans: &SegmentPlans| {
            let only_counts = plans.exact().everywhere() && only_counts(search);
            answers.records(search, &plans.main, only_counts)
        };
        Ok(SegmentSearch {
            search,
            is_recorded: plans.as_ref().is_some_and(records),
            covered: kept.as_ref().map_or(0, |kept| kept.games(&starts)),
            kept,
            answers,
            plans,
            opening,
            counted,
            starts,
            beginnings,
            headers,
            mainline_positions: segment.term_stats(Term::Mainline)?.cardinality,
            allowed: allowed_games(search.query.header.game_numbers, &meta),
            segment,
        })
    }

    pub(super) fn meta(&self) -> &SegmentMeta {
        self.segment.meta()
    }

    /// Adds what is known of the posting lists when all tasks are through.
    pub(super) fn note_lists(&self, summary: &mut Summary) {
        if let Some(plans) = &self.plans {
            plans.note_lists(summary);
        }
    }

    /// The games that count as searched: those that are not removed.
    pub(super) fn games_searched(&self) -> u32 {
        self.meta().games - self.meta().removed.games
    }

    /// Whether no game of the segment is searched, because an earlier search has found everything.
    pub(super) fn is_known(&self) -> bool {
        self.plans.is_none()
    }

    /// The games that an earlier search has searched, without removed ones.
    pub(super) fn games_known(&self) -> u32 {
        match self.is_known() {
            true => self.games_searched(),
            false => (0..self.covered as u32)
                .filter(|&game| !self.segment.is_removed(game))
                .count() as u32,
        }
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

    /// What the query needs of the header of a game.
    pub(super) fn header(&self, game: u32) -> GameHeader<'_> {
        let headers = self.headers.as_ref();
        headers.map_or_else(GameHeader::default, |headers| headers.of(game))
    }

    /// Rebuilds the positions of a game; `candidates` are the nodes that the index has of it, ascending.
    pub(super) fn load(&self, loaded: &mut LoadedGame, game: u32, candidates: &[u32]) -> Result<(), SearchError> {
        let (block, index) = self.segment.block_of(game)?;
        let bytes_read = &mut loaded.bytes_read;
        let trees = loaded.trees.get(self.meta().id, block, || {
            let trees = self.segment.shared_trees(block, loaded.is_selective)?;
            *bytes_read += trees.stored_bytes() as u64;
            Ok(trees)
        })?;
        let positions = self.starts[game as usize + 1] - self.starts[game as usize];
        trees.indexed_tree(index, positions, &mut loaded.tree)?;
        loaded.view.load(&loaded.tree, self.search.variations);
        // A forged index may take positions of variations for those of the main line.
        if candidates
            .last()
            .is_some_and(|&last| last as usize >= loaded.view.len())
        {
            return Err(self.segment.lacks_position(block).into());
        }
        loaded.view.number = game_number(&self.segment, game);
        Ok(())
    }

    /// Works out the clocks and evaluations that the query reads, of the game that was loaded.
    pub(super) fn load_quantities(&self, loaded: &mut LoadedGame, game: u32) -> Result<(), SearchError> {
        let wanted = self.search.needs.quantities;
        let (block, index) = self.segment.block_of(game)?;
        let annotations = loaded.annotations.get(self.meta().id, block, || {
            self.segment.annotations(block, wanted.kinds())
        })?;
        loaded.quantities.load(&loaded.tree, &annotations[index], wanted);
        Ok(())
    }

    /// The tags, comments and glyphs of a game.
    pub(super) fn text(&self, loaded: &mut LoadedGame, game: u32) -> Result<GameText, SearchError> {
        let (block, index) = self.segment.block_of(game)?;
        let texts = loaded
            .texts
            .get(self.meta().id, block, || self.segment.text_block(block))?;
        Ok(texts.text(index)?)
    }
}
