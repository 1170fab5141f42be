//! Kept answers are those that a search would find: whatever is asked, in whatever order, after whatever change.

#![expect(
    clippy::cast_possible_truncation,
    reason = "random numbers are reduced to small ones, and lists are short"
)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "answers/changes.rs"]
mod changes;
#[path = "answers/options.rs"]
mod options;
#[path = "random/mod.rs"]
mod random;
#[path = "answers/readers.rs"]
mod readers;
#[path = "answers/versions.rs"]
mod versions;

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use language::hir::Query;
use language::{Dialect, ParseOptions};
use search::{AnswerOptions, Detail, GameMatch, KeptUse, RunOptions, Search, Summary, Threads};
use storage::{Database, Snapshot};

/// Filters of all sorts: exact by the index, bounded by it, unknown to it; with effects on a game, on headers, on texts.
const QUERIES: [&str; 30] = [
    "mate",
    "true",
    "wtm not check",
    "flip { Kg1 Pf2 }",
    "power A > 38",
    "find check",
    "pin",
    "child mate",
    "line --> check --> check",
    "path --(Q)+",
    "x = #R x == 3",
    "x = 0 loop { x < 3 x += 1 } x == 3 check",
    "sort #P #P > 12",
    "comment (\"men: \" #A) check",
    "settag (\"A\" \"b\") mate",
    "removecomment check",
    "event ~~ \"(.)\" \\1 == \"C\"",
    "player \"a\" check",
    "tag \"Event\" ~~ \"a\" terminal",
    "originalcomment ~~ \"e\"",
    "cql(matchcount 2 4) check",
    "cql(result 1-0) check",
    "cql(matchcount 3 50) pin",
    "cql(variations) check",
    "cql(gamenumber 1 30) check",
    "cql(gamenumber 40 300) #R == 3",
    "cql(gamenumber 25 9999 variations) pin",
    "cql(gamenumber 9000 9999) check",
    "echo (s t) { s:check t:check distance (s t) > 2 }",
    "virtualmainline #N == 4",
];

/// Queries whose answer depends on more than a segment and the query.
const NOT_KEPT: [&str; 8] = [
    "gamenumber < 20 check",
    "lastgamenumber > 3 check",
    "cql(matchcount 0 3) check",
    "persistent x += 1 check",
    "message \"check\" check",
    "dictionary D D[1] = 2 check",
    "writefile (\"a.txt\" \"b\") check",
    "readfile \"a.txt\" == \"b\" check",
];

fn compiled(text: &str) -> Query {
    language::compile(text, Dialect::Cql6, &ParseOptions::default())
        .unwrap_or_else(|errors| panic!("`{text}`: {}", errors[0].message))
}

/// Every answer is worth keeping.
const ALWAYS: Option<AnswerOptions> = Some(AnswerOptions {
    worth: Duration::ZERO,
    bound: Some(64 << 20),
});

/// What a search gives, apart from what it costs.
#[derive(Debug, PartialEq)]
struct Found {
    games: Vec<GameMatch>,
    counts: [u64; 4],
}

fn run(snapshot: &Snapshot, query: &Query, options: &RunOptions) -> (Found, Summary) {
    let mut games = Vec::new();
    let summary = Search::new(query, options.clone()).run(snapshot, &mut |game| games.push(game));
    let summary = summary.unwrap_or_else(|error| panic!("{error}"));
    let counts = [
        summary.games,
        summary.positions,
        summary.games_searched,
        summary.positions_searched,
    ];
    (Found { games, counts }, summary)
}

/// Asks anew.
fn fresh(snapshot: &Snapshot, query: &Query, options: &RunOptions) -> Found {
    let options = RunOptions {
        answers: None,
        ..options.clone()
    };
    run(snapshot, query, &options).0
}

/// Asks with kept answers; the result has to be that of asking anew.
#[track_caller]
fn ask(snapshot: &Snapshot, text: &str, query: &Query, options: &RunOptions) -> KeptUse {
    let options = RunOptions {
        answers: ALWAYS,
        ..options.clone()
    };
    let (found, summary) = run(snapshot, query, &options);
    assert_eq!(found, fresh(snapshot, query, &options), "{text}");
    assert!(!summary.kept.failed, "{text}");
    summary.kept
}

fn options(detail: Detail, variations: Option<bool>) -> RunOptions {
    RunOptions {
        detail,
        variations,
        // Small searches do not wait for threads to start.
        threads: Threads::new(NonZeroUsize::MIN),
        ..RunOptions::default()
    }
}

const DETAILS: [Detail; 3] = [Detail::Count, Detail::Positions, Detail::Results];

/// The games of the samples and some random ones, in several segments.
fn samples(folder: &Path) -> Database {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut database = Database::create(folder.join("db")).unwrap();
    let few = indexer::Options {
        segment_positions: 1500,
        ..indexer::Options::default()
    };
    indexer::index(&mut database, &[samples], &few, &()).unwrap();
    for seed in 1000..1003 {
        add_games(&mut database, folder, seed, 120);
    }
    let segments = database.snapshot().segments().len();
    assert!(segments > 2, "{segments} segments");
    database
}

/// Adds random games.
fn add_games(database: &mut Database, folder: &Path, seed: u64, count: usize) {
    let mut generator = random::Generator::new(seed);
    let games: String = (0..count).map(|_| generator.game()).collect();
    let file = folder.join(format!("{seed}.pgn"));
    std::fs::write(&file, games).unwrap();
    let few = indexer::Options {
        segment_positions: 1500,
        ..indexer::Options::default()
    };
    indexer::index(database, &[file], &few, &()).unwrap();
}

#[test]
fn what_is_asked_again_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let snapshot = samples(folder.path()).snapshot();
    for text in QUERIES {
        let query = compiled(text);
        for variations in [None, Some(true), Some(false)] {
            for first in DETAILS {
                snapshot.answers().clear().unwrap();
                ask(&snapshot, text, &query, &options(first, variations));
                for again in DETAILS {
                    let kept = ask(&snapshot, text, &query, &options(again, variations));
                    // What stops a query with an error may be in what is not evaluated for a count.
                    if again == first {
                        assert_eq!(kept.games, snapshot.games(), "{text}");
                        assert_eq!(kept.segments, snapshot.segments().len() as u64, "{text}");
                        assert_eq!(kept.written, 0, "{text}: nothing is new");
                    }
                }
            }
        }
    }
}

#[test]
fn random_filters_have_the_same_answer_when_they_are_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let snapshot = samples(folder.path()).snapshot();
    let mut answered = 0;
    for seed in 0..210 {
        let mut generator = random::Generator::new(1_000_003 * seed);
        let text = match seed % 7 {
            0 => generator.truth(3),
            1 => generator.kernel(),
            2 => generator.program(),
            3 => generator.with_quantities().annotated(),
            4 => generator.imagined(),
            5 => random::Grammar::new(1_000_003 * seed).query(),
            _ => generator.header(3),
        };
        let Ok(query) = language::compile(&text, Dialect::Cql6, &ParseOptions::default()) else {
            continue;
        };
        let positions = options(Detail::Positions, Some(seed % 5 < 2));
        if Search::new(&query, positions.clone())
            .run(&snapshot, &mut |_| ())
            .is_err()
        {
            continue;
        }
        let is_kept = Search::new(&query, positions.clone())
            .kept_segments(&snapshot)
            .is_some();
        for detail in [Detail::Count, Detail::Positions, Detail::Count] {
            let asked = options(detail, positions.variations);
            let first = ask(&snapshot, &text, &query, &asked);
            let again = ask(&snapshot, &text, &query, &asked);
            assert_eq!(again.games == snapshot.games(), is_kept, "{text}: {first:?}");
        }
        answered += u64::from(is_kept);
    }
    assert!(answered > 100, "{answered} answers were kept");
}

#[test]
fn an_answer_that_depends_on_more_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let snapshot = samples(folder.path()).snapshot();
    for text in NOT_KEPT {
        let query = compiled(text);
        for detail in DETAILS {
            let options = RunOptions {
                answers: ALWAYS,
                ..options(detail, None)
            };
            let search = Search::new(&query, options);
            assert_eq!(search.kept_segments(&snapshot), None, "{text}");
            // Some of them fail, because they may not use files.
            let kept = search.run(&snapshot, &mut |_| ()).map(|summary| summary.kept);
            assert!(
                kept.is_err() || kept.is_ok_and(|kept| kept == KeptUse::default()),
                "{text}"
            );
        }
    }
    assert_eq!(snapshot.answers().usage().unwrap().count, 0);
}

#[test]
fn layout_and_comments_of_a_query_do_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let snapshot = samples(folder.path()).snapshot();
    let count = options(Detail::Count, None);
    ask(&snapshot, "first", &compiled("check not mate"), &count);
    for (text, is_known) in [
        ("  check\n\n  not   mate // the end", true),
        ("{ check } { not mate }", true),
        ("not mate check", false),
        ("check not stalemate", false),
    ] {
        let kept = ask(&snapshot, text, &compiled(text), &count);
        assert_eq!(kept.games > 0, is_known, "{text}");
    }
}

#[test]
fn a_search_that_ends_early_keeps_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let snapshot = samples(folder.path()).snapshot();
    let query = compiled("check");
    let limited = RunOptions {
        limit: Some(3),
        stop_at_limit: true,
        answers: ALWAYS,
        ..options(Detail::Positions, None)
    };
    run(&snapshot, &query, &limited);
    let search = Search::new(
        &query,
        RunOptions {
            answers: ALWAYS,
            ..options(Detail::Positions, None)
        },
    );
    let stopped = search.stream(&snapshot, &mut |_| std::ops::ControlFlow::Break(()));
    assert!(stopped.is_err());
    let failing = compiled("if ply == 20 then assert false else check");
    assert!(
        Search::new(
            &failing,
            RunOptions {
                answers: ALWAYS,
                ..options(Detail::Count, None)
            }
        )
        .run(&snapshot, &mut |_| ())
        .is_err()
    );
    assert_eq!(snapshot.answers().usage().unwrap().count, 0);
    // A limit on what is listed is something else: all is counted.
    let listed = RunOptions {
        stop_at_limit: false,
        ..limited
    };
    ask(&snapshot, "check", &query, &listed);
    assert_eq!(ask(&snapshot, "check", &query, &listed).games, snapshot.games());
}

#[test]
fn what_took_no_time_is_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let snapshot = samples(folder.path()).snapshot();
    let query = compiled("child mate");
    for (worth, count) in [(Duration::from_secs(3600), 0), (Duration::ZERO, 1)] {
        let options = RunOptions {
            answers: Some(AnswerOptions { worth, bound: None }),
            ..options(Detail::Count, None)
        };
        run(&snapshot, &query, &options);
        assert_eq!(snapshot.answers().usage().unwrap().count, count);
    }
}

#[test]
fn reading_lists_and_asking_filters_on_headers_are_work() {
    let folder = tempfile::tempdir().unwrap();
    let database = samples(folder.path());
    let segments = u32::try_from(database.snapshot().segments().len()).unwrap();
    let path = database.path().to_owned();
    let is_written = |snapshot: &Snapshot, text: &str, worth: Duration| {
        snapshot.answers().clear().unwrap();
        let answers = Some(AnswerOptions { worth, bound: None });
        let options = RunOptions {
            answers,
            ..options(Detail::Count, None)
        };
        run(snapshot, &compiled(text), &options).1.kept.written > 0
    };
    // The sweeps are expected to take a fifth of a microsecond in each of these small segments.
    let worth = 5 * segments * Duration::from_micros(1);
    for text in ["Kg1 Rf1", "mate", "not check Ra1"] {
        let snapshot = Database::open_read_only(&path).unwrap().snapshot();
        assert!(is_written(&snapshot, text, worth), "{text}");
        // Time counts, too, and other tests take it from this one.
        let is_quick = (0..20).any(|_| !is_written(&snapshot, text, worth));
        assert!(is_quick, "{text}: the lists are in memory");
    }
    let snapshot = database.snapshot();
    for text in ["player \"a\"", "elo > 2000 not year == 1990"] {
        assert!(
            is_written(&snapshot, text, segments * Duration::from_nanos(600)),
            "{text}"
        );
    }
}
