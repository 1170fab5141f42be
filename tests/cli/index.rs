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
    let more = file(&folder, "more.pgn", SHORT.replace("[White \"A\"]", "[White \"C\"]"));
    let run = index(&database, [&more]).ended_with(0);
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
    let other = SHORT.replace("[White \"A\"]", "[White \"C\"]");
    std::fs::write(games.join("b.pgn.zst"), zstd::encode_all(other.as_bytes(), 1).unwrap()).unwrap();
    std::fs::write(games.join("notes.txt"), "no games").unwrap();
    let run = index(&folder.path().join("db"), [&games]).ended_with(0);
    assert!(run.stdout.starts_with("2 games, 12 positions"), "{}", run.stdout);
}

#[test]
fn a_file_that_is_given_again_is_noticed() {
    let folder = scratch();
    let database = folder.path().join("db");
    let pgn = file(&folder, "short.pgn", SHORT);
    index(&database, [&pgn]).ended_with(0);
    // It is known by its text.
    let packed = file(&folder, "other.zst", zstd::encode_all(SHORT.as_bytes(), 1).unwrap());
    for again in [&pgn, &packed] {
        let run = index(&database, [again]).ended_with(0);
        assert!(
            run.stderr.contains("its first game is in the database already"),
            "{}",
            run.stderr
        );
        assert!(run.stdout.contains("1 game known from earlier runs"), "{}", run.stdout);
        assert!(run.stdout.contains("db: 1 game, "), "{}", run.stdout);
    }
    let run = index(&database, [pgn.as_os_str(), "--repeat".as_ref()]).ended_with(0);
    assert!(run.stdout.contains("db: 2 games, "), "{}", run.stdout);
    // Twice at once is noticed too.
    let twice = folder.path().join("twice");
    let run = index(&twice, [&pgn, &pgn]).ended_with(0);
    assert!(run.stdout.contains("twice: 1 game, "), "{}", run.stdout);
}

#[test]
fn of_a_file_that_has_grown_only_the_rest_is_added() {
    let folder = scratch();
    let database = folder.path().join("db");
    let pgn = file(&folder, "games.pgn", SHORT.repeat(3));
    index(&database, [&pgn]).ended_with(0);
    let bad = "[White \"Z\"]\n\n1. e4 e5 2. Ke3 *\n";
    std::fs::write(&pgn, format!("{}\n\n{bad}", SHORT.repeat(3))).unwrap();
    let run = index(&database, [&pgn]).ended_with(0);
    assert!(run.stdout.starts_with("1 game, 3 positions indexed"), "{}", run.stdout);
    assert!(run.stdout.contains("db: 4 games, "), "{}", run.stdout);
    assert!(
        run.stderr.contains("games.pgn:20: game 4: illegal move `Ke3`"),
        "{}",
        run.stderr
    );
    // Another beginning makes another file.
    std::fs::write(&pgn, SHORT.repeat(3).replacen("[White \"A\"]", "[White \"C\"]", 1)).unwrap();
    let run = index(&database, [&pgn]).ended_with(0);
    assert!(run.stdout.contains("db: 7 games, "), "{}", run.stdout);
    // One that goes on in the middle of the last game is another file, too.
    std::fs::write(&pgn, format!("{} 4. d4 *\n", SHORT.repeat(3))).unwrap();
    let run = index(&database, [&pgn]).ended_with(0);
    assert!(
        run.stdout.starts_with("3 games, ") || run.stdout.starts_with("4 games, "),
        "{}",
        run.stdout
    );
}

#[test]
fn duplicates_are_left_out_on_request() {
    let folder = scratch();
    let database = folder.path().join("db");
    let other = SHORT.replace("[White \"A\"]", "[White \"C\"]");
    let noted = SHORT
        .replace("2. Qh5", "2. Qh5 {early}")
        .replace("[White", "[Event \"X\"]\n[White");
    let first = file(&folder, "first.pgn", format!("{SHORT}\n{other}"));
    index(&database, [&first]).ended_with(0);
    let again = file(
        &folder,
        "again.pgn",
        format!(
            "{noted}\n{}\n{noted}",
            SHORT.replace("e5 2", "e6 2").replace("3. Qxe5#", "")
        ),
    );
    let report = folder.path().join("report");
    let arguments = [
        again.as_os_str(),
        "--skip-duplicates".as_ref(),
        "--report".as_ref(),
        report.as_os_str(),
    ];
    let run = index(&database, arguments).ended_with(0);
    assert!(run.stdout.contains("2 duplicates not added"), "{}", run.stdout);
    assert!(run.stdout.contains("db: 3 games, "), "{}", run.stdout);
    let told = std::fs::read_to_string(report).unwrap();
    let lines: Vec<&str> = told.lines().collect();
    assert!(
        lines[0].contains("again.pgn:1: game 1: duplicate of game 1 of the database (not added)"),
        "{told}"
    );
    assert!(lines[1].contains("game 3: duplicate of game 1"), "{told}");
    assert_eq!(lines.len(), 2);
}
