//! The search of some games of a segment: candidates from the index, then the evaluator.

#![expect(
    clippy::cast_possible_truncation,
    reason = "positions, games and tasks of a segment have 32-bit numbers"
)]

use std::ops::Range;
use std::time::Instant;

use evaluator::GameResult;
use planner::{Effects, game_at};

use super::candidates::Candidates;
use super::evaluation::{Asked, Source};
use super::evaluation_order::Place;
use super::games::{game_number, leave_removed_out};
use super::last_move::LastMove;
use super::measured::Work;
use super::record::Record;
use super::segment_search::{SegmentSearch, only_counts};
use super::swept::SweepResult;
use super::task_result::{Outlet, TaskResult};
use super::worker::Worker;
use super::{Detail, GameMatch, Match, Progress, Route, SearchError};

/// A task hands its games over after this many positions.
const BATCH: usize = 1 << 12;

/// After how many games a task says how far it is.
const REPORT: usize = 256;

/// Unpacked moves stay in memory where fewer than one game in this many is evaluated. Otherwise the next question would spend most
/// of its time on unpacking them again.
const SELECTIVE: u64 = 4;

/// To measure a stage that may take long, a task first searches at most one game out of this many.
const FIRST_PART: f64 = 64.0;

/// The stage is expected to take no longer than this in the games that are searched first, in nanoseconds.
const TRIAL: f64 = 100e6;

/// In fewer games, nothing can be measured.
const FEWEST: u32 = 256;

/// How many times as many games are searched next, if they were too few to measure.
const MORE: u32 = 4;

/// How far a task has said to be.
#[derive(Clone, Copy, Debug, Default)]
struct Reported {
    /// The first game that is not counted.
    game: usize,
    matching_games: u64,
    matching_positions: u64,
}

impl Reported {
    /// Counts everything before a game.
    fn report(&mut self, game: usize, found: &TaskResult, progress: &Progress) {
        progress.add(
            (game - self.game) as u64,
            found.matching_games - self.matching_games,
            found.matching_positions - self.matching_positions,
        );
        *self = Reported {
            game,
            matching_games: found.matching_games,
            matching_positions: found.matching_positions,
        };
    }
}

/// How many of some games are searched first, to measure how long a stage takes. It is expected to take `longest` nanoseconds for
/// all of them.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is a share of the games, and no negative number"
)]
fn first_part(games: u32, longest: f64) -> u32 {
    let share = (TRIAL / longest).min(1.0 / FIRST_PART);
    ((f64::from(games) * share) as u32).max(FEWEST)
}

impl<'q> SegmentSearch<'_, 'q> {
    /// Searches the games of a task, which evaluates `in_order` if that matters. Matches go to `outlet` in batches; the last batch is
    /// in the result.
    pub(super) fn run(
        &self,
        worker: &mut Worker<'q>,
        task: u32,
        in_order: Option<&Place<'_, 'q>>,
        outlet: &mut dyn Outlet,
    ) -> Result<TaskResult, SearchError> {
        if self.search.is_stopped() {
            return Err(SearchError::Stopped);
        }
        let mut found = TaskResult::default();
        if let Some((games, positions)) = self.counted {
            found.count(games, positions);
            let all = u64::from(self.meta().games);
            self.search.options.progress.add(all, games, positions);
            return Ok(found);
        }
        let is_recorded = self.is_recorded && !self.answers.is_too_large();
        found.record = is_recorded.then(Record::default);
        let games = self.games(task);
        let known = (self.covered as u32).clamp(games.start, games.end);
        if let Some(kept) = &self.kept {
            self.run_on(
                worker,
                (games.start..known, 1.0),
                Source::Kept(kept),
                in_order,
                &mut found,
                outlet,
            )?;
        }
        if let Some(plans) = &self.plans {
            let games = known..games.end;
            let mut start = games.start;
            let is_known = || in_order.is_some() || self.search.measured.evaluation().is_some();
            let longest = if is_known() { None } else { plans.main.longest(&games) };
            let mut few = longest.map(|longest| first_part(games.end - games.start, longest));
            let mut parts = 0;
            while start < games.end {
                let end = few.map_or(games.end, |few| start.saturating_add(few).min(games.end));
                let times = f64::from(games.end - games.start) / f64::from((end - start).max(1));
                let source = Source::Plan(plans, plans.exact());
                self.run_on(worker, (start..end, times), source, in_order, &mut found, outlet)?;
                if self.is_at_limit(&found) {
                    break;
                }
                start = end;
                parts += 1;
                // In one part the stage is measured, in another one the evaluator.
                few = match parts {
                    1 => few,
                    _ if is_known() => None,
                    _ => few.map(|few| few.saturating_mul(MORE)),
                };
            }
        }
        if let Some(record) = &found.record {
            self.answers.count(record);
        }
        Ok(found)
    }

    /// Searches some of the games of a task, which has `times` as many.
    fn run_on(
        &self,
        worker: &mut Worker<'q>,
        (games, times): (Range<u32>, f64),
        mut source: Source<'_>,
        in_order: Option<&Place<'_, 'q>>,
        found: &mut TaskResult,
        outlet: &mut dyn Outlet,
    ) -> Result<(), SearchError> {
        if games.is_empty() {
            return Ok(());
        }
        let started = Instant::now();
        let mut swept = SweepResult::default();
        let starts = &self.starts[..=games.end as usize];
        let left = match source {
            Source::Kept(kept) => {
                let mut left = kept.within(&(starts[games.start as usize]..starts[games.end as usize]));
                leave_removed_out(&self.segment, starts, &games, &mut left);
                left
            }
            Source::Plan(plans, _) => {
                let (left, exact) = plans.sweep(self.search, (&games, times), worker, &mut swept)?;
                source = Source::Plan(plans, exact);
                left
            }
        };
        let mut candidates = Candidates::new(left);
        found.sweeping += started.elapsed();
        found.swept.add(&swept);
        let instead = swept.stages.iter().any(|stage| stage.left_out > 0);
        found.boards_read += std::mem::take(&mut worker.game.bytes_read);
        if self.only_counts(source) {
            let started = Instant::now();
            let all = games.end - games.start;
            let (games, positions) = candidates.count(&self.beginnings);
            found.count(games, positions);
            if let Some(record) = &mut found.record {
                record.add_games(games, positions, &candidates);
            }
            self.search.options.progress.add(u64::from(all), games, positions);
            found.evaluating += started.elapsed();
            return Ok(());
        }
        let here = &starts[games.start as usize..];
        let (asked, _) = candidates.count(&self.beginnings);
        worker.game.is_selective = asked * SELECTIVE < u64::from(games.end - games.start);
        let (started, work) = (Instant::now(), Work::so_far());
        let sifted = match in_order.and_then(Place::sift) {
            Some(sift) if matches!(source, Source::Plan(..)) => {
                self.sift(sift, worker, source, (games.start, here), &mut candidates)?
            }
            _ => 0,
        };
        found.candidates += sifted;
        found.evaluated += sifted;
        let (sifting, sifting_work) = (started.elapsed(), work.elapsed());
        let mut evaluate = |worker: &mut Worker<'q>, outlet: &mut dyn Outlet| {
            let (started, work) = (Instant::now(), Work::so_far());
            let before = found.candidates;
            self.search_games(
                worker,
                (source, &candidates),
                starts,
                games.start as usize,
                found,
                outlet,
            )?;
            found.messages.append(&mut worker.evaluator.take_messages());
            let positions = sifted + found.candidates - before;
            let work = sifting_work + work.elapsed();
            self.search.measured.add_evaluation(work, positions, instead);
            found.boards_read += std::mem::take(&mut worker.game.bytes_read);
            found.evaluating += sifting + started.elapsed();
            Ok(())
        };
        match in_order {
            Some(place) => place.evaluate(worker, outlet, evaluate),
            None => evaluate(worker, outlet),
        }
    }

    /// Searches the games from one on.
    fn search_games(
        &self,
        worker: &mut Worker<'q>,
        (source, candidates): (Source<'_>, &Candidates),
        starts: &[u32],
        mut game: usize,
        found: &mut TaskResult,
        outlet: &mut dyn Outlet,
    ) -> Result<(), SearchError> {
        let every_game = self.search.query.header.accepts_none();
        let end = starts.len() - 1;
        let mut nodes = Vec::new();
        let mut reported = Reported {
            game,
            ..Reported::default()
        };
        while game < end {
            if !every_game {
                match candidates.next(starts[game]) {
                    Some(position) if position < starts[end] => game = game_at(starts, game, position),
                    _ => break,
                }
            }
            if game >= reported.game + REPORT {
                reported.report(game, found, &self.search.options.progress);
            }
            if !self.segment.is_removed(game as u32) {
                let range = starts[game]..starts[game + 1];
                nodes.clear();
                candidates.within(range.clone(), &mut nodes);
                self.search_game(worker, game as u32, (source, &nodes), range, found)?;
                if found.waiting >= BATCH {
                    found.waiting = 0;
                    outlet.give(std::mem::take(&mut found.games))?;
                }
                if self.is_at_limit(found) {
                    break;
                }
                outlet.tick()?;
            }
            game += 1;
        }
        reported.report(end, found, &self.search.options.progress);
        Ok(())
    }

    /// Whether a task has listed all positions that are wanted, and need not go on.
    fn is_at_limit(&self, found: &TaskResult) -> bool {
        let limit = self.search.options.limit.filter(|_| self.search.options.stop_at_limit);
        limit.is_some_and(|limit| found.listed as u64 >= limit)
    }

    /// Whether the candidates are the matches, and nothing but their number is asked for.
    fn only_counts(&self, source: Source<'_>) -> bool {
        match source {
            Source::Kept(_) => self.search.options.detail == Detail::Count,
            Source::Plan(_, exact) => exact.everywhere() && only_counts(self.search),
        }
    }

    /// Searches one game; `candidates` are the nodes that the index did not exclude.
    fn search_game(
        &self,
        worker: &mut Worker<'q>,
        game: u32,
        (source, candidates): (Source<'_>, &[u32]),
        positions: Range<u32>,
        found: &mut TaskResult,
    ) -> Result<(), SearchError> {
        let query = self.search.query;
        let none_allowed = query.header.accepts_none();
        if candidates.is_empty() && !none_allowed {
            return Ok(());
        }
        found.candidates += candidates.len() as u64;
        let header = self.header(game);
        let wanted = match source {
            Source::Kept(_) => true,
            Source::Plan(plans, _) => plans.main.is_wanted(game),
        };
        if !wanted && !none_allowed {
            return Ok(());
        }
        let detail = self.search.options.detail;
        let (nothing_to_verify, leaves_nothing) = match source {
            Source::Kept(_) => (true, detail != Detail::Results),
            Source::Plan(plans, exact) => (
                plans.is_exact(exact, game) && self.search.options.route == Route::Plan,
                self.search.effects == Effects::Position && detail != Detail::Results,
            ),
        };
        // A game that matches without a position can still have comments and tags of the query.
        let all_asked = none_allowed && detail == Detail::Results && self.search.within_game != Effects::Position;
        let mut matches = Vec::new();
        let (mut loaded, mut evaluated) = (false, false);
        if !wanted {
            // The game does not match, unless no match is what is asked for (docs/language.md#how-a-query-is-run).
        } else if nothing_to_verify && leaves_nothing {
            matches.extend_from_slice(candidates);
        } else if !candidates.is_empty() || all_asked {
            // A kept answer has the matches, and not what later positions depend on.
            let is_whole = match source {
                Source::Kept(_) => self.search.within_game != Effects::Position,
                Source::Plan(..) => self.search.whole_games || all_asked,
            };
            let asked = Asked {
                game,
                positions: positions.clone(),
                candidates,
                header: &header,
                is_whole,
                always: all_asked,
            };
            let count = self.evaluate(&mut worker.evaluator, &mut worker.game, source, &asked, &mut matches)?;
            (loaded, evaluated) = (count.is_some(), count.is_some());
            found.evaluated += count.unwrap_or(0);
        }
        debug_assert!(
            matches.len() <= positions.len(),
            "a game matches at its own positions only"
        );
        debug_assert!(
            matches!(source, Source::Plan(..)) || matches == candidates,
            "what was found before is found again"
        );
        let count = i32::try_from(matches.len()).unwrap_or(i32::MAX);
        let matched = query
            .header
            .match_count
            .map_or(count > 0, |range| range.min <= count && count <= range.max);
        if !matched {
            return Ok(());
        }
        found.matching_games += 1;
        found.matching_positions += matches.len() as u64;
        if let Some(record) = &mut found.record {
            record.add_game(positions.start, &matches);
        }
        if detail == Detail::Count {
            return Ok(());
        }
        // No task lists more than the limit of the whole search.
        let limit = self
            .search
            .options
            .limit
            .and_then(|limit| usize::try_from(limit).ok())
            .unwrap_or(usize::MAX);
        if found.listed >= limit && detail == Detail::Positions {
            return Ok(());
        }
        if !loaded {
            self.load(&mut worker.game, game, candidates)?;
        }
        let view = &worker.game.view;
        let positions: Vec<Match> = matches
            .into_iter()
            .map(|node| Match {
                node,
                ply: view.ply(node),
                board: view.board(node).clone(),
                last_move: LastMove::of(view, node),
                rights: view.rights(node),
            })
            .collect();
        let result = if detail == Detail::Results && evaluated {
            worker.evaluator.take_result()
        } else {
            GameResult {
                sorts: vec![None; query.sorts.len()],
                ..GameResult::default()
            }
        };
        let number = u64::from(game_number(&self.segment, game));
        found.listed += positions.len();
        found.waiting += positions.len() + 1;
        found.games.push(GameMatch {
            number,
            fullmoves: view.fullmoves,
            positions,
            result,
        });
        Ok(())
    }
}
