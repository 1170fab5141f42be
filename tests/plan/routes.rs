//! What a query finds by plan and by scan, and whether a test saw enough of it.

use language::ParseOptions;
use search::{Detail, Route, RunOptions, Search};
use storage::Snapshot;

use super::indexed;
use super::samples::{ODDITIES, compiled, samples, setting};

/// What a query finds, and what it leaves outside of the games.
#[derive(Debug, PartialEq)]
pub(super) struct Outcome {
    pub(super) found: Vec<(u64, u32)>,
    pub(super) messages: Vec<Vec<u8>>,
    pub(super) persistent: Vec<(String, evaluator::Value)>,
}

/// Games and positions that a query finds, or its error.
pub(super) fn answer(
    snapshot: &Snapshot,
    query: &language::hir::Query,
    variations: bool,
    route: Route,
) -> Result<Vec<(u64, u32)>, String> {
    outcome(snapshot, query, variations, route).map(|outcome| outcome.found)
}

/// The same, with what it leaves outside of the games. By plan it is asked twice: where men stand is read from lists, and,
/// where that is possible, from boards.
pub(super) fn outcome(
    snapshot: &Snapshot,
    query: &language::hir::Query,
    variations: bool,
    route: Route,
) -> Result<Outcome, String> {
    let options = |boards| RunOptions {
        variations: Some(variations),
        route,
        boards: Some(boards),
        ..RunOptions::default()
    };
    let by_lists = outcome_with(snapshot, query, options(false));
    if route == Route::Plan {
        assert_eq!(
            outcome_with(snapshot, query, options(true)),
            by_lists,
            "boards and lists"
        );
    }
    by_lists
}

pub(super) fn outcome_with(
    snapshot: &Snapshot,
    query: &language::hir::Query,
    options: RunOptions,
) -> Result<Outcome, String> {
    let mut found = Vec::new();
    let summary = Search::new(query, options)
        .run(snapshot, &mut |game| {
            found.extend(game.positions.iter().map(|position| (game.number, position.node)));
        })
        .map_err(|error| error.to_string())?;
    Ok(Outcome {
        found,
        messages: summary.messages,
        persistent: summary.persistent,
    })
}

/// What came of random queries by plan and by scan.
#[derive(Default)]
pub(super) struct Outcomes {
    /// Queries that ended without an error.
    pub(super) answered: u64,
    /// Those that match some positions and not all.
    pub(super) selective: u64,
}

/// Asks random queries by plan and by scan, some of them with variations, and compares the answers. Texts that are no
/// queries are left out: some sort by what is always the same, or assign what has another kind.
pub(super) fn compare_routes(snapshot: &Snapshot, count: u64, text: impl Fn(u64) -> String) -> Outcomes {
    let mut outcomes = Outcomes::default();
    for number in 0..count {
        let text = text(number);
        let Ok(parsed) = language::parse(&text, &ParseOptions::default()) else {
            continue;
        };
        let Ok(as_written) = language::expand_as_written(parsed.clone()) else {
            continue;
        };
        let Ok(query) = language::expand(parsed) else { continue };
        let variations = number % 3 == 0;
        let by_plan = outcome(snapshot, &query, variations, Route::Plan);
        let by_scan = outcome(snapshot, &as_written, variations, Route::Definition);
        assert_eq!(by_plan, by_scan, "query {number} (variations: {variations}): {text}");
        if let Ok(Outcome { found, .. }) = by_plan {
            outcomes.answered += 1;
            outcomes.selective += u64::from(!found.is_empty() && (found.len() as u64) < snapshot.positions());
        }
    }
    outcomes
}

/// What share of random queries a test needs to mean something.
#[derive(Clone, Copy)]
pub(super) struct Shares {
    /// That are answered.
    pub(super) answered: f64,
    /// That match some positions and not all.
    pub(super) selective: f64,
}

impl Outcomes {
    /// What was counted, with the share that is needed.
    fn beside(&self, needed: Shares) -> [(&'static str, u64, f64); 2] {
        [
            ("are answered", self.answered, needed.answered),
            ("tell positions apart", self.selective, needed.selective),
        ]
    }
}

/// Compares the answers on two databases. More than these shares are needed on the first one.
pub(super) fn compare_on(snapshots: [&Snapshot; 2], count: u64, needed: Shares, text: impl Fn(u64) -> String) {
    let [outcomes, _] = snapshots.map(|snapshot| compare_routes(snapshot, count, &text));
    for (what, found, share) in outcomes.beside(needed) {
        assert!(found as f64 > share * count as f64, "{found} of {count} {what}");
    }
}

/// Compares the answers on the samples and on odd games. One of `in_how_many` of the usual number of queries is asked.
pub(super) fn compare_random(in_how_many: u64, needed: Shares, text: fn(u64) -> String) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let samples = samples(folder.path()).snapshot();
    let odd = indexed::indexed(ODDITIES);
    let (count, text) = random(in_how_many, text);
    let [outcomes, _] = [&samples, &odd.1].map(|snapshot| compare_routes(snapshot, count, &text));
    for (what, found, share) in outcomes.beside(needed) {
        assert!(is_credible(found, count, share), "{found} of {count} {what}");
    }
}

/// Of the same queries, the index says something of this share.
pub(super) fn assert_bounded(in_how_many: u64, share: f64, text: fn(u64) -> String) {
    let (count, text) = random(in_how_many, text);
    let bounded = (0..count).filter(|number| is_bounded(&text(*number))).count() as u64;
    assert!(is_credible(bounded, count, share), "{bounded} of {count} are bounded");
}

/// How many queries are asked, and the text of each.
fn random(in_how_many: u64, text: fn(u64) -> String) -> (u64, impl Fn(u64) -> String) {
    let (seed, count) = (
        setting("CQLDEX_SEED", 1),
        setting("CQLDEX_QUERIES", 1_500) / in_how_many,
    );
    (count, move |number| text(seed * 1_000_003 + number))
}

/// Whether the index says something of a query.
pub(super) fn is_bounded(text: &str) -> bool {
    let query = language::parse(text, &ParseOptions::default())
        .ok()
        .and_then(|parsed| language::expand(parsed).ok());
    query.is_some_and(|query| Search::new(&query, RunOptions::default()).candidates().truth != planner::Truth::Always)
}

/// How many positions a query finds in main lines. No position is evaluated for it, and the evaluator finds as many.
pub(super) fn found_by_index(snapshot: &Snapshot, text: &str) -> u64 {
    let query = compiled(text);
    let options = RunOptions {
        detail: Detail::Count,
        variations: Some(false),
        ..RunOptions::default()
    };
    let summary = Search::new(&query, options)
        .run(snapshot, &mut |_| ())
        .expect("the search ends well");
    assert_eq!(summary.evaluated, 0, "{text}");
    let by_scan = answer(snapshot, &query, false, Route::Definition).expect("it is answered");
    assert_eq!(summary.positions, by_scan.len() as u64, "{text}");
    summary.positions
}

/// Whether it is credible that only `found` of `of` are what each is with a probability: less would come by chance once in
/// a million runs.
pub(super) fn is_credible(found: u64, of: u64, probability: f64) -> bool {
    let odds = (probability / (1.0 - probability)).ln();
    // The logarithm of the probability of exactly `number`, and the sum of these probabilities.
    let (mut exactly, mut at_most) = (of as f64 * (1.0 - probability).ln(), 0.0);
    for number in 0..=found {
        at_most += exactly.exp();
        exactly += odds + ((of - number) as f64 / (number + 1) as f64).ln();
    }
    at_most > 1e-6
}

#[test]
fn what_is_credible_depends_on_how_many_there_are() {
    for (found, of, expected) in [
        (0, 10, true),
        (0, 100, false),
        (5, 100, false),
        (9, 100, true),
        (60, 600, false),
        (150, 600, true),
    ] {
        assert_eq!(is_credible(found, of, 0.25), expected, "{found} of {of}");
    }
}

/// How many positions a query finds; they are the same by plan and by scan.
pub(super) fn found_by_both(snapshot: &Snapshot, text: &str, variations: bool) -> usize {
    let query = compiled(text);
    let [by_plan, by_scan] = [Route::Plan, Route::Definition]
        .map(|route| answer(snapshot, &query, variations, route).expect("it is answered"));
    assert_eq!(by_plan, by_scan, "{text}, variations: {variations}");
    by_scan.len()
}
