//! `cqldex batch`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::support::{Run, file, index, output_of, own_samples, program, query, run, samples, scratch};

/// A folder with these questions: the name of each, and its text.
fn questions(folder: &TempDir, questions: &[(&str, &str)]) -> PathBuf {
    let path = folder.path().join("queries");
    for (name, text) in questions {
        let file = path.join(format!("{name}.cql"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    path
}

/// Runs `cqldex batch` with paths and other arguments.
#[track_caller]
fn batch(paths: &[&Path], arguments: &[&str]) -> Run {
    let paths = paths.iter().map(|path| path.to_str().unwrap());
    run(["batch"].into_iter().chain(paths).chain(arguments.iter().copied()))
}

/// Games and positions that a query has in the samples.
fn counts(text: &str) -> (u64, u64) {
    let run = query([text, "--count", "--json"]);
    let summary = &run.json()[0];
    (
        summary["games"].as_u64().unwrap(),
        summary["positions"].as_u64().unwrap(),
    )
}

#[test]
fn every_question_of_a_folder_is_asked() {
    let folder = scratch();
    let asked = questions(
        &folder,
        &[
            ("mate", "cql(input other.pgn) mate"),
            ("below/checks", "check"),
            ("none", "Ka8 ka1"),
            ("sorted", "sort \"men\" #[Aa] mate"),
        ],
    );
    fs::write(asked.join("readme.txt"), "no question").unwrap();
    let single = file(&folder, "first move", "ply == 1");
    let rows = batch(&[samples(), &asked, &single], &["--format", "json"])
        .ended_with(0)
        .json();
    let found: Vec<(&str, u64, u64)> = rows
        .iter()
        .map(|row| {
            let number = |name: &str| row[name].as_u64().unwrap();
            (row["question"].as_str().unwrap(), number("games"), number("positions"))
        })
        .collect();
    let expected = |name, text| {
        let (games, positions) = counts(text);
        (name, games, positions)
    };
    assert_eq!(
        found,
        [
            expected("below/checks", "check"),
            expected("mate", "mate"),
            ("none", 0, 0),
            expected("sorted", "mate"),
            expected("first move", "ply == 1"),
        ]
    );
    assert_eq!(
        (&rows[0]["database"], &rows[0]["error"]),
        (&json!("samples"), &Value::Null)
    );
    assert!(rows.iter().all(|row| row["milliseconds"].as_f64().unwrap() >= 0.0));
}

#[test]
fn a_bad_question_stops_no_other_one() {
    let folder = scratch();
    let asked = questions(
        &folder,
        &[
            ("a", "mate"),
            ("b", "cql() chek"),
            ("c", "assert false"),
            ("d", "positionset \"no\""),
            ("e", "check"),
        ],
    );
    let missing = asked.join("f.cql");
    fs::create_dir(&missing).unwrap();
    let run = batch(&[samples(), &asked], &["--format", "json"]).ended_with(2);
    let rows = run.json();
    let errors: Vec<Option<&str>> = rows.iter().map(|row| row["error"].as_str()).collect();
    assert_eq!((errors[0], errors[4]), (None, None));
    assert!(errors[1].unwrap().starts_with("Q301: "), "{errors:?}");
    assert!(errors[2].unwrap().starts_with("Q6"), "{errors:?}");
    assert!(errors[3].unwrap().contains("no set"), "{errors:?}");
    assert_eq!(
        (&rows[1]["games"], &rows[4]["positions"]),
        (&Value::Null, &json!(counts("check").1))
    );
    // What is wrong is told with the place, and that something is.
    assert!(run.stderr.contains("queries/b.cql:1:7"), "{}", run.stderr);
    assert!(run.stderr.contains("did you mean `check`?"), "{}", run.stderr);
    assert!(
        run.stderr
            .ends_with("error: 3 questions failed; all others are answered\n"),
        "{}",
        run.stderr
    );
    let table = batch(&[samples(), &asked], &[]).ended_with(2).stdout;
    let lines: Vec<&str> = table.lines().collect();
    assert!(
        lines[0].starts_with("question  games  positions") && lines[0].ends_with("error"),
        "{table}"
    );
    assert!(lines[2].starts_with("b ") && lines[2].contains("Q301: "), "{table}");
    assert!(
        lines[7].starts_with("5 answers, 2 with matches, 3 failed; 86 games searched in "),
        "{table}"
    );
}

#[test]
fn what_is_not_there_is_told() {
    let folder = scratch();
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let mate = file(&folder, "mate.cql", "mate");
    batch(&[samples(), &empty], &[]).says(
        2,
        "this is no database, and there are no files in it whose names end in .cql",
    );
    batch(&[samples(), &folder.path().join("no.cql")], &[]).says(2, "no.cql: No such file");
    batch(&[samples()], &[]).says(2, "no questions are named");
    batch(&[&mate], &[]).says(2, "no database is named");
    batch(&[samples(), &mate], &["--format", "pgn"]).says(2, "PGN can't hold it");
    batch(&[samples(), &mate], &["--columns", "game"]).says(2, "--label");
    let label = folder.path().join("labels.csv");
    let label = label.to_str().unwrap();
    batch(&[samples(), &mate], &["--label", label, "--columns", "rating"]).says(
        2,
        "there is no column `rating`; did you mean `white_rating` or `black_rating`?",
    );
    batch(&[samples(), &mate], &["--label", label, "--columns", "comment"])
        .says(2, "the column `comment` is about one query, and here are several");
    batch(&[samples(), &mate], &["--label", "labels.zip"]).says(2, "the ending of the name says no format");
    assert!(!Path::new(label).exists());
    // Nothing matches.
    let none = file(&folder, "none.cql", "Ka8 ka1");
    batch(&[samples(), &none], &[]).ended_with(1);
}

#[test]
fn several_databases_stand_side_by_side() {
    let folder = scratch();
    let (games, studies) = (folder.path().join("games.db"), folder.path().join("studies.db"));
    index(&games, ["samples/games.pgn"]).ended_with(0);
    index(&studies, ["samples/studies.pgn"]).ended_with(0);
    let asked = questions(&folder, &[("mate", "mate"), ("none", "Ka8 ka1")]);
    let rows = batch(&[&games, &studies, &asked], &["--format", "json"])
        .ended_with(0)
        .json();
    let positions = |database: &str, question: &str| {
        let mut of_both = rows
            .iter()
            .filter(|row| row["database"] == database && row["question"] == question);
        let row = of_both.next().unwrap();
        assert!(of_both.next().is_none());
        row["positions"].as_u64().unwrap()
    };
    assert_eq!(
        positions("games", "mate") + positions("studies", "mate"),
        counts("mate").1
    );
    assert_eq!((positions("games", "none"), rows.len()), (0, 4));
    let table = batch(&[&asked, &games, &studies], &[]).ended_with(0).stdout;
    let lines: Vec<&str> = table.lines().collect();
    assert!(
        lines[0].contains("games: games") && lines[0].contains("studies: games"),
        "{table}"
    );
    assert!(
        lines[1].starts_with("mate ") && lines[2].starts_with("none "),
        "{table}"
    );
    assert!(
        lines[4].starts_with("4 answers, 2 with matches; 86 games searched in "),
        "{table}"
    );
    // Databases of the same name are told apart.
    let other = folder.path().join("more");
    fs::create_dir(&other).unwrap();
    index(&other.join("games.db"), ["samples/studies.pgn"]).ended_with(0);
    let rows = batch(&[&games, &other.join("games.db"), &asked], &["--format", "json"])
        .ended_with(0)
        .json();
    assert!(
        rows[1]["database"].as_str().unwrap().ends_with("more/games.db"),
        "{rows:?}"
    );
}

#[test]
fn the_games_of_each_question_are_written() {
    let folder = scratch();
    let asked = questions(
        &folder,
        &[
            ("mate", "mate comment \"the end\""),
            ("below/promotion", "sort \"men\" #[Aa] mate"),
            ("bad", "assert false"),
        ],
    );
    let found = folder.path().join("found");
    let to = found.to_str().unwrap();
    batch(&[samples(), &asked], &["--pgn-dir", to]).ended_with(2);
    for (name, text) in [
        ("mate", "mate comment \"the end\""),
        ("below/promotion", "sort \"men\" #[Aa] mate"),
    ] {
        let written = fs::read(found.join(format!("{name}.pgn"))).unwrap();
        let alone = folder.path().join("alone.pgn");
        query([text, "--pgn", alone.to_str().unwrap()]).ended_with(0);
        assert!(written == fs::read(alone).unwrap(), "{name}");
    }
    // Nothing is left of what failed.
    assert_eq!(fs::read_dir(&found).unwrap().count(), 2);
    let (_own, database) = own_samples();
    batch(&[samples(), &database, &asked.join("mate.cql")], &["--pgn-dir", to]).ended_with(0);
    assert_eq!(
        fs::read(found.join("db/mate.pgn")).unwrap(),
        fs::read(found.join("mate.pgn")).unwrap()
    );
    assert!(found.join("samples/mate.pgn").is_file());
}

#[test]
fn a_label_has_all_questions_that_match() {
    let folder = scratch();
    let asked = questions(
        &folder,
        &[
            ("check", "check"),
            ("mate", "mate"),
            ("queens", "Q q"),
            ("none", "Ka8 ka1"),
        ],
    );
    let labels = folder.path().join("labels.json");
    let columns = "game,position,fen,questions,database,white,length";
    let arguments = [
        "--label",
        labels.to_str().unwrap(),
        "--columns",
        columns,
        "--variations",
    ];
    let run = batch(&[samples(), &asked], &arguments).ended_with(0);
    let rows: Vec<Value> = fs::read_to_string(&labels)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(run.stderr.ends_with("labels.json\n"), "{}", run.stderr);
    let place = |row: &Value| (row["game"].as_u64().unwrap(), row["position"].as_u64().unwrap());
    assert!(rows.is_sorted_by_key(place));
    for (name, text) in [("check", "check"), ("mate", "mate"), ("queens", "Q q")] {
        let listed = query([
            text,
            "--variations",
            "--format",
            "json",
            "--columns",
            "game,position,fen,white,length",
        ]);
        let listed = listed.ended_with(0).json();
        let labelled = rows
            .iter()
            .filter(|row| row["questions"].as_str().unwrap().split(';').any(|label| label == name));
        let labelled: Vec<Value> = labelled
            .map(|row| json!({"game": row["game"], "position": row["position"], "fen": row["fen"], "white": row["white"], "length": row["length"]}))
            .collect();
        assert_eq!(labelled, listed, "{name}");
    }
    assert!(
        rows.iter().any(|row| row["questions"] == "check;mate"),
        "mates are checks"
    );
    assert!(
        rows.iter()
            .all(|row| row["database"] == "samples" && row["questions"] != "")
    );
    // The rows of several databases, with games as well.
    let (_own, database) = own_samples();
    let arguments = [
        "--label",
        labels.to_str().unwrap(),
        "--pgn-dir",
        folder.path().to_str().unwrap(),
    ];
    batch(&[samples(), &database, &asked], &arguments).ended_with(0);
    let text = fs::read_to_string(&labels).unwrap();
    assert_eq!(
        text.matches("\"database\":\"db\"").count(),
        text.matches("\"database\":\"samples\"").count()
    );
}

#[test]
fn the_table_is_a_file_of_any_format() {
    let folder = scratch();
    let asked = questions(&folder, &[("a, b", "mate"), ("bad", "chek")]);
    let out = folder.path().join("found.csv");
    let run = batch(&[samples(), &asked], &["-o", out.to_str().unwrap()]).ended_with(2);
    assert_eq!(run.stdout, "");
    let text = fs::read_to_string(&out).unwrap();
    assert!(
        text.starts_with("question,database,games,positions,milliseconds,error\r\n\"a, b\",samples,18,18,"),
        "{text}"
    );
    assert!(text.contains("\r\nbad,samples,,,0.0,Q301: "), "{text}");
    for name in ["found.parquet", "found.arrow", "found.txt"] {
        let out = folder.path().join(name);
        batch(&[samples(), &asked], &["-o", out.to_str().unwrap()]).ended_with(2);
        assert!(out.metadata().unwrap().len() > 100, "{name}");
    }
}

/// Questions that take longer than anybody waits; the second can't be interrupted.
const ENDLESS: [&str; 2] = [
    "x=1 y=1 while (x>0) {x+=1 y=1 while (y<9999999) y+=1}",
    "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" ~~ \"(a+)+b\"",
];

#[test]
fn an_endless_question_has_its_time_and_the_others_theirs() {
    for endless in ENDLESS {
        let folder = scratch();
        let asked = questions(
            &folder,
            &[("a", "check"), ("b", endless), ("c", "mate"), ("d", "check Q")],
        );
        let run = batch(
            &[samples(), &asked],
            &["--timeout", "1", "--format", "json", "--no-answers"],
        )
        .ended_with(2);
        let rows = run.json();
        assert_eq!(rows[1]["error"], "the search was stopped after 1 s", "{endless}");
        let positions: Vec<Option<u64>> = rows.iter().map(|row| row["positions"].as_u64()).collect();
        let expected = [
            Some(counts("check").1),
            None,
            Some(counts("mate").1),
            Some(counts("check Q").1),
        ];
        assert_eq!(positions, expected, "{endless}");
        assert!(
            run.stderr
                .contains("b.cql: the search was stopped after 1 s; --timeout SECONDS"),
            "{}",
            run.stderr
        );
    }
}

#[cfg(unix)]
#[test]
fn what_is_done_when_the_user_stops_is_written() {
    let folder = scratch();
    let asked = questions(&folder, &[("a", "check"), ("b", ENDLESS[0]), ("c", "mate")]);
    let (out, labels) = (folder.path().join("found.json"), folder.path().join("labels.csv"));
    let child = program()
        .arg("batch")
        .args([samples(), &asked])
        .args(["-o".as_ref(), out.as_os_str(), "--label".as_ref(), labels.as_os_str()])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    let killed = std::process::Command::new("sh")
        .args(["-c", &format!("kill -INT {}", child.id())])
        .status()
        .unwrap();
    assert!(killed.success());
    let output = output_of(child, "an interrupted batch");
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(
        told.ends_with("error: interrupted: 1 of 3 questions are answered; these answers are written\n"),
        "{told}"
    );
    let text = fs::read_to_string(&out).unwrap();
    assert!(
        text.starts_with("{\"question\":\"a\",") && text.lines().count() == 1,
        "{text}"
    );
    let rows = fs::read_to_string(&labels).unwrap().lines().count() as u64;
    assert_eq!(rows, counts("check").1 + 1);
}
