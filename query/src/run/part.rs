//! The search of one segment: candidates from the index, the rest from the evaluator.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use storage::{Segment, SegmentMeta, Term};

use super::candidates::CandidateBits;
use super::games::{Headers, Reads, game_number, game_ranges};
use super::worker::{Worker, Workers};
use super::{Detail, GameMatch, Match, Route, Search, SearchError};
use crate::eval::{GameHeader, GameInfo, GameResult};
use crate::plan::{Effects, Evaluation, GameLines, GameRanges, Leaves, Truth, in_stages};

/// One segment with all that the search of it needs.
pub(super) struct Part<'s, 'q> {
    search: &'s Search<'q>,
    segment: Segment,
    /// Where the query may match, main line and header filters included.
    truth: Truth,
    /// The same as a conjunction of stages, each asked where those before it hold.
    stages: Vec<Truth>,
    exact: bool,
    leaves: Leaves,
    games: Vec<GameRanges>,
    starts: Arc<[u32]>,
    lines: GameLines,
    headers: Option<Headers>,
    /// The positions of the games that the header's filters let through, for each of them.
    wanted: Vec<GameRanges>,
    mainline_positions: u32,
    /// Games that the header's `gamenumber` allows, local to the segment.
    allowed: Range<u32>,
}

/// What a task found.
#[derive(Debug, Default)]
pub(super) struct TaskResult {
    /// Games that were not given to anybody yet.
    pub(super) games: Vec<GameMatch>,
    /// How many positions these have, and how many of them there are.
    waiting: usize,
    /// How many positions were listed in all.
    listed: usize,
    /// Matching games and positions, whatever is cut from the list.
    pub(super) matching_games: u64,
    pub(super) matching_positions: u64,
    pub(super) candidates: u64,
    pub(super) evaluated: u64,
    pub(super) sweeping: Duration,
    pub(super) evaluating: Duration,
    pub(super) messages: Vec<Vec<u8>>,
}

impl<'s, 'q> Part<'s, 'q> {
    /// How many chunks one task takes: the posting lists of its ends are looked at twice.
    pub(super) const CHUNKS_PER_TASK: u32 = 8;

    /// After so many positions a task gives what it has found.
    const BATCH: usize = 1 << 12;

    /// Reads what the plan needs of a segment.
    pub(super) fn open(
        search: &'s Search<'q>,
        segment: Segment,
        workers: &Workers<'s, 'q>,
    ) -> Result<Part<'s, 'q>, SearchError> {
        let starts = segment.starts()?;
        let mut games = Vec::new();
        for filter in &search.plan.games {
            games.push(workers.with(|worker| game_ranges(&segment, &starts, filter, worker))?);
        }
        let wanted = search.query.header.games.iter();
        let wanted = wanted
            .map(|filter| workers.with(|worker| game_ranges(&segment, &starts, filter, worker)))
            .collect::<Result<_, _>>()?;
        let mut parts = vec![search.plan.candidates.truth.clone()];
        let mainline = segment.term_stats(Term::Mainline)?.cardinality;
        if !search.variations && mainline < segment.meta().positions {
            parts.push(Truth::Term(Term::Mainline));
        }
        let positions = segment.meta().positions;
        let truth = Truth::all(parts)
            .known(&segment, positions)?
            .ordered(&segment, positions)?;
        let stages = in_stages(&truth)
            .into_iter()
            .map(|stage| stage.ordered(&segment, positions))
            .collect::<Result<Vec<_>, _>>()?;
        let leaves = Leaves::read(&segment, &stages)?;
        let needs = workers.with(|worker| worker.evaluator.needs());
        let mut reads = Reads::of(&search.query.body);
        reads.add_outcomes(!search.query.header.outcomes.is_empty());
        let headers = if needs.header {
            Some(Headers::read(&segment, reads)?)
        } else {
            None
        };
        let allowed = allowed_games(search, segment.meta());
        let lines = GameLines::read(&segment, Arc::clone(&starts), search.variations)?;
        Ok(Part {
            lines,
            search,
            truth,
            stages,
            exact: search.plan.candidates.exact,
            leaves,
            games,
            starts,
            headers,
            wanted,
            mainline_positions: mainline,
            allowed,
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

    /// Ranges of games, each about so many chunks long.
    pub(super) fn tasks(&self, chunks: u32) -> Vec<Range<u32>> {
        let step = chunks.saturating_mul(storage::CHUNK_SIZE);
        let mut tasks = Vec::new();
        let mut first = self.allowed.start;
        while first < self.allowed.end {
            let upto = self.starts[first as usize].saturating_add(step);
            let end = self.starts.partition_point(|&start| start < upto) as u32;
            let end = end.clamp(first + 1, self.allowed.end);
            tasks.push(first..end);
            first = end;
        }
        tasks
    }

    /// Searches some games. What is found goes to `give` in batches; the last of it is in the result.
    pub(super) fn run(
        &self,
        worker: &mut Worker<'q>,
        games: Range<u32>,
        give: &mut dyn FnMut(Vec<GameMatch>) -> Result<(), SearchError>,
    ) -> Result<TaskResult, SearchError> {
        if self.search.is_stopped() {
            return Err(SearchError::Stopped);
        }
        let mut found = TaskResult::default();
        let started = Instant::now();
        let starts = &self.starts[..=games.end as usize];
        let evaluation = Evaluation {
            leaves: &self.leaves,
            headers: &self.games,
            lines: &self.lines,
        };
        let left = evaluation.positions(&self.stages, games.clone(), &mut worker.scratch);
        let candidates = CandidateBits::new(left);
        found.sweeping = started.elapsed();
        let started = Instant::now();
        let every_game = self.accepts_none() || self.search.effects == Effects::Database;
        let only_counts = self.only_counts();
        let mut nodes = Vec::new();
        let mut game = games.start as usize;
        while game < games.end as usize {
            if !every_game {
                match candidates.next(starts[game]) {
                    Some(position) if position < starts[games.end as usize] => game = game_at(starts, game, position),
                    _ => break,
                }
            }
            if self.segment.is_removed(game as u32) {
                game += 1;
                continue;
            }
            let range = starts[game]..starts[game + 1];
            if only_counts {
                let count = u64::from(candidates.count(range));
                found.candidates += count;
                found.matching_positions += count;
                found.matching_games += 1;
            } else {
                nodes.clear();
                candidates.within(range.clone(), &mut nodes);
                self.search_game(worker, game as u32, &nodes, range.len() as u32, &mut found)?;
                if found.waiting >= Part::BATCH {
                    found.waiting = 0;
                    give(std::mem::take(&mut found.games))?;
                }
            }
            game += 1;
        }
        found.messages = worker.evaluator.take_messages();
        found.evaluating = started.elapsed();
        Ok(found)
    }

    /// Whether the header accepts games without a match.
    fn accepts_none(&self) -> bool {
        let range = self.search.query.header.match_count;
        range.is_some_and(|range| range.min <= 0 && range.max >= 0)
    }

    /// Whether the candidates are the matches, and nothing but their number is asked for.
    fn only_counts(&self) -> bool {
        self.exact
            && self.search.options.route == Route::Plan
            && self.search.options.detail == Detail::Count
            && self.search.effects == Effects::Position
            && self.search.query.header.match_count.is_none()
            && self.search.query.header.outcomes.is_empty()
            && self.wanted.is_empty()
    }

    /// Searches one game: `candidates` are the nodes that the index left.
    fn search_game(
        &self,
        worker: &mut Worker<'q>,
        game: u32,
        candidates: &[u32],
        positions: u32,
        found: &mut TaskResult,
    ) -> Result<(), SearchError> {
        let query = self.search.query;
        let none_allowed = self.accepts_none();
        if candidates.is_empty() && !none_allowed && self.search.effects != Effects::Database {
            return Ok(());
        }
        found.candidates += candidates.len() as u64;
        let header = self
            .headers
            .as_ref()
            .map_or_else(GameHeader::default, |headers| headers.of(game));
        let outcomes = &query.header.outcomes;
        let wanted = outcomes.iter().all(|&outcome| outcome == header.outcome) && self.is_wanted(game);
        if !wanted && !none_allowed {
            return Ok(());
        }
        let detail = self.search.options.detail;
        let nothing_to_verify = self.exact && self.search.options.route == Route::Plan;
        let leaves_nothing = self.search.effects == Effects::Position && detail != Detail::Results;
        // Of a game that matches with no position, the query may still say something.
        let all_asked = self.search.effects == Effects::Database
            || none_allowed && detail == Detail::Results && self.search.effects != Effects::Position;
        let mut matches = Vec::new();
        let (mut loaded, mut evaluated) = (false, false);
        if !wanted {
            // The game does not match, unless no match is what is asked for (cql6-games 3.1).
        } else if nothing_to_verify && leaves_nothing {
            matches.extend_from_slice(candidates);
        } else if !candidates.is_empty() || all_asked {
            self.load(worker, game)?;
            (loaded, evaluated) = (true, true);
            let text = if worker.evaluator.needs().text {
                Some(self.segment.text(game)?)
            } else {
                None
            };
            let info = GameInfo {
                header: &header,
                text: text.as_ref(),
            };
            let Worker { evaluator, view, .. } = worker;
            if self.search.effects == Effects::Position {
                found.evaluated += candidates.len() as u64;
                evaluator.search(view, info, candidates.iter().copied(), &mut matches)?;
            } else {
                let all = view.len() as u32;
                found.evaluated += u64::from(all);
                evaluator.search(view, info, 0..all, &mut matches)?;
            }
        }
        debug_assert!(
            matches.len() <= positions as usize,
            "a game matches at its own positions only"
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
        if detail == Detail::Count {
            return Ok(());
        }
        // A task never gives more than the whole search may.
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
            self.load(worker, game)?;
        }
        let view = &worker.view;
        let positions: Vec<Match> = matches
            .into_iter()
            .map(|node| Match {
                node,
                ply: view.ply(node),
                board: view.board(node).clone(),
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

    /// Whether the filters of the query's header let a game through.
    fn is_wanted(&self, game: u32) -> bool {
        let start = self.starts[game as usize];
        self.wanted.iter().all(|ranges| {
            let behind = ranges.partition_point(|range| range.end <= start);
            ranges.get(behind).is_some_and(|range| range.start <= start)
        })
    }

    /// Rebuilds the positions of a game.
    fn load(&self, worker: &mut Worker<'q>, game: u32) -> Result<(), SearchError> {
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

/// The game that has a position, from some game on; near ones are found first.
fn game_at(starts: &[u32], from: usize, position: u32) -> usize {
    let mut step = 1;
    while from + step < starts.len() && starts[from + step] <= position {
        step *= 2;
    }
    let (low, high) = (from + step / 2, starts.len().min(from + step));
    low + starts[low..high].partition_point(|&start| start <= position) - 1
}
