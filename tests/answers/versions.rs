//! Two versions of the program side by side on one database.
//!
//! The other version is this program again, which takes itself for another one. Its kept answers are replaced by wrong
//! ones, so that it shows whose answers a process reads.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::{env, fs};

use search::{Detail, GameMatch, KeptUse, RunOptions};
use storage::{Database, Fingerprint, Section, Sections};

use super::{ALWAYS, DETAILS, add_games, compiled, fresh, options, run, samples};

/// Environment variables of a reader: the database, the version that it takes itself for, and what it does.
const DATABASE: &str = "CQLDEX_TEST_DATABASE";
const VERSION: &str = "CQLDEX_TEST_VERSION";
/// How many games of the database the other version finds nothing in. Without it, all queries are asked once.
const FIRST: &str = "CQLDEX_TEST_FIRST";

/// The version that is not ours.
const OTHER: &str = "another version";

/// How many processes read, half of them of each version.
const READERS: usize = 10;

const QUERIES: [&str; 4] = ["check", "pin", "line --> check --> check", "sort #P #P > 12"];

/// Where the test says that everything is over.
fn over(database: &Path) -> PathBuf {
    database.with_extension("over")
}

fn start(database: &Path, version: Option<&str>, first: Option<u64>) -> Child {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", "versions::the_reader", "--nocapture"])
        .env(DATABASE, database);
    if let Some(version) = version {
        command.env(VERSION, version);
    }
    if let Some(first) = first {
        command.env(FIRST, first.to_string());
    }
    command.spawn().unwrap()
}

/// A process that reads, of one of the versions.
#[test]
fn the_reader() {
    let Ok(database) = env::var(DATABASE) else { return };
    let database = Path::new(&database);
    let version = env::var(VERSION).ok();
    if let Some(version) = &version {
        search::pretend_version(version);
    }
    let Ok(first) = env::var(FIRST) else {
        let snapshot = Database::open_read_only(database).unwrap().snapshot();
        for text in QUERIES {
            let kept = run(&snapshot, &compiled(text), &kept_options(Detail::Count)).1.kept;
            assert_eq!(kept.games, 0, "{text}: nobody has asked before");
            assert!(kept.written > 0, "{text}");
        }
        return;
    };
    // The other version has been made to find nothing in the first games.
    let first: u64 = if version.is_some() { first.parse().unwrap() } else { 0 };
    let mut last = [KeptUse::default(); QUERIES.len()];
    let mut rounds = 0;
    while !over(database).exists() || rounds < 3 * DETAILS.len() {
        let snapshot = Database::open_read_only(database).unwrap().snapshot();
        for (text, kept) in QUERIES.into_iter().zip(&mut last) {
            let (query, options) = (compiled(text), kept_options(DETAILS[rounds % DETAILS.len()]));
            let (found, summary) = run(&snapshot, &query, &options);
            let listed = RunOptions {
                detail: Detail::Positions,
                ..options.clone()
            };
            let expected: Vec<GameMatch> = fresh(&snapshot, &query, &listed)
                .games
                .into_iter()
                .filter(|game| game.number > first)
                .collect();
            let positions: usize = expected.iter().map(|game| game.positions.len()).sum();
            assert_eq!(
                (summary.games, summary.positions),
                (expected.len() as u64, positions as u64),
                "{text} by {version:?}"
            );
            let numbers = |games: &[GameMatch]| games.iter().map(|game| game.number).collect::<Vec<_>>();
            if options.detail != Detail::Count {
                assert_eq!(numbers(&found.games), numbers(&expected), "{text} by {version:?}");
            }
            *kept = summary.kept;
        }
        rounds += 1;
    }
    assert!(last.iter().all(|kept| kept.games > 0), "{last:?}");
}

fn kept_options(detail: Detail) -> RunOptions {
    RunOptions {
        answers: ALWAYS,
        ..options(detail, None)
    }
}

/// The names of all kept answers.
fn names(database: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(database.join("answers")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| !name.starts_with('.')).collect()
}

/// The fingerprint with this name.
fn fingerprint(name: &str) -> Fingerprint {
    let mut bytes = [0; Fingerprint::BYTES];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&name[2 * index..2 * index + 2], 16).unwrap();
    }
    Fingerprint::new(bytes)
}

#[test]
fn two_versions_never_read_each_other_s_answers() {
    let folder = tempfile::tempdir().unwrap();
    let mut database = samples(folder.path());
    // Segments that are merged later are carried over, which another process may undo. That costs time and no answer, but
    // here it would give the other version right answers.
    database.compact(2).unwrap();
    let (path, snapshot) = (database.path().to_owned(), database.snapshot());
    assert_eq!(snapshot.segments().len(), 1);
    let first = snapshot.last_number();

    assert!(start(&path, Some(OTHER), None).wait().unwrap().success());
    let others = names(&path);
    assert_eq!(others.len(), QUERIES.len());
    // Our version has not found them.
    assert!(start(&path, None, None).wait().unwrap().success());
    let all = names(&path);
    assert!(all.is_superset(&others));
    assert_eq!(all.len(), 2 * QUERIES.len());
    let nothing = snapshot.segments().iter().map(|meta| {
        let section = Section {
            covered: meta.positions,
            ..Section::default()
        };
        (meta.key, section)
    });
    let nothing: Sections = nothing.collect();
    for name in &others {
        snapshot.answers().write(&fingerprint(name), &nothing).unwrap();
    }
    drop(snapshot);

    let version = |reader: usize| reader.is_multiple_of(2).then_some(OTHER);
    let readers: Vec<Child> = (0..READERS)
        .map(|reader| start(&path, version(reader), Some(first)))
        .collect();
    for round in 0..6 {
        add_games(&mut database, folder.path(), 200 + round, 12);
        database.remove([first + 3 * round]).unwrap();
    }
    let snapshot = database.snapshot();
    assert_eq!(snapshot.segments()[0].games, u32::try_from(first).unwrap());
    // The program itself is of our version.
    for text in QUERIES {
        let program = Command::new(env!("CARGO_BIN_EXE_cqldex"))
            .args(["query", path.to_str().unwrap(), text, "--count"])
            .output()
            .unwrap();
        let said = String::from_utf8(program.stdout).unwrap();
        let count = fresh(&snapshot, &compiled(text), &options(Detail::Count, None)).counts;
        assert!(said.contains(&format!("{} positions", count[1])), "{text}: {said}");
    }
    fs::write(over(&path), "").unwrap();
    for mut reader in readers {
        assert!(reader.wait().unwrap().success());
    }
    assert!(names(&path).is_superset(&all));
}
