//! How the games of a segment are searched: the plan, ordered and cut into stages for this segment.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use planner::{
    Effects, Evaluation, FoundMoves, GameRanges, GameResults, GameSpans, Left, LoadedPostings, PlannedStage,
    RemainingPositions, Scratch, Truth, plan_stages,
};
use postings::{BLOCK_SIZE, Term};
use storage::{Segment, SegmentMeta};

use super::boards::SegmentBoards;
use super::games::{game_ranges, games_ended, leave_removed_out};
use super::lists::Lists;
use super::measured::{Measured, Work};
use super::quantities::SegmentQuantities;
use super::sets::{QuerySets, SegmentSets};
use super::stage::Stage;
use super::swept::{StageSummary, SweepResult};
use super::worker::{Worker, Workers};
use super::{Search, SearchError, Summary};

/// How long the evaluator takes for one of many filters, in nanoseconds: most are not asked, as a filter beside them has
/// failed.
const A_FILTER: f64 = 3.0;

/// The evaluator is tried in the place of a stage if it is expected to take up to this number of times as long.
const MOST_FOR_A_TRIAL: f64 = 4.0;

/// The evaluator is tried, too, in the place of a stage that takes longer for a position than this, in nanoseconds: loops and
/// what is said of each man take long on planes, and the evaluator leaves them at the first man that fails.
const SLOW: f64 = 500.0;

/// How long it takes to read a list that is not in memory, and each byte of it, in nanoseconds.
const A_LIST: f64 = 10_000.0;
const A_BYTE: f64 = 2.0;

/// What is expected of a search of one segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected {
    /// How long one thread works, in nanoseconds: what it took to ask filters on headers, and what reading lists and sweeping
    /// over them is expected to take.
    pub(super) work: f64,
    /// How many positions match.
    pub(super) matching: f64,
}

/// The plan for a segment.
#[derive(Debug)]
pub(super) struct SegmentPlan {
    pub(super) segment: Segment,
    starts: Arc<[u32]>,
    /// The games that the plan is for, and that the header lets through.
    among: Truth,
    /// Where the query may match in them, main line and header filters included.
    truth: Truth,
    /// The same as a conjunction of stages, each asked where those before it hold.
    stages: Vec<Stage>,
    /// The stages, with what they are expected to cost.
    planned: Vec<PlannedStage>,
    /// By stage, that one and some behind it as one, and the stage behind these.
    together: Vec<OnceLock<(Stage, usize)>>,
    /// How long each stage has taken so far.
    measured: Vec<Arc<Measured>>,
    /// How long the evaluator is expected to take for a position, in nanoseconds.
    evaluation: f64,
    /// Whether the evaluator looks at no other positions of the game.
    evaluates_alone: bool,
    /// What has to hold, stage by stage, at positions of games with a candidate that are evaluated because later positions of the
    /// game may depend on them; nothing if there are none.
    also: Vec<Stage>,
    /// Whether the query matches wherever the index says that it may.
    pub(super) exact: bool,
    games: Vec<GameRanges>,
    /// The named sets that the query reads.
    pub(super) sets: SegmentSets,
    quantities: SegmentQuantities,
    spans: GameSpans,
    /// Those of `games` that say which games the header lets through.
    wanted: Range<usize>,
    /// How long it took to ask filters on headers.
    asking: Duration,
}

/// What is expected of a stage of a plan in a segment.
#[derive(Clone, Copy, Debug)]
pub struct PlanStage {
    /// How many positions it is expected to leave.
    pub expected: u64,
    /// Where the stages before it have left no more positions of a task than this, it is left out: it takes the evaluator
    /// less time to test them.
    pub left_out_up_to: u64,
}

/// The games of a segment that a plan is for.
#[derive(Debug)]
pub(super) struct PlannedGames {
    /// Whether variations are searched, and some of the games have them.
    pub(super) branching: bool,
    /// The positions of these games; `None` if they are all games.
    pub(super) only: Option<GameRanges>,
}

impl SegmentPlan {
    /// Reads what the plan needs of a segment, without posting lists.
    pub(super) fn open<'q>(
        search: &Search<'q>,
        segment: Segment,
        workers: &Workers<'_, 'q>,
        sets: &QuerySets,
        PlannedGames { branching, only }: PlannedGames,
    ) -> Result<SegmentPlan, SearchError> {
        let plan = search.plan_for(branching);
        let starts = segment.starts()?;
        let started = Instant::now();
        let header = &search.query.header.games;
        let filters = plan.games.len() + header.len();
        let mut progress = search.options.progress.headers(segment.meta().games, filters);
        let mut ranges =
            |filter| workers.with(|worker| game_ranges(search, &segment, &starts, filter, worker, &mut progress));
        let games = plan.games.iter().map(|filter| ranges(filter));
        let mut games = games.collect::<Result<Vec<_>, _>>()?;
        for filter in header {
            games.push(ranges(filter)?);
        }
        if filters > 0 {
            progress.end();
        }
        let outcomes = &search.query.header.outcomes;
        if !outcomes.is_empty() {
            games.push(games_ended(&segment, &starts, outcomes)?);
        }
        let asking = started.elapsed();
        let wanted = plan.games.len()..games.len();
        games.extend(only);
        let among = Truth::all((wanted.start..games.len()).map(Truth::Games));
        let meta = *segment.meta();
        let mainline = segment.term_stats(Term::Mainline)?.cardinality;
        let sets = sets.of(&meta);
        let quantities = SegmentQuantities::new(segment.clone());
        let statistics = Lists {
            segment: &segment,
            games: &games,
            sets: &sets.lists,
            quantities: Some(&quantities),
        };
        let is_main_line = match !search.variations && mainline < meta.positions {
            true => Truth::Term(Term::Mainline),
            false => Truth::Always,
        };
        let lists_pins = segment.lists_pins()?;
        let in_segment = |truth: Truth| {
            let truth = if lists_pins { truth.with_listed_pins() } else { truth };
            truth
                .fold_constants(&statistics, meta.positions)?
                .ordered(&statistics, meta.positions)
        };
        let asked = in_segment(plan.candidates.truth.clone())?;
        let within_game = search.within_game;
        // Games that are evaluated as a whole need neither.
        let also = match within_game {
            Effects::Position => plan.bans.clone(),
            _ if search.whole_games => Truth::Never,
            _ => Truth::any([plan.bans.clone(), plan.changes.clone()]),
        };
        let also = in_segment(Truth::all([also, is_main_line.clone()]))?;
        let mut expected = f64::from(meta.positions - meta.removed.positions);
        let always = in_segment(Truth::all([among.clone(), is_main_line.clone()]))?;
        let planned = plan_stages(&always, &asked, &statistics, meta.positions)?;
        let truth = Truth::all([asked, is_main_line]);
        let stages = planned.iter().map(|stage| {
            expected *= stage.share;
            Stage::new(stage.truth.clone(), expected)
        });
        let stages = stages.collect();
        let whole_games = search.whole_games || also == Truth::Always;
        let also = match also {
            Truth::Never => Vec::new(),
            also => plan_stages(&Truth::Always, &also, &statistics, meta.positions)?,
        };
        // The evaluator asks the variants of a transform one by one, where the plan has merged them.
        let mut evaluation = truth.evaluation().max(A_FILTER * search.query.filter_count() as f64);
        if whole_games {
            // Games with a candidate are evaluated as a whole.
            evaluation *= f64::from(meta.positions) / f64::from(meta.games.max(1));
        }
        Ok(SegmentPlan {
            spans: GameSpans::read(&Lists::of(&segment), Arc::clone(&starts), branching, plan.has_temporals)?,
            among,
            truth,
            stages,
            measured: planned
                .iter()
                .map(|stage| search.measured.of_stage(&stage.truth))
                .collect(),
            together: planned.iter().map(|_| OnceLock::new()).collect(),
            planned,
            evaluation,
            evaluates_alone: within_game == Effects::Position && !plan.has_temporals,
            also: also.into_iter().map(|stage| Stage::new(stage.truth, 0.0)).collect(),
            exact: plan.candidates.exact,
            games,
            sets,
            quantities,
            starts,
            wanted,
            asking,
            segment,
        })
    }

    pub(super) fn meta(&self) -> &SegmentMeta {
        self.segment.meta()
    }

    pub(super) fn statistics(&self) -> Lists<'_> {
        Lists {
            segment: &self.segment,
            games: &self.games,
            sets: &self.sets.lists,
            quantities: Some(&self.quantities),
        }
    }

    /// What is expected of the segment. Lists that are in memory take no time.
    pub(super) fn expected(&self) -> Result<Expected, storage::Error> {
        let positions = self.meta().positions;
        let estimate = self.truth.estimate(&self.statistics(), positions)?;
        let mut work = self.asking.as_nanos() as f64 + estimate.nanoseconds(positions);
        for term in LoadedPostings::terms_of(&Lists::of(&self.segment), std::slice::from_ref(&self.truth))? {
            if !self.segment.has_in_memory(term) {
                work += A_LIST + A_BYTE * f64::from(self.segment.term_stats(term)?.bytes);
            }
        }
        Ok(Expected {
            work,
            matching: estimate.share * f64::from(positions),
        })
    }

    /// What is expected of each stage, in tasks of `task` positions.
    pub(super) fn expected_stages(&self, task: u32) -> Vec<PlanStage> {
        let positions = self.meta().positions.min(task);
        let games = u64::from(self.meta().games) * u64::from(positions) / u64::from(self.meta().positions.max(1));
        let all = Left {
            positions: u64::from(positions),
            blocks: positions.div_ceil(BLOCK_SIZE),
            games: u32::try_from(games).unwrap_or(u32::MAX),
            evaluation: self.evaluation,
        };
        let stages = self.stages.iter().enumerate();
        let stages = stages.map(|(index, stage)| PlanStage {
            expected: whole(stage.expected),
            left_out_up_to: match index {
                0 => 0,
                _ => PlannedStage::left_out_up_to(&self.planned[index..], all),
            },
        });
        stages.collect()
    }

    /// Where the query may match.
    pub(super) fn truth(&self) -> &Truth {
        &self.truth
    }

    fn evaluation<'a>(&'a self, postings: &'a LoadedPostings, moves: &'a FoundMoves<'a>) -> Evaluation<'a> {
        Evaluation {
            postings,
            headers: &self.games,
            spans: &self.spans,
            moves,
        }
    }

    /// How many positions of the games that the plan is for an expression lets through, asked alone.
    pub(super) fn count(&self, truth: &Truth, postings: &LoadedPostings) -> Result<u64, SearchError> {
        let games = 0..self.meta().games;
        let boards = SegmentBoards::new(&self.segment, &self.starts);
        let moves = FoundMoves::new(&boards, &self.spans, games.clone());
        let evaluation = self.evaluation(postings, &moves);
        let mut results = GameResults::new(games.clone());
        let truth = Truth::all([self.among.clone(), truth.clone()]);
        let mut positions = evaluation.first(&truth, &mut results, &mut Scratch::default());
        leave_removed_out(&self.segment, &self.starts, &games, &mut positions);
        boards.into_bytes()?;
        Ok(positions.count())
    }

    /// Adds what is known of the posting lists when all tasks are through.
    pub(super) fn note_lists(&self, summary: &mut Summary) {
        for (stage, known) in self.stages.iter().zip(summary.stages_mut(self.stages.len())) {
            known.expected += stage.expected;
            known.bytes_read += stage.terms_read().map(|term| self.bytes_of(term)).sum::<u64>();
        }
        summary.bytes_read += self.bytes_read();
    }

    /// The bytes of the posting lists that were read, as on disk.
    pub(super) fn bytes_read(&self) -> u64 {
        // Several stages may look at a list.
        let together = self.together.iter().filter_map(OnceLock::get).map(|(stage, _)| stage);
        let stages = self.stages.iter().chain(&self.also).chain(together);
        let terms = stages.flat_map(Stage::terms_read);
        let all: BTreeMap<_, _> = terms.map(|term| (term.code(), self.bytes_of(term))).collect();
        all.values().sum()
    }

    fn bytes_of(&self, term: Term) -> u64 {
        self.segment.term_stats(term).map_or(0, |stats| u64::from(stats.bytes))
    }

    /// How many nanoseconds a stage of which nothing is known yet is expected to take in some games, if that is long.
    pub(super) fn longest(&self, games: &Range<u32>) -> Option<f64> {
        let positions = self.starts[games.end as usize] - self.starts[games.start as usize];
        let all = Left {
            positions: u64::from(positions),
            blocks: positions.div_ceil(BLOCK_SIZE),
            games: games.end - games.start,
            evaluation: self.evaluation,
        };
        let behind_the_first = self.planned.iter().zip(&self.measured).skip(1);
        let new = behind_the_first.filter(|(_, measured)| measured.is_new());
        new.filter_map(|(planned, _)| planned.long_for(all))
            .max_by(f64::total_cmp)
    }

    /// The positions of some games that the index leaves, and whether the query matches in all of them. A task has `times` as many
    /// games.
    pub(super) fn sweep(
        &self,
        search: &Search<'_>,
        (games, times): (&Range<u32>, f64),
        worker: &mut Worker<'_>,
        results: &mut SweepResult,
    ) -> Result<(RemainingPositions, bool), SearchError> {
        let scratch = &mut worker.scratch;
        let (first, rest) = self.stages.split_first().ok_or(SearchError::Stopped)?;
        let mut started = Instant::now();
        let mut note = |positions: &RemainingPositions, left_out, by_boards| {
            let result = StageSummary {
                left: positions.count(),
                left_out: if left_out { positions.count() } else { 0 },
                by_boards,
                sweeping: started.elapsed(),
                ..StageSummary::default()
            };
            started = Instant::now();
            let left = result.left;
            results.stages.push(result);
            left
        };
        let postings = first.postings(false, &self.segment, &self.sets, &self.quantities)?;
        let lines = SegmentBoards::new(&self.segment, &self.starts);
        let moves = FoundMoves::new(&lines, &self.spans, games.clone());
        let mut results_of_games = GameResults::new(games.clone());
        let mut positions = self
            .evaluation(postings, &moves)
            .first(&first.truth, &mut results_of_games, scratch);
        leave_removed_out(&self.segment, &self.starts, games, &mut positions);
        let mut left = note(&positions, false, 0);
        let mut exact = self.exact;
        let evaluation = search.measured.evaluation();
        // How long the stages have taken to read lists for which boards could have stood in.
        let mut reading_lists = Duration::ZERO;
        // The first stage that was not asked together with one before.
        let mut next = 1;
        for (index, stage) in (1..).zip(rest) {
            if left == 0 {
                break;
            }
            if index < next {
                note(&positions, false, 0);
                continue;
            }
            let here = Left {
                positions: left,
                blocks: positions.live_blocks(),
                games: games.end - games.start,
                evaluation: evaluation.unwrap_or(self.evaluation),
            };
            let measured = &self.measured[index];
            // Behind the stages of an exact plan, nothing is left for the evaluator.
            let is_wasted = evaluation.is_some_and(|time| match exact {
                true => measured.is_slower(time),
                false => measured.is_wasted(time),
            });
            // What was measured counts more than what is expected.
            let is_known = evaluation.is_some() && measured.tells_of(left);
            let is_left_out = is_wasted || !is_known && PlannedStage::is_left_out(&self.planned[index..], here);
            if self.planned[index].is_rough() && (is_left_out || measured.leaves_much()) {
                note(&positions, false, 0);
                continue;
            }
            if is_left_out {
                exact = false;
                note(&positions, true, 0);
                continue;
            }
            // How long the evaluator takes is known where it was tried: where that can't take much longer than this stage.
            let is_trial = search.measured.is_worth_a_trial(left)
                && measured.long_for(left as f64 * times).is_some_and(|time| {
                    let is_slow = self.evaluates_alone && time > SLOW * left as f64 * times;
                    // In a small part of a task, a trial costs little.
                    let most = MOST_FOR_A_TRIAL * times.min(MOST_FOR_A_TRIAL);
                    is_slow || !self.exact && here.evaluating() * times < most * time
                });
            if is_trial {
                exact = false;
                note(&positions, true, 0);
                break;
            }
            let takes_boards = self.planned[index].takes_boards(&positions);
            let reading_boards = self.planned[index].reading_boards(here).filter(|_| takes_boards);
            let is_dear = reading_boards.is_some_and(|time| reading_lists.as_nanos() as f64 > time);
            let together = match search.options.boards.unwrap_or(is_dear) {
                true => self.together_on_boards(index, &positions, here),
                false => None,
            };
            let is_quicker = || together.is_some() || self.planned[index].is_quicker_by_boards(here);
            let by_boards = takes_boards && search.options.boards.unwrap_or_else(is_quicker);
            let stage = together.map_or(stage, |(stage, _)| stage);
            // Lists are read once, whatever is asked of them.
            let postings = stage.postings(by_boards, &self.segment, &self.sets, &self.quantities)?;
            let work = Work::so_far();
            let evaluation = self.evaluation(postings, &moves);
            if by_boards {
                let boards = SegmentBoards::new(&self.segment, &self.starts);
                evaluation.narrow_by_boards(&stage.truth, &boards, &mut positions, scratch);
                worker.game.bytes_read += boards.into_bytes()?;
            } else {
                evaluation.narrow(&stage.truth, &mut results_of_games, &mut positions, scratch);
            }
            let (seen, sweeping) = (left, work.elapsed());
            left = note(&positions, false, if by_boards { seen } else { 0 });
            next = together.map_or(index + 1, |(_, end)| end);
            // What several have taken together is taken to be the work of all of them.
            let asked = u32::try_from(next - index).unwrap_or(u32::MAX);
            for measured in &self.measured[index..next] {
                measured.add(sweeping / asked, seen, left);
            }
            if reading_boards.is_some() && !by_boards {
                reading_lists += sweeping;
            }
        }
        if !self.also.is_empty() && left > 0 {
            let started = Instant::now();
            let mut also = self
                .evaluation(postings, &moves)
                .games_of(&positions, &mut results_of_games);
            for stage in &self.also {
                let postings = stage.postings(false, &self.segment, &self.sets, &self.quantities)?;
                self.evaluation(postings, &moves)
                    .narrow(&stage.truth, &mut results_of_games, &mut also, scratch);
            }
            positions.add_all(&also);
            results.for_later += positions.count() - left;
            results.finding_for_later += started.elapsed();
        }
        worker.game.bytes_read += lines.into_bytes()?;
        Ok((positions, exact))
    }

    /// Several stages from one on as one, for some positions, so that the boards of these are read once for all of them, and the stage
    /// behind the last of them; `None` if it would be this one alone. What takes longer to compute than to read is asked alone.
    fn together_on_boards(&self, index: usize, positions: &RemainingPositions, left: Left) -> Option<(&Stage, usize)> {
        let (stage, end) = self.together[index].get_or_init(|| {
            let rest = self.planned[index..].iter();
            let mut stages: Vec<&PlannedStage> = rest.take_while(|stage| stage.is_reading_boards(left)).collect();
            // What a rough form is of is asked behind it.
            while stages.pop_if(|stage| stage.is_rough()).is_some() {}
            let asked = stages.iter().filter(|stage| !stage.is_rough());
            let truth = Truth::all(asked.map(|stage| stage.truth.clone()).collect::<Vec<_>>());
            (Stage::new(truth, 0.0), index + stages.len())
        });
        let are_inside = || (index..*end).all(|stage| self.planned[stage].takes_boards(positions));
        (*end > index + 1 && are_inside()).then_some((stage, *end))
    }

    /// Whether the filters of the query's header let a game through.
    pub(super) fn is_wanted(&self, game: u32) -> bool {
        let start = self.starts[game as usize];
        self.games[self.wanted.clone()].iter().all(|ranges| {
            let behind = ranges.partition_point(|range| range.end <= start);
            ranges.get(behind).is_some_and(|range| range.start <= start)
        })
    }
}

/// A figure without its fraction; what does not fit is the nearest number that does.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "estimates are no negative numbers, and such a cast saturates"
)]
pub(super) fn whole(figure: f64) -> u64 {
    figure.round() as u64
}
