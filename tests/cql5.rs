//! CQL 5 from outside: the worked examples of the reference with their translations, the examples of the page on echo
//! transforms, and random relations by the index of a game and by all pairs.

#![expect(
    clippy::cast_possible_truncation,
    reason = "random numbers are reduced to small ones, and lists are short"
)]

#[path = "cql5/examples.rs"]
mod examples;
#[path = "cql5/relations.rs"]
mod relations;

mod indexed;

use language::hir::Query;
use language::{Dialect, ParseOptions};
use search::{Detail, GameMatch, Route, RunOptions, Search};
use storage::Snapshot;

fn compile(text: &str, dialect: Dialect) -> Query {
    let compiled = language::compile(text, dialect, &ParseOptions::default());
    compiled.unwrap_or_else(|errors| panic!("{}", errors[0].render(text, "query")))
}

/// What the query finds by a route, comments and sort keys included.
fn found(query: &Query, snapshot: &Snapshot, route: Route) -> Vec<GameMatch> {
    let options = RunOptions {
        route,
        detail: Detail::Results,
        ..RunOptions::default()
    };
    let mut found = Vec::new();
    Search::new(query, options)
        .run(snapshot, &mut |game| found.push(game))
        .unwrap_or_else(|error| panic!("{error}"));
    found
}

/// The matching positions by game; both routes have to agree.
fn positions(text: &str, dialect: Dialect, snapshot: &Snapshot) -> Vec<(u64, Vec<u32>)> {
    let query = compile(text, dialect);
    let by_plan = found(&query, snapshot, Route::Plan);
    let by_scan = found(&query, snapshot, Route::Definition);
    assert!(by_plan == by_scan, "plan and scan differ: {text}");
    let nodes = |game: GameMatch| {
        (
            game.number,
            game.positions.iter().map(|position| position.node).collect(),
        )
    };
    by_plan.into_iter().map(nodes).collect()
}
