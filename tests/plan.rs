//! One truth: whatever the index is asked, it leaves the positions that the evaluator finds in all of them.
//!
//! `CQLDEX_QUERIES` sets how many random filters are tried, `CQLDEX_SEED` which.

mod random;

use std::path::Path;

use indexer::Options;
use query::{Detail, ParseOptions, Route, Search, SearchOptions};
use random::Generator;
use storage::{Database, Snapshot};

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|value| value.parse().ok())
        .unwrap_or(default)
}

/// Games and positions that a query finds, or its error.
fn answer(
    snapshot: &Snapshot,
    query: &query::hir::Query,
    variations: bool,
    route: Route,
) -> Result<Vec<(u64, u32)>, String> {
    let options = SearchOptions {
        variations: Some(variations),
        route,
        ..SearchOptions::default()
    };
    let mut found = Vec::new();
    Search::new(query, options)
        .run(snapshot, &mut |game| {
            found.extend(game.positions.iter().map(|position| (game.number, position.node)));
        })
        .map_err(|error| error.to_string())?;
    Ok(found)
}

/// The games of the samples, indexed.
fn samples(folder: &Path) -> Database {
    let mut database = Database::create(folder.join("db")).expect("a database can be created");
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    indexer::index(&mut database, &[samples], &Options::default(), &()).expect("the samples are indexed");
    database
}

#[test]
fn games_that_are_not_wanted_are_not_counted_either() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let options = ParseOptions {
        game_filters: vec!["player \"Lasker\"".to_owned()],
        ..ParseOptions::default()
    };
    let query = query::parse("wtm", &options).expect("the query is accepted");
    let [counted, listed] = [Detail::Count, Detail::Positions].map(|detail| {
        let options = SearchOptions {
            detail,
            ..SearchOptions::default()
        };
        let summary = Search::new(&query, options).run(&snapshot, &mut |_| ());
        let summary = summary.expect("the search ends well");
        (summary.games, summary.positions)
    });
    assert_eq!(counted, listed);
    assert!(counted.0 > 0 && counted.0 < snapshot.games(), "some games are Lasker's");
}

#[test]
fn echoes_match_where_every_target_is_asked() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 1_500) / 10);
    let mut selective = 0;
    for number in 0..count {
        let mut generator = Generator::new(seed.wrapping_mul(2_000_003).wrapping_add(number));
        let (taken_apart, whole) = generator.echo_in_two_ways(1);
        let [taken_apart, whole] = [taken_apart, whole].map(|text| {
            let parsed = query::parse(&text, &ParseOptions::default());
            let mut query = parsed.unwrap_or_else(|errors| panic!("`{text}` is not accepted: {}", errors[0].message));
            query::transform::expand(&mut query).expect("no range of an echo is out of bounds");
            let found = answer(&snapshot, &query, number % 2 == 0, Route::Scan);
            (text, found)
        });
        assert_eq!(
            taken_apart.1, whole.1,
            "echo {number}: {} and {}",
            taken_apart.0, whole.0
        );
        selective += u64::from(taken_apart.1.is_ok_and(|found| !found.is_empty()));
    }
    assert!(
        selective * 10 >= count,
        "hardly any echo matches: the generator is at fault"
    );
}

#[test]
fn random_filters_match_by_plan_where_they_match_by_scan() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let (seed, count) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 1_500));
    let (mut answered, mut selective) = (0, 0);
    for number in 0..count {
        let mut generator = Generator::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
        let text = generator.truth(3);
        let parsed = query::parse(&text, &ParseOptions::default());
        let mut query = parsed.unwrap_or_else(|errors| panic!("`{text}` is not accepted: {}", errors[0].message));
        if query::transform::expand(&mut query).is_err() {
            continue;
        }
        let variations = number % 2 == 0;
        let by_plan = answer(&snapshot, &query, variations, Route::Plan);
        let by_scan = answer(&snapshot, &query, variations, Route::Scan);
        assert_eq!(by_plan, by_scan, "query {number} (variations: {variations}): {text}");
        if let Ok(found) = by_plan {
            answered += 1;
            selective += u64::from(!found.is_empty() && (found.len() as u64) < snapshot.positions());
        }
    }
    println!("{count} filters, {answered} answered, {selective} of them match some positions and not all");
    assert!(
        answered * 10 >= count * 9,
        "hardly any filter is answered: the generator is at fault"
    );
    assert!(
        selective * 3 >= count,
        "hardly any filter tells positions apart: the generator is at fault"
    );
}
