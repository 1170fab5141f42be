//! `cqldex next`.

use serde_json::json;

use super::support::{Run, file, index, on_samples, run, scratch};

const GAMES: &str = "\
[White \"A\"]\n[Black \"B\"]\n[Date \"1998.01.02\"]\n[Result \"1-0\"]\n[WhiteElo \"2600\"]\n[BlackElo \"2400\"]\n
1. e4 c5 2. Nf3 1-0\n
[White \"C\"]\n[Black \"D\"]\n[Date \"2005.??.??\"]\n[Result \"1/2-1/2\"]\n[WhiteElo \"2300\"]\n[BlackElo \"2500\"]\n
1. e4 e5 2. Nf3 1/2-1/2\n
[White \"E\"]\n[Black \"F\"]\n[Result \"0-1\"]\n
1. d4 (1. e4 c5 2. Nc3) 1... d5 0-1\n
[White \"E\"]\n[Black \"F\"]\n[Result \"*\"]\n
1. e4 *\n";

fn next(arguments: &[&str]) -> Run {
    let folder = scratch();
    let games = file(&folder, "games.pgn", GAMES);
    let database = folder.path().join("db");
    index(&database, [&games]).ended_with(0);
    run(["next", database.to_str().unwrap()].iter().chain(arguments))
}

#[test]
fn moves_are_counted_with_results_and_ratings() {
    let rows = next(&["initial", "--format", "json"]).ended_with(0).json();
    assert_eq!(rows.len(), 2);
    assert_eq!(
        rows[0],
        json!({
            "depth": 1, "line": "e4", "move": "e4", "side": "white", "games": 3, "positions": 3, "percent": 75.0,
            "white_wins": 1, "draws": 1, "black_wins": 0, "score": 75.0, "rating": 2450.0,
            // Against 2450, three quarters of the points: 400 * log10(3) more.
            "performance": 2450.0 + 400.0 * 3.0_f64.log10(), "last_year": 2005, "example": 1, "example_white": "A",
            "example_black": "B"
        })
    );
    assert_eq!(
        (&rows[1]["move"], &rows[1]["score"], &rows[1]["rating"]),
        (&json!("d4"), &json!(0.0), &json!(null))
    );
}

#[test]
fn scores_are_those_of_the_side_that_moves() {
    let rows = next(&["ply == 1", "--format", "json"]).ended_with(0).json();
    let of = |san: serde_json::Value| rows.iter().find(|row| row["move"] == san).unwrap();
    assert_eq!(
        (&of(json!("c5"))["score"], &of(json!("c5"))["side"]),
        (&json!(0.0), &json!("black"))
    );
    assert_eq!(of(json!("c5"))["rating"], json!(2400.0));
    assert_eq!(of(json!("c5"))["performance"], json!(1800.0));
    assert_eq!(of(json!("d5"))["score"], json!(100.0));
    // Where the game ends, there is no move.
    assert_eq!(
        (&of(json!(null))["games"], &of(json!(null))["score"]),
        (&json!(1), &json!(null))
    );
}

#[test]
fn replies_follow_their_moves() {
    let rows = next(&["initial", "--depth", "3", "--format", "json"])
        .ended_with(0)
        .json();
    let lines: Vec<(&str, u64)> = rows
        .iter()
        .map(|row| (row["line"].as_str().unwrap(), row["games"].as_u64().unwrap()))
        .collect();
    assert_eq!(
        lines,
        [
            ("e4", 3),
            ("e4", 1),
            ("e4 c5", 1),
            ("e4 c5 Nf3", 1),
            ("e4 e5", 1),
            ("e4 e5 Nf3", 1),
            ("d4", 1),
            ("d4 d5", 1),
            ("d4 d5", 1)
        ]
    );
    assert_eq!((&rows[1]["move"], &rows[1]["depth"]), (&json!(null), &json!(2)));
    assert!((rows[2]["percent"].as_f64().unwrap() - 100.0 / 3.0).abs() < 1e-9);
}

#[test]
fn moves_of_variations_count_where_these_are_searched() {
    let rows = next(&["ply == 1", "--variations", "--format", "json"])
        .ended_with(0)
        .json();
    let c5 = rows.iter().find(|row| row["move"] == "c5").unwrap();
    assert_eq!((&c5["games"], &c5["positions"]), (&json!(2), &json!(2)));
}

#[test]
fn the_table_is_for_people() {
    let run = next(&["initial", "--depth", "2", "--limit", "1"]).ended_with(0);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0].starts_with("move"), "{}", run.stdout);
    assert!(
        lines[1].starts_with("e4") && lines[1].ends_with("2005  A - B (game 1)"),
        "{}",
        run.stdout
    );
    assert!(lines[2].starts_with("  (end)"), "{}", run.stdout);
    assert_eq!(lines[4], "the first 1 of 2 moves are listed; --limit N lists N");
    assert!(
        lines[5].starts_with("4 positions in 4 games; 4 games searched in "),
        "{}",
        run.stdout
    );
}

#[test]
fn nothing_and_errors_have_their_codes() {
    let run = on_samples("next", ["Ka8 ka1"]).ended_with(1);
    assert!(run.stdout.starts_with("no match; 86 games searched"), "{}", run.stdout);
    on_samples("next", ["mate", "--depth", "0"]).says(2, "0 is not in 1..=8");
    on_samples("next", ["mate", "--format", "pgn"]).says(2, "this answer is a table: PGN can't hold it");
    on_samples("next", ["chek"]).says(2, "did you mean `check`?");
    // After mate, all games end.
    let rows = on_samples("next", ["mate", "--format", "json"]).ended_with(0).json();
    assert!(rows.iter().all(|row| row["move"].is_null()), "{rows:?}");
}
