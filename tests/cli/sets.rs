//! Named sets: `cqldex query --save`, `--within`, and `cqldex sets`.

use std::path::Path;

use super::support::{file, index, index_in_columns, on, own_samples, run, scratch, segment_files, with_damage};

/// Saves what a query finds, and says how many positions that are.
#[track_caller]
fn save<const N: usize>(database: &Path, name: &str, query: &str, arguments: [&str; N]) -> u64 {
    let fixed = [
        "query",
        database.to_str().unwrap(),
        query,
        "--count",
        "--json",
        "--save",
        name,
    ];
    let saved = run(fixed.into_iter().chain(arguments));
    let saved = if saved.code == 1 {
        saved.ended_with(1)
    } else {
        saved.ended_with(0)
    };
    assert!(
        saved.stderr.starts_with(&format!("the set `{name}` has ")),
        "{}",
        saved.stderr
    );
    saved.json()[0]["positions"].as_u64().unwrap()
}

/// The games and positions that a query finds, by the index; a scan finds the same.
#[track_caller]
fn found<const N: usize>(database: &Path, query: &str, arguments: [&str; N]) -> Vec<(u64, u64)> {
    let list = |more: &[&str]| -> Vec<(u64, u64)> {
        let fixed = ["query", database.to_str().unwrap(), query, "--json"];
        let run = run(fixed.into_iter().chain(arguments).chain(more.iter().copied()));
        assert!(run.code < 2, "{}", run.stderr);
        let place = |line: &serde_json::Value| Some((line["game"].as_u64()?, line["position"].as_u64()?));
        run.json().iter().filter_map(place).collect()
    };
    let (by_index, by_scan) = (list(&[]), list(&["--no-index"]));
    assert_eq!(by_index, by_scan);
    by_index
}

/// What `cqldex sets --json` says of a set.
#[track_caller]
fn info(database: &Path, name: &str) -> serde_json::Value {
    let list = on(database, "sets", ["--json"]).ended_with(0).json();
    list.into_iter()
        .find(|set| set["name"] == name)
        .expect("there is such a set")
}

#[test]
fn what_a_query_finds_is_kept_and_asked_again() {
    let (_folder, database) = own_samples();
    let checks = found(&database, "check", []);
    assert_eq!(save(&database, "checks", "check", []), checks.len() as u64);
    assert_eq!(found(&database, "positionset \"checks\"", []), checks);
    assert_eq!(found(&database, "true", ["--within", "checks"]), checks);
    let calm = found(&database, "not check", []);
    assert_eq!(found(&database, ".", ["--not-within", "checks"]), calm);
    assert_eq!(found(&database, "not positionset \"checks\"", []), calm);
    // Restrictions go together, and stand before whatever the query is.
    save(&database, "white", "wtm", []);
    let both = found(&database, "check btm", []);
    assert_eq!(
        found(&database, "true", ["--within", "checks", "--not-within", "white"]),
        both
    );
    let flipped = ["--within", "checks", "--transform", "flipcolor"];
    assert_eq!(found(&database, "wtm", flipped), checks);
    let games = on(&database, "remove", ["--within", "checks", "mate", "--dry-run"]).ended_with(0);
    assert_eq!(games.stdout, on(&database, "remove", ["mate", "--dry-run"]).stdout);
    // What is printed is what is always printed.
    let table = on(&database, "query", ["check", "--save", "again"]).ended_with(0);
    assert!(table.stdout.contains("positions in"), "{}", table.stdout);
    assert_eq!(info(&database, "again")["positions"], checks.len());
    // Nothing is a set, too.
    assert_eq!(save(&database, "none", "false", []), 0);
    assert_eq!(found(&database, "positionset \"none\"", []), []);
}

#[test]
fn sets_are_listed_renamed_and_deleted() {
    let (_folder, database) = own_samples();
    let run = on(&database, "sets", []).ended_with(0);
    assert!(run.stdout.starts_with("no sets;"), "{}", run.stdout);
    let mates = save(&database, "mates", "mate", []);
    save(&database, "checks", "check", ["--live"]);
    let run = on(&database, "sets", []).ended_with(0);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{}", run.stdout);
    assert!(
        lines[1].starts_with("checks ") && lines[1].ends_with("  check"),
        "{}",
        lines[1]
    );
    assert!(
        lines[2].starts_with("mates ") && lines[2].contains(&format!(" {mates} ")),
        "{}",
        lines[2]
    );
    let set = info(&database, "mates");
    let expected = serde_json::json!({
        "type": "set", "name": "mates", "positions": mates, "games": mates, "gamesMissing": 0, "live": null, "damage": null,
    });
    assert_eq!(set, expected);
    // A name is taken once.
    let again = ["mate", "--save", "mates"];
    on(&database, "query", again).says(2, "there is a set `mates` already");
    assert_eq!(save(&database, "mates", "initial", ["--replace"]), 86);
    on(&database, "sets", ["--rename", "mates", "checks"]).says(2, "there is a set `checks` already");
    on(&database, "sets", ["--rename", "mats", "x"]).says(2, "there is no set `mats`; there are: checks, mates");
    on(&database, "sets", ["--rename", "mates", "initials"]).ended_with(0);
    assert_eq!(info(&database, "initials")["positions"], 86);
    on(&database, "sets", ["--delete", "mates"]).says(2, "there is no set `mates`; there are: checks, initials");
    on(&database, "sets", ["--delete", "initials"]).ended_with(0);
    on(&database, "sets", ["--delete", "checks"]).ended_with(0);
    assert!(on(&database, "sets", []).stdout.starts_with("no sets;"));
}

#[test]
fn what_makes_no_set_is_refused() {
    let (_folder, database) = own_samples();
    for name in ["", "a b", "../x", "1a", "con", "-x", "\u{e9}"] {
        let saved = format!("--save={name}");
        on(&database, "query", ["mate", &saved]).says(2, "can't be the name of a set");
    }
    on(&database, "query", ["mate", "--save", "x", "--limit", "3"]).ended_with(2);
    on(&database, "query", ["mate", "--save", "x", "--first", "3"]).ended_with(2);
    on(&database, "query", ["mate", "--live"]).ended_with(2);
    on(&database, "query", ["mate", "--replace"]).ended_with(2);
    save(&database, "mates", "mate", []);
    for query in [
        "lastgamenumber > 3 mate",
        "gamenumber > 3",
        "persistent x += 1",
        "message \"a\"",
        "positionset \"mates\"",
    ] {
        on(&database, "query", [query, "--count", "--save", "x", "--live"]).says(2, "the set can't be live");
    }
    on(
        &database,
        "query",
        ["mate", "--within", "mates", "--save", "x", "--live"],
    )
    .says(2, "the set can't be live");
    // An error keeps nothing, not even of the games before it.
    on(&database, "query", ["assert not mate", "--count", "--save", "x"]).ended_with(2);
    assert_eq!(on(&database, "sets", ["--json"]).json().len(), 1);
}

#[test]
fn unknown_sets_are_shown_with_their_place() {
    let (_folder, database) = own_samples();
    let query = ["check positionset \"forks\""];
    let expected = "\
error[Q311]: the database has no set `forks`
 --> query:1:7
  |
1 | check positionset \"forks\"
  |       ^^^^^^^^^^^^^^^^^^^
";
    on(&database, "query", query).says(2, expected);
    save(&database, "drawn", "result 1/2-1/2", []);
    on(&database, "query", query).says(2, "it has drawn");
    on(&database, "explain", query).says(2, expected);
    on(&database, "query", ["check positionset \"../../etc\""]).says(2, "error[Q311]");
    on(&database, "query", ["check", "--within", "forks"]).says(2, "there is no set `forks`; there are: drawn");
    on(&database, "query", ["check", "--not-within", "forks"]).says(2, "there is no set `forks`");
    on(&database, "sets", ["--make", "good", "=", "drawn & forks"]).says(
        2,
        "there is no set `forks`; there are: drawn\n  | good = drawn & forks\n  |                ^^^^^",
    );
}

#[test]
fn extensions_are_refused_where_only_cql_is_accepted() {
    let (folder, database) = own_samples();
    save(&database, "mates", "mate", []);
    let query = "positionset \"mates\"";
    let expected =
        "error[Q502]: `positionset` is an extension of cqldex, and only CQL 6.2 is accepted here\n --> query:1:1";
    on(&database, "query", [query, "--strict"]).says(2, expected);
    on(&database, "explain", [query, "--strict"]).says(2, expected);
    run(["check", query, "--strict"]).says(2, expected);
    run(["check", query]).ended_with(0);
    run(["check", "flip mate", "--strict"]).ended_with(0);
    // What restricts the search is no part of the query.
    on(&database, "query", ["mate", "--within", "mates", "--strict"]).ended_with(0);
    let text = file(&folder, "query.cql", "cql() positionset \"mates\"");
    let games = file(&folder, "games.pgn", "1. e4 *");
    run(["cql", "-i", games.to_str().unwrap(), text.to_str().unwrap()]).fails("Q502");
}

#[test]
fn sets_are_combined() {
    let (_folder, database) = own_samples();
    save(&database, "checks", "check", ["--variations"]);
    save(&database, "white", "wtm", ["--variations"]);
    save(&database, "many", "#[Aa] > 20", ["--variations"]);
    let all = ["--variations"];
    for (number, (expression, query)) in [
        ("checks & white", "check wtm"),
        ("checks | white", "check or wtm"),
        ("checks - white", "check btm"),
        ("!checks", "not check"),
        ("!(checks | white) & many", "btm not check #[Aa] > 20"),
        ("checks | white & !many", "check or (wtm and not #[Aa] > 20)"),
        ("checks & !checks", "false"),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("r{number}");
        let made = on(&database, "sets", ["--make", &name, "=", expression]).ended_with(0);
        let expected = found(&database, query, all);
        assert!(
            made.stdout.starts_with(&format!("the set `{name}` has ")),
            "{}",
            made.stdout
        );
        assert_eq!(
            found(&database, &format!("positionset \"{name}\""), all),
            expected,
            "{expression}"
        );
        assert_eq!(info(&database, &name)["positions"], expected.len());
    }
    // In one argument or several; a name is taken once.
    on(&database, "sets", ["--make", "r0 = checks"]).says(2, "there is a set `r0` already");
    on(&database, "sets", ["--make", "r0 = checks", "--replace"]).ended_with(0);
    on(&database, "sets", ["--make", "r0=checks-white"]).says(2, "there is no set `checks-white`");
    on(&database, "sets", ["--make", "r9", "= checks &"]).says(
        2,
        "expected the name of a set behind `&`\n  | r9 = checks &\n  |              ^",
    );
    on(&database, "sets", ["--make", "r9"]).says(2, "expected `=`");
}

#[test]
fn a_set_stays_and_a_live_one_grows_when_games_are_added() {
    let folder = scratch();
    let database = folder.path().join("db");
    index(&database, ["samples/games.pgn"]).ended_with(0);
    let before = found(&database, "check", []);
    save(&database, "still", "check", []);
    save(&database, "live", "check", ["--live"]);
    save(
        &database,
        "flipped",
        "Kg1",
        ["--live", "--transform", "flipcolor", "--variations"],
    );
    index(&database, ["samples/studies.pgn"]).ended_with(0);
    let after = found(&database, "check", []);
    assert!(after.len() > before.len());
    assert_eq!(found(&database, "positionset \"still\"", []), before);
    assert_eq!(found(&database, "positionset \"live\"", []), after);
    assert_eq!(found(&database, "true", ["--within", "live"]), after);
    assert_eq!(info(&database, "live")["positions"], after.len());
    let flipped = found(&database, "flipcolor Kg1", ["--variations"]);
    assert_eq!(found(&database, "positionset \"flipped\"", ["--variations"]), flipped);
    assert_eq!(info(&database, "still")["positions"], before.len());
    // The complement is that of all positions of now.
    on(&database, "sets", ["--make", "rest = !still"]).ended_with(0);
    assert_eq!(
        found(&database, "positionset \"rest\" positionset \"live\"", []).len(),
        after.len() - before.len()
    );
}

#[test]
fn sets_follow_games_that_are_removed_replaced_and_dropped() {
    let (folder, database) = own_samples();
    save(&database, "checks", "check", []);
    save(&database, "live", "check", ["--live"]);
    on(&database, "remove", ["--games", "3,10-12"]).ended_with(0);
    let left = found(&database, "check", []);
    for set in ["checks", "live"] {
        assert_eq!(found(&database, &format!("positionset \"{set}\""), []), left);
        assert_eq!(info(&database, set)["positions"], left.len());
    }
    on(&database, "sets", ["--make", "rest = !checks"]).ended_with(0);
    assert_eq!(
        found(&database, "positionset \"rest\"", []),
        found(&database, "not check", [])
    );
    for command in ["compact", "rebuild"] {
        let arguments: &[&str] = if command == "rebuild" { &["--all"] } else { &[] };
        run([command, database.to_str().unwrap()].iter().chain(arguments)).ended_with(0);
        let left = found(&database, "check", []);
        for set in ["checks", "live"] {
            assert_eq!(
                found(&database, &format!("positionset \"{set}\""), []),
                left,
                "{command}"
            );
        }
        assert_eq!(
            found(&database, "positionset \"rest\"", []),
            found(&database, "not check", []),
            "{command}"
        );
    }
    // The new game in the place of another one is asked about by a live set.
    let one = file(&folder, "one.pgn", "1. f3 e5 2. g4 Qh4# 0-1\n");
    on(&database, "replace", ["7", one.to_str().unwrap()]).ended_with(0);
    assert_eq!(
        found(&database, "positionset \"live\"", []),
        found(&database, "check", [])
    );
}

#[test]
fn a_damaged_set_is_named_and_can_be_deleted() {
    let (_folder, database) = own_samples();
    save(&database, "checks", "check", []);
    save(&database, "mates", "mate", []);
    let path = database.join("sets").join("checks");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&path, bytes).unwrap();
    on(&database, "query", ["positionset \"checks\""]).says(2, "the set `checks` is damaged");
    on(&database, "query", ["true", "--within", "checks"]).says(2, "the set `checks` is damaged");
    assert!(
        info(&database, "checks")["damage"]
            .as_str()
            .unwrap()
            .contains("is damaged")
    );
    assert!(on(&database, "sets", []).ended_with(0).stdout.contains("is damaged"));
    on(&database, "query", ["positionset \"mates\"", "--count"]).ended_with(0);
    on(&database, "sets", ["--delete", "checks"]).ended_with(0);
    assert_eq!(on(&database, "sets", ["--json"]).json().len(), 1);
}

#[test]
fn exported_lists_are_the_positions() {
    let (folder, database) = own_samples();
    save(&database, "checks", "check", []);
    on(&database, "remove", ["--games", "3,10-12"]).ended_with(0);
    let files = folder.path().join("files");
    let export = ["--export", "checks", "-o", files.to_str().unwrap()];
    let run = on(&database, "sets", export).ended_with(0);
    let expected = found(&database, "check", []);
    assert!(
        run.stdout.starts_with(&format!("{} positions written", expected.len())),
        "{}",
        run.stdout
    );
    let list = std::fs::read_to_string(files.join("positions.tsv")).unwrap();
    let place = |line: &str| {
        let (game, position) = line.split_once('\t').unwrap();
        (game.parse().unwrap(), position.parse().unwrap())
    };
    assert_eq!(list.lines().map(place).collect::<Vec<(u64, u64)>>(), expected);
    let table = std::fs::read_to_string(files.join("segments.tsv")).unwrap();
    assert_eq!(table.lines().count(), 2, "{table}");
    assert!(
        table.lines().nth(1).unwrap().starts_with("segment-1.roaring\t1\t86\t"),
        "{table}"
    );
    on(&database, "sets", ["--export", "checks"]).ended_with(2);
    on(&database, "sets", ["--export", "chekcs", "-o", "x"]).says(2, "there is no set `chekcs`");

    let json = ["--export", "checks", "-o", files.to_str().unwrap(), "--json"];
    let run = on(&database, "sets", json).ended_with(0).json();
    assert_eq!(
        run,
        [serde_json::json!({
            "type": "export", "name": "checks", "positions": expected.len(), "segments": 1, "gamesMissing": 0
        })]
    );
    let lines = |name: &str| -> Vec<serde_json::Value> {
        let text = std::fs::read_to_string(files.join(name)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let list = lines("positions.jsonl");
    assert!(list.iter().all(|line| line["type"] == "position"));
    let place = |line: &serde_json::Value| Some((line["game"].as_u64()?, line["position"].as_u64()?));
    assert_eq!(list.iter().filter_map(place).collect::<Vec<_>>(), expected);
    let table = lines("segments.jsonl");
    assert_eq!(table.len(), 1);
    assert_eq!(
        (&table[0]["file"], &table[0]["games"], &table[0]["inSet"]),
        (&"segment-1.roaring".into(), &86.into(), &expected.len().into())
    );
    // Lists of the earlier export would not go with the bitmaps.
    assert!(!files.join("positions.tsv").exists() && !files.join("segments.tsv").exists());
}

#[test]
fn a_set_says_which_games_it_lacks() {
    let folder = scratch();
    let database = folder.path().join("db");
    index_in_columns(&database, "samples/games.pgn");
    index_in_columns(&database, "samples/studies.pgn");
    let metas = || {
        storage::Database::open_read_only(&database)
            .unwrap()
            .snapshot()
            .segments()
            .to_vec()
    };
    let segments = metas();
    assert_eq!(segments.len(), 2, "a small file is a segment of its own");
    let lost = u64::from(segments[0].games);
    save(&database, "whole", "check", []);
    let all = info(&database, "whole")["positions"].as_u64().unwrap();
    // The posting lists of the first segment.
    let files = segment_files(&database);
    let mut damaged = None;
    for file in &files {
        let sound = std::fs::read(file).unwrap();
        std::fs::write(file, with_damage(&sound)).unwrap();
        let run = on(
            &database,
            "query",
            ["check", "--count", "--skip-damaged", "--no-answers"],
        );
        if run.stderr.contains("games 1-") && run.code < 2 {
            damaged = Some((file, sound));
            break;
        }
        std::fs::write(file, sound).unwrap();
    }
    let (file, sound) = damaged.expect("one of the files has the posting lists of the first segment");
    let fixed = ["check", "--count", "--save", "part", "--skip-damaged", "--no-answers"];
    on(&database, "query", fixed).ended_with(0);
    std::fs::write(file, sound).unwrap();

    let part = info(&database, "part");
    assert_eq!(part["gamesMissing"], lost);
    assert!(part["positions"].as_u64().unwrap() < all);
    assert_eq!(info(&database, "whole")["gamesMissing"], 0);
    let lacks = format!("lacks {lost} games that could not be searched");
    let list = on(&database, "sets", []).ended_with(0).stdout;
    let told: Vec<&str> = list.lines().filter(|line| line.contains(&lacks)).collect();
    assert!(told.len() == 1 && told[0].starts_with("part "), "{list}");
    // Whoever reads it is told, and so is whoever reads what is made of it.
    let made = on(&database, "sets", ["--make", "rest = whole - part"]).ended_with(0);
    assert!(made.stdout.contains(&lacks), "{}", made.stdout);
    let saving = ["wtm", "--within", "rest", "--save", "more", "--count"];
    on(&database, "query", saving).ended_with(0);
    on(&database, "sets", ["--rename", "more", "most"]).ended_with(0);
    for name in ["part", "rest", "most"] {
        let query = format!("positionset \"{name}\"");
        let run = on(&database, "query", [&query, "--count", "--json"]).ended_with(0);
        assert!(
            run.stderr.contains(&format!("the set `{name}` {lacks}")),
            "{}",
            run.stderr
        );
        assert_eq!(run.json()[0]["incompleteSets"], serde_json::json!([name]));
    }
    let run = on(&database, "query", ["positionset \"whole\"", "--count", "--json"]).ended_with(0);
    assert!(run.stderr.is_empty() && run.json()[0].get("incompleteSets").is_none());
    let folder = folder.path().join("files");
    let run = on(&database, "sets", ["--export", "part", "-o", folder.to_str().unwrap()]).ended_with(0);
    assert!(run.stderr.contains(&lacks), "{}", run.stderr);
    // It is not forgotten when segments are merged.
    on(&database, "remove", ["--games", "1"]).ended_with(0);
    on(&database, "compact", []).ended_with(0);
    assert_eq!(metas().len(), 1);
    assert_eq!(info(&database, "part")["gamesMissing"], lost);
}

#[test]
fn a_plan_shows_a_set_with_its_cardinality() {
    let (_folder, database) = own_samples();
    let checks = save(&database, "checks", "check", []);
    let explained = on(&database, "explain", ["btm", "--within", "checks", "--json"])
        .ended_with(0)
        .json();
    assert_eq!(explained[0]["exact"], true);
    assert_eq!(
        explained[0]["parts"][0],
        serde_json::json!({"text": "positionset \"checks\"", "index": "exact"})
    );
    let children = explained[0]["plan"]["children"].as_array().unwrap();
    let set = children
        .iter()
        .find(|child| child["text"] == "positionset \"checks\"")
        .unwrap();
    assert_eq!(set["expected"], checks);
}
