//! The search of some games of a segment: candidates from the index, then the evaluator.

#![expect(
    clippy::cast_possible_truncation,
    reason = "positions, games and tasks of a segment have 32-bit numbers"
)]

use std::ops::Range;
use std::time::Instant;

use evaluator::{GameHeader, GameInfo, GameResult, PositionSets};
use planner::Effects;

use super::candidates::{Candidates, game_at};
use super::games::{game_number, leave_removed_out};
use super::kept::KeptAnswer;
use super::last_move::LastMove;
use super::record::Record;
use super::segment_plans::{Exact, SegmentPlans};
use super::segment_search::{SegmentSearch, only_counts};
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

/// Where the candidates of some games come from.
#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    /// An earlier search: they are the matches.
    Kept(&'a KeptAnswer),
    /// The index, and where they are the matches.
    Plan(&'a SegmentPlans, Exact),
}

impl<'q> SegmentSearch<'_, 'q> {
    /// Searches the games of a task. Matches go to `outlet` in batches; the last batch is in the result.
    pub(super) fn run(
        &self,
        worker: &mut Worker<'q>,
        task: u32,
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
            self.run_on(worker, games.start..known, Source::Kept(kept), &mut found, outlet)?;
        }
        if let Some(plans) = &self.plans {
            let source = Source::Plan(plans, plans.exact());
            self.run_on(worker, known..games.end, source, &mut found, outlet)?;
        }
        if let Some(record) = &found.record {
            self.answers.count(record);
        }
        Ok(found)
    }

    /// Searches some of the games of a task.
    fn run_on(
        &self,
        worker: &mut Worker<'q>,
        games: Range<u32>,
        mut source: Source<'_>,
        found: &mut TaskResult,
        outlet: &mut dyn Outlet,
    ) -> Result<(), SearchError> {
        if games.is_empty() {
            return Ok(());
        }
        let started = Instant::now();
        let stages = found.stages.len();
        let starts = &self.starts[..=games.end as usize];
        let left = match source {
            Source::Kept(kept) => {
                let mut left = kept.within(&(starts[games.start as usize]..starts[games.end as usize]));
                leave_removed_out(&self.segment, starts, &games, &mut left);
                left
            }
            Source::Plan(plans, _) => {
                let (left, exact) = plans.sweep(self.search, &games, worker, &mut found.stages)?;
                source = Source::Plan(plans, exact);
                left
            }
        };
        let candidates = Candidates::new(left);
        found.sweeping += started.elapsed();
        let started = Instant::now();
        if self.only_counts(source) {
            let all = games.end - games.start;
            let (games, positions) = candidates.count(&starts[games.start as usize..]);
            found.count(games, positions);
            if let Some(record) = &mut found.record {
                record.add_games(games, positions, &candidates);
            }
            self.search.options.progress.add(u64::from(all), games, positions);
        } else {
            let (asked, _) = candidates.count(&starts[games.start as usize..]);
            worker.is_selective = asked * SELECTIVE < u64::from(games.end - games.start);
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
            let candidates = found.candidates - before;
            let instead = found.stages[stages..].iter().any(|stage| stage.left_out);
            self.search
                .measured
                .add_evaluation(started.elapsed(), candidates, instead);
        }
        found.boards_read += std::mem::take(&mut worker.boards_read);
        found.evaluating += started.elapsed();
        Ok(())
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
                let limit = self.search.options.limit.filter(|_| self.search.options.stop_at_limit);
                if limit.is_some_and(|limit| found.listed as u64 >= limit) {
                    break;
                }
                outlet.tick()?;
            }
            game += 1;
        }
        reported.report(end, found, &self.search.options.progress);
        Ok(())
    }

    /// Whether the candidates are the matches, and nothing but their number is asked for.
    fn only_counts(&self, source: Source<'_>) -> bool {
        match source {
            Source::Kept(_) => self.search.options.detail == Detail::Count,
            Source::Plan(plans, exact) => exact.everywhere() && only_counts(self.search, plans),
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
        let header = self
            .headers
            .as_ref()
            .map_or_else(GameHeader::default, |headers| headers.of(game));
        let outcomes = &query.header.outcomes;
        let wanted = match source {
            Source::Kept(_) => true,
            Source::Plan(plans, _) => {
                outcomes.iter().all(|&outcome| outcome == header.outcome) && plans.main.is_wanted(game)
            }
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
            let text = if worker.evaluator.needs().text {
                Some(self.text(worker, game)?)
            } else {
                None
            };
            let of_game;
            let sets: &dyn PositionSets = match source {
                Source::Kept(_) => &(),
                Source::Plan(plans, _) => {
                    of_game = plans.main.sets.of_game(positions.start);
                    &of_game
                }
            };
            let mut info = GameInfo {
                header: &header,
                text: text.as_ref(),
                sets,
                quantities: None,
            };
            worker.unread.number = game_number(&self.segment, game);
            let may_match = worker.evaluator.may_match(&worker.unread, info)?;
            if may_match || all_asked {
                self.load(worker, game, candidates)?;
                (loaded, evaluated) = (true, true);
                if !worker.evaluator.needs().quantities.is_empty() {
                    self.load_quantities(worker, game)?;
                    info.quantities = Some(&worker.quantities);
                }
                let Worker { evaluator, view, .. } = worker;
                // A kept answer has the matches, and not what later positions depend on.
                let is_whole = match source {
                    Source::Kept(_) => self.search.within_game != Effects::Position,
                    Source::Plan(..) => self.search.whole_games || all_asked,
                };
                if !is_whole {
                    found.evaluated += candidates.len() as u64;
                    evaluator.search(view, info, candidates.iter().copied(), &mut matches)?;
                } else {
                    let all = view.len() as u32;
                    found.evaluated += u64::from(all);
                    evaluator.search(view, info, 0..all, &mut matches)?;
                }
            }
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
            self.load(worker, game, candidates)?;
        }
        let view = &worker.view;
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
