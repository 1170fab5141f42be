//! What other programs read of our files: posting lists and exported sets with pyroaring, tables with DuckDB and polars. And
//! what they read of the files that we read: clocks and evaluations in comments with python-chess.
//!
//! `scripts/python` gives a Python with these. Where there is none, the tests count as ignored, and as failed where
//! the environment says `CI=true`.

#![allow(clippy::print_stderr, reason = "a test harness says why tests are ignored")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use postings::Term;
use sha2::{Digest, Sha256};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A Python with what the tests need, or why there is none.
fn python() -> Result<PathBuf, String> {
    let output = Command::new(root().join("scripts/python"))
        .output()
        .map_err(|error| error.to_string())?;
    match output.status.success() {
        true => Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

/// Runs the program.
fn cqldex(arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_cqldex"))
        .args(arguments)
        .output()
        .unwrap();
    let code = output.status.code();
    assert!(
        code.is_some_and(|code| code < 2),
        "{arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Exported bitmaps have the ids of the positions that the list beside them names, and of no others.
fn exported_sets(python: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let database = path("db");
    let games = root().join("samples/games.pgn");
    // Segments are joined when they are small; these are not.
    for _ in 0..3 {
        cqldex(&["index", &database, games.to_str().unwrap(), "--repeat"]);
    }
    cqldex(&["remove", &database, "--games", "3,70-72"]);
    // Runs, single positions, all positions, and none.
    for (number, query) in ["wtm", "check", "ply > 20", "true", "false"].into_iter().enumerate() {
        let (name, files) = (format!("s{number}"), path(&format!("files-{number}")));
        cqldex(&["query", &database, query, "--variations", "--count", "--save", &name]);
        cqldex(&["sets", &database, "--export", &name, "-o", &files]);
        let script = root().join("tests/python/read_sets.py");
        let output = Command::new(python).arg(script).arg(&files).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let list = std::fs::read_to_string(Path::new(&files).join("positions.tsv")).unwrap();
        let listed: Vec<(u64, u32)> = list
            .lines()
            .map(|line| line.split_once('\t').unwrap())
            .map(|(game, position)| (game.parse().unwrap(), position.parse().unwrap()))
            .collect();
        let snapshot = storage::Database::open_read_only(&database).unwrap().snapshot();
        let segments: Vec<serde_json::Value> = String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(segments.len(), snapshot.segments().len());
        let mut read = Vec::new();
        for (index, segment) in segments.iter().enumerate() {
            let starts = snapshot.segment(index).starts().unwrap();
            let first = segment["firstGame"].as_u64().unwrap();
            assert_eq!(first, snapshot.segments()[index].first_game + 1);
            for id in segment["ids"].as_array().unwrap() {
                let id = u32::try_from(id.as_u64().unwrap()).unwrap();
                let game = starts.partition_point(|&start| start <= id) - 1;
                read.push((first + game as u64, id - starts[game]));
            }
        }
        assert_eq!(read, listed, "{query}");
        assert_eq!(listed.is_empty(), query == "false");
    }
}

/// The posting lists of a database, as they are stored, have the positions that we read in them.
fn posting_lists(python: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("db");
    for games in ["samples/games.pgn", "samples/studies.pgn"] {
        let games = root().join(games);
        cqldex(&["index", database.to_str().unwrap(), games.to_str().unwrap()]);
    }
    let snapshot = storage::Database::open_read_only(&database).unwrap().snapshot();
    let lists = folder.path().join("lists");
    std::fs::create_dir(&lists).unwrap();
    let mut expected = Vec::new();
    for index in 0..snapshot.segments().len() {
        let segment = snapshot.segment(index);
        for term in Term::all() {
            let list = segment.postings(term).unwrap();
            // A term that does not occur has no list.
            if list.cardinality() > 0 {
                let name = format!("{index:02}-{:04}", term.code());
                std::fs::write(lists.join(&name), list.as_bytes()).unwrap();
                let ids: Vec<u8> = list.iter().flat_map(u32::to_le_bytes).collect();
                expected.push(format!("{name} {} {}", list.cardinality(), hex(&Sha256::digest(&ids))));
            }
        }
    }
    assert!(expected.len() > 500, "{} lists", expected.len());
    let script = root().join("tests/python/read_lists.py");
    let output = Command::new(python).arg(script).arg(&lists).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = String::from_utf8(output.stdout).unwrap();
    assert!(read.lines().eq(&expected), "pyroaring reads other positions");
}

/// DuckDB and polars read from tables in all formats the values and types that our own JSON has.
fn tables(python: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let database = path("db");
    let games = ["games.pgn", "studies.pgn"].map(|name| root().join("samples").join(name));
    let more = path("more.pgn");
    // A whole date, ratings, and a name that has to be quoted.
    let names = "[White \"O'Neil, \\\"Jack\\\"\"]\n[Date \"1999.12.31\"]\n[WhiteElo \"2412\"]\n[Result \"1/2-1/2\"]";
    std::fs::write(&more, format!("{names}\n\n1. e4 e5 2. Nf3 1/2-1/2\n")).unwrap();
    cqldex(&[
        "index",
        &database,
        games[0].to_str().unwrap(),
        games[1].to_str().unwrap(),
        &more,
    ]);
    let columns = "game,position,ply,side,move,next,fen,white,black,white_rating,result,event,date,date_text,year,eco,\
                   length,sort:men,comment,tag:Round";
    let found = ["true sort \"men\" #[Aa] comment \"a, b\"", "--columns", columns];
    let groups = ["true", "--by", "decade,result"];
    let mut seen = 0;
    for (name, arguments) in [("found", &found[..]), ("groups", &groups[..])] {
        let run = |file: &str| {
            let all = ["query", &database, "-o", file];
            cqldex(&[&all[..], arguments].concat());
        };
        let own = path(&format!("{name}.json"));
        run(&own);
        let own = std::fs::read_to_string(own).unwrap();
        let expected: Vec<serde_json::Value> = own.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(expected.len() > 10, "{name}: {} rows", expected.len());
        for format in ["csv", "json", "parquet", "arrow", "arrows"] {
            let file = path(&format!("{name}.{format}"));
            match format {
                "arrows" => stream(
                    &file,
                    &[&["query", &database, "--format", "arrow"][..], arguments].concat(),
                ),
                _ => run(&file),
            }
            for reader in ["duckdb", "polars"] {
                let script = root().join("tests/python/read_tables.py");
                let output = Command::new(python).arg(script).args([reader, &file]).output().unwrap();
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                let text = String::from_utf8(output.stdout).unwrap();
                let mut lines = text
                    .lines()
                    .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
                let types = lines.next().unwrap();
                let rows: Vec<serde_json::Value> = lines.collect();
                assert_eq!(rows, expected, "{name}.{format} as {reader} reads it");
                if name == "found" && matches!(format, "parquet" | "arrow" | "arrows") {
                    let wanted = match reader {
                        "duckdb" => [("date", "DATE"), ("white_rating", "BIGINT"), ("white", "VARCHAR")],
                        _ => [("date", "Date"), ("white_rating", "Int64"), ("result", "Categorical")],
                    };
                    for (column, kind) in wanted {
                        assert_eq!(types[column], kind, "{column} of {format} as {reader} reads it");
                    }
                }
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 20);
}

/// Writes the standard output of the program to a file.
fn stream(file: &str, arguments: &[&str]) {
    let out = std::fs::File::create(file).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cqldex"));
    assert!(command.args(arguments).stdout(out).status().unwrap().success());
}

/// What stands in comments, well and badly written.
const COMMENTS: [&str; 40] = [
    "[%clk 0:03:00]",
    "[%clk 1:00:00.5]",
    "[%clk 0:00:09.87]",
    "[%clk 0:00:07.]",
    "[%clk 00:75:61]",
    "[%clk 2000:00:00]",
    "[%clk 99]",
    "[%clk 1:30]",
    "[%clk -0:00:01]",
    "[%clk 0:00:01 ]",
    "[%clk 0:00:.5]",
    "[%emt 0:00:05]",
    "[%emt 0:01:00.25] thinks",
    "[%emt 5]",
    "[%eval 0.17]",
    "[%eval -1.5]",
    "[%eval +.5,3]",
    "[%eval -0.03,24]",
    "[%eval 12]",
    "[%eval 7.]",
    "[%eval 0]",
    "[%eval -0.00]",
    "[%eval 1234.56]",
    "[%eval -99999]",
    "[%eval 12345678901]",
    "[%eval #1]",
    "[%eval #-3]",
    "[%eval #+12,40]",
    "[%eval #0]",
    "[%eval #-0]",
    "[%eval #]",
    "[%eval .]",
    "[%eval 1.234]",
    "[%eval 1,]",
    "[%eval abc]",
    "[%eval --1] [%eval 2.5]",
    "[%eval 0.1] [%clk 0:00:02] good [%clk 0:00:03] [%eval 9]",
    "[%clk 1] [%cal Ga1b2] [%clk 0:10:00]",
    "[%clk [%emt 0:00:05]]",
    "[%CLK 0:00:05] [% clk 0:00:05] [%clk0:00:05] [%eval",
];

/// Clocks and evaluations are read as python-chess reads them.
fn annotations(python: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (database, pgn) = (path("db"), path("games.pgn"));
    let mut text = String::new();
    for (number, comment) in COMMENTS.iter().enumerate() {
        let at = |more: usize| COMMENTS[(number + more) % COMMENTS.len()];
        text += &format!(
            "[Event \"{number}\"]\n\n{{ {comment} }} 1. Nf3 {{ {comment} }} Nf6 {{ {} }} ",
            at(7)
        );
        text += &format!(
            "({{ {} }} 1... Nc6 {{ {} }} 2. Nc3 (2. Na3 {{ {} }})) ",
            at(1),
            at(3),
            at(5)
        );
        text += &format!(
            "2. Ng1 {{ {} }} {{ {} }} Ng8 {{ {} }} {{ {comment} }} *\n\n",
            at(11),
            at(13),
            at(17)
        );
    }
    std::fs::write(&pgn, text).unwrap();
    cqldex(&["index", &database, &pgn]);
    let script = root().join("tests/python/read_annotations.py");
    let output = Command::new(python).arg(script).arg(&pgn).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    type Read = (u32, Option<u32>, Option<u32>, Option<i16>);
    let theirs: Vec<Vec<Read>> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(theirs.len(), COMMENTS.len());
    let snapshot = storage::Database::open_read_only(&database).unwrap().snapshot();
    let segment = snapshot.segment(0);
    let mut values = 0;
    for (game, theirs) in (0..).zip(theirs) {
        let (block, index) = segment.block_of(game).unwrap();
        let ours = &segment.annotations(block, chess::AnnotationKind::ALL).unwrap()[index];
        fn at<T: Copy>(list: &[(u32, T)], node: u32) -> Option<T> {
            list.iter().find(|(other, _)| *other == node).map(|(_, value)| *value)
        }
        let read = |node| {
            (
                node,
                at(&ours.clocks, node),
                at(&ours.elapsed, node),
                at(&ours.evaluations, node),
            )
        };
        let ours: Vec<Read> = (0..8)
            .map(read)
            .filter(|(_, clock, elapsed, evaluation)| clock.is_some() || elapsed.is_some() || evaluation.is_some())
            .collect();
        assert_eq!(ours, theirs, "{}", COMMENTS[game as usize]);
        values += ours.len();
    }
    assert!(values > 200, "hardly any comment says something");
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let python = python();
    let is_ci = std::env::var("CI").is_ok_and(|value| value == "true");
    if let Err(reason) = &python {
        eprintln!("there is no Python with what the tests need: {reason}");
    }
    let ignored = python.is_err() && !is_ci;
    let trial = |name: &str, test: fn(&Path)| {
        let python = python.clone();
        let run = move || match python {
            Ok(python) => {
                test(&python);
                Ok(())
            }
            Err(reason) => Err(Failed::from(format!(
                "there is no Python with what the tests need: {reason}"
            ))),
        };
        Trial::test(name, run).with_ignored_flag(ignored)
    };
    let trials = vec![
        trial("exported_sets_are_read_by_pyroaring", exported_sets),
        trial("posting_lists_are_read_by_pyroaring", posting_lists),
        trial("tables_are_read_by_duckdb_and_polars", tables),
        trial("annotations_are_those_of_python_chess", annotations),
    ];
    libtest_mimic::run(&arguments, trials).exit_code()
}
