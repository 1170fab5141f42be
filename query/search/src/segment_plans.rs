//! The plans for a segment: where most games have no variations, the others have a plan of their own.
//!
//! Conditions on other positions of a game are exact along a main line and only bounds in a tree. One annotated game must not
//! make the answer for thousands of others a bound.

#![expect(
    clippy::cast_possible_truncation,
    reason = "positions and games of a segment have 32-bit numbers"
)]

use std::ops::Range;

use planner::{GameRanges, RemainingPositions};
use postings::Term;
use storage::Segment;

use super::segment_plan::{PlannedGames, SegmentPlan};
use super::sets::QuerySets;
use super::swept::SweepResult;
use super::worker::{Worker, Workers};
use super::{Search, SearchError, Summary};

/// Games with variations have a plan of their own where at least one position in this many is of another game.
const WORTH_A_PLAN: u64 = 4;

/// The plans for the games of a segment.
#[derive(Debug)]
pub(super) struct SegmentPlans {
    /// The plan for all games, or for those without variations.
    pub(super) main: SegmentPlan,
    /// The plan for the others.
    branching: Option<Branching>,
}

/// Some games with variations, and the plan for them.
#[derive(Debug)]
struct Branching {
    plan: SegmentPlan,
    /// A bit for each game of the segment.
    games: Vec<u64>,
}

/// Whether the positions that the plans have left are the matches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exact {
    main: bool,
    branching: bool,
}

impl Exact {
    /// Whether they are in all games.
    pub(super) fn everywhere(self) -> bool {
        self.main && self.branching
    }
}

impl SegmentPlans {
    /// Reads what the plans need of a segment, without posting lists.
    pub(super) fn open<'q>(
        search: &Search<'q>,
        segment: &Segment,
        workers: &Workers<'_, 'q>,
        sets: &QuerySets,
    ) -> Result<SegmentPlans, SearchError> {
        let open = |branching, only| {
            let games = PlannedGames { branching, only };
            SegmentPlan::open(search, segment.clone(), workers, sets, games)
        };
        let branches = search.variations && segment.has_variations()?;
        if branches && search.is_better_without_variations() {
            let games = branching_games(segment)?;
            if let Some((without, with)) = split(&games, &segment.starts()?) {
                return Ok(SegmentPlans {
                    main: open(false, Some(without))?,
                    branching: Some(Branching {
                        plan: open(true, Some(with))?,
                        games,
                    }),
                });
            }
        }
        Ok(SegmentPlans {
            main: open(branches, None)?,
            branching: None,
        })
    }

    /// Whether the query matches wherever the index says that it may.
    pub(super) fn exact(&self) -> Exact {
        Exact {
            main: self.main.exact,
            branching: self.branching.as_ref().is_none_or(|branching| branching.plan.exact),
        }
    }

    /// Whether the query matches in a game wherever the index says that it may.
    pub(super) fn is_exact(&self, exact: Exact, game: u32) -> bool {
        match &self.branching {
            Some(branching) if bits::contains(&branching.games, game) => exact.branching,
            _ => exact.main,
        }
    }

    /// How many games with variations have a plan of their own.
    pub(super) fn games_apart(&self) -> u32 {
        self.branching
            .as_ref()
            .map_or(0, |branching| bits::count(&branching.games))
    }

    /// The positions of some games that the index leaves, and whether the query matches in all of them.
    pub(super) fn sweep(
        &self,
        search: &Search<'_>,
        (games, times): (&Range<u32>, f64),
        worker: &mut Worker<'_>,
        results: &mut SweepResult,
    ) -> Result<(RemainingPositions, Exact), SearchError> {
        let (mut positions, main) = self.main.sweep(search, (games, times), worker, results)?;
        let mut exact = Exact { main, branching: true };
        if let Some(Branching { plan, games: those }) = &self.branching
            && bits::next(those, games.start).is_some_and(|game| game < games.end)
        {
            let mut apart = SweepResult::default();
            let (more, is_exact) = plan.sweep(search, (games, times), worker, &mut apart)?;
            // The stages are those of another plan.
            apart.stages.clear();
            results.add(&apart);
            exact.branching = is_exact || more.count() == 0;
            positions.add_all(&more);
        }
        Ok((positions, exact))
    }

    /// Adds what is known of the posting lists when all tasks are through.
    pub(super) fn note_lists(&self, summary: &mut Summary) {
        self.main.note_lists(summary);
        if let Some(branching) = &self.branching {
            summary.bytes_read += branching.plan.bytes_read();
        }
    }
}

/// The games of a segment that have variations, a bit for each.
fn branching_games(segment: &Segment) -> Result<Vec<u64>, SearchError> {
    let starts = segment.starts()?;
    let ends = segment.postings(Term::MainlineEnd)?;
    let mut games = vec![0; segment.meta().games.div_ceil(bits::BITS) as usize];
    // The main line comes first, and its end is the last position of a game without variations.
    for (game, bounds) in starts.windows(2).enumerate() {
        if !ends.contains(bounds[1] - 1) {
            bits::insert(&mut games, game as u32);
        }
    }
    Ok(games)
}

/// The positions of the games without variations, and those of the games with some; `None` if all are better off with one
/// plan.
fn split(branching: &[u64], starts: &[u32]) -> Option<(GameRanges, GameRanges)> {
    let (mut without, mut with): (GameRanges, GameRanges) = (Vec::new(), Vec::new());
    for (game, bounds) in starts.windows(2).enumerate() {
        let ranges = match bits::contains(branching, game as u32) {
            true => &mut with,
            false => &mut without,
        };
        match ranges.last_mut() {
            Some(last) if last.end == bounds[0] => last.end = bounds[1],
            _ => ranges.push(bounds[0]..bounds[1]),
        }
    }
    let positions =
        |ranges: &GameRanges| -> u64 { ranges.iter().map(|range| u64::from(range.end - range.start)).sum() };
    let (lines, trees) = (positions(&without), positions(&with));
    (lines * WORTH_A_PLAN >= lines + trees).then_some((without, with))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_with_variations_are_set_apart_where_they_are_not_nearly_all() {
        let starts = [0, 10, 20, 30, 40, 50];
        let branching = [0b10110];
        let (without, with) = split(&branching, &starts).expect("most positions are of games without variations");
        assert_eq!((without, with), (vec![0..10, 30..40], vec![10..30, 40..50]));
        assert_eq!(split(&[0b11111], &starts), None);
        assert_eq!(split(&[0b11110], &starts), None);
    }
}
