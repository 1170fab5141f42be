//! Searches that may have different answers never share one.

use evaluator::Rules;
use search::{Detail, RunOptions, Search};

use super::{ALWAYS, ask, compiled, options, samples};

/// Pairs of queries that differ in one thing that an answer depends on.
const PAIRS: [[&str; 2]; 18] = [
    ["Ka1-4", "Ka1-5"],
    ["#R > 1", "#R > 2"],
    ["#R > 1", "#R >= 1"],
    ["check and mate", "check or mate"],
    ["cql(matchcount 2 4) check", "cql(matchcount 2 5) check"],
    ["cql(result 1-0) check", "cql(result 0-1) check"],
    ["cql(result 1-0) check", "check"],
    ["cql(variations) check", "check"],
    ["cql(gamenumber 2 9) check", "check"],
    ["cql(gamenumber 2 9) check", "cql(gamenumber 2 10) check"],
    ["event ~~ \"a\"", "event ~~ \"b\""],
    ["line --> check", "line --> check{2}"],
    ["line <-- check", "line --> check"],
    ["move from R to e4", "move from R to e5"],
    ["flip Rb3", "shift Rb3"],
    ["find 2 check", "find 3 check"],
    ["player white \"a\" check", "player black \"a\" check"],
    ["up 1 R & k", "up 2 R & k"],
];

#[test]
fn queries_that_differ_do_not_share_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let snapshot = samples(folder.path()).snapshot();
    let count = options(Detail::Count, None);
    for pair in PAIRS {
        for [first, second] in [pair, [pair[1], pair[0]]] {
            snapshot.answers().clear().unwrap();
            ask(&snapshot, first, &compiled(first), &count);
            let kept = ask(&snapshot, second, &compiled(second), &count);
            assert_eq!(kept.games, 0, "{first} and {second}");
        }
    }
}

#[test]
fn options_that_change_an_answer_do_not_share_one() {
    let folder = tempfile::tempdir().unwrap();
    let snapshot = samples(folder.path()).snapshot();
    let query = compiled("line --> move from R --> check comment (\"at \" makesquare \"e4\") isbound x");
    // It may stop with an error, as far as is known, perhaps in what only results evaluate.
    let fallible = compiled("assert (wtm or btm) check");
    let mut all = Vec::new();
    for variations in [Some(true), Some(false)] {
        for bits in 0..8 {
            let rules = Rules {
                keep_all_comments: bits & 1 != 0,
                plain_sort_comments: bits & 2 != 0,
                unbound_moves: bits & 4 != 0,
            };
            all.push(RunOptions {
                rules,
                ..options(Detail::Count, variations)
            });
        }
    }
    for (index, first) in all.iter().enumerate() {
        snapshot.answers().clear().unwrap();
        ask(&snapshot, "rules", &query, first);
        for (other, second) in all.iter().enumerate() {
            let kept = Search::new(&query, second.clone()).kept_segments(&snapshot).unwrap();
            assert_eq!(kept.whole > 0, index == other, "{first:?} and {second:?}");
        }
    }
    snapshot.answers().clear().unwrap();
    ask(&snapshot, "results", &fallible, &options(Detail::Count, None));
    for (detail, is_known) in [
        (Detail::Count, true),
        (Detail::Positions, true),
        (Detail::Results, false),
    ] {
        let search = Search::new(&fallible, options(detail, None));
        assert_eq!(
            search.kept_segments(&snapshot).unwrap().whole > 0,
            is_known,
            "{detail:?}"
        );
    }
}

#[test]
fn a_scan_neither_uses_nor_keeps_an_answer() {
    let folder = tempfile::tempdir().unwrap();
    let snapshot = samples(folder.path()).snapshot();
    let query = compiled("check");
    let scan = RunOptions {
        route: search::Route::Scan,
        answers: ALWAYS,
        ..options(Detail::Count, None)
    };
    ask(&snapshot, "scan", &query, &scan);
    assert_eq!(snapshot.answers().usage().unwrap().count, 0);
    ask(&snapshot, "plan", &query, &options(Detail::Count, None));
    assert_eq!(ask(&snapshot, "scan", &query, &scan).games, 0);
}
