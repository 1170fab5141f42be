//! The answers of CQL 6.2 and CQL 5.2, given again: every case by plan and by scan.
//!
//! The cases are not part of the project. They are looked for in the folder named by `CQLDEX_CONFORMANCE`, else in
//! `../shared/conformance`. Without them each file counts as ignored, and as failed where the environment says `CI=true`.

#![allow(clippy::print_stdout, reason = "a test harness reports on the standard output")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cases;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use indexer::Options;
use language::hir::NumberRange;
use language::{Dialect, ParseOptions};
use libtest_mimic::{Arguments, Failed, Trial};
use search::{Detail, Route, RunOptions, Search};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use storage::{Database, Snapshot};
use tempfile::TempDir;

use cases::{Case, Digest, are_needed, cases, folder};

/// How many cases of each file have to pass; the numbers only ever grow.
const FLOORS: [(&str, usize); 5] = [
    ("positions.jsonl", 899),
    ("games.jsonl", 423),
    ("unicode.jsonl", 291),
    ("parse.jsonl", 3_913),
    ("relation.jsonl", 150),
];

/// Of how many filters at most the index says nothing, so that every position is evaluated; the numbers only ever fall.
const CEILINGS: [(&str, usize); 3] = [("positions.jsonl", 0), ("games.jsonl", 7), ("unicode.jsonl", 2)];

/// How many games the cases of `relation.jsonl` were run on.
const RELATION_GAMES: i32 = 600;

/// A case that takes longer is named.
const SLOW: std::time::Duration = std::time::Duration::from_secs(2);

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

fn accepts(text: &str) -> Result<language::hir::Query, String> {
    language::compile(text, Dialect::Cql6, &ParseOptions::default())
        .map_err(|diagnostics| diagnostics.first().map_or_else(String::new, |d| d.message.clone()))
}

/// How a case is asked: the route, and whether boards are read.
type Way = (Route, Option<bool>);

/// Games, positions and digest of a query's answer.
fn answer(snapshot: &Snapshot, case: &Case, (route, boards): Way) -> Result<(u64, u64, String), String> {
    let query = accepts(&case.query)?;
    let options = RunOptions {
        variations: Some(case.variations),
        route,
        boards,
        detail: Detail::Positions,
        ..RunOptions::default()
    };
    let mut digest = Digest::default();
    let search = Search::new(&query, options);
    let summary = search
        .run(snapshot, &mut |game| {
            digest.add(game.number, game.positions.iter().map(|position| position.node));
        })
        .map_err(|error| error.to_string())?;
    Ok((summary.games, summary.positions, digest.finish()))
}

fn wrong(snapshot: &Snapshot, case: &Case, way: Way) -> Option<String> {
    let started = std::time::Instant::now();
    let answer = answer(snapshot, case, way);
    if started.elapsed() > SLOW {
        println!(
            "  slow: {} by {way:?} took {:.1?}: {}",
            case.id,
            started.elapsed(),
            case.query
        );
    }
    match answer {
        Ok((_, _, digest)) if digest == case.digest => None,
        Ok((games, positions, _)) => Some(format!(
            "{} by {way:?}: {games} games, {positions} positions; CQL 6.2 has {} and {}: {}",
            case.id, case.games, case.positions, case.query
        )),
        Err(error) => Some(format!("{} by {way:?}: {error}: {}", case.id, case.query)),
    }
}

/// Whether the index says nothing of a case.
fn is_unbounded(case: &Case) -> bool {
    let query = accepts(&case.query).expect("the queries of the cases are accepted");
    let plan = planner::plan(&query, case.variations);
    plan.candidates.truth == planner::Truth::Always && !plan.candidates.exact
}

fn wrong_parse(case: &ParseCase) -> Option<String> {
    match (accepts(&case.query), case.accepted) {
        (Ok(_), false) => Some(format!("`{}` is accepted", case.query)),
        (Err(error), true) => Some(format!("`{}` is rejected: {error}", case.query)),
        _ => None,
    }
}

/// The numbers of the matching games and their digest, for a query of CQL 5.
fn matching_games(snapshot: &Snapshot, case: &RelationCase, (route, boards): Way) -> Result<(u64, String), String> {
    let mut query = language::dialect::parse(&case.query, Dialect::Cql5, &ParseOptions::default())
        .map_err(|diagnostics| diagnostics.first().map_or_else(String::new, |d| d.message.clone()))?;
    query.header.game_numbers = Some(NumberRange {
        min: 1,
        max: RELATION_GAMES,
    });
    let query = language::expand(query).map_err(|error| error.to_string())?;
    let options = RunOptions {
        variations: Some(case.variations),
        route,
        boards,
        ..RunOptions::default()
    };
    let mut numbers = Vec::new();
    let summary = Search::new(&query, options)
        .run(snapshot, &mut |game| numbers.push(game.number.to_string()))
        .map_err(|error| error.to_string())?;
    let digest = Sha256::digest(format!("{}\n", numbers.join(",")));
    let digest = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((summary.games, digest))
}

fn wrong_relation(snapshot: &Snapshot, case: &RelationCase, way: Way) -> Option<String> {
    let started = std::time::Instant::now();
    let answer = matching_games(snapshot, case, way);
    let elapsed = started.elapsed();
    if elapsed > SLOW {
        println!("  slow: {} by {way:?} took {elapsed:.1?}: {}", case.id, case.query);
    }
    match answer {
        Ok((_, digest)) if digest == case.digest => None,
        Ok((games, _)) => Some(format!(
            "{} by {way:?}: {games} games; CQL 5.2 has {}: {}",
            case.id, case.games, case.query
        )),
        Err(error) => Some(format!("{} by {way:?}: {error}: {}", case.id, case.query)),
    }
}

/// Runs a check over all cases on all processors, and returns what is wrong in the order of the cases.
fn each<T: Sync>(cases: &[T], check: impl Fn(&T) -> Vec<String> + Sync) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let work = || {
        while let Some((at, case)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            cases.get(at).map(|case| (at, case))
        } {
            let wrong = check(case);
            if !wrong.is_empty() {
                found.lock().unwrap().push((at, wrong));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_unstable();
    found.into_iter().flat_map(|(_, wrong)| wrong).collect()
}

/// The cases, and a database of the games that they were run on.
struct Conformance {
    folder: PathBuf,
    games: OnceLock<(TempDir, Database)>,
}

impl Conformance {
    fn snapshot(&self) -> Snapshot {
        let make = || {
            let temporary = tempfile::tempdir().expect("a temporary folder can be made");
            let mut database = Database::create(temporary.path().join("db")).expect("a database can be created");
            let games = [self.folder.join("games.pgn")];
            indexer::index(&mut database, &games, &Options::default(), &()).expect("games are indexed");
            (temporary, database)
        };
        self.games.get_or_init(make).1.snapshot()
    }

    /// How many cases a file has, and what is wrong.
    fn run(&self, file: &str) -> (usize, Vec<String>) {
        // By plan, where men stand is read from lists, or from boards where that is possible.
        const ROUTES: [Way; 4] = [
            (Route::Plan, Some(false)),
            (Route::Plan, Some(true)),
            (Route::Scan, None),
            (Route::Definition, None),
        ];
        let path = self.folder.join(file);
        let only = std::env::var("CQLDEX_CASE").ok();
        let chosen = |id: &String| only.as_ref().is_none_or(|only| only == id);
        match file {
            "parse.jsonl" => {
                let cases: Vec<ParseCase> = cases(&path);
                (
                    cases.len(),
                    each(&cases, |case| wrong_parse(case).into_iter().collect()),
                )
            }
            "relation.jsonl" => {
                let snapshot = self.snapshot();
                let cases: Vec<RelationCase> = cases(&path);
                let check = |case: &RelationCase| {
                    let routes = ROUTES.into_iter().filter(|_| chosen(&case.id));
                    routes.filter_map(|way| wrong_relation(&snapshot, case, way)).collect()
                };
                (cases.len(), each(&cases, check))
            }
            _ => {
                let snapshot = self.snapshot();
                let cases: Vec<Case> = cases(&path);
                let check = |case: &Case| {
                    let routes = ROUTES.into_iter().filter(|_| chosen(&case.id));
                    routes.filter_map(|way| wrong(&snapshot, case, way)).collect()
                };
                (cases.len(), each(&cases, check))
            }
        }
    }

    /// Prints one line for a file, and one for each answer that is wrong.
    fn check(&self, file: &str, floor: usize) -> Result<(), Failed> {
        // Ends the line on which the harness has announced the file.
        println!();
        let (total, wrong) = self.run(file);
        // A case that fails by both routes fails once: what stands before the first " by " names it.
        let ids: BTreeSet<&str> = wrong.iter().filter_map(|line| line.split(" by ").next()).collect();
        let passed = total - ids.len();
        println!("{file}: {passed} of {total}");
        if let Some((_, ceiling)) = CEILINGS.iter().find(|(name, _)| *name == file) {
            let cases: Vec<Case> = cases(&self.folder.join(file));
            let unbounded: Vec<&Case> = cases.iter().filter(|case| is_unbounded(case)).collect();
            println!("{file}: the index says nothing of {}", unbounded.len());
            if unbounded.len() > *ceiling {
                let queries: Vec<&str> = unbounded.iter().map(|case| case.query.as_str()).collect();
                return Err(format!("{file}: the index says nothing of {}", queries.join("; ")).into());
            }
        }
        for line in &wrong {
            println!("  {line}");
        }
        if passed >= floor {
            return Ok(());
        }
        Err(format!("{file}: {passed} pass, {floor} have to").into())
    }
}

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // The cases of one file share the processors.
    arguments.test_threads.get_or_insert(1);
    let folder = folder();
    let is_absent = folder.is_none();
    if is_absent {
        println!("skipped: there is no conformance folder (CQLDEX_CONFORMANCE, or ../shared/conformance)");
    }
    let conformance = folder.map(|folder| {
        Arc::new(Conformance {
            folder,
            games: OnceLock::new(),
        })
    });
    let trial = |(file, floor): (&'static str, usize)| {
        let conformance = conformance.clone();
        let check = move || match conformance {
            Some(conformance) => conformance.check(file, floor),
            None => Err("there is no conformance folder".into()),
        };
        Trial::test(file, check).with_ignored_flag(is_absent && !are_needed())
    };
    let trials = FLOORS.map(trial).into();
    drop(conformance);
    libtest_mimic::run(&arguments, trials).exit_code()
}
