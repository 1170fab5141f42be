//! `cqldex explain`: all stages from the text of a query to its answer.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use cqldex::{Database, Detail, Explanation, KeptSegments, PlanLine, Route, Summary, TransformUse};
use serde_json::{Value, json};

use super::query::SearchArgs;
use super::text::QueryArgs;
use crate::exit::{Done, Failure};
use crate::explained;
use cqldex::format::{bytes, count, duration, grouped, milliseconds, rounded};

/// Arguments of `cqldex explain`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex explain games.db 'shift { Pd4 pd5 }'
  cqldex explain games.db 'mate N attacks k' --analyze
  cqldex explain games.db -f query.cql --json")]
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

/// The data of the output.
struct Page {
    explanation: Explanation,
    opening: Duration,
    route: Route,
}

/// Explains a query.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let text = args.query.read()?;
    let query = text.compile()?;
    let started = Instant::now();
    let database = Database::open(&args.db, args.search.on(super::reading(args.search.threads)))?;
    let opening = started.elapsed();
    let options = args.search.options(Detail::Count);
    let route = options.route;
    let explanation = match args.analyze {
        true => database.analyze(&query, options),
        false => database.explain(&query, options),
    };
    let page = Page {
        explanation: explanation.map_err(|error| text.failure(error))?,
        opening,
        route,
    };
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", page.json())?;
    } else {
        out.write_all(page.to_text().as_bytes())?;
    }
    Ok(Done::Success)
}

/// What is kept of earlier answers, in words.
fn kept_text(kept: Option<KeptSegments>) -> String {
    let Some(KeptSegments { whole, partly, all }) = kept else {
        return "answers to this query are not kept".to_owned();
    };
    match (whole, partly) {
        (0, 0) => "no answer is kept".to_owned(),
        (_, 0) if whole == all => "the answer is kept".to_owned(),
        (_, 0) => format!("the answer is kept for {whole} of {}", count(all, "segment")),
        _ => format!(
            "the answer is kept for {whole} of {}, and for the first games of {partly} more",
            count(all, "segment")
        ),
    }
}

impl Page {
    fn verdict(&self) -> &'static str {
        let page = &self.explanation;
        match (self.route, page.is_exact) {
            (Route::Scan | Route::Definition, _) => "no index: every position is evaluated",
            (_, true) if page.games_apart > 0 => "the index gives the exact answer for games without variations",
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
        let page = &self.explanation;
        writeln!(
            out,
            "1. typed filters: {}, {}",
            count(page.filter_count, "filter"),
            duration(page.parsing)
        )?;
        for line in &page.filters {
            writeln!(out, "   {line}")?;
        }
        let size = count(page.expanded_count, "filter");
        writeln!(out, "\n2. transforms expanded: {size}, {}", duration(page.expanding))?;
        if page.transforms.is_empty() {
            writeln!(out, "   there are none")?;
        }
        for TransformUse {
            text, maps, variants, ..
        } in &page.transforms
        {
            writeln!(
                out,
                "   {:<44} {}, {}",
                text,
                count(*maps as u64, "map"),
                count(*variants as u64, "distinct variant")
            )?;
        }
        writeln!(out, "\n3. plan: {}, {}", self.verdict(), duration(page.planning))?;
        for (text, share) in &page.shares {
            writeln!(out, "   {:<8} {text}", explained::share_name(*share))?;
        }
        for (index, text) in page.header_filters.iter().enumerate() {
            writeln!(out, "   header filter {}: {text}", index + 1)?;
        }
        if page.games_apart > 0 {
            let games = count(page.games_apart, "game");
            writeln!(
                out,
                "   in {games} with variations it gives candidates, by a plan that is not shown"
            )?;
        }
        match page.counted_apart {
            0 => {}
            1 => writeln!(
                out,
                "   1 condition is counted by a search of its own: where it holds, only numbers are added"
            )?,
            many => writeln!(
                out,
                "   {many} conditions are counted by searches of their own: where they hold, only numbers are added"
            )?,
        }
        self.write_plan(out)?;
        writeln!(out, "\n   {}", kept_text(page.kept))?;
        writeln!(out, "   the database was opened in {}", duration(self.opening))?;
        if let Some([first, again]) = &page.runs {
            write_run(out, first, again)?;
        }
        Ok(())
    }

    fn write_plan(&self, out: &mut String) -> std::fmt::Result {
        let Some(plan) = &self.explanation.plan else {
            return writeln!(out, "\n   the database is empty");
        };
        writeln!(
            out,
            "\n   {:>14} {:>9}{}",
            "expected",
            "alone",
            if self.explanation.runs.is_some() {
                format!(" {:>14} {:>9}", "actual", "alone")
            } else {
                String::new()
            }
        )?;
        write_line(out, plan, 0)?;
        let stages = (1..).zip(&self.explanation.stages);
        for (number, stage) in stages.filter(|(_, stage)| stage.left_out_up_to > 0) {
            writeln!(
                out,
                "   stage {number} is left out where {} or fewer are left of half a million: the evaluator takes less time",
                count(stage.left_out_up_to, "position")
            )?;
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let mut value = explained::json(&self.explanation);
        value["openMs"] = json!(milliseconds(self.opening));
        value
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
    row(
        "evaluated",
        match again.for_later {
            0 => grouped(again.evaluated),
            later => format!(
                "{}, {} of them only because later ones may depend on them, found in {}",
                grouped(again.evaluated),
                grouped(later),
                duration(again.finding_for_later)
            ),
        },
    )?;
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
            "   stage {number}      {} expected, {} left, {}, {} of posting lists{}{}",
            grouped(rounded(stage.expected)),
            grouped(stage.left),
            duration(stage.sweeping),
            bytes(stage.bytes_read),
            match stage.by_boards {
                0 => String::new(),
                by_boards => format!("; {} looked at on their boards", grouped(by_boards)),
            },
            match stage.left_out {
                0 => String::new(),
                left_out => format!("; {} left to the evaluator, which takes less time", grouped(left_out)),
            }
        )?;
    }
    Ok(())
}
