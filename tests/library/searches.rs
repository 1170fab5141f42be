//! Searches that run beside their caller.

use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use cqldex::{
    Cancel, Database, Detail, Dialect, Error, IndexOptions, Matches, Options, Progress, Query, Route, SearchOptions,
};

use super::games;

/// A filter that takes seconds and can't be interrupted: a regular expression that tries every way to cut a text.
const LONG: &str = r#"X = "aaaaaaaaaaaaaaaaaaaaaaaaaaab" X ~~ "(a+)+c""#;

fn threads(count: usize) -> Options {
    Options {
        threads: NonZeroUsize::new(count).unwrap(),
        ..Options::default()
    }
}

fn query(text: &str) -> Query {
    Query::parse(text, Dialect::Cql6).unwrap()
}

#[test]
fn a_search_outlives_its_database_and_goes_to_other_threads() {
    fn is_free<T: Send + 'static>() {}
    fn is_shared<T: Send + Sync>() {}
    is_free::<Matches>();
    is_shared::<(Database, Query, Cancel, Progress, Error)>();
    let (_folder, _, database) = games(5000, threads(4));
    let matches = database.search(&query("mate"), SearchOptions::default());
    drop(database);
    let numbers = thread::spawn(move || matches.map(|game| game.unwrap().number).collect::<Vec<_>>());
    assert_eq!(numbers.join().unwrap(), (1..=5000).collect::<Vec<_>>());
}

#[test]
fn games_come_one_by_one_and_the_summary_at_the_end() {
    let (_folder, _, database) = games(5000, threads(3));
    let (progress, options) = watched();
    let mut matches = database.search(&query("mate"), options);
    assert_eq!(
        matches.by_ref().take(10).map(|game| game.unwrap().number).max(),
        Some(10)
    );
    let summary = matches.summary().unwrap();
    assert_eq!((summary.games, summary.games_searched), (5000, 5000));
    assert_eq!(
        (progress.matching_games(), progress.games_done(), progress.games_total()),
        (5000, 5000, 5000)
    );
    assert!(has_ended(&progress));
}

#[test]
fn a_caller_waits_for_games_bit_by_bit() {
    let (_folder, _, database) = games(5000, threads(2));
    let mut matches = database.search(&query("mate"), SearchOptions::default());
    let mut numbers = Vec::new();
    loop {
        while !matches.wait(Duration::from_millis(5)) {}
        // Now it does not wait, and waiting again changes nothing.
        assert!(matches.wait(Duration::ZERO));
        match matches.next() {
            Some(game) => numbers.push(game.unwrap().number),
            None => break,
        }
    }
    assert_eq!(numbers, (1..=5000).collect::<Vec<_>>());
    assert!(matches.wait(Duration::ZERO));
    assert_eq!(matches.summary().unwrap().games, 5000);
}

#[test]
fn waiting_ends_with_the_patience_and_with_the_search() {
    let (_folder, _, database) = games(1, threads(2));
    let cancel = Cancel::default();
    let options = SearchOptions {
        cancel: cancel.clone(),
        ..SearchOptions::default()
    };
    let mut matches = database.search(&query(LONG), options);
    let started = Instant::now();
    assert!(!matches.wait(Duration::from_millis(50)));
    assert!(started.elapsed() >= Duration::from_millis(50));
    cancel.cancel();
    assert!(matches.wait(Duration::from_secs(60)));
    assert!(matches!(matches.next(), Some(Err(Error::Cancelled))));
    let options = SearchOptions {
        timeout: Some(Duration::from_millis(50)),
        ..SearchOptions::default()
    };
    let mut matches = database.search(&query(LONG), options);
    assert!(matches.wait(Duration::from_secs(60)));
    assert!(matches!(matches.next(), Some(Err(Error::TimedOut(_)))));
}

#[test]
fn a_search_may_have_threads_of_its_own() {
    let (_folder, _, database) = games(3000, threads(3));
    let options = SearchOptions {
        threads: NonZeroUsize::new(2),
        ..SearchOptions::default()
    };
    let matches = database.search(&query("mate"), options);
    assert_eq!(matches.threads(), 2);
    assert_eq!(matches.summary().unwrap().games, 3000);
    assert_eq!(database.search(&query("mate"), SearchOptions::default()).threads(), 3);
}

#[test]
fn the_limit_cuts_the_list_and_not_the_counts() {
    let (_folder, _, database) = games(100, threads(2));
    let options = SearchOptions {
        limit: Some(7),
        ..SearchOptions::default()
    };
    let mut matches = database.search(&query("mate"), options);
    assert_eq!(matches.by_ref().count(), 7);
    assert_eq!(matches.summary().unwrap().games, 100);
}

#[test]
fn a_search_from_a_thread_of_a_pool_has_all_its_threads() {
    let (_folder, _, database) = games(3000, threads(4));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let (threads, found) = pool.install(|| {
        let matches = database.search(&query("mate"), SearchOptions::default());
        (matches.threads(), matches.count())
    });
    assert_eq!((threads, found), (4, 3000));
}

#[test]
fn cancelling_returns_at_once_even_from_what_cannot_be_interrupted() {
    let (_folder, _, database) = games(10, threads(2));
    let cancel = Cancel::default();
    let options = SearchOptions {
        cancel: cancel.clone(),
        ..SearchOptions::default()
    };
    let mut matches = database.search(&query(LONG), options);
    let canceller = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        cancel.cancel();
        Instant::now()
    });
    assert!(matches!(matches.next(), Some(Err(Error::Cancelled))));
    assert!(canceller.join().unwrap().elapsed() < Duration::from_millis(500));
    assert!(matches.next().is_none());
    assert!(matches!(matches.summary(), Err(Error::Cancelled)));
}

#[test]
fn what_is_cancelled_before_does_not_begin() {
    let (_folder, _, database) = games(10, threads(2));
    let cancel = Cancel::default();
    cancel.cancel();
    let options = SearchOptions {
        cancel,
        ..SearchOptions::default()
    };
    let mut matches = database.search(&query("mate"), options);
    assert!(matches!(matches.next(), Some(Err(Error::Cancelled))));
}

#[test]
fn a_dropped_search_ends_and_leaves_the_threads_to_others() {
    let (_folder, _, database) = games(20_000, threads(2));
    // Every position of every game is listed: more than can wait to be taken.
    let every = SearchOptions {
        route: Route::Scan,
        ..SearchOptions::default()
    };
    for _ in 0..20 {
        let mut matches = database.search(&query("true"), every.clone());
        assert_eq!(matches.next().unwrap().unwrap().number, 1);
        drop(matches);
    }
    let mut matches = database.search(&query("true"), every);
    assert_eq!(matches.next().unwrap().unwrap().number, 1);
    assert!(matches.close(Duration::from_secs(5)));
    assert_eq!(database.count(&query("mate")).unwrap().games, 20_000);
}

#[test]
fn a_dropped_search_leaves_the_database() {
    let (_folder, _, database) = games(20_000, threads(2));
    let path = database.path().to_owned();
    drop(database);
    for _ in 0..20 {
        let database = opened_within(Duration::from_secs(5), &path);
        let mut matches = database.search(&query("true"), SearchOptions::default());
        assert_eq!(matches.next().unwrap().unwrap().number, 1);
    }
}

/// Opens a database to write. It has one writer: until a search of another one has left it, it is locked. A drop waits for its
/// search a moment only, which a busy machine may exceed.
fn opened_within(patience: Duration, path: &Path) -> Database {
    let deadline = Instant::now() + patience;
    loop {
        match Database::open_or_create(path, threads(2)) {
            Err(Error::Locked(_)) if Instant::now() < deadline => thread::sleep(Duration::from_millis(10)),
            opened => return opened.unwrap(),
        }
    }
}

#[test]
fn one_cancel_stops_several_searches_and_a_drop_only_its_own() {
    let (_folder, _, database) = games(10, threads(2));
    let cancel = Cancel::default();
    let options = || SearchOptions {
        cancel: cancel.clone(),
        ..SearchOptions::default()
    };
    drop(database.search(&query("mate"), options()));
    assert_eq!(database.search(&query("mate"), options()).count(), 10);
    let mut long = [LONG; 2].map(|text| database.search(&query(text), options()));
    cancel.cancel();
    for matches in &mut long {
        assert!(matches!(matches.next(), Some(Err(Error::Cancelled))));
    }
}

#[test]
fn a_search_goes_on_while_its_segments_are_merged_and_dropped() {
    let (_folder, path, mut database) = games(20_000, threads(2));
    // Boards and comments are read as the search goes on, and only a few games can wait to be taken.
    let options = SearchOptions {
        detail: Detail::Results,
        ..SearchOptions::default()
    };
    let commented = query("cql(variations) originalcomment ~~ \"better\"");
    let mut half = database.search(&commented, options.clone());
    let mut first: Vec<u64> = half.by_ref().take(100).map(|game| game.unwrap().number).collect();
    let file = path.with_file_name("more.pgn");
    let again = IndexOptions {
        repeat: true,
        ..IndexOptions::default()
    };
    for round in 0..12 {
        std::fs::write(&file, format!("[White \"Round {round}\"]\n\n1. e4 *\n\n")).unwrap();
        database.index(&[&file], &again, &()).unwrap();
        database.remove([20_000 + round]).unwrap();
        database.compact().unwrap();
    }
    assert_eq!(database.stats().unwrap().segments, 1);
    first.extend(half.by_ref().map(|game| game.unwrap().number));
    assert_eq!(first, (1..=20_000).collect::<Vec<_>>());
    assert_eq!(half.summary().unwrap().games, 20_000);
    assert!(database.verify(&mut |_| ()).unwrap().is_clean());
    assert_eq!(database.search(&commented, options).count(), 19_999);
}

#[test]
fn the_progress_of_a_search_that_fails_comes_to_its_end() {
    let (_folder, _, database) = games(10, threads(2));
    let stops = "if gamenumber == 4 then assert false else mate";
    // The second one fails before it begins: it may read no file.
    for text in [stops, "similarposition \"games.pgn\""] {
        let (progress, options) = watched();
        assert!(database.search(&query(text), options).summary().is_err());
        assert!(has_ended(&progress), "{text}");
    }
    let (progress, options) = watched();
    assert!(database.analyze(&query(stops), options).is_err());
    assert!(has_ended(&progress));
}

#[test]
fn the_progress_of_a_search_that_is_stopped_comes_to_its_end() {
    let (_folder, _, database) = games(20_000, threads(2));
    // More positions than can wait to be taken, so that no search ends by itself.
    let (progress, options) = watched();
    let mut matches = database.search(&query("true"), options);
    assert!(matches.next().unwrap().is_ok() && !has_ended(&progress));
    drop(matches);
    ends_soon(&progress);

    let (progress, options) = watched();
    let cancel = options.cancel.clone();
    let mut matches = database.search(&query("true"), options);
    assert!(matches.next().unwrap().is_ok() && !has_ended(&progress));
    cancel.cancel();
    assert!(matches.any(|game| matches!(game, Err(Error::Cancelled))));
    ends_soon(&progress);
}

/// A progress, and the options of a search that writes it.
fn watched() -> (Progress, SearchOptions) {
    let progress = Progress::default();
    let options = SearchOptions {
        progress: progress.clone(),
        ..SearchOptions::default()
    };
    (progress, options)
}

fn has_ended(progress: &Progress) -> bool {
    (progress.fraction() - 1.0).abs() < f64::EPSILON
}

/// The threads of a stopped search need a moment to end.
fn ends_soon(progress: &Progress) {
    let deadline = Instant::now() + Duration::from_secs(5);
    while !has_ended(progress) {
        assert!(Instant::now() < deadline, "the progress has not ended");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn an_error_is_given_once() {
    let (_folder, _, database) = games(10, threads(2));
    let stops = query("if gamenumber == 4 then assert false else mate");
    let mut matches = database.search(&stops, SearchOptions::default());
    assert!(matches!(matches.find(Result::is_err), Some(Err(Error::Evaluation(_)))));
    assert!(matches.next().is_none());
    assert!(matches!(matches.summary(), Err(Error::Internal(_))));
}

#[test]
fn only_a_game_that_matches_without_a_position_has_none() {
    let (_folder, _, database) = games(10, threads(2));
    let found = |text: &str, limit, detail| {
        let options = SearchOptions {
            limit,
            detail,
            ..SearchOptions::default()
        };
        let matches = database.search(&query(text), options);
        matches.map(|game| game.unwrap().positions.len()).collect::<Vec<_>>()
    };
    let none = "cql(matchcount 0) false";
    assert_eq!(found(none, None, Detail::Positions), [0; 10]);
    assert!(found(none, Some(5), Detail::Positions).is_empty());
    assert!(found("true", None, Detail::Count).is_empty());
    let lengths = found("true", Some(7), Detail::Results);
    assert!(lengths.iter().all(|&length| length > 0) && lengths.iter().sum::<usize>() == 7);
}

#[test]
fn a_runtime_error_has_its_place_in_the_text() {
    let (_folder, _, database) = games(10, threads(2));
    let stops = query("if gamenumber == 4 then assert false else mate");
    let error = database.count(&stops).unwrap_err();
    assert_eq!(error.code(), "Q605");
    let Error::Evaluation(error) = error else {
        panic!("{error}")
    };
    assert_eq!(&error.text()[error.diagnostics()[0].span.range()], "assert false");
}
