//! Whatever may be wrong with files, databases and queries: what is said, and the exit code.

use std::fs;
use std::path::Path;

use super::support::{Run, file, index, query, run, scratch};

fn stats(database: &Path) -> Run {
    run(["stats".as_ref(), database.as_os_str()])
}

#[test]
fn a_missing_file_is_named_and_no_database_is_made() {
    let folder = scratch();
    let database = folder.path().join("db");
    index(&database, ["samples/games.pgn", "no-such-file.pgn"]).says(2, "no-such-file.pgn: ");
    assert!(!database.exists());
    run(["query", "no-such.db", "-f", "no-such.cql"]).says(2, "no-such.cql: ");
}

#[test]
fn an_unreadable_archive_is_named_and_what_came_before_is_kept() {
    let folder = scratch();
    let games = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/games.pgn")).unwrap();
    let mut packed = zstd::encode_all(games.as_slice(), 3).unwrap();
    packed.truncate(packed.len() / 2);
    let archive = file(&folder, "cut.pgn.zst", packed);
    let database = folder.path().join("db");
    let arguments = [Path::new("samples/studies.pgn"), &archive];
    index(&database, arguments).says(2, "cut.pgn.zst: cannot be read after byte ");
    let kept = stats(&database).ended_with(0);
    assert!(
        kept.stdout.starts_with("games                     22\n"),
        "{}",
        kept.stdout
    );
}

#[test]
fn garbage_with_the_name_of_an_archive_is_no_crash() {
    let folder = scratch();
    let mut garbage = vec![0x28, 0xb5, 0x2f, 0xfd];
    garbage.extend((0..5_000u32).map(|n| (n * 7 % 251) as u8));
    let archive = file(&folder, "garbage.pgn.zst", garbage);
    let run = index(&folder.path().join("db"), [&archive]).ended_with(2);
    assert!(run.stderr.contains("garbage.pgn.zst"), "{}", run.stderr);
}

#[test]
fn what_is_no_database_is_told_so() {
    let folder = scratch();
    let missing = folder.path().join("missing");
    stats(&missing).says(2, "missing: not a cqldex database (there is nothing)");
    let text = file(&folder, "text.txt", "hello");
    stats(&text).says(2, "text.txt: not a cqldex database (it is a file)");
    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("file"), "hello").unwrap();
    stats(&other).says(2, "other: not a cqldex database (the directory holds something else)");
    index(&other, ["samples"]).says(2, "not a cqldex database");
    run(["query".as_ref(), missing.as_os_str(), "check".as_ref()]).says(2, "not a cqldex database");
    assert!(!missing.exists());
}

/// Says in a database that it has this format; with another column, if that is named.
fn set_format(database: &Path, format: u32, column: Option<&str>) {
    let options = rocksdb::Options::default();
    let columns = rocksdb::DB::list_cf(&options, database).unwrap();
    let mut db = rocksdb::DB::open_cf(&options, database, columns).unwrap();
    let value = [b"cqldex\0\0".as_slice(), &format.to_le_bytes()].concat();
    db.put_cf(db.cf_handle("meta").unwrap(), "format", value).unwrap();
    if let Some(column) = column {
        db.create_cf(column, &options).unwrap();
    }
}

/// Makes sure that every command refuses a database with these words.
#[track_caller]
fn is_refused(database: &Path, told: &str) {
    stats(database).says(2, told);
    let name = database.to_str().unwrap();
    for arguments in [
        &["index", name, "samples"][..],
        &["query", name, "check"],
        &["verify", name],
        &["remove", name, "--games", "1"],
        &["compact", name],
        &["rebuild", name],
    ] {
        run(arguments).says(2, told);
    }
}

#[test]
fn a_database_of_another_format_is_refused() {
    let folder = scratch();
    let database = folder.path().join("db");
    index(&database, ["samples"]).ended_with(0);
    set_format(&database, 4, None);
    let what_to_do = "index the games again, or use the program that wrote it";
    is_refused(
        &database,
        &format!("written in format 4, this program reads format 10; {what_to_do}"),
    );
}

/// What this program does when it is older than the database: a downgrade.
#[test]
fn a_newer_database_is_refused_and_stays_as_it_is() {
    let folder = scratch();
    let database = folder.path().join("db");
    index(&database, ["samples"]).ended_with(0);
    let what_to_do = "a newer program wrote it: use that one, or a later one; nothing is changed";
    for (format, column) in [(11, None), (99, Some("later"))] {
        set_format(&database, format, column);
        is_refused(
            &database,
            &format!("written in format {format}, this program reads format 10; {what_to_do}"),
        );
    }
    // The newer program goes on with it, which is played by this one.
    set_format(&database, 10, None);
    {
        let options = rocksdb::Options::default();
        let columns = rocksdb::DB::list_cf(&options, &database).unwrap();
        assert!(columns.iter().any(|column| column == "later"), "{columns:?}");
        rocksdb::DB::open_cf(&options, &database, columns)
            .unwrap()
            .drop_cf("later")
            .unwrap();
    }
    let name = database.to_str().unwrap();
    run(["verify", name]).ended_with(0);
    let count = run(["query", name, "initial", "--count"]).ended_with(0);
    assert!(count.stdout.ends_with("in 86 games\n"), "{}", count.stdout);
}

#[test]
fn a_query_error_has_place_reason_and_hint() {
    query(["#passedpawn >= 2"]).says(2, "error[Q301]");
    query(["x > 3 check"]).says(2, "= help: a variable has to be assigned before it is read");
    let run = query(["Kg1\n  and check)"]).ended_with(2);
    assert!(run.stderr.contains("--> query:2:"), "{}", run.stderr);
}

#[test]
fn an_error_of_the_running_query_has_text_game_and_position() {
    let expected = "\
error[Q605]: this assertion does not hold
 --> query:1:21
  |
1 | gamenumber == 3 x=3 assert x==4
  |                     ^^^^^^^^^^^ in game 3, position 0";
    query(["gamenumber == 3 x=3 assert x==4"]).says(2, expected);
}

#[test]
fn a_dialect_has_to_be_known() {
    query(["check", "--dialect", "basic"]).says(2, "invalid value 'basic'");
}

#[test]
fn a_missing_query_is_told() {
    query([]).says(2, "<FILTERS>");
    query([""]).says(2, "error[Q201]");
    query(["check", "--threads", "0"]).says(2, "--threads");
}

#[test]
fn a_game_with_an_illegal_move_is_kept_up_to_there_and_reported() {
    let folder = scratch();
    let text = "[White \"First\"]\n\n1. e4 e5 2. Ke3 Nf6 3. Nf3 1-0\n\n[White \"Second\"]\n\n1. d4 d5 *\n";
    let pgn = file(&folder, "illegal.pgn", text);
    let database = folder.path().join("db");
    let run = index(&database, [&pgn]).ended_with(0);
    assert!(
        run.stderr
            .contains("illegal.pgn:3: game 1: illegal move `Ke3` (rest of the line left out)"),
        "{}",
        run.stderr
    );
    assert!(run.stdout.starts_with("2 games, 6 positions"), "{}", run.stdout);
}

#[test]
fn an_empty_file_is_an_empty_database() {
    let folder = scratch();
    let pgn = file(&folder, "empty.pgn", "");
    let database = folder.path().join("db");
    let run = index(&database, [&pgn]).ended_with(0);
    assert!(run.stdout.starts_with("0 games, 0 positions"), "{}", run.stdout);
    let json = super::support::run(["stats".as_ref(), database.as_os_str(), "--json".as_ref()]).ended_with(0);
    assert_eq!(json.json()[0]["games"], 0);
    let nothing = super::support::run(["query".as_ref(), database.as_os_str(), ".".as_ref()]).ended_with(1);
    assert!(
        nothing.stdout.starts_with("no match; 0 games searched"),
        "{}",
        nothing.stdout
    );
    super::support::run(["explain".as_ref(), database.as_os_str(), ".".as_ref()]).ended_with(0);
    super::support::run(["verify".as_ref(), database.as_os_str()]).ended_with(0);
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let folder = scratch();
    let database = folder.path().join("db");
    let report = folder.path().join("no-such-folder").join("report.txt");
    index(&database, ["samples".as_ref(), "--report".as_ref(), report.as_os_str()]).says(2, "report.txt: ");
    assert!(!database.exists());
}
