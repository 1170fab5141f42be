//! `cqldex query`.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::json;

use super::support::{file, output_of, program, query, run, run_with, samples, scratch};

#[test]
fn json_has_a_line_for_each_match_and_a_summary() {
    let run = query(["mate", "--json", "--limit", "2"]).ended_with(0);
    let lines = run.json();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        lines[0],
        json!({
            "type": "match", "game": 1, "position": 15, "ply": 15,
            "fen": "rn1qkb1r/p1ppp2P/1p4B1/7n/3P4/8/PPP2PbP/RNB1K1NR b KQkq - 0 1"
        })
    );
    assert_eq!(lines[1]["game"], 2);
    let mut summary = lines[2].clone();
    assert!(summary["elapsedMs"].as_f64().unwrap() > 0.0);
    summary["elapsedMs"] = json!(0);
    assert_eq!(
        summary,
        json!({
            "type": "summary", "games": 18, "positions": 18, "gamesSearched": 86, "positionsSearched": 4587,
            "candidates": 18, "elapsedMs": 0, "truncated": true
        })
    );
}

#[test]
fn json_without_a_limit_has_everything() {
    let lines = query(["mate", "--json"]).ended_with(0).json();
    assert_eq!(lines.len(), 19);
    assert!(lines[18].get("truncated").is_none());
}

#[test]
fn count_prints_totals_only() {
    assert_eq!(
        query(["mate", "--count"]).ended_with(0).stdout,
        "18 positions in 18 games\n"
    );
    assert_eq!(
        query(["Ka8 ka1", "--count"]).ended_with(1).stdout,
        "0 positions in 0 games\n"
    );
    let lines = query(["mate", "--count", "--json"]).ended_with(0).json();
    assert_eq!(lines.len(), 1);
    assert_eq!((&lines[0]["type"], &lines[0]["games"]), (&json!("summary"), &json!(18)));
}

#[test]
fn the_table_is_aligned_and_says_what_it_leaves_out() {
    let run = query(["mate", "--limit", "3"]).ended_with(0);
    let expected = "\
game  players                         year  result  move       position
   1  Greco - NN                      1620  1-0     8.Bg6#     rn1qkb1r/p1ppp2P/1p4B1/7n/3P4/8/PPP2PbP/RNB1K1NR b KQkq - 0 1
   2  Legall de Kermeur - Saint Brie  1750  1-0     7.Nd5#     rn1q1bnr/ppp1kB1p/3p2p1/3NN3/4P3/8/PPPP1PPP/R1BbK2R b KQ - 0 1
   4  Hoffmann - Petrov               1844  0-1     20...Rf3#  r5k1/ppp3p1/3pb3/7p/8/5r1K/PB3bPP/RN1Q3R w - - 0 1

18 positions in 18 games; 86 games searched in ";
    assert!(run.stdout.starts_with(expected), "{}", run.stdout);
    assert!(
        run.stdout
            .ends_with("\nthe first 3 are listed; --limit N lists N, --json all\n"),
        "{}",
        run.stdout
    );
    assert_eq!(run.stderr, "");
}

#[test]
fn the_table_lists_twenty_positions_by_default() {
    let run = query(["wtm"]).ended_with(0);
    assert!(run.stdout.contains("the first 20 are listed"), "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), 1 + 20 + 3);
}

#[test]
fn nothing_found_is_exit_code_1() {
    let run = query(["Ka8 ka1"]).ended_with(1);
    assert!(
        run.stdout.starts_with("no match; 86 games searched in "),
        "{}",
        run.stdout
    );
    assert_eq!(query(["Ka8 ka1", "--json"]).ended_with(1).json().len(), 1);
}

#[test]
fn variations_are_searched_when_asked_for() {
    let positions = |run: super::support::Run| run.ended_with(0).json()[0]["positionsSearched"].clone();
    let with = positions(query([".", "--count", "--json", "--variations"]));
    let without = positions(query([".", "--count", "--json"]));
    assert_eq!((with, without), (json!(4955), json!(4587)));
    assert_eq!(
        positions(query(["cql(variations) .", "--count", "--json"])),
        json!(4955)
    );
    let overridden = query(["cql(variations) .", "--count", "--json", "--no-variations"]);
    assert_eq!(positions(overridden), json!(4587));
}

#[test]
fn moves_in_variations_are_in_parentheses() {
    let run = query(["variation mate", "--variations"]).ended_with(0);
    assert!(run.stdout.contains("#)"), "{}", run.stdout);
}

#[test]
fn the_scan_gives_the_same_as_the_index() {
    for text in [
        "mate",
        "flip { Kg1 Rf1 }",
        "shift { Pd4 pd5 } check",
        "find mate",
        "not check #a < 5",
    ] {
        let by_plan = query([text, "--json"]);
        let by_scan = query([text, "--json", "--no-index"]);
        let matches = |run: &super::support::Run| run.stdout.lines().filter(|line| line.contains("\"match\"")).count();
        assert!(matches(&by_plan) > 0, "{text}");
        let lines = |run: &super::support::Run| -> Vec<String> { run.stdout.lines().map(str::to_owned).collect() };
        let (plan, scan) = (lines(&by_plan), lines(&by_scan));
        assert_eq!(plan[..plan.len() - 1], scan[..scan.len() - 1], "{text}");
    }
}

#[test]
fn threads_and_dialects_can_be_chosen() {
    let expected = query(["check", "--count"]).ended_with(0).stdout;
    for threads in ["1", "2", "3"] {
        assert_eq!(
            query(["check", "--count", "--threads", threads]).ended_with(0).stdout,
            expected
        );
    }
    for dialect in ["auto", "cql6"] {
        assert_eq!(
            query(["check", "--count", "--dialect", dialect]).ended_with(0).stdout,
            expected
        );
    }
}

#[test]
fn queries_come_from_files_and_standard_input() {
    let folder = scratch();
    let path = file(&folder, "mate.cql", "cql(input games.pgn)\n// the end\nmate");
    let database = samples().to_str().unwrap();
    let expected = "18 positions in 18 games\n";
    let from_file = run(["query", database, "-f", path.to_str().unwrap(), "--count"]).ended_with(0);
    assert_eq!(from_file.stdout, expected);
    assert!(
        from_file.stderr.contains("`input games.pgn` of the header is ignored"),
        "{}",
        from_file.stderr
    );
    assert_eq!(
        run_with(["query", database, "-", "--count"], "mate")
            .ended_with(0)
            .stdout,
        expected
    );
    assert_eq!(
        run_with(["query", database, "-f", "-", "--count"], "mate")
            .ended_with(0)
            .stdout,
        expected
    );
    let after_dashes = run(["query", database, "--count", "--", "--x--"]);
    assert_eq!(after_dashes.code, query(["x", "--count"]).code);
}

#[test]
fn messages_of_the_query_go_to_standard_error() {
    let run = query(["gamenumber == 3 initial message quiet (\"hello\")", "--count"]).ended_with(0);
    assert_eq!(
        (run.stdout.as_str(), run.stderr.as_str()),
        ("1 position in 1 game\n", "hello\n")
    );
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = program()
        .args(["query", samples().to_str().unwrap(), ".", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    // Reading one line and going away is what `head -1` does.
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut first)
        .unwrap();
    assert!(first.contains("\"match\""));
    let output = output_of(child, "a query with a reader");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn transforms_wrap_the_whole_query() {
    let positions = |run: super::support::Run| run.json()[0]["positions"].as_u64();
    let transforms = ["--transform", "flipcolor", "--transform", "flipvertical"];
    let wrapped = query([
        "Bh7 kg8",
        transforms[0],
        transforms[1],
        transforms[2],
        transforms[3],
        "--count",
        "--json",
    ]);
    let wrapped = positions(wrapped);
    assert_eq!(
        wrapped,
        positions(query(["flipcolor flipvertical {Bh7 kg8}", "--count", "--json"]))
    );
    assert!(wrapped > positions(query(["Bh7 kg8", "--count", "--json"])));
    query(["K", "--transform", "turn"]).says(2, "it is one of flip, rotate90");
}

#[test]
fn persistent_variables_are_told_at_the_end() {
    let run = query(["persistent Mates += 1 mate", "--count"]).ended_with(0);
    assert!(run.stderr.contains("Mates: 4587"), "{}", run.stderr);
}

#[test]
fn files_are_read_below_the_named_folder_only() {
    let folder = scratch();
    std::fs::write(folder.path().join("names.cql"), "Fischer Tal").unwrap();
    let path = folder.path().to_str().unwrap();
    query(["initial \"Tal\" in readfile \"names.cql\"", "--files", path, "--count"]).ended_with(0);
    query(["initial \"Tal\" in readfile \"names.cql\""]).says(2, "--files");
    query(["initial \"Tal\" in readfile \"../names.cql\"", "--files", path]).says(2, "below the folder");
}

#[test]
fn the_search_stops_behind_the_first() {
    let all = query(["wtm", "--json"]).ended_with(0).json();
    let first = query(["wtm", "--json", "--first", "3"]).ended_with(0).json();
    assert_eq!(first[..3], all[..3]);
    let summary = &first[3];
    assert_eq!((&summary["positions"], &summary["stopped"]), (&3.into(), &true.into()));
    // Where there are no more, nothing is stopped.
    let mates = query(["mate", "--json", "--first", "100000"]).ended_with(0).json();
    let summary = mates.last().unwrap();
    assert_eq!(
        (summary["positions"].as_u64(), &summary["stopped"]),
        (Some(18), &serde_json::Value::Null)
    );
    let table = query(["mate", "--first", "1"]).ended_with(0).stdout;
    assert!(
        table.contains("1 position in 1 game, where the search stopped after "),
        "{table}"
    );
    query(["mate", "--first", "1", "--limit", "2"]).says(2, "cannot be used with");
}
