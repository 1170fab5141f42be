//! What happens to a query between its text and its answer.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use language::hir::{self, Filter, Node};
use language::span::Span;
use planner::index_uses;
use search::Search;
use storage::Snapshot;

use crate::database::Database;
use crate::error::Result;
use crate::matches::{Detail, Route, Summary, run_cancellable};
use crate::options::{Planned, SearchOptions};
use crate::query::{Parsed, Query};
use crate::tree;

#[doc(inline)]
pub use planner::IndexUse;
#[doc(inline)]
pub use search::{KeptSegments, PlanLine, PlanStage};

/// Every stage between the text of a query and its answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The filters with their kinds, a line each, the inner ones indented; only the first of many.
    pub filters: Vec<String>,
    /// How many filters there are.
    pub filter_count: u64,
    /// How many there are when the transforms are expanded.
    pub expanded_count: u64,
    /// The transforms, in the order of the text.
    pub transforms: Vec<TransformUse>,
    /// What the index does for each filter of the body, with its text.
    pub shares: Vec<(String, IndexUse)>,
    /// The filters on headers that the plan refers to.
    pub header_filters: Vec<String>,
    /// How many conditions are counted by searches of their own: where they hold, the query only adds numbers to persistent
    /// variables. The plan is that of the whole query.
    pub counted_apart: usize,
    /// Whether the index gives the exact answer, so that no position has to be evaluated, but for games with a plan of their
    /// own.
    pub is_exact: bool,
    /// How many games with variations have a plan of their own: it only gives candidates, and what is told here is the plan for
    /// the other games.
    pub games_apart: u64,
    /// The plan for the database; `None` if it is empty.
    pub plan: Option<PlanLine>,
    /// What is expected of its stages.
    pub stages: Vec<PlanStage>,
    /// How long parsing took, checking of kinds included.
    pub parsing: Duration,
    /// How long the expansion of transforms took.
    pub expanding: Duration,
    /// How long planning took.
    pub planning: Duration,
    /// What is kept of earlier answers to the query; `None` if its answers are not kept.
    pub kept: Option<KeptSegments>,
    /// If the query was run, without kept answers: the first run, and one more when all that it reads is in memory.
    pub runs: Option<[Summary; 2]>,
}

/// A transform of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TransformUse {
    /// The transform with its filter, as written.
    pub text: String,
    /// How many maps it stands for.
    pub maps: usize,
    /// How many distinct variants they make. A transform inside another is counted in every variant of that.
    pub variants: usize,
}

impl Query {
    /// Its filters with their kinds, a line each, the inner ones indented; only the first of many.
    ///
    /// ```
    /// use cqldex::{Dialect, Query};
    ///
    /// let query = Query::parse("flip Kg1 check", Dialect::Cql6)?;
    /// assert!(query.filters()[1].contains("transform"));
    /// # Ok::<(), cqldex::Error>(())
    /// ```
    pub fn filters(&self) -> Vec<String> {
        let Parsed { written, text, .. } = self.parsed();
        tree::lines(&written.body, text)
    }
}

impl Database {
    /// Tells how a query is understood and planned.
    ///
    /// ```
    /// use cqldex::{Database, Dialect, Options, Query, SearchOptions};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let query = Query::parse("flip Kg1", Dialect::Auto)?;
    /// let explanation = database.explain(&query, SearchOptions::default())?;
    /// assert!(explanation.is_exact);
    /// assert_eq!((explanation.transforms[0].maps, explanation.transforms[0].variants), (8, 8));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the database can't be read.
    pub fn explain(&self, query: &Query, options: SearchOptions) -> Result<Explanation> {
        self.explanation(query, options, false)
    }

    /// The same, and runs the query twice, and counts and times every part of the plan.
    ///
    /// # Errors
    ///
    /// As a search.
    pub fn analyze(&self, query: &Query, options: SearchOptions) -> Result<Explanation> {
        self.explanation(query, options, true)
    }

    fn explanation(&self, query: &Query, options: SearchOptions, runs: bool) -> Result<Explanation> {
        let options = SearchOptions {
            detail: Detail::Count,
            ..options
        };
        let (run, progress) = (options.cancel.run(), options.progress.clone());
        let plan = self.planned(options).anew();
        let (query, snapshot) = (query.clone(), self.snapshot());
        run_cancellable(&run, &progress, move |stop| {
            explain(&query, &snapshot, plan, stop, runs)
        })
    }
}

fn explain(
    query: &Query,
    snapshot: &Snapshot,
    plan: Planned,
    stop: Arc<AtomicBool>,
    runs: bool,
) -> Result<Explanation> {
    let sets = plan.sets.clone();
    let restricted = sets.restricted(query, snapshot)?;
    let options = match runs {
        true => plan.options(query, stop)?,
        false => plan.options_to_plan(stop),
    };
    let options = sets.read(options, &restricted, snapshot)?;
    let route = options.route;
    let started = Instant::now();
    let search = Search::new(&restricted, options);
    // The plan is made when it is first asked for.
    search.plan_of(snapshot)?;
    let planning = started.elapsed();
    let failed = |error| query.search_error(error);
    let once = || search.run(snapshot, &mut |_| ()).map_err(failed);
    let results = if runs { Some([once()?, once()?]) } else { None };
    let told = search.told_plan(snapshot, runs).map_err(failed)?;
    let kept = search.kept_segments(snapshot);
    let games_apart = told.as_ref().map_or(0, |told| told.games_apart);
    let branching = games_apart == 0 && search.branches(snapshot)?;
    let lowering = search.plan_for(branching);
    let (plan, stages) = told.map(|told| (told.line, told.stages)).unzip();
    let Parsed {
        text,
        written,
        expanded,
        parsing,
        expanding,
        ..
    } = query.parsed();
    let shares = index_uses(&restricted, branching)
        .into_iter()
        .zip(elements(&restricted.body));
    Ok(Explanation {
        filters: tree::lines(&written.body, text),
        filter_count: tree::size(&written.body),
        expanded_count: tree::size(&expanded.body),
        transforms: transforms(query.parsed()),
        shares: shares
            .map(|((_, share), filter)| (excerpt(text, filter, &restricted), share))
            .collect(),
        header_filters: lowering
            .games
            .iter()
            .map(|filter| tree::excerpt(text, filter))
            .collect(),
        counted_apart: search.counted_apart(),
        is_exact: lowering.candidates.exact && route == Route::Plan,
        games_apart,
        plan,
        stages: stages.unwrap_or_default(),
        parsing: *parsing,
        expanding: *expanding,
        planning,
        kept,
        runs: results,
    })
}

/// The text of a filter; one that restricts the search to a set stands nowhere.
fn excerpt(text: &str, filter: &Filter, query: &hir::Query) -> String {
    match &filter.node {
        Node::PositionSet(index) if filter.span == Span::default() => {
            format!("positionset \"{}\"", query.sets[*index as usize].name)
        }
        Node::Not(inner) if filter.span == Span::default() => format!("not {}", excerpt(text, inner, query)),
        _ => tree::excerpt(text, filter),
    }
}

/// The filters that stand one after the other in a body.
fn elements(body: &Filter) -> &[Filter] {
    match &body.node {
        Node::Compound(list) => list,
        _ => std::slice::from_ref(body),
    }
}

/// The transforms of a query, with their maps and variants.
fn transforms(query: &Parsed) -> Vec<TransformUse> {
    let mut maps = BTreeMap::new();
    query.written.body.any(&mut |filter| {
        if let Node::Transform { transform, .. } = &filter.node {
            maps.insert(
                (filter.span.start, filter.span.end),
                (tree::excerpt(&query.text, filter), transform.maps().len()),
            );
        }
        false
    });
    let mut variants: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    query.expanded.body.any(&mut |filter| {
        if let Node::Orbit { variants: list, .. } = &filter.node {
            *variants.entry((filter.span.start, filter.span.end)).or_default() += list.len();
        }
        false
    });
    let found = maps.into_iter().filter_map(|(place, (text, maps))| {
        Some(TransformUse {
            text,
            maps,
            variants: *variants.get(&place)?,
        })
    });
    found.collect()
}
