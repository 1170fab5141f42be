//! `cqldex answers`, and what other commands say of kept answers.

use std::path::Path;

use super::support::{Run, index, run, scratch};

/// A query that takes long enough to be kept, on few games.
const SLOW: &str = "x = 0 loop { x < 3000 x += 1 } mate";

fn on(database: &Path, command: &str, arguments: &[&str]) -> Run {
    let database = database.to_str().expect("the path is UTF-8");
    run([&[command, database], arguments].concat()).ended_with(0)
}

#[test]
fn answers_are_kept_told_and_dropped() {
    let folder = scratch();
    let path = folder.path().join("games.db");
    index(&path, ["samples/games.pgn"]).ended_with(0);
    let told = || on(&path, "answers", &["--json"]).json()[0].clone();

    let anew = on(&path, "query", &[SLOW, "--json", "--no-answers"]);
    assert_eq!(told()["count"], 0);
    let explained = on(&path, "explain", &[SLOW]);
    assert!(explained.stdout.contains("no answer is kept\n"), "{}", explained.stdout);

    let lines = |run: &Run| {
        let mut lines = run.json();
        lines.pop();
        lines
    };
    let first = on(&path, "query", &[SLOW, "--json"]);
    assert_eq!(told()["count"], 1);
    let again = on(&path, "query", &[SLOW, "--json"]);
    assert_eq!(lines(&anew), lines(&first));
    assert_eq!(lines(&anew), lines(&again));
    assert_eq!(
        anew.json().last().unwrap()["positions"],
        again.json().last().unwrap()["positions"]
    );
    assert_eq!(again.json().last().unwrap()["gamesSearched"], 64);

    let explained = on(&path, "explain", &[SLOW]);
    assert!(
        explained.stdout.contains("the answer is kept\n"),
        "{}",
        explained.stdout
    );
    let explained = &on(&path, "explain", &[SLOW, "--json", "--variations"]).json()[0];
    assert_eq!(explained["kept"]["whole"], 0, "with variations it is another question");
    let explained = on(&path, "explain", &["gamenumber == 3"]);
    assert!(
        explained.stdout.contains("answers to this query are not kept\n"),
        "{}",
        explained.stdout
    );

    let stats = &on(&path, "stats", &["--json"]).json()[0];
    assert_eq!(stats["answers"]["count"], 1);
    assert_eq!(stats["answers"]["bytes"], told()["bytes"]);
    let stats = on(&path, "stats", &[]).stdout;
    assert!(stats.contains("answers                    1   "), "{stats}");
    assert!(stats.contains(" of at most 1.0 MB\n"), "{stats}");

    let cleared = on(&path, "answers", &["--clear"]).stdout;
    assert!(cleared.starts_with("1 answer dropped, "), "{cleared}");
    assert_eq!(
        on(&path, "answers", &[]).stdout,
        "0 answers kept, 0 B of at most 1.0 MB\n"
    );
}

#[test]
fn the_bound_is_an_option_of_a_search() {
    let folder = scratch();
    let path = folder.path().join("games.db");
    index(&path, ["samples/games.pgn"]).ended_with(0);
    on(&path, "query", &[SLOW, "--count", "--answers", "0"]);
    assert_eq!(on(&path, "answers", &["--json"]).json()[0]["count"], 0);
    on(&path, "query", &[SLOW, "--count", "--answers", "5"]);
    assert_eq!(on(&path, "answers", &["--json"]).json()[0]["count"], 1);
    let path = path.to_str().expect("the path is UTF-8");
    run(["query", path, "mate", "--answers", "5", "--no-answers"]).ended_with(2);
}

#[test]
fn a_database_that_cannot_be_written_is_searched_all_the_same() {
    let folder = scratch();
    let path = folder.path().join("games.db");
    index(&path, ["samples/games.pgn"]).ended_with(0);
    // Where the folder should be is a file.
    std::fs::write(path.join("answers"), "").expect("a file can be written");
    let [first, again] = [(); 2].map(|()| on(&path, "query", &[SLOW, "--count"]).stdout);
    assert_eq!(first, again);
    assert!(first.contains("positions"), "{first}");
}
