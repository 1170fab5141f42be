//! The answers of CQL 6.2 and CQL 5.2, given again: every case by plan and by scan.
//!
//! The cases are not part of the project. They are looked for in the folder named by `CQLDEX_CONFORMANCE`, else in
//! `../shared/conformance`; without them the test says so and passes.

#![allow(clippy::print_stdout, reason = "the harness reports to whoever runs it")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use indexer::Options;
use language::hir::NumberRange;
use language::{Dialect, ParseOptions};
use search::{Detail, Route, Search, SearchOptions};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use storage::{Database, Snapshot};

/// How many cases of each file have to pass; the numbers only ever grow.
const FLOORS: [(&str, usize); 5] = [
    ("positions.jsonl", 899),
    ("games.jsonl", 423),
    ("unicode.jsonl", 291),
    ("parse.jsonl", 3_913),
    ("relation.jsonl", 150),
];

/// How many games the cases of `relation.jsonl` were run on.
const RELATION_GAMES: i32 = 600;

/// A case that takes longer is named.
const SLOW: std::time::Duration = std::time::Duration::from_secs(2);

#[derive(Deserialize)]
struct Case {
    id: String,
    query: String,
    variations: bool,
    games: u64,
    positions: u64,
    digest: String,
}

#[derive(Deserialize)]
struct ParseCase {
    query: String,
    accepted: bool,
}

#[derive(Deserialize)]
struct RelationCase {
    id: String,
    query: String,
    variations: bool,
    games: u64,
    digest: String,
}

fn folder() -> Option<PathBuf> {
    let given = std::env::var_os("CQLDEX_CONFORMANCE").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance");
    given.or_else(|| beside.join("games.pgn").exists().then_some(beside))
}

fn cases<T: for<'de> Deserialize<'de>>(path: &Path) -> Vec<T> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a case is one JSON object"))
        .collect()
}

fn accepts(text: &str) -> Result<language::hir::Query, String> {
    language::compile(text, Dialect::Cql6, &ParseOptions::default())
        .map_err(|diagnostics| diagnostics.first().map_or_else(String::new, |d| d.message.clone()))
}

/// Games, positions and digest of a query's answer.
fn answer(snapshot: &Snapshot, case: &Case, route: Route) -> Result<(u64, u64, String), String> {
    let query = accepts(&case.query)?;
    let options = SearchOptions {
        variations: Some(case.variations),
        route,
        detail: Detail::Positions,
        ..SearchOptions::default()
    };
    let mut hasher = Sha256::new();
    let search = Search::new(&query, options);
    let summary = search
        .run(snapshot, &mut |game| {
            let ids: Vec<String> = game
                .positions
                .iter()
                .map(|position| position.node.to_string())
                .collect();
            hasher.update(format!("{}:{}\n", game.number, ids.join(",")));
        })
        .map_err(|error| error.to_string())?;
    let digest = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((summary.games, summary.positions, digest))
}

fn wrong(snapshot: &Snapshot, case: &Case, route: Route) -> Option<String> {
    let started = std::time::Instant::now();
    let answer = answer(snapshot, case, route);
    if started.elapsed() > SLOW {
        println!(
            "  slow: {} by {route:?} took {:.1?}: {}",
            case.id,
            started.elapsed(),
            case.query
        );
    }
    match answer {
        Ok((_, _, digest)) if digest == case.digest => None,
        Ok((games, positions, _)) => Some(format!(
            "{} by {route:?}: {games} games, {positions} positions; CQL 6.2 has {} and {}: {}",
            case.id, case.games, case.positions, case.query
        )),
        Err(error) => Some(format!("{} by {route:?}: {error}: {}", case.id, case.query)),
    }
}

/// The numbers of the matching games and their digest, for a query of CQL 5.
fn matching_games(snapshot: &Snapshot, case: &RelationCase, route: Route) -> Result<(u64, String), String> {
    let mut query = language::dialect::parse(&case.query, Dialect::Cql5, &ParseOptions::default())
        .map_err(|diagnostics| diagnostics.first().map_or_else(String::new, |d| d.message.clone()))?;
    query.header.game_numbers = Some(NumberRange {
        min: 1,
        max: RELATION_GAMES,
    });
    let query = language::expand(query).map_err(|error| error.to_string())?;
    let options = SearchOptions {
        variations: Some(case.variations),
        route,
        ..SearchOptions::default()
    };
    let mut numbers = Vec::new();
    let summary = Search::new(&query, options)
        .run(snapshot, &mut |game| numbers.push(game.number.to_string()))
        .map_err(|error| error.to_string())?;
    let digest = Sha256::digest(format!("{}\n", numbers.join(",")));
    let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((summary.games, digest))
}

fn wrong_relation(snapshot: &Snapshot, case: &RelationCase, route: Route) -> Option<String> {
    let started = std::time::Instant::now();
    let answer = matching_games(snapshot, case, route);
    let elapsed = started.elapsed();
    if elapsed > SLOW {
        println!("  slow: {} by {route:?} took {elapsed:.1?}: {}", case.id, case.query);
    }
    match answer {
        Ok((_, digest)) if digest == case.digest => None,
        Ok((games, _)) => Some(format!(
            "{} by {route:?}: {games} games; CQL 5.2 has {}: {}",
            case.id, case.games, case.query
        )),
        Err(error) => Some(format!("{} by {route:?}: {error}: {}", case.id, case.query)),
    }
}

fn report(file: &str, total: usize, wrong: &[String]) -> usize {
    // A case that fails by both routes fails once: what stands before the first " by " names it.
    let ids: BTreeSet<&str> = wrong.iter().filter_map(|line| line.split(" by ").next()).collect();
    println!("{file}: {} of {total}", total - ids.len());
    for line in wrong {
        println!("  {line}");
    }
    total - ids.len()
}

#[test]
fn answers_are_those_of_cql() {
    let Some(folder) = folder() else {
        println!("skipped: there is no conformance folder");
        return;
    };
    let temporary = tempfile::tempdir().expect("a temporary folder can be made");
    let mut database = Database::create(temporary.path().join("db")).expect("a database can be created");
    indexer::index(&mut database, &[folder.join("games.pgn")], &Options::default(), &()).expect("games are indexed");
    let snapshot = database.snapshot();
    let only = std::env::var("CQLDEX_CASE").ok();
    let mut passed = Vec::new();
    for (file, _) in &FLOORS[..3] {
        let cases: Vec<Case> = cases(&folder.join(file));
        let total = cases.len();
        let chosen = cases
            .iter()
            .filter(|case| only.as_ref().is_none_or(|id| *id == case.id));
        let wrong: Vec<String> = chosen
            .flat_map(|case| [Route::Plan, Route::Scan].map(|route| wrong(&snapshot, case, route)))
            .flatten()
            .collect();
        passed.push(report(file, total, &wrong));
    }
    let cases: Vec<ParseCase> = cases(&folder.join("parse.jsonl"));
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| match (accepts(&case.query), case.accepted) {
            (Ok(_), false) => Some(format!("`{}` is accepted", case.query)),
            (Err(error), true) => Some(format!("`{}` is rejected: {error}", case.query)),
            _ => None,
        })
        .collect();
    passed.push(report("parse.jsonl", cases.len(), &wrong));
    let cases: Vec<RelationCase> = self::cases(&folder.join("relation.jsonl"));
    let wrong: Vec<String> = cases
        .iter()
        .filter(|case| only.as_ref().is_none_or(|id| *id == case.id))
        .flat_map(|case| [Route::Plan, Route::Scan].map(|route| wrong_relation(&snapshot, case, route)))
        .flatten()
        .collect();
    passed.push(report("relation.jsonl", cases.len(), &wrong));
    for ((file, floor), passed) in FLOORS.iter().zip(passed) {
        assert!(passed >= *floor, "{file}: {passed} pass, {floor} have to");
    }
}
