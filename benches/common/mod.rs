//! What both benchmarks of queries share: the list of questions, and how one is asked.

use std::error::Error;
use std::time::Duration;

use query::hir::Query;
use query::{Detail, ParseOptions, Route, Search, SearchOptions, Summary};
use storage::Snapshot;

/// The questions, as they are written down.
const QUERIES: &str = include_str!("../queries.txt");

/// Each query is run so often after a first time, and the middle time is told.
const RUNS: usize = 7;

/// A query that takes longer the first time is not run again: what is in memory makes no difference to it.
const LONG: Duration = Duration::from_secs(1);

/// One question.
pub(crate) struct Question {
    /// The heading that it stands under.
    pub(crate) group: &'static str,
    pub(crate) text: &'static str,
    /// The same for scoutfish, where that can ask it.
    pub(crate) scoutfish: Option<&'static str>,
}

/// All questions, in order. A line `// scoutfish: {...}` belongs to the question before it.
pub(crate) fn questions() -> Vec<Question> {
    let mut questions: Vec<Question> = Vec::new();
    let mut group = "";
    for line in QUERIES.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let heading = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        if let Some(json) = line.strip_prefix("// scoutfish:") {
            if let Some(last) = questions.last_mut() {
                last.scoutfish = Some(json.trim());
            }
        } else if let Some(name) = heading.filter(|name| is_group(name)) {
            group = name;
        } else if !line.starts_with("//") {
            questions.push(Question {
                group,
                text: line,
                scoutfish: None,
            });
        }
    }
    questions
}

/// Whether a bracketed line is a heading: queries begin with pieces in brackets, too.
fn is_group(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_lowercase() || c == ' ')
}

/// A query ready to run.
pub(crate) fn compile(text: &str) -> Result<Query, Box<dyn Error>> {
    let failed = |problem: String| format!("`{text}`: {problem}");
    let mut query = query::parse(text, &ParseOptions::default())
        .map_err(|diagnostics| failed(diagnostics.iter().map(|one| one.render(text, "query")).collect()))?;
    query::transform::expand(&mut query).map_err(|error| failed(error.to_string()))?;
    Ok(query)
}

/// Asks once.
pub(crate) fn once(snapshot: &Snapshot, query: &Query, route: Route) -> Result<Summary, Box<dyn Error>> {
    let options = SearchOptions {
        route,
        detail: Detail::Count,
        ..SearchOptions::default()
    };
    Ok(Search::new(query, options).run(snapshot, &mut |_| ())?)
}

/// What a query finds, and the middle time of some runs after one that warms up.
pub(crate) fn warm(snapshot: &Snapshot, query: &Query, route: Route) -> Result<(Summary, Duration), Box<dyn Error>> {
    let mut summary = once(snapshot, query, route)?;
    if summary.elapsed > LONG {
        let elapsed = summary.elapsed;
        return Ok((summary, elapsed));
    }
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        summary = once(snapshot, query, route)?;
        times.push(summary.elapsed);
    }
    times.sort_unstable();
    Ok((summary, times[RUNS / 2]))
}

pub(crate) fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The middle one of some figures; 0 if there is none.
pub(crate) fn median(figures: &[f64]) -> f64 {
    let mut sorted = figures.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// A query in a cell of a table.
pub(crate) fn cell(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}
