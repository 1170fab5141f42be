//! `cqldex query --format`, `--output` and `--columns`.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::json;

use super::support::{file, index, on, output_of, program, query, run, run_command, samples, scratch};

#[test]
fn csv_has_typed_columns_with_names() {
    let columns = "game,move,next,fen,white,white_rating,date,date_text,year,eco,result,length,tag:Round";
    let run = query(["mate", "--format", "csv", "--columns", columns, "--limit", "1"]).ended_with(0);
    assert_eq!(
        run.stdout,
        "game,move,next,fen,white,white_rating,date,date_text,year,eco,result,length,tag:Round\r\n\
         1,8.Bg6#,,rn1qkb1r/p1ppp2P/1p4B1/7n/3P4/8/PPP2PbP/RNB1K1NR b KQkq - 0 1,\"Greco, Gioachino\",,,1620.??.??,1620,\
         B00,1-0,15,?\r\n"
    );
    assert_eq!(run.stderr, "");
}

#[test]
fn clocks_and_evaluations_are_columns() {
    let folder = scratch();
    let moves = "1. e4 {[%eval 0.25] [%clk 0:03:00]} e5 {[%clk 0:02:58]} 2. Qh5 {[%eval #-3] [%clk 0:02:55.5]} *";
    let pgn = format!("[TimeControl \"180+2\"]\n\n{moves}\n\n[Event \"?\"]\n\n1. d4 *\n");
    let database = folder.path().join("blitz.db");
    index(&database, [file(&folder, "blitz.pgn", pgn)]).ended_with(0);
    let rows = |columns: &str| {
        let run = on(&database, "query", ["true", "--format", "csv", "--columns", columns]);
        run.ended_with(0).stdout.replace("\r\n", " ")
    };
    // Without boards the rows are written after the search, with them as it goes.
    assert_eq!(
        rows("game,position,white_clock,black_clock,movetime,eval"),
        "game,position,white_clock,black_clock,movetime,eval 1,0,,,, 1,1,180,,,25 1,2,180,178,, 1,3,175,178,6,-31997 \
         2,0,,,, 2,1,,,, "
    );
    assert_eq!(
        rows("side,eval,movetime"),
        "side,eval,movetime white,, black,25, white,, black,-31997,6 white,, black,, "
    );
}

#[test]
fn json_has_a_row_a_line() {
    let columns = "game,position,ply,side,date,sort,comment";
    let text = "Kh1 sort \"men\" #[Aa] comment \"a, 'word'\"";
    let lines = query([text, "--format", "json", "--columns", columns, "--limit", "2"]).ended_with(0);
    let lines = lines.json();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["sort:men"].as_i64().map(|men| men > 1), Some(true));
    assert!(lines[0]["comment"].as_str().unwrap().contains("a, 'word'"), "{lines:?}");
    assert_eq!(lines[0]["side"], json!("black"));
    // Without columns, the usual ones, and the sort keys of the query.
    let usual = query(["mate sort \"men\" #[Aa]", "--format", "json"])
        .ended_with(0)
        .json();
    assert_eq!(usual.len(), 18);
    let names: Vec<&str> = usual[0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(names.len(), 15);
    assert!(names.contains(&"sort:men") && names.contains(&"date_text"), "{names:?}");
    // They come in the order of the sort key.
    let men: Vec<i64> = usual.iter().map(|row| row["sort:men"].as_i64().unwrap()).collect();
    assert!(men.is_sorted_by(|a, b| a >= b), "{men:?}");
}

#[test]
fn a_table_of_columns_has_the_totals_below() {
    let run = query(["mate", "--columns", "game,white,year", "--limit", "2"]).ended_with(0);
    let expected = "\
game  white              year
   1  Greco, Gioachino   1620
   2  Legall de Kermeur  1750

18 positions in 18 games; 86 games searched in ";
    assert!(run.stdout.starts_with(expected), "{}", run.stdout);
    assert!(run.stdout.contains("\nthe first 2 are listed; "), "{}", run.stdout);
    // By default, as many rows as without columns.
    let run = query(["wtm", "--columns", "game"]).ended_with(0);
    assert!(run.stdout.contains("\nthe first 20 are listed; "), "{}", run.stdout);
}

#[test]
fn the_ending_of_a_file_says_the_format() {
    let folder = scratch();
    let beginnings: &[(&str, &[u8])] = &[
        ("a.csv", b"game,position,ply,move,fen,white,"),
        ("a.json", b"{\"game\":1,\"position\":15,"),
        ("a.JSONL", b"{\"game\":1,\"position\":15,"),
        ("a.pgn", b"[Event \"Casual game\"]"),
        ("a.txt", b"game  position  ply"),
        #[cfg(feature = "arrow")]
        ("a.parquet", b"PAR1"),
        #[cfg(feature = "arrow")]
        ("a.arrow", b"ARROW1"),
    ];
    for (name, beginning) in beginnings {
        let path = folder.path().join(name);
        let run = query(["mate", "-o", path.to_str().unwrap()]).ended_with(0);
        assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""), "{name}");
        let bytes = fs::read(&path).unwrap();
        let seen = String::from_utf8_lossy(&bytes[..beginning.len().min(bytes.len())]);
        assert_eq!(seen, String::from_utf8_lossy(beginning), "{name}");
    }
    // A table in a file has all rows.
    let table = fs::read_to_string(folder.path().join("a.txt")).unwrap();
    assert!(table.contains("18 positions in 18 games"), "{table}");
    // PGN is the same as that of --pgn.
    let pgn = folder.path().join("b.pgn");
    query(["mate", "--pgn", pgn.to_str().unwrap()]).ended_with(0);
    assert_eq!(fs::read(&pgn).unwrap(), fs::read(folder.path().join("a.pgn")).unwrap());
    let on_standard_output = query(["mate", "--format", "pgn"]).ended_with(0);
    assert_eq!(on_standard_output.stdout, fs::read_to_string(&pgn).unwrap());
}

#[test]
fn nothing_is_a_table_without_rows() {
    let run = query(["Ka8 ka1", "--format", "csv", "--columns", "game,fen"]).ended_with(1);
    assert_eq!(run.stdout, "game,fen\r\n");
    assert_eq!(query(["Ka8 ka1", "--format", "json"]).ended_with(1).stdout, "");
}

#[test]
fn columns_that_there_are_not_are_told_with_the_nearest() {
    let cases = [
        ("wite", "there is no column `wite`; did you mean `white` or `site`?"),
        ("rating", "did you mean `white_rating` or `black_rating`?"),
        ("xyzzy", "there is no column `xyzzy`; there are game, position, ply,"),
        ("game,fen,game", "the column `game` comes twice"),
        ("sort:men", "there is no column `sort:men`: the query sorts nothing"),
        ("", "there is no column ``"),
    ];
    for (columns, message) in cases {
        query(["mate", "--columns", columns]).says(2, message);
    }
    query(["mate sort \"men\" #A", "--columns", "sort:man"]).says(2, "did you mean `men`?");
}

#[test]
fn bad_combinations_are_told_before_the_search() {
    query(["mate", "-o", "found.xyz"]).says(
        2,
        "found.xyz: the ending of the name says no format; name one with --format, or end it in csv, json, jsonl, ndjson, parquet, arrow, \
         feather, pgn, txt",
    );
    // A table has no games, and its help says so.
    let next = |options: &[&str]| run([&["next", samples().to_str().unwrap(), "mate"], options].concat());
    next(&["-o", "found.pgn"]).says(2, "this answer is a table: PGN can't hold it");
    next(&["-o", "found.xyz"]).says(2, "or end it in csv, json, jsonl, ndjson, parquet, arrow, feather, txt");
    query(["mate", "--by", "year", "--format", "pgn"]).says(2, "this answer is a table: PGN can't hold it");
    assert!(next(&["--help"]).stdout.contains("only `query` and `diff` write it"));
    query(["mate", "--format", "pgn", "--limit", "3"]).says(2, "PGN has all matching games");
    query(["mate", "--format", "csv", "--utf8"]).says(2, "--utf8 is about PGN");
    query(["mate", "--format", "csv", "--count"]).says(2, "cannot be used with");
    query(["mate", "--format", "xml"]).says(2, "[possible values: table, json, csv, parquet, arrow, pgn]");
}

#[test]
fn a_file_that_cannot_be_written_leaves_nothing() {
    let folder = scratch();
    let database = samples().to_str().unwrap();
    let write = |name: &str| {
        let path = folder.path().join(name);
        query(["true", "-o", path.to_str().unwrap()])
    };
    write("missing/a.csv").says(2, "a.csv: ");
    fs::create_dir(folder.path().join("folder.csv")).unwrap();
    write("folder.csv").says(2, "folder.csv: this is a folder");
    // The file that is there stays as it is when the new one does not become whole.
    let path = file(&folder, "old.csv", "old");
    let limited = format!(
        "trap '' XFSZ; ulimit -f 8; exec \"$0\" query '{database}' true -o '{}'",
        path.display()
    );
    let mut shell = Command::new("bash");
    shell.args(["-c", &limited, env!("CARGO_BIN_EXE_cqldex")]);
    run_command(&mut shell, "").says(2, "the output cannot be written: File too large");
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    let left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let mut formats = vec!["csv", "json", "table"];
    if cfg!(feature = "arrow") {
        formats.extend(["parquet", "arrow"]);
    }
    for format in formats {
        let run = query(["true", "--format", format, "-o", "/dev/full"]);
        run.says(2, "the output cannot be written: No space left on device");
    }
    query(["true", "--by", "year", "--format", "csv", "-o", "/dev/full"]).says(2, "No space left on device");
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut formats = vec!["csv", "json"];
    if cfg!(feature = "arrow") {
        formats.extend(["parquet", "arrow"]);
    }
    for format in formats {
        let mut child = program()
            .args(["query", samples().to_str().unwrap(), "true", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = output_of(child, "a reader that is gone");
        assert_eq!(output.stderr, b"", "{format}");
        assert_eq!(output.status.code(), Some(0), "{format}");
    }
}

#[test]
fn moves_in_variations_are_followed_by_those_of_their_line() {
    let folder = scratch();
    let games = file(
        &folder,
        "games.pgn",
        "[Event \"?\"]\n\n1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. Nf3) 1... e5 2. Nc3 *\n",
    );
    let database = folder.path().join("db");
    index(&database, [&games]).ended_with(0);
    let columns = [
        "--variations",
        "--format",
        "csv",
        "--columns",
        "position,move,next,length",
    ];
    let run = on(
        &database,
        "query",
        ["true", columns[0], columns[1], columns[2], columns[3], columns[4]],
    );
    assert_eq!(
        run.ended_with(0).stdout,
        "position,move,next,length\r\n\
         0,,e4,3\r\n\
         1,1.e4,e5,3\r\n\
         2,1...e5,Nc3,3\r\n\
         3,2.Nc3,,3\r\n\
         4,(1.d4),d5,3\r\n\
         5,(1...d5),Nf3,3\r\n\
         6,(2.Nf3),,3\r\n\
         7,(1...Nf6),c4,3\r\n\
         8,(2.c4),,3\r\n"
    );
}

#[test]
fn rows_that_need_no_boards_are_those_of_the_others() {
    let columns = "game,position,white,date_text,result,length,tag:Round";
    let rows = |columns: &str, more: &[&str]| {
        let all = [
            "query",
            samples().to_str().unwrap(),
            "check",
            "--variations",
            "--format",
            "csv",
            "--columns",
            columns,
        ];
        run(all.iter().chain(more)).ended_with(0).stdout
    };
    for more in [&[][..], &["--limit", "7"], &["--limit", "0"]] {
        let with_board = rows(&format!("{columns},ply"), more);
        let without: Vec<&str> = with_board
            .lines()
            .map(|line| line.rsplit_once(',').unwrap().0)
            .collect();
        assert_eq!(rows(columns, more).lines().collect::<Vec<_>>(), without);
    }
    // For people, what is not listed is told.
    let table = query(["check", "--columns", "game,position"]).ended_with(0).stdout;
    assert_eq!(table.lines().count(), 24, "{table}");
    assert!(
        table.ends_with("the first 20 are listed; --limit N lists N, --json all\n"),
        "{table}"
    );
}
