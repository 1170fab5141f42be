//! `cqldex index`.

use super::support::{file, index, query, run_with, samples, scratch};

const SHORT: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n";

#[test]
fn tells_what_was_indexed() {
    let folder = scratch();
    let run = index(&folder.path().join("db"), ["samples"]).ended_with(0);
    assert!(run.stdout.starts_with("86 games, "), "{}", run.stdout);
    assert!(run.stdout.contains("db: 86 games, "), "{}", run.stdout);
    assert_eq!(
        run.stderr, "",
        "nothing is skipped, and there is no progress bar in a pipe"
    );
}

#[test]
fn adds_to_a_database() {
    let folder = scratch();
    let database = folder.path().join("db");
    let pgn = file(&folder, "short.pgn", SHORT);
    index(&database, [&pgn]).ended_with(0);
    let run = index(&database, [&pgn]).ended_with(0);
    assert!(run.stdout.contains("db: 2 games, "), "{}", run.stdout);
    let count = super::support::run([
        "query".as_ref(),
        database.as_os_str(),
        "mate".as_ref(),
        "--count".as_ref(),
    ]);
    assert_eq!(count.ended_with(0).stdout, "2 positions in 2 games\n");
}

#[test]
fn reads_standard_input() {
    let folder = scratch();
    let database = folder.path().join("db");
    let run = run_with(["index".as_ref(), database.as_os_str(), "-".as_ref()], SHORT).ended_with(0);
    assert!(run.stdout.starts_with("1 game, 6 positions indexed"), "{}", run.stdout);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let folder = scratch();
    for threads in ["1", "2"] {
        let database = folder.path().join(threads);
        index(
            &database,
            ["samples/games.pgn", "samples/studies.pgn", "--threads", threads],
        )
        .ended_with(0);
        let arguments = [
            "query".as_ref(),
            database.as_os_str(),
            "check".as_ref(),
            "--json".as_ref(),
        ];
        let run = super::support::run(arguments).ended_with(0);
        let matches = |run: &super::support::Run| -> Vec<String> {
            run.stdout
                .lines()
                .filter(|line| line.contains("\"match\""))
                .map(str::to_owned)
                .collect()
        };
        assert_eq!(matches(&run), matches(&query(["check", "--json"])));
    }
    assert!(samples().is_dir());
}

#[test]
fn the_first_twenty_problems_are_told_and_the_report_has_all() {
    let folder = scratch();
    let bad = "[White \"A\"]\n\n1. e4 e5 2. Ke3 Nf6 *\n\n".repeat(25);
    let pgn = file(&folder, "bad.pgn", bad);
    let (database, report) = (folder.path().join("db"), folder.path().join("report.txt"));
    let arguments = [pgn.as_os_str(), "--report".as_ref(), report.as_os_str()];
    let run = index(&database, arguments).ended_with(0);
    assert_eq!(run.stderr.lines().count(), 21, "{}", run.stderr);
    assert!(
        run.stderr.contains("bad.pgn:3: game 1: illegal move `Ke3`"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr.ends_with("... and 5 more; the report has them all\n"),
        "{}",
        run.stderr
    );
    assert!(run.stdout.contains("25 kept with something left out"), "{}", run.stdout);
    let report = std::fs::read_to_string(report).unwrap();
    assert_eq!(report.lines().count(), 25);
    assert!(
        report
            .lines()
            .last()
            .unwrap()
            .contains("bad.pgn:99: game 25: illegal move `Ke3`"),
        "{report}"
    );
}

#[test]
fn strict_fails_when_something_is_left_out() {
    let folder = scratch();
    let pgn = file(&folder, "bad.pgn", "1. e4 e5 2. Ke3 *\n");
    let run = index(&folder.path().join("db"), [pgn.as_os_str(), "--strict".as_ref()]).ended_with(2);
    assert!(run.stderr.contains("--strict"), "{}", run.stderr);
    assert!(
        run.stdout.starts_with("1 game, "),
        "what could be read is there: {}",
        run.stdout
    );
    let good = file(&folder, "good.pgn", SHORT);
    index(&folder.path().join("strict"), [good.as_os_str(), "--strict".as_ref()]).ended_with(0);
}

#[test]
fn packed_files_and_folders_are_read() {
    let folder = scratch();
    let games = folder.path().join("games");
    std::fs::create_dir(&games).unwrap();
    std::fs::write(games.join("a.pgn"), SHORT).unwrap();
    std::fs::write(games.join("b.pgn.zst"), zstd::encode_all(SHORT.as_bytes(), 1).unwrap()).unwrap();
    std::fs::write(games.join("notes.txt"), "no games").unwrap();
    let run = index(&folder.path().join("db"), [&games]).ended_with(0);
    assert!(run.stdout.starts_with("2 games, 12 positions"), "{}", run.stdout);
}
