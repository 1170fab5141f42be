//! `cqldex themes`, and `--theme` of other commands.

use std::fs;

use super::support::{file, query, run, samples, scratch};

#[test]
fn themes_are_listed_by_groups_and_tags() {
    let all = run(["themes", "--format", "json"]).ended_with(0).json();
    assert!(all.len() >= 120, "{}", all.len());
    let boden = all.iter().find(|theme| theme["theme"] == "boden-mate").unwrap();
    assert_eq!(
        (&boden["group"], &boden["title"]),
        (&"mates".into(), &"Boden's mate".into())
    );
    assert!(boden["query"].as_str().unwrap().starts_with("flipcolor"));
    let some = run(["themes", "--tag", "mate", "--tag", "knight"]).ended_with(0).stdout;
    assert!(
        some.lines().any(|line| line.starts_with("mates       arabian-mate  ")),
        "{some}"
    );
    assert!(!some.contains("knight-fork") && !some.contains("boden-mate"), "{some}");
    let wrong = run(["themes", "--tag", "knigth"]).ended_with(2).stderr;
    assert!(
        wrong.contains("no theme has the tag `knigth`") && wrong.contains("knight, "),
        "{wrong}"
    );
}

#[test]
fn a_theme_is_shown_with_its_query() {
    let shown = run(["themes", "smothered-mate"]).ended_with(0).stdout;
    assert!(
        shown.starts_with("smothered-mate: Smothered mate\nA knight mates"),
        "{shown}"
    );
    assert!(
        shown.contains("\nsource  Wikipedia, Smothered mate\n        https://"),
        "{shown}"
    );
    let only = run(["themes", "smothered-mate", "--query"]).ended_with(0).stdout;
    assert!(
        only.starts_with("flipcolor {") && shown.ends_with(&format!("\n\n{only}")),
        "{only}"
    );
    let wrong = run(["themes", "smotherd-mate"]).ended_with(2).stderr;
    assert!(
        wrong.contains("there is no theme `smotherd-mate`") && wrong.contains("`smothered-mate`"),
        "{wrong}"
    );
}

#[test]
fn a_theme_is_asked_like_a_query() {
    let by_name = query(["--theme", "smothered-mate", "--json"]).ended_with(0).json();
    let text = run(["themes", "smothered-mate", "--query"]).stdout;
    let by_text = query([text.as_str(), "--json"]).ended_with(0).json();
    let matches = |lines: &[serde_json::Value]| -> Vec<serde_json::Value> {
        lines.iter().filter(|line| line["type"] == "match").cloned().collect()
    };
    assert_eq!(matches(&by_name), matches(&by_text));
    assert!(!matches(&by_name).is_empty());
    run(["check", "--theme", "babson"]).ended_with(0);
    // One question at a time: there is one text, and its header.
    let both = query(["mate", "--theme", "smothered-mate"]).ended_with(2).stderr;
    assert!(both.contains("cannot be used with"), "{both}");
}

#[test]
fn a_batch_asks_themes_by_name_and_by_group() {
    let database = samples().to_str().unwrap();
    let rows = run([
        "batch",
        database,
        "--theme",
        "endings",
        "--theme",
        "boden-mate",
        "--format",
        "json",
    ])
    .json();
    assert!(
        rows.len() > 20 && rows.iter().all(|row| row["error"].is_null()),
        "{rows:?}"
    );
    assert_eq!(rows.last().unwrap()["question"], "mates/boden-mate");
    assert!(
        rows.iter()
            .any(|row| row["question"] == "endings/lucena" && row["games"].as_u64() > Some(0))
    );
    let wrong = run(["batch", database, "--theme", "bodens-mate"]).ended_with(2).stderr;
    assert!(wrong.contains("`boden-mate`"), "{wrong}");
}

#[test]
fn the_themes_of_a_game_are_named() {
    let database = samples().to_str().unwrap();
    // Legall de Kermeur - Saint Brie, Paris 1750.
    let rows = run(["themes", database, "2", "--format", "json"]).ended_with(0).json();
    let legal = rows
        .iter()
        .find(|row| row["theme"] == "legal-mate")
        .expect("the mate is found");
    assert_eq!((&legal["positions"], &legal["moves"]), (&"13".into(), &"7.Nd5#".into()));
    assert!(!rows.iter().any(|row| row["theme"] == "rook-endgame"));
    let mates = run(["themes", database, "2", "--tag", "mate", "--tag", "opening"])
        .ended_with(0)
        .stdout;
    assert_eq!(mates.lines().count(), 2, "{mates}");
    run(["themes", database, "2", "--tag", "endgame"]).ended_with(1);
    assert!(
        run(["themes", database, "9999"])
            .ended_with(2)
            .stderr
            .contains("there is no game 9999")
    );
    assert!(
        run(["themes", database, "x"])
            .ended_with(2)
            .stderr
            .contains("the number of a game is expected")
    );
}

#[test]
fn a_folder_has_themes_of_its_own() {
    let folder = scratch();
    let text = "/*\ntitle = \"Bare\"\nabout = \"A king alone.\"\ntags = [\"king\"]\nsource = \"me\"\n*/\n#A == 1\n";
    fs::create_dir(folder.path().join("own")).unwrap();
    fs::write(folder.path().join("own/bare.cql"), text).unwrap();
    let from = folder.path().to_str().unwrap();
    let listed = run(["themes", "--from", from]).ended_with(0).stdout;
    assert_eq!(
        listed.lines().nth(1).map(str::trim_end),
        Some("own    bare   Bare"),
        "{listed}"
    );
    // Its file is a query.
    let path = folder.path().join("own/bare.cql");
    query(["-f", path.to_str().unwrap(), "--count"]).ended_with(0);
    let wrong = file(&folder, "wrong.cql", "mate");
    let told = run(["themes", "--from", from]).ended_with(2).stderr;
    assert!(
        told.contains("wrong.cql") && told.contains("begins with a comment"),
        "{told}"
    );
    fs::remove_file(wrong).unwrap();
}
