//! Runs a query on a snapshot: plan, sweep, evaluate. The one place that knows all three.

mod analyze;
mod boards;
mod candidates;
mod collect;
mod counters;
mod evaluation;
mod evaluation_order;
mod fingerprint;
mod games;
mod headers;
mod kept;
mod last_move;
mod lists;
mod measured;
mod numbers;
mod order;
mod ordered;
mod progress;
mod quantities;
mod record;
mod segment_plan;
mod segment_plans;
mod segment_search;
mod segments;
mod sets;
mod sift;
mod stage;
mod summary;
mod swept;
mod tally;
mod task;
mod task_result;
mod threads;
mod worker;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use chess::{Board, Rights};
use storage::{Sections, Snapshot};

pub use analyze::{PlanLine, ToldPlan};
use collect::Collector;
use counters::Split;
use evaluation_order::EvaluationOrder;
use evaluator::{GameResult, Limits, Needs, RuntimeError};
#[cfg(feature = "testing")]
pub use fingerprint::pretend_version;
use headers::Reads;
use kept::KeptAnswers;
pub use kept::KeptSegments;
use language::hir::{Node, Query};
use language::{Code, Diagnostic};
pub use last_move::LastMove;
use measured::Measurements;
pub use order::{GameOrder, Rank};
use ordered::TaskError;
use planner::{Candidates, Effects, Plan};
pub use progress::Progress;
pub use segment_plan::PlanStage;
use segments::Segments;
use sets::QuerySets;
pub use summary::{KeptUse, SkippedGames, Summary};
pub use swept::StageSummary;
pub use tally::{Tally, Turn};
use task_result::Outlet;
pub use threads::Threads;
use worker::Workers;

/// Whether the index is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Route {
    /// Candidates come from the posting lists; what they leave open is evaluated.
    #[default]
    Plan,
    /// Every position is evaluated.
    Scan,
    /// Every position is evaluated, and each filter as it is defined, without the evaluator's shortcuts. That is what the
    /// language means; the other routes have to give the same.
    Definition,
}

/// How much is wanted of what matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// How many games and positions. The search gives no games, only a summary.
    Count,
    /// Which positions, with their boards.
    #[default]
    Positions,
    /// Also what the query leaves in the games: comments, tags, sort keys.
    Results,
}

/// How a query is run.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Whether variations are searched; `None` leaves it to the query's header.
    pub variations: Option<bool>,
    /// Whether the index is used.
    pub route: Route,
    /// Whether stages of the plan behind the first read where men stand from boards instead of lists, where they can; `None`
    /// for what is expected to take less time. What is found does not depend on it.
    pub boards: Option<bool>,
    /// How much is wanted.
    pub detail: Detail,
    /// At most this many matching positions are reported; all are counted.
    pub limit: Option<u64>,
    /// Whether the search ends as soon as the limit is reached. The summary then counts the positions that were reported,
    /// and describes the work until then.
    pub stop_at_limit: bool,
    /// Whether games of damaged segments are left out and named in the summary, instead of being an error.
    pub skip_damaged: bool,
    /// Set from outside to stop the search within a moment.
    pub stop: Option<Arc<AtomicBool>>,
    /// The folder for `readfile` and `writefile`.
    pub files: Option<std::path::PathBuf>,
    /// What is changed in the language.
    pub rules: evaluator::Rules,
    /// The tables of `similarposition`, in the order of its filters in the query.
    pub similar: Vec<Arc<evaluator::SimilarPositions>>,
    /// Named sets that the query reads, by name, where they are known; others are read from the database.
    pub sets: BTreeMap<String, Arc<Sections>>,
    /// The threads that work; several searches can share them.
    pub threads: Threads,
    /// Where the search writes how far it is. The caller ends it with [`Progress::end`].
    pub progress: Progress,
    /// How answers are kept; `None` works everything out anew, and keeps nothing.
    pub answers: Option<AnswerOptions>,
}

/// How answers are kept, and used by later searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerOptions {
    /// Answers that took less time than this, added up over all threads, are not kept. Large ones have to take longer:
    /// for each hundredth of the bytes of all answers that one takes, this time again.
    pub worth: Duration,
    /// How many bytes all answers together may take; 2 % of the database by default.
    pub bound: Option<u64>,
}

/// A matching position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Its `positionid`.
    pub node: u32,
    /// Half-moves from the game's first position.
    pub ply: u32,
    /// The placement of the men.
    pub board: Board,
    /// The move that led here; `None` where the game begins.
    pub last_move: Option<LastMove>,
    /// Castling and en passant, which the earlier moves decide.
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
    /// The matching positions, in ascending order. Under a limit, the last game has only those up to the limit. They are
    /// empty only in a game that matches without a position (`matchcount 0`); a search with a limit leaves it out.
    pub positions: Vec<Match>,
    /// Comments, tags and sort keys that the query made. Unless [`Detail::Results`] is asked for, there are no comments and
    /// tags, and every key is `None`.
    pub result: GameResult,
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
    /// The query does not fit the database: it reads a set that is not there.
    #[error("{}", .0.message)]
    Query(Box<Diagnostic>),
    /// The system gives no more threads.
    #[error("{count} threads cannot be started: {reason}")]
    Threads {
        /// How many were asked for.
        count: usize,
        /// What the system says.
        reason: String,
    },
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

/// A query with its plans.
#[derive(Debug)]
pub struct Search<'q> {
    query: &'q Query,
    variations: bool,
    /// The plan without variations, and with them; made when the first segment needs it.
    plans: [OnceLock<Plan<'q>>; 2],
    effects: Effects,
    /// The same within a game, where the positions that change what later games see are evaluated.
    within_game: Effects,
    /// Whether games with a candidate are evaluated as a whole.
    whole_games: bool,
    /// How long stages and the evaluator take.
    measured: Measurements,
    /// What the evaluator needs of a game.
    needs: Needs,
    /// What the query reads of the headers.
    reads: Reads,
    /// Whether a match of a regular expression is more than its truth.
    has_groups: bool,
    /// The query without what it only counts.
    split: Option<Split>,
    options: RunOptions,
}

impl<'q> Search<'q> {
    /// Prepares a query whose transforms are expanded.
    pub fn new(query: &'q Query, options: RunOptions) -> Search<'q> {
        let mut search = Search::whole(query, options);
        if counters::is_possible(&search.options) {
            search.split = Split::of(query, search.options.detail);
        }
        search
    }

    /// The same, with all counters counted where they stand.
    fn whole(query: &'q Query, options: RunOptions) -> Search<'q> {
        let variations = options.variations.unwrap_or(query.header.variations);
        let mut effects = match options.detail {
            Detail::Results => Effects::of(query),
            Detail::Count | Detail::Positions => Effects::of_matches(query),
        };
        let mut within_game = Effects::within_game(query, options.detail != Detail::Results);
        let whole_games =
            (options.rules.keep_all_comments || planner::notes_pairs(query)) && options.detail == Detail::Results;
        if whole_games {
            // Positions that do not match leave comments, too.
            effects = effects.max(Effects::Game);
            within_game = Effects::Game;
        }
        let reads = Reads::of(&query.body);
        Search {
            query,
            variations,
            plans: Default::default(),
            effects,
            within_game,
            whole_games,
            measured: Measurements::default(),
            needs: Needs::of(query),
            reads,
            has_groups: planner::has_groups(query),
            split: None,
            options,
        }
    }

    /// The condition for the index in segments that have variations, and whether its answer is exact.
    pub fn candidates(&self) -> &Candidates {
        &self.plan_for(true).candidates
    }

    /// The plan for segments with variations that are searched, or for those without any.
    pub fn plan_for(&self, branching: bool) -> &Plan<'q> {
        let variations = self.variations && branching;
        self.plans[usize::from(variations)].get_or_init(|| {
            let mut plan = planner::plan(self.query, variations);
            // The index knows the language as it is.
            if self.options.route != Route::Plan || self.options.rules.unbound_moves {
                plan.candidates = Candidates::UNKNOWN;
            }
            plan
        })
    }

    /// Whether the index says more of games without variations than of others.
    fn is_better_without_variations(&self) -> bool {
        !self.plan_for(true).candidates.exact && self.plan_for(true).candidates != self.plan_for(false).candidates
    }

    /// The plan for all games of a database. Those without variations may have a better one.
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
            if self.variations && snapshot.segment(index).has_variations()? {
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

    /// For how many segments of a snapshot there is a kept answer; `None` if answers to this query are not kept.
    pub fn kept_segments(&self, snapshot: &Snapshot) -> Option<KeptSegments> {
        KeptSegments::read(self, snapshot)
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
    /// As [`Search::stream`].
    pub fn run(&self, snapshot: &Snapshot, sink: &mut dyn FnMut(GameMatch)) -> Result<Summary, SearchError> {
        self.stream(snapshot, &mut |games| {
            games.into_iter().for_each(&mut *sink);
            ControlFlow::Continue(())
        })
    }

    /// Runs the query. `sink` gets the matching games in the order of the database, several at once, their positions
    /// cut to the limit. When it breaks, the search ends as one that was stopped from outside.
    ///
    /// # Errors
    ///
    /// When the database can't be read, when the query raises an error (the first one in the order of the games), or
    /// when the search is stopped.
    pub fn stream(
        &self,
        snapshot: &Snapshot,
        sink: &mut dyn FnMut(Vec<GameMatch>) -> ControlFlow<()>,
    ) -> Result<Summary, SearchError> {
        if let Some(split) = &self.split
            && let Some(summary) = self.run_split(split, snapshot, sink)?
        {
            return Ok(summary);
        }
        let answers = KeptAnswers::read(self, snapshot);
        let (summary, _) = self.run_with(&answers, snapshot, sink)?;
        Ok(summary)
    }

    /// The same, and gives all matching positions. `known` are those of the first games of some segments, as far as they
    /// are covered: these games are not searched again.
    ///
    /// # Errors
    ///
    /// As [`Search::stream`].
    pub fn collect(
        &self,
        snapshot: &Snapshot,
        known: &Sections,
        sink: &mut dyn FnMut(Vec<GameMatch>) -> ControlFlow<()>,
    ) -> Result<(Summary, Sections), SearchError> {
        let answers = KeptAnswers::collecting(self, snapshot, known);
        let (summary, mut found) = self.run_with(&answers, snapshot, sink)?;
        answers.add_known(snapshot.segments(), &mut found);
        // What a set lacks is missing in all that is found by it.
        for (segment, games) in self.options.sets.values().flat_map(|set| set.lacking()) {
            found.lack(segment, games);
        }
        Ok((summary, found))
    }

    /// Runs the query, given what is known of its answer. Also gives the positions that were noted.
    fn run_with(
        &self,
        answers: &KeptAnswers,
        snapshot: &Snapshot,
        sink: &mut dyn FnMut(Vec<GameMatch>) -> ControlFlow<()>,
    ) -> Result<(Summary, Sections), SearchError> {
        let started = Instant::now();
        self.require_variations()?;
        let limits = Limits {
            stop: self.options.stop.clone(),
            last_game: u32::try_from(snapshot.last_number()).unwrap_or(u32::MAX),
            results: self.options.detail == Detail::Results,
            variations: self.variations,
            plain: self.options.route == Route::Definition,
            files: self.options.files.clone(),
            rules: self.options.rules,
            similar: self.options.similar.clone(),
        };
        self.options.progress.begin(snapshot);
        let threads = self.threads();
        let workers = Workers::new(self, &limits);
        let sets = QuerySets::read(self, snapshot)?;
        let segments = Segments::new(self, snapshot, &workers, (answers, &sets), threads);
        let order = EvaluationOrder::of(self, &limits);
        let run = |task, outlet: &mut dyn Outlet| {
            let in_order = order.as_ref().map(|order| order.place_of(task));
            let place = segments.place(task);
            let segment = segments.open(place.segment).ok_or(TaskError::Shared)?;
            Ok(workers.with(|worker| segment.run(worker, place.task, in_order.as_ref(), outlet))?)
        };
        let mut collector = Collector::new(self, &segments, (snapshot.segments(), answers), sink);
        let pool = &self.options.threads;
        ordered::run(segments.tasks(), threads, pool, run, &mut |task, find| {
            collector.take(task, find)
        })?;
        let (mut summary, found, findings) = collector.finish();
        answers.write(findings, &mut summary);
        summary.persistent = evaluation_order::persistent(order, &workers);
        summary.incomplete_sets = sets.incomplete(self.query);
        summary.elapsed = started.elapsed();
        Ok((summary, found))
    }

    /// Fails if the query asks for variations and they are not searched, whether or not it would come to asking
    /// (docs/language/control.md#logic-and-control).
    fn require_variations(&self) -> Result<(), SearchError> {
        let mut error = None;
        if !self.variations {
            self.query.body.any(&mut |filter| {
                if let Node::AssertVariations(message) = &filter.node {
                    let diagnostic = Diagnostic::new(Code::VariationsNeeded, filter.span, message.clone());
                    error = Some(diagnostic.help("search variations: `cql(variations)`, or the flag `--variations`"));
                }
                error.is_some()
            });
        }
        error.map_or(Ok(()), |error| Err(SearchError::Query(Box::new(error))))
    }

    /// How many threads the search may have.
    pub fn threads(&self) -> usize {
        // A thread of the pool must not wait for others of it.
        let alone = self.options.threads.is_one_of_them();
        if alone { 1 } else { self.options.threads.count() }
    }
}
