//! `cqldex remove`, `compact` and `rebuild`.

use std::path::Path;

use super::support::{on, own_samples, run};

/// The numbers of the games that match, by the index and by evaluating everything.
fn matching(database: &Path, query: &str) -> Vec<u64> {
    let numbers = |arguments: &[&str]| -> Vec<u64> {
        let fixed = ["query", database.to_str().unwrap(), query, "--json"];
        let run = run(fixed.iter().chain(arguments));
        let mut numbers: Vec<u64> = run.json().iter().filter_map(|line| line["game"].as_u64()).collect();
        numbers.dedup();
        numbers
    };
    let (by_index, by_scan) = (numbers(&[]), numbers(&["--no-index"]));
    assert_eq!(by_index, by_scan);
    by_index
}

#[test]
fn removed_games_are_gone_and_the_others_keep_their_numbers() {
    let (_folder, database) = own_samples();
    let before = matching(&database, "initial");
    assert_eq!(before.len(), 86);
    let run = on(&database, "remove", ["--games", "3,10-12"]).ended_with(0);
    assert!(run.stdout.starts_with("4 games removed, 82 left"), "{}", run.stdout);
    let left: Vec<u64> = before.iter().copied().filter(|n| !matches!(n, 3 | 10..=12)).collect();
    for query in ["initial", "gamenumber>0 initial", "lastgamenumber==86 initial"] {
        assert_eq!(matching(&database, query), left, "{query}");
    }
    let stats = on(&database, "stats", ["--json"]).ended_with(0).json();
    assert_eq!((&stats[0]["games"], &stats[0]["removed"]), (&82.into(), &4.into()));
    let summary = on(&database, "query", ["initial", "--count", "--json"])
        .ended_with(0)
        .json();
    assert_eq!(summary[0]["gamesSearched"], 82, "{summary:?}");
    // What is removed is no part of a plan either.
    let explained = on(&database, "explain", ["initial", "--json", "--analyze"])
        .ended_with(0)
        .json();
    let stages = &explained[0]["runs"][1]["stages"];
    assert_eq!(
        (&explained[0]["plan"]["actual"], &stages[0]["left"]),
        (&82.into(), &82.into())
    );
    assert!(
        on(&database, "remove", ["--games", "3"])
            .ended_with(1)
            .stdout
            .starts_with("0 games removed")
    );
    on(&database, "verify", []).ended_with(0);

    let run = on(&database, "compact", []).ended_with(0);
    assert!(run.stdout.contains("4 removed games dropped"), "{}", run.stdout);
    assert!(
        run.stdout
            .contains("games 4-9 are games 3-8 now\ngames 13-86 are games 9-82 now\n"),
        "{}",
        run.stdout
    );
    assert_eq!(matching(&database, "initial"), (1..=82).collect::<Vec<u64>>());
    on(&database, "verify", []).ended_with(0);
    let run = on(&database, "compact", []).ended_with(0);
    assert!(run.stdout.contains("all games keep their numbers"), "{}", run.stdout);
}

#[test]
fn games_are_removed_by_query() {
    let (_folder, database) = own_samples();
    let mates = matching(&database, "mate");
    let run = on(&database, "remove", ["mate", "--dry-run"]).ended_with(0);
    assert_eq!(run.stdout, format!("{} games would be removed\n", mates.len()));
    assert_eq!(matching(&database, "mate"), mates);
    on(&database, "remove", ["mate"]).ended_with(0);
    assert_eq!(matching(&database, "mate"), Vec::<u64>::new());
    on(&database, "remove", ["mate"]).ended_with(1);
    on(&database, "compact", []).ended_with(0);
    assert_eq!(matching(&database, "initial").len(), 86 - mates.len());
}

#[test]
fn wrong_numbers_change_nothing() {
    let (_folder, database) = own_samples();
    on(&database, "remove", ["--games", "0"]).says(2, "there is no game 0");
    on(&database, "remove", ["--games", "1,87"]).says(2, "there is no game 87: the numbers are 1 to 86");
    on(&database, "remove", ["--games", "9-3"]).says(2, "`9-3` is neither");
    on(&database, "remove", ["--games", "x"]).says(2, "`x` is neither");
    on(&database, "remove", ["check ("]).ended_with(2);
    on(&database, "remove", []).ended_with(2);
    assert_eq!(matching(&database, "initial").len(), 86);
}

#[test]
fn a_sound_database_needs_no_rebuilding_but_can_be() {
    let (_folder, database) = own_samples();
    let run = on(&database, "rebuild", []).ended_with(0);
    assert!(run.stdout.starts_with("0 of 1 segment rebuilt"), "{}", run.stdout);
    let before = matching(&database, "check");
    let run = on(&database, "rebuild", ["--all"]).ended_with(0);
    assert!(run.stdout.starts_with("1 of 1 segment rebuilt"), "{}", run.stdout);
    assert_eq!(matching(&database, "check"), before);
    on(&database, "verify", []).ended_with(0);
}

#[test]
fn a_game_is_replaced_by_a_corrected_one() {
    let (folder, database) = own_samples();
    let write = |text: &str| super::support::file(&folder, "one.pgn", text);
    let one = write("[White \"Corrected\"]\n[Black \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    let one = one.to_str().unwrap();
    let run = on(&database, "replace", ["7", one]).ended_with(0);
    assert_eq!(run.stdout, "game 7 replaced; all games keep their numbers\n");
    assert_eq!(matching(&database, "player \"Corrected\" mate"), [7]);
    assert_eq!(matching(&database, "initial").len(), 86);
    on(&database, "verify", []).ended_with(0);
    // Nothing is half done: a game that is not whole, that is not there, or two.
    on(&database, "remove", ["--games", "9"]).ended_with(0);
    for number in ["0", "9", "87"] {
        on(&database, "replace", [number, one]).says(2, "the numbers are 1 to 86, without those of removed games");
    }
    write("1. e4 e5 2. Ke3 *");
    on(&database, "replace", ["7", one]).says(2, "one.pgn:1: game 1: illegal move `Ke3`");
    write("1. e4 *\n\n[White \"b\"]\n\n1. d4 *");
    on(&database, "replace", ["7", one]).says(2, "several games, where one is wanted");
    write("");
    on(&database, "replace", ["7", one]).says(2, "no game, where one is wanted");
    assert_eq!(matching(&database, "player \"Corrected\" mate"), [7]);
}
