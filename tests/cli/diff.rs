//! `cqldex diff`.

use std::fs;

use super::support::{Run, file, index, on, own_samples, run, samples, scratch};

/// The games of the samples' database that a run lists, with positions.
fn listed(run: &Run) -> Vec<(u64, u64)> {
    let matches = run.json();
    let matches = matches.iter().filter(|line| line["type"] == "match");
    matches
        .map(|line| (line["game"].as_u64().unwrap(), line["position"].as_u64().unwrap()))
        .collect()
}

#[test]
fn sets_of_a_database_are_compared_by_position() {
    let (_folder, database) = own_samples();
    on(&database, "query", ["btm", "--save", "black"]).ended_with(0);
    on(&database, "query", ["Q", "--save", "queen"]).ended_with(0);
    let expected = listed(&on(&database, "query", ["check btm not Q", "--json"]).ended_with(0));
    assert!(!expected.is_empty());
    let only = ["check", "--within", "black", "--other-within", "queen"];
    let run = on(
        &database,
        "diff",
        [only[0], only[1], only[2], only[3], only[4], "--json"],
    )
    .ended_with(0);
    assert_eq!(listed(&run), expected);
    let summary = run.json().pop().unwrap();
    assert_eq!(summary["positions"].as_u64(), Some(expected.len() as u64));
    // All that a query gives can be had of the difference.
    let with = |more: &[&str]| {
        let all = ["diff", database.to_str().unwrap()];
        run_all(all.iter().chain(&only).chain(more))
    };
    let both = listed(&on(&database, "query", ["check btm Q", "--json"])).len();
    let run = with(&["--count"]);
    assert!(
        run.stdout.starts_with(&format!("{} positions in ", expected.len())),
        "{}",
        run.stdout
    );
    assert_eq!(
        run.stderr,
        format!("note: {both} positions left out that the other has, too\n")
    );
    let run = with(&["--by", "side", "--format", "csv"]);
    let row: Vec<&str> = run.stdout.lines().nth(1).unwrap().split(',').collect();
    assert_eq!((row[0], row[2]), ("black", expected.len().to_string().as_str()));
    let run = with(&["--format", "csv", "--columns", "game,position", "--limit", "2"]);
    let rows: Vec<String> = expected
        .iter()
        .map(|(game, position)| format!("{game},{position}"))
        .collect();
    assert_eq!(run.stdout.lines().skip(1).collect::<Vec<_>>(), rows[..2]);
    with(&["--save", "rest", "--count"]);
    assert_eq!(
        listed(&on(&database, "query", ["positionset \"rest\"", "--json"])),
        expected
    );
    on(&database, "diff", ["check", "--other-within", "no"]).says(2, "there is no set `no`");
    on(&database, "diff", ["check"]).says(2, "--other");
}

fn run_all<'s>(arguments: impl IntoIterator<Item = &'s &'s str>) -> Run {
    run(arguments.into_iter().copied()).ended_with(0)
}

#[test]
fn what_a_query_says_of_a_game_is_as_without_the_difference() {
    let (_folder, database) = own_samples();
    on(&database, "query", ["Q", "--save", "queen"]).ended_with(0);
    let text = "mate sort \"men\" #[Aa] comment \"the end\"";
    let wanted = on(
        &database,
        "query",
        [
            text,
            "--not-within",
            "queen",
            "--format",
            "csv",
            "--columns",
            "game,comment,sort",
        ],
    );
    let run = on(
        &database,
        "diff",
        [
            text,
            "--other-within",
            "queen",
            "--format",
            "csv",
            "--columns",
            "game,comment,sort",
        ],
    );
    assert_eq!(run.ended_with(0).stdout, wanted.ended_with(0).stdout);
    // A game counts its matches before any is left out.
    let count = |command, more: [&str; 2]| on(&database, command, [more[0], more[1], "queen", "--count"]).stdout;
    let several = "cql(matchcount 5 1000) check";
    assert_ne!(
        count("diff", [several, "--other-within"]),
        count("query", [several, "--not-within"])
    );
}

/// Games that are in both databases, in another order, with other notes and variations, and some that are in one only.
#[test]
fn games_of_two_databases_are_compared_by_what_is_played() {
    let games = [
        "[White \"A\"]\n[Black \"B\"]\n[Date \"2001.01.01\"]\n\n1. e4 (1. d4 d5 2. c4) 1... e5 2. Nf3 1-0\n\n",
        "[White \"C\"]\n[Black \"D\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n",
        "[White \"E\"]\n[Black \"F\"]\n\n1. e4 c5 *\n\n",
    ];
    let folder = scratch();
    let ours = file(&folder, "ours.pgn", games.concat());
    let noted = "[White \"A\"]\n[Black \"B\"]\n[Date \"2001.01.01\"]\n[Event \"Open\"]\n\n1. e4 {good} (1. c4) (1. d4 d5 2. Nf3) 1... e5 2. Nf3 1-0\n\n";
    let theirs = file(
        &folder,
        "theirs.pgn",
        format!(
            "{}{noted}[White \"C\"]\n[Black \"D\"]\n\n1. f3 e5 2. g4 *\n\n",
            games[2]
        ),
    );
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    index(&one, [&ours]).ended_with(0);
    index(&other, [&theirs]).ended_with(0);
    let diff = |text: &str, more: &[&str]| {
        let all = [
            "diff",
            one.to_str().unwrap(),
            text,
            "--other",
            other.to_str().unwrap(),
            "--json",
        ];
        run(all.iter().chain(more).copied())
    };
    // The second game has another end and result, so that it is another game.
    assert_eq!(listed(&diff("ply == 1", &[]).ended_with(0)), [(2, 1)]);
    assert_eq!(listed(&diff("ply >= 2", &[])), [(2, 2), (2, 3), (2, 4)]);
    // In variations, what leads there counts: 1.d4 d5 is in both, 2.c4 is not.
    assert_eq!(listed(&diff("not mainline", &["--variations"])), [(1, 6)]);
    // Sets of the other database.
    on(&other, "query", ["player \"A\"", "--save", "a"]).ended_with(0);
    assert_eq!(listed(&diff("ply == 1", &["--other-within", "a"])), [(2, 1), (3, 1)]);
    // Nothing is only in a part of a database.
    let run = run([
        "diff",
        samples().to_str().unwrap(),
        "mate",
        "--other",
        samples().to_str().unwrap(),
    ])
    .ended_with(1);
    assert!(run.stdout.starts_with("no match; 86 games searched"), "{}", run.stdout);
    let (_own, part) = own_samples();
    on(&part, "remove", ["--games", "1-40"]).ended_with(0);
    on(&part, "compact", []).ended_with(0);
    let nothing = on(
        &part,
        "diff",
        ["mate", "--other", samples().to_str().unwrap(), "--count"],
    )
    .ended_with(1);
    assert_eq!(nothing.stdout, "0 positions in 0 games\n");
    let rest = super::support::query(["mate", "--other", part.to_str().unwrap(), "--count"]);
    assert_eq!(rest.code, 2, "`query` has no other database");
    let rest = run_all(
        [
            "diff",
            samples().to_str().unwrap(),
            "mate",
            "--other",
            part.to_str().unwrap(),
            "--json",
        ]
        .iter(),
    );
    assert!(listed(&rest).iter().all(|(game, _)| *game <= 40));
    fs::remove_dir_all(&other).unwrap();
    diff("mate", &[]).says(2, "other");
}
