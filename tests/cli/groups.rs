//! `cqldex query --by`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::support::{file, index, on, query, scratch};

/// Games with what groups are made of.
const GAMES: &str = "\
[White \"A\"]\n[Black \"B\"]\n[Date \"1998.01.02\"]\n[Result \"1-0\"]\n[ECO \"B90\"]\n[WhiteElo \"2510\"]\n[BlackElo \"2490\"]\n[Round \"1\"]\n
1. e4 c5 2. Nf3 1-0\n
[White \"B\"]\n[Black \"A\"]\n[Date \"1999.??.??\"]\n[Result \"1/2-1/2\"]\n[ECO \"B90a\"]\n[WhiteElo \"2490\"]\n[BlackElo \"2512\"]\n[Round \"2\"]\n
1. e4 c5 2. Nc3 1/2-1/2\n
[White \"A\"]\n[Black \"A\"]\n[Result \"0-1\"]\n[Round \"1\"]\n
1. d4 (1. e4 c5) 1... d5 0-1\n
[White \"B\"]\n[Black \"C\"]\n[Date \"2001.05.06\"]\n[Result \"*\"]\n[ECO \"E4\"]\n[WhiteElo \"90\"]\n[BlackElo \"95\"]\n
1. e4 e5 *\n";

/// The groups of a query on these games: the values of some columns.
fn groups(arguments: &[&str], columns: &[&str]) -> Vec<Vec<Value>> {
    let folder = scratch();
    let games = file(&folder, "games.pgn", GAMES);
    let database = folder.path().join("db");
    index(&database, [&games]).ended_with(0);
    let all = ["query", database.to_str().unwrap(), "--format", "json"];
    let run = super::support::run(all.iter().chain(arguments)).ended_with(0);
    let row = |row: &Value| columns.iter().map(|name| row[*name].clone()).collect();
    run.json().iter().map(row).collect()
}

/// A value that is not known.
const NULL: Value = Value::Null;

/// A row of values.
macro_rules! row {
    ($($value:expr),*) => { vec![$(serde_json::json!($value)),*] };
}

#[test]
fn headers_make_groups() {
    let counts = ["games", "positions", "white_wins", "draws", "black_wins"];
    let by = |what: &'static str| -> Vec<Vec<Value>> {
        let columns: Vec<&str> = [what].into_iter().chain(counts).collect();
        groups(&["true", "--by", what], &columns)
    };
    assert_eq!(
        by("year"),
        [
            row![1998, 1, 4, 1, 0, 0],
            row![1999, 1, 4, 0, 1, 0],
            row![2001, 1, 3, 0, 0, 0],
            row![NULL, 1, 3, 0, 0, 1]
        ]
    );
    assert_eq!(by("decade")[0], row![1990, 2, 8, 1, 1, 0]);
    assert_eq!(
        by("opening"),
        [
            row!["B90", 2, 8, 1, 1, 0],
            row!["E40", 1, 3, 0, 0, 0],
            row![NULL, 1, 3, 0, 0, 1]
        ]
    );
    assert_eq!(by("opening_group")[0], row!["B9", 2, 8, 1, 1, 0]);
    assert_eq!(
        by("rating"),
        [
            row![0, 1, 3, 0, 0, 0],
            row![2500, 2, 8, 1, 1, 0],
            row![NULL, 1, 3, 0, 0, 1]
        ]
    );
    assert_eq!(by("white_rating")[1], row![2400, 1, 4, 0, 1, 0]);
    assert_eq!(by("white")[0], row!["A", 2, 7, 1, 0, 1]);
    // Who plays against a namesake has one game.
    assert_eq!(by("player")[0], row!["A", 3, 11, 1, 1, 1]);
    assert_eq!(by("tag:Round")[0], row!["1", 2, 7, 1, 0, 1]);
    assert_eq!(by("tag:Round").last().unwrap()[..2], row![NULL, 1]);
    assert_eq!(
        by("result").iter().map(|row| row[0].clone()).collect::<Vec<_>>(),
        row!["*", "0-1", "1-0", "1/2-1/2"]
    );
}

#[test]
fn scores_are_those_of_whom_the_group_is_about() {
    let scores = |by: &str| {
        let name = by.split(',').next().unwrap();
        groups(&["true", "--by", by, "--order", "key"], &[name, "score"])
    };
    // A wins with White, draws with Black, and has won and lost against the namesake: that game counts as White's.
    assert_eq!(scores("player"), [row!["A", 50.0], row!["B", 25.0], row!["C", NULL]]);
    assert_eq!(scores("white"), [row!["A", 50.0], row!["B", 50.0]]);
    assert_eq!(scores("black"), [row!["A", 75.0], row!["B", 0.0], row!["C", NULL]]);
    assert_eq!(scores("black,white")[0], row!["A", 0.0]);
    assert_eq!(scores("decade"), [row![1990, 75.0], row![2000, NULL], row![NULL, 0.0]]);
}

#[test]
fn positions_make_groups() {
    assert_eq!(
        groups(&["true", "--by", "move"], &["move", "games", "positions"]),
        [row![1, 4, 8], row![2, 4, 6]]
    );
    assert_eq!(
        groups(&["true", "--by", "side"], &["side", "games", "positions"]),
        [row!["black", 4, 6], row!["white", 4, 8]]
    );
    assert_eq!(
        groups(&["initial", "--by", "next"], &["next", "games", "percent"]),
        [row!["e4", 3, 75.0], row!["d4", 1, 25.0]]
    );
    let next = groups(&["ply == 1", "--by", "next", "--order", "key"], &["next", "games"]);
    assert_eq!(next, [row!["...c5", 2], row!["...d5", 1], row!["...e5", 1]]);
    // Games are counted once, however often they come.
    let next = groups(
        &["true", "--variations", "--by", "next", "--order", "games"],
        &["next", "games", "positions"],
    );
    assert_eq!(next[0], row!["...c5", 3, 3]);
    // Where lines end, there is no move.
    assert_eq!(next.last(), Some(&row![NULL, 4, 5]));
    // The numbers of moves in variations, where the index does not say them.
    let moves = groups(
        &["true", "--variations", "--by", "move,side"],
        &["move", "side", "positions"],
    );
    assert_eq!(
        moves,
        [
            row![1, "black", 5],
            row![1, "white", 4],
            row![2, "black", 2],
            row![2, "white", 5]
        ]
    );
}

#[test]
fn squares_of_a_set_make_groups() {
    let knights = groups(&["ply == 3", "--by-square", "N"], &["square", "games", "positions"]);
    assert_eq!(
        knights,
        [row!["b1", 1, 1], row!["c3", 1, 1], row!["f3", 1, 1], row!["g1", 1, 1]]
    );
    // A set that only boards know, and two things at once.
    let attacked = groups(
        &[
            "ply == 3",
            "--by",
            "square,year",
            "--by-square",
            "N attacks _d5 | N attacks _e5",
        ],
        &["square", "year", "positions"],
    );
    assert_eq!(attacked, [row!["c3", 1999, 1], row!["f3", 1998, 1]]);
    let empty = groups(&["ply == 3", "--by-square", "[_P]e2-4"], &["square", "positions"]);
    assert_eq!(empty, [row!["e2", 2], row!["e3", 2], row!["e4", 2]]);
}

/// Whatever the index counts is what is counted of the rows.
#[test]
fn counts_are_those_of_the_rows() {
    for (text, variations) in [
        ("N attacks k", false),
        ("Kg1 or kg8", true),
        ("wtm", true),
        ("Ka8 ka1", false),
    ] {
        let rows = |arguments: &[&str]| {
            let all = [
                "query",
                super::support::samples().to_str().unwrap(),
                text,
                "--format",
                "json",
            ];
            let variations = variations.then_some("--variations");
            let run = super::support::run(all.iter().chain(arguments).copied().chain(variations));
            assert!(run.code < 2, "{}", run.stderr);
            run.json()
        };
        let listed = rows(&["--columns", "game,side,next,year,result,white,black,tag:Event"]);
        let by = |key: &dyn Fn(&Value) -> Vec<String>| {
            let mut groups: BTreeMap<String, (u64, u64, Value)> = BTreeMap::new();
            for row in &listed {
                for key in key(row) {
                    let group = groups.entry(key).or_insert((0, 0, Value::Null));
                    group.1 += 1;
                    if group.2 != row["game"] {
                        group.0 += 1;
                        group.2 = row["game"].clone();
                    }
                }
            }
            groups
                .into_iter()
                .map(|(key, (games, positions, _))| (key, games, positions))
                .collect::<Vec<_>>()
        };
        let name = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let counted = |what: &str, names: &[&str]| {
            let counted = rows(&["--by", what]);
            let mut groups: Vec<(String, u64, u64)> = counted
                .iter()
                .map(|row| {
                    let key: Vec<String> = names.iter().map(|column| name(&row[*column])).collect();
                    (
                        key.join("|"),
                        row["games"].as_u64().unwrap(),
                        row["positions"].as_u64().unwrap(),
                    )
                })
                .collect();
            groups.sort();
            groups
        };
        assert_eq!(
            counted("year,result", &["year", "result"]),
            by(&|row| vec![format!("{}|{}", name(&row["year"]), name(&row["result"]))])
        );
        assert_eq!(
            counted("tag:Event", &["tag:Event"]),
            by(&|row| vec![name(&row["tag:Event"])])
        );
        assert_eq!(
            counted("next,side", &["next", "side"]),
            by(&|row| {
                let dots = if row["side"] == "black" && !row["next"].is_null() {
                    "..."
                } else {
                    ""
                };
                vec![format!("{dots}{}|{}", name(&row["next"]), name(&row["side"]))]
            })
        );
        assert_eq!(
            counted("player", &["player"]),
            by(&|row| {
                let mut players = vec![name(&row["white"]), name(&row["black"])];
                players.dedup();
                players
            })
        );
    }
}

#[test]
fn the_table_has_bars_and_totals() {
    let run = query(["mate", "--by", "result"]).ended_with(0);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 5, "{}", run.stdout);
    assert!(lines[0].starts_with("result  games"), "{}", run.stdout);
    let full = "\u{2588}".repeat(20);
    assert!(
        lines[2].starts_with("1-0") && lines[2].ends_with(&full),
        "{}",
        run.stdout
    );
    assert!(
        lines[4].starts_with("18 positions in 18 games; 86 games searched"),
        "{}",
        run.stdout
    );
    // Where groups have no order of their own, those with the most games are listed.
    let run = query(["true", "--by", "player"]).ended_with(0);
    assert!(run.stdout.contains("\nthe first 20 of "), "{}", run.stdout);
    let run = query(["true", "--by", "player", "--limit", "3"]).ended_with(0);
    assert!(run.stdout.contains("\nthe first 3 of "), "{}", run.stdout);
    query(["Ka8 ka1", "--by", "year"]).ended_with(1);
}

#[test]
fn what_nothing_is_counted_by_is_told() {
    query(["mate", "--by", "yaer"]).says(2, "nothing is counted by `yaer`; did you mean `year`?");
    query(["mate", "--by", "square"]).says(2, "name the set whose squares are counted: --by-square 'N'");
    query(["mate", "--by-square", "btm"]).says(2, "squares are counted of a set");
    query(["mate", "--by-square", "Nx"]).says(2, "--by-square");
    query(["mate", "--by", "year,year"]).says(2, "groups are counted by `year` twice");
    query(["mate", "--by", "year,event,site,white,black,result"]).says(2, "groups are counted by one to 5 things");
    query(["mate", "--order", "games"]).says(2, "--order is that of groups");
    query(["mate", "--by", "year", "--format", "pgn"]).says(2, "this answer is a table: PGN can't hold it");
    query(["mate", "--by", "year", "--count"]).says(2, "cannot be used with");
}

#[test]
fn groups_are_counted_of_what_is_saved_and_of_sets() {
    let (_folder, database) = super::support::own_samples();
    let run = on(&database, "query", ["mate", "--by", "side", "--save", "mates"]).ended_with(0);
    assert_eq!(run.stderr, "the set `mates` has 18 positions in 18 games\n");
    let run = on(
        &database,
        "query",
        ["true", "--within", "mates", "--by", "side", "--format", "csv"],
    )
    .ended_with(0);
    assert!(
        run.stdout.contains("\r\nblack,") && run.stdout.lines().count() <= 3,
        "{}",
        run.stdout
    );
    // Removed games count nowhere.
    on(&database, "remove", ["--games", "1-60"]).ended_with(0);
    let total = |run: super::support::Run| {
        let rows = run.json();
        rows.iter().map(|row| row["games"].as_u64().unwrap()).sum::<u64>()
    };
    let by_year = on(&database, "query", ["true", "--by", "year", "--format", "json"]).ended_with(0);
    assert_eq!(total(by_year), 26);
}
