//! Files that queries read and write: `readfile`, `writefile`, `similarposition`.

use std::fs;

use serde_json::json;

use super::cql::{command, cql, folder};
use super::support::{Run, file, index, run, run_command, scratch};

/// Runs `cqldex query` on the games of `folder`, with `work` below it as the folder for files.
fn query(games: &std::path::Path, query: &str, options: &[&str]) -> Run {
    let folder = games.parent().unwrap();
    let database = folder.join("games.db");
    if !database.exists() {
        index(&database, [games]).ended_with(0);
    }
    fs::create_dir_all(folder.join("work")).unwrap();
    let (database, work) = (database.to_str().unwrap().to_owned(), folder.join("work"));
    let arguments = ["query", &database, query, "--count", "--files", work.to_str().unwrap()];
    run(arguments.into_iter().chain(options.iter().copied()))
}

const START: &str = "[Event \"a\"]\n\n1. e4 e5 *\n";

#[test]
fn files_are_read_and_written_below_their_folder() {
    let folder = scratch();
    let games = file(&folder, "games.pgn", START);
    query(&games, "writefile(\"out.cqo\" str(ply \\n))", &[]).ended_with(0);
    let out = folder.path().join("work/out.cqo");
    assert_eq!(fs::read_to_string(&out).unwrap(), "0\n1\n2\n");
    // It is written anew in each run.
    query(&games, "terminal writefile(\"out.cqo\" \"end\")", &[]).ended_with(0);
    assert_eq!(fs::read_to_string(&out).unwrap(), "end");
    let found = query(&games, "initial \"n\" in readfile \"out.cqo\"", &[]).ended_with(0);
    assert_eq!(found.stdout, "1 position in 1 game\n");
    query(&games, "initial \"x\" in readfile \"out.cqo\"", &[]).ended_with(1);
}

#[test]
fn files_elsewhere_are_left_alone() {
    let folder = scratch();
    let games = file(&folder, "games.pgn", START);
    let secret = file(&folder, "secret.cqo", "secret");
    query(&games, ".", &[]).ended_with(0);
    #[cfg(unix)]
    {
        let work = folder.path().join("work");
        std::os::unix::fs::symlink(&secret, work.join("link.cqo")).unwrap();
        std::os::unix::fs::symlink(folder.path(), work.join("up")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("new.cqo"), work.join("new.cqo")).unwrap();
    }
    for name in [
        "../secret.cqo",
        "up/secret.cqo",
        "link.cqo",
        "new.cqo",
        secret.to_str().unwrap(),
    ] {
        for filter in [
            format!("\"s\" in readfile {name:?}"),
            format!("writefile({name:?} \"x\")"),
        ] {
            query(&games, &filter, &[]).says(2, "is not below the folder");
        }
    }
    assert_eq!(fs::read_to_string(&secret).unwrap(), "secret");
    assert!(!folder.path().join("new.cqo").exists());
    query(&games, "writefile(\"a.pgn\" \"x\")", &[]).says(2, "has to end in .cqo or .cql");
    query(&games, "\"x\" in readfile \"a.txt\"", &[]).says(2, "has to end in .cqo or .cql or .pgn");
    query(&games, "\"x\" in readfile \"none.cqo\"", &[]).says(2, "none.cqo: No such file");
    query(&games, "writefile(\"no/where.cqo\" \"x\")", &[]).says(2, "no/where.cqo: No such file");
    // Of two folders the last one counts here; one that is not there is an error.
    query(&games, "writefile(\"a.cqo\" \"x\")", &["--no-index"]).ended_with(0);
}

#[test]
fn files_need_a_folder() {
    let folder = folder("cql()\nwritefile(\"a.cqo\" \"x\")");
    cql(&folder, ["-i", "games.pgn", "query.cql"]).fails("only below a folder named with --files");
    cql(&folder, ["-files", ".", "-i", "games.pgn", "query.cql"]).ended_with(0);
    assert!(
        fs::read_to_string(folder.path().join("a.cqo"))
            .unwrap()
            .starts_with("xxx")
    );
    cql(&folder, ["-files", "nowhere", "-i", "games.pgn", "query.cql"]).fails("nowhere/a.cqo: No such file");
}

/// A position without pawns and its reflection, a position with a pawn and one moved to the side, another one.
const LIKE: &str = "[Event \"1\"]\n[FEN \"8/8/8/3k4/8/8/1K6/4R3 w - - 0 1\"]\n\n*\n\n\
    [Event \"2\"]\n[FEN \"8/8/8/4k3/8/8/6K1/3R4 w - - 0 1\"]\n\n*\n\n\
    [Event \"3\"]\n[FEN \"8/8/1p1k4/8/8/1KP5/8/8 w - - 0 1\"]\n\n*\n\n\
    [Event \"4\"]\n[FEN \"8/8/2p1k3/8/8/2KP4/8/8 w - - 0 1\"]\n\n*\n\n\
    [Event \"5\"]\n[FEN \"8/8/2p1k3/8/8/2KP4/8/8 b - - 0 1\"]\n\n*\n\n";

/// What is looked for: the position with pawns first.
const WANTED: &str = "[Event \"a\"]\n[FEN \"8/8/1p1k4/8/8/1KP5/8/8 w - - 0 1\"]\n\n*\n\n\
    [Event \"b\"]\n[FEN \"8/8/8/8/8/8/3k4/K6R w - - 0 1\"]\n\n1. Rh2+ Kd3 *\n\n\
    [Event \"c\"]\n[FEN \"8/8/8/3k4/8/8/1K6/4R3 w - - 0 1\"]\n\n*\n\n";

#[test]
fn similar_positions_are_found_told_and_sorted() {
    let folder = folder("cql()\nsimilarposition \"wanted.pgn\"");
    file(&folder, "games.pgn", LIKE);
    file(&folder, "wanted.pgn", WANTED);
    let comments = |options: &[&str]| -> Vec<String> {
        let mut command = command(folder.path());
        run_command(command.args(options).args(["-i", "games.pgn", "query.cql"]), "").ended_with(0);
        let pgn = fs::read_to_string(folder.path().join("query-out.pgn")).unwrap();
        let comments = pgn
            .split('{')
            .skip(1)
            .map(|text| text.split('}').next().unwrap().to_owned());
        comments
            .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect()
    };
    assert_eq!(
        comments(&[]),
        [
            "Game number 3 see wanted.pgn game: 1 at move: 1 wtm CQL submission game: 1",
            "Game number 4 see wanted.pgn game: 1 at move: 1 wtm right^1 CQL submission game: 1",
            "Game number 1 see wanted.pgn game: 3 at move: 1 wtm CQL submission game: 3",
            "Game number 2 see wanted.pgn game: 3 at move: 1 wtm reflect_v CQL submission game: 3",
        ]
    );
    file(
        &folder,
        "query.cql",
        "cql(quiet)\nsimilarposition nosort notransform \"wanted.pgn\"",
    );
    assert_eq!(
        comments(&[]),
        [
            "Game number 1 see wanted.pgn game: 3 at move: 1 wtm",
            "Game number 3 see wanted.pgn game: 1 at move: 1 wtm",
        ]
    );
    file(&folder, "query.cql", "cql()\ninitial");
    assert_eq!(
        comments(&["-similarposition", "nosort", "wanted.pgn", "-silent"]).len(),
        0
    );
    cql(
        &folder,
        ["-similarposition", "none.pgn", "-i", "games.pgn", "query.cql"],
    )
    .fails("none.pgn: No such file");
}

#[test]
fn similar_positions_are_found_in_a_database() {
    let folder = scratch();
    let games = file(&folder, "games.pgn", LIKE);
    query(&games, ".", &[]).ended_with(0);
    fs::write(folder.path().join("work/wanted.pgn"), WANTED).unwrap();
    file(&folder, "outside.pgn", WANTED);
    for route in [&[][..], &["--no-index"]] {
        let found = query(&games, "similarposition \"wanted.pgn\"", route).ended_with(0);
        assert_eq!(found.stdout, "4 positions in 4 games\n");
        let found = query(&games, "similarposition notransform \"wanted.pgn\"", route).ended_with(0);
        assert_eq!(found.stdout, "2 positions in 2 games\n");
        query(&games, "not similarposition \"wanted.pgn\"", route).ended_with(0);
        // It is the number of a game of the file, unless games are not sorted by it.
        let found = query(&games, "similarposition \"wanted.pgn\" > 1", route).ended_with(0);
        assert_eq!(found.stdout, "2 positions in 2 games\n");
        let refused = query(&games, "similarposition nosort \"wanted.pgn\" > 1", route).ended_with(2);
        assert!(
            refused.stderr.contains("cannot follow a logical filter"),
            "{}",
            refused.stderr
        );
    }
    let database = folder.path().join("games.db");
    let (database, work) = (database.to_str().unwrap(), folder.path().join("work"));
    let work = work.to_str().unwrap();
    let sorted = run([
        "query",
        database,
        "similarposition \"wanted.pgn\"",
        "--json",
        "--files",
        work,
    ])
    .json();
    let numbers: Vec<_> = sorted
        .iter()
        .filter(|line| line["type"] == "match")
        .map(|line| &line["game"])
        .collect();
    assert_eq!(numbers, [&json!(3), &json!(4), &json!(1), &json!(2)]);
    query(&games, "similarposition \"../outside.pgn\"", &[]).says(2, "not below the folder");
    query(&games, "similarposition \"none.pgn\"", &[]).says(2, "No such file");
    query(&games, "flip similarposition \"wanted.pgn\"", &[]).says(2, "error[Q310]");
    run(["query", database, "similarposition \"wanted.pgn\""]).says(2, "only below a folder named with --files");
    run([
        "explain",
        database,
        "similarposition \"wanted.pgn\"",
        "--analyze",
        "--files",
        work,
    ])
    .ended_with(0);
    run(["explain", database, "similarposition \"wanted.pgn\""]).ended_with(0);
}
