//! `cqldex explain`: every stage between the text of a query and its answer.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use language::hir::{Filter, Node};
use planner::{IndexUse, index_uses};
use search::{Detail, PlanLine, Route, Search, SearchOptions, StageSummary, Summary};
use serde_json::{Value, json};
use storage::Database;

use super::interrupt;
use super::query::{SearchArgs, search_failure};
use super::text::{Compiled, QueryArgs};
use crate::exit::{Done, Failure};
use crate::output::{bytes, count, duration, grouped, milliseconds, tree};

/// Arguments of `cqldex explain`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The database
    db: PathBuf,
    #[command(flatten)]
    query: QueryArgs,
    /// Run the query, and count and time every part of the plan
    #[arg(long)]
    analyze: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    search: SearchArgs,
}

/// What there is to tell about a query.
struct Explanation<'t> {
    text: &'t str,
    compiled: &'t Compiled,
    opening: Duration,
    planning: Duration,
    shares: Vec<(String, IndexUse)>,
    /// The filters on headers that the plan refers to.
    headers: Vec<String>,
    exact: bool,
    route: Route,
    plan: Option<PlanLine>,
    /// The first run and one more, when all that it reads is in memory.
    runs: Option<[Summary; 2]>,
}

/// Explains a query.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let text = args.query.read()?;
    let compiled = text.compile()?;
    args.search.start_threads()?;
    let started = Instant::now();
    let snapshot = Database::open_read_only(&args.db)?.snapshot();
    let opening = started.elapsed();

    let stop = interrupt::flag_within(args.search.timeout);
    let similar = match args.analyze {
        true => args.search.similar(&compiled.expanded)?,
        false => Vec::new(),
    };
    let options = SearchOptions {
        similar,
        stop: Some(Arc::clone(&stop)),
        ..args.search.options(Detail::Count)
    };
    let route = options.route;
    let started = Instant::now();
    let search = Search::new(&compiled.expanded, options);
    let planning = started.elapsed();
    let failed = |error| search_failure(error, &text);
    let once = || search.run(&snapshot, &mut |_| ()).map_err(failed);
    let runs = if args.analyze { Some([once()?, once()?]) } else { None };
    let plan = search.plan_lines(&snapshot, args.analyze).map_err(failed)?;
    let lowering = search.plan_of(&snapshot)?;
    let branching = search.branches(&snapshot)?;
    let written = text.text();
    let shares = index_uses(&compiled.expanded, branching);
    let shares = shares.into_iter().zip(elements(&compiled.expanded.body));
    let explanation = Explanation {
        text: &written,
        compiled: &compiled,
        opening,
        planning,
        shares: shares
            .map(|((_, share), filter)| (tree::excerpt(&written, filter), share))
            .collect(),
        headers: lowering
            .games
            .iter()
            .map(|filter| tree::excerpt(&written, filter))
            .collect(),
        exact: lowering.candidates.exact && route == Route::Plan,
        route,
        plan,
        runs,
    };
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", explanation.json())?;
    } else {
        out.write_all(explanation.to_text().as_bytes())?;
    }
    Ok(Done::Success)
}

/// The filters that stand one after the other in a body.
fn elements(body: &Filter) -> &[Filter] {
    match &body.node {
        Node::Compound(list) => list,
        _ => std::slice::from_ref(body),
    }
}

/// The transforms of a query: where they stand, how many maps they have, and how many distinct variants came of them.
/// One that stands inside another is counted in every variant of that.
fn transforms(compiled: &Compiled, text: &str) -> Vec<(String, usize, usize)> {
    let mut maps = BTreeMap::new();
    compiled.written.body.any(&mut |filter| {
        if let Node::Transform { transform, .. } = &filter.node {
            maps.insert(
                (filter.span.start, filter.span.end),
                (tree::excerpt(text, filter), transform.maps().len()),
            );
        }
        false
    });
    let mut variants: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    compiled.expanded.body.any(&mut |filter| {
        if let Node::Orbit { variants: list, .. } = &filter.node {
            *variants.entry((filter.span.start, filter.span.end)).or_default() += list.len();
        }
        false
    });
    let found = maps
        .into_iter()
        .filter_map(|(place, (text, maps))| Some((text, maps, *variants.get(&place)?)));
    found.collect()
}

fn share_name(share: IndexUse) -> &'static str {
    match share {
        IndexUse::Exact => "exact",
        IndexUse::AtMost => "at most",
        IndexUse::Unused => "nothing",
        IndexUse::Blocked => "behind",
    }
}

impl Explanation<'_> {
    fn verdict(&self) -> &'static str {
        match (self.route, self.exact) {
            (Route::Scan, _) => "no index: every position is evaluated",
            (_, true) => "the index gives the exact answer; nothing has to be evaluated",
            (_, false) => "the index gives candidates; the evaluator looks at each",
        }
    }

    fn to_text(&self) -> String {
        let mut out = String::new();
        // Writing to a string can't fail.
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let Compiled {
            written,
            expanded,
            parsing,
            expanding,
        } = self.compiled;
        writeln!(
            out,
            "1. typed filters: {}, {}",
            count(tree::size(&written.body), "filter"),
            duration(*parsing)
        )?;
        for line in tree::lines(&written.body, self.text) {
            writeln!(out, "   {line}")?;
        }
        let transforms = transforms(self.compiled, self.text);
        let size = count(tree::size(&expanded.body), "filter");
        writeln!(out, "\n2. transforms expanded: {size}, {}", duration(*expanding))?;
        if transforms.is_empty() {
            writeln!(out, "   there are none")?;
        }
        for (text, maps, variants) in transforms {
            writeln!(
                out,
                "   {:<44} {}, {}",
                text,
                count(maps as u64, "map"),
                count(variants as u64, "distinct variant")
            )?;
        }
        writeln!(out, "\n3. plan: {}, {}", self.verdict(), duration(self.planning))?;
        for (text, share) in &self.shares {
            writeln!(out, "   {:<8} {text}", share_name(*share))?;
        }
        for (index, text) in self.headers.iter().enumerate() {
            writeln!(out, "   header filter {}: {text}", index + 1)?;
        }
        self.write_plan(out)?;
        writeln!(out, "\n   the database was opened in {}", duration(self.opening))?;
        if let Some([first, again]) = &self.runs {
            write_run(out, first, again)?;
        }
        Ok(())
    }

    fn write_plan(&self, out: &mut String) -> std::fmt::Result {
        let Some(plan) = &self.plan else {
            return writeln!(out, "\n   the database is empty");
        };
        writeln!(
            out,
            "\n   {:>14} {:>9}{}",
            "expected",
            "alone",
            if self.runs.is_some() {
                format!(" {:>14} {:>9}", "actual", "alone")
            } else {
                String::new()
            }
        )?;
        write_line(out, plan, 0)
    }

    fn json(&self) -> Value {
        let Compiled {
            written,
            expanded,
            parsing,
            expanding,
        } = self.compiled;
        let transforms: Vec<Value> = transforms(self.compiled, self.text)
            .into_iter()
            .map(|(text, maps, variants)| json!({ "text": text, "maps": maps, "variants": variants }))
            .collect();
        let filters: Vec<Value> = self
            .shares
            .iter()
            .map(|(text, share)| json!({ "text": text, "index": share_name(*share) }))
            .collect();
        json!({
            "type": "explanation",
            "filters": tree::size(&written.body),
            "filtersExpanded": tree::size(&expanded.body),
            "transforms": transforms,
            "exact": self.exact,
            "parts": filters,
            "plan": self.plan.as_ref().map(line_json),
            "parseMs": milliseconds(*parsing),
            "expandMs": milliseconds(*expanding),
            "planMs": milliseconds(self.planning),
            "openMs": milliseconds(self.opening),
            "runs": self.runs.as_ref().map(|runs| runs.each_ref().map(run_json)),
        })
    }
}

fn write_line(out: &mut String, line: &PlanLine, depth: usize) -> std::fmt::Result {
    let measured = |(count, time)| format!(" {:>14} {:>9}", grouped(count), duration(time));
    let actual = line.actual.map_or_else(String::new, measured);
    let (expected, alone) = (grouped(line.expected), duration(line.expected_time));
    let indent = 2 * depth;
    writeln!(out, "   {expected:>14} {alone:>9}{actual}  {:indent$}{}", "", line.text)?;
    for child in &line.children {
        write_line(out, child, depth + 1)?;
    }
    if line.hidden > 0 {
        let width = 14 + 10 + actual.len();
        writeln!(
            out,
            "   {:>width$}  {:indent$}  ... and {} more",
            "",
            "",
            grouped(line.hidden as u64)
        )?;
    }
    Ok(())
}

fn write_run(out: &mut String, first: &Summary, again: &Summary) -> std::fmt::Result {
    writeln!(
        out,
        "\n4. run: {}, again {}",
        duration(first.elapsed),
        duration(again.elapsed)
    )?;
    let mut row = |name: &str, value: String| writeln!(out, "   {name:<12} {value}");
    row(
        "searched",
        format!(
            "{} in {}",
            count(again.positions_searched, "position"),
            count(again.games_searched, "game")
        ),
    )?;
    row("candidates", grouped(again.candidates))?;
    row("evaluated", grouped(again.evaluated))?;
    row(
        "matching",
        format!(
            "{} in {}",
            count(again.positions, "position"),
            count(again.games, "game")
        ),
    )?;
    row("index", format!("{} of all threads together", duration(again.sweeping)))?;
    row(
        "evaluator",
        format!("{} of all threads together", duration(again.evaluating)),
    )?;
    row(
        "looked at",
        format!("{} of posting lists and boards, as on disk", bytes(again.bytes_read)),
    )?;
    for (number, stage) in (1..).zip(&again.stages) {
        writeln!(
            out,
            "   stage {number}      {} expected, {} left, {}, {} of posting lists",
            grouped(stage.expected.round() as u64),
            grouped(stage.left),
            duration(stage.sweeping),
            bytes(stage.bytes_read)
        )?;
    }
    Ok(())
}

fn line_json(line: &PlanLine) -> Value {
    json!({
        "text": line.text,
        "expected": line.expected,
        "expectedMs": milliseconds(line.expected_time),
        "actual": line.actual.map(|(count, _)| count),
        "actualMs": line.actual.map(|(_, time)| milliseconds(time)),
        "children": line.children.iter().map(line_json).collect::<Vec<_>>(),
        "hidden": line.hidden,
    })
}

fn stage_json(stage: &StageSummary) -> Value {
    json!({
        "expected": stage.expected.round() as u64,
        "left": stage.left,
        "indexMs": milliseconds(stage.sweeping),
        "bytesRead": stage.bytes_read,
    })
}

fn run_json(run: &Summary) -> Value {
    json!({
        "games": run.games,
        "positions": run.positions,
        "gamesSearched": run.games_searched,
        "positionsSearched": run.positions_searched,
        "candidates": run.candidates,
        "evaluated": run.evaluated,
        "elapsedMs": milliseconds(run.elapsed),
        "indexMs": milliseconds(run.sweeping),
        "evaluatorMs": milliseconds(run.evaluating),
        "bytesRead": run.bytes_read,
        "stages": run.stages.iter().map(stage_json).collect::<Vec<_>>(),
    })
}
