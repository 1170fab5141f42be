//! Runs a query on a snapshot: plan, sweep, evaluate. The one place that knows all three.

mod analyze;
mod candidates;
mod collect;
mod games;
mod headers;
mod lists;
mod order;
mod ordered;
mod part;
mod parts;
mod stage;
mod task;
mod worker;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use chess::Board;
use storage::Snapshot;

pub use analyze::PlanLine;
use collect::Collector;
use evaluator::{GameResult, Limits, Needs, Rights, RuntimeError, Value};
use headers::Reads;
use language::hir::Query;
pub use order::GameOrder;
use ordered::{Outlet, TaskError};
use parts::Parts;
use planner::{Candidates, Effects, Plan};
use task::TaskResult;
use worker::Workers;

/// Whether the index is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Route {
    /// Candidates come from the posting lists; what they leave open is evaluated.
    #[default]
    Plan,
    /// Every position is evaluated. This is what the language means; the other route has to give the same.
    Scan,
}

/// How much is wanted of what matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// How many games and positions.
    Count,
    /// Which positions, with their boards.
    #[default]
    Positions,
    /// Also what the query leaves in the games: comments, tags, sort keys.
    Results,
}

/// How a query is run.
#[derive(Clone, Debug, Default)]
pub struct SearchOptions {
    /// Whether variations are searched; nothing leaves it to the query's header.
    pub variations: Option<bool>,
    /// Whether the index is used.
    pub route: Route,
    /// How much is wanted.
    pub detail: Detail,
    /// No more than so many matching positions are reported; all are counted.
    pub limit: Option<u64>,
    /// Whether the search ends as soon as the limit is reached: then the matches are those that were reported, and what
    /// else was done is told of what was done until then.
    pub stop_at_limit: bool,
    /// Whether the games of damaged segments are left out, and told in the summary, instead of failing.
    pub skip_damaged: bool,
    /// Set from outside to stop the search within a moment.
    pub stop: Option<Arc<AtomicBool>>,
    /// The folder for `readfile` and `writefile`.
    pub files: Option<std::path::PathBuf>,
    /// What is changed in the language.
    pub rules: evaluator::Rules,
    /// The tables of `similarposition`, in the order of [`Query::similar`].
    pub similar: Vec<Arc<evaluator::SimilarPositions>>,
}

/// A matching position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Its `positionid`.
    pub node: u32,
    /// Half-moves from the game's first position.
    pub ply: u32,
    /// The board.
    pub board: Board,
    /// What the moves before it allow beside that.
    pub(crate) rights: Rights,
}

impl Match {
    /// The FEN as CQL's filter `fen` gives it: castling rights and en passant square come from the moves of the game,
    /// the counters are always `0 1`.
    pub fn fen(&self) -> String {
        self.rights.fen(&self.board)
    }
}

/// A matching game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameMatch {
    /// The game's number, from 1.
    pub number: u64,
    /// The number that the first move is printed with.
    pub fullmoves: u32,
    /// The matching positions, ascending.
    pub positions: Vec<Match>,
    /// Comments, tags and sort keys that the query made.
    pub result: GameResult,
}

/// What a search did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Matching games.
    pub games: u64,
    /// Matching positions.
    pub positions: u64,
    /// Games that were searched.
    pub games_searched: u64,
    /// Positions that were searched.
    pub positions_searched: u64,
    /// Positions that the index left, each counted once; those of a scan are all.
    pub candidates: u64,
    /// Positions that the evaluator was asked about.
    pub evaluated: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// How much of that the sweeps over the index took, all threads added up.
    pub sweeping: Duration,
    /// How much the evaluator took, all threads added up.
    pub evaluating: Duration,
    /// How many bytes the posting lists and the boards take on disk that had to be looked at, in memory or not. Headers
    /// and texts of games are not counted.
    pub bytes_read: u64,
    /// What the index did, stage by stage: a later one is asked where the earlier ones leave something.
    pub stages: Vec<StageSummary>,
    /// Whether the search ended at the limit before it was through.
    pub stopped_at_limit: bool,
    /// Games that could not be searched: only if damage is to be skipped.
    pub skipped: Vec<SkippedGames>,
    /// Messages of the query, in order.
    pub messages: Vec<Vec<u8>>,
    /// The values of persistent variables after the run.
    pub persistent: Vec<(String, Value)>,
}

/// What one stage of a plan did, in all segments together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StageSummary {
    /// How many positions it was expected to leave.
    pub expected: f64,
    /// How many positions it left.
    pub left: u64,
    /// How long it took, all threads added up.
    pub sweeping: Duration,
    /// How many bytes its posting lists take on disk. A list that another stage reads, too, counts in both.
    pub bytes_read: u64,
}

/// Games that were left out because what is stored of them is damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedGames {
    /// Their numbers, from 1; the end is left out.
    pub games: std::ops::Range<u64>,
    /// What is damaged.
    pub damage: String,
}

impl SkippedGames {
    fn of(meta: &storage::SegmentMeta, damage: &storage::Error) -> SkippedGames {
        SkippedGames {
            games: meta.first_game + 1..meta.first_game + 1 + u64::from(meta.games),
            damage: damage.to_string(),
        }
    }
}

/// Why a search failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// The database could not be read.
    #[error(transparent)]
    Storage(#[from] storage::Error),
    /// The query stopped with an error.
    #[error("{}", .0.cause)]
    Runtime(Box<RuntimeError>),
    /// The search was stopped from outside.
    #[error("the search was stopped")]
    Stopped,
}

impl From<Box<RuntimeError>> for SearchError {
    fn from(error: Box<RuntimeError>) -> SearchError {
        match error.cause {
            evaluator::Cause::Limit => SearchError::Stopped,
            _ => SearchError::Runtime(error),
        }
    }
}

/// A query with its plan.
#[derive(Debug)]
pub struct Search<'q> {
    query: &'q Query,
    variations: bool,
    plan: Plan<'q>,
    /// For segments without any variation, if variations are searched.
    mainline_plan: Option<Plan<'q>>,
    effects: Effects,
    /// What the evaluator needs of a game.
    needs: Needs,
    /// What the query reads of the headers.
    reads: Reads,
    /// Whether a match of a regular expression is more than its truth.
    has_groups: bool,
    options: SearchOptions,
}

impl<'q> Search<'q> {
    /// Plans a query whose transforms are expanded.
    pub fn new(query: &'q Query, options: SearchOptions) -> Search<'q> {
        let variations = options.variations.unwrap_or(query.header.variations);
        let plan_for = |variations| {
            let mut plan = planner::plan(query, variations);
            // The index knows the language as it is.
            if options.route == Route::Scan || options.rules.unbound_moves {
                plan.candidates = Candidates::UNKNOWN;
            }
            plan
        };
        let plan = plan_for(variations);
        let mainline_plan = variations.then(|| plan_for(false));
        let mut effects = Effects::of(query);
        if (options.rules.keep_all_comments || planner::notes_pairs(query)) && options.detail == Detail::Results {
            // Positions that do not match leave comments, too.
            effects = effects.max(Effects::Game);
        }
        let mut reads = Reads::of(&query.body);
        reads.add_outcomes(!query.header.outcomes.is_empty());
        Search {
            query,
            variations,
            plan,
            mainline_plan,
            effects,
            needs: Needs::of(query),
            reads,
            has_groups: planner::has_groups(query),
            options,
        }
    }

    /// What the index is asked, and whether its answer is final, in segments that have variations.
    pub fn candidates(&self) -> &Candidates {
        &self.plan.candidates
    }

    /// The plan for segments with variations that are searched, or for those without any.
    fn plan_for(&self, branching: bool) -> &Plan<'q> {
        match &self.mainline_plan {
            Some(plan) if !branching => plan,
            _ => &self.plan,
        }
    }

    /// The plan for a whole database. Segments without variations may have a better one.
    ///
    /// # Errors
    ///
    /// When the database can't be read.
    pub fn plan_of(&self, snapshot: &Snapshot) -> Result<&Plan<'q>, storage::Error> {
        Ok(self.plan_for(self.branches(snapshot)?))
    }

    /// Whether variations are searched, and there are any.
    ///
    /// # Errors
    ///
    /// When the database can't be read.
    pub fn branches(&self, snapshot: &Snapshot) -> Result<bool, storage::Error> {
        for index in 0..snapshot.segments().len() {
            if part::branches(self, &snapshot.segment(index))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// How the positions of a game depend on each other.
    pub fn effects(&self) -> Effects {
        self.effects
    }

    /// Whether variations are searched.
    pub fn variations(&self) -> bool {
        self.variations
    }

    fn is_stopped(&self) -> bool {
        self.options
            .stop
            .as_ref()
            .is_some_and(|stop| stop.load(std::sync::atomic::Ordering::Relaxed))
    }

    /// Whether the segment where this happened is to be left out.
    fn skips(&self, error: &storage::Error) -> bool {
        self.options.skip_damaged && error.is_damage()
    }

    /// Runs the query. `sink` gets every matching game in the order of the database, its positions cut to the limit.
    ///
    /// # Errors
    ///
    /// When the database can't be read, when the query raises an error (the first one in the order of the games), or
    /// when the search is stopped.
    pub fn run(&self, snapshot: &Snapshot, sink: &mut dyn FnMut(GameMatch)) -> Result<Summary, SearchError> {
        let started = Instant::now();
        let limits = Limits {
            stop: self.options.stop.clone(),
            last_game: u32::try_from(snapshot.last_number()).unwrap_or(u32::MAX),
            results: self.options.detail == Detail::Results,
            variations: self.variations,
            all_pairs: self.options.route == Route::Scan,
            files: self.options.files.clone(),
            rules: self.options.rules,
            similar: self.options.similar.clone(),
        };
        // Whoever runs tasks must not wait for others that do, and what persists needs one thread from start to end.
        let alone = self.effects == Effects::Database || rayon::current_thread_index().is_some();
        let threads = if alone { 1 } else { rayon::current_num_threads() };
        let workers = Workers::new(self, &limits);
        let parts = Parts::new(self, snapshot, &workers, threads);
        let run = |task, outlet: &mut dyn Outlet| {
            let place = parts.place(task);
            let part = parts.open(place.segment).ok_or(TaskError::Shared)?;
            Ok(workers.with(|worker| part.run(worker, place.task, outlet))?)
        };
        let mut collector = Collector::new(self, &parts, snapshot.segments(), sink);
        ordered::run(parts.tasks(), threads, run, &mut |task, find| {
            collector.take(task, find)
        })?;
        let mut summary = collector.finish();
        summary.persistent = workers.persistent();
        summary.elapsed = started.elapsed();
        Ok(summary)
    }
}

impl Summary {
    fn add(&mut self, found: &mut TaskResult) {
        self.games += found.matching_games;
        self.positions += found.matching_positions;
        self.candidates += found.candidates;
        self.evaluated += found.evaluated;
        self.sweeping += found.sweeping;
        self.evaluating += found.evaluating;
        self.bytes_read += found.boards_read;
        for (stage, of_task) in self.stages_mut(found.stages.len()).iter_mut().zip(&found.stages) {
            stage.left += of_task.left;
            stage.sweeping += of_task.sweeping;
        }
        self.messages.append(&mut found.messages);
    }

    /// The stages, at least so many.
    fn stages_mut(&mut self, count: usize) -> &mut [StageSummary] {
        if self.stages.len() < count {
            self.stages.resize_with(count, StageSummary::default);
        }
        &mut self.stages
    }
}
