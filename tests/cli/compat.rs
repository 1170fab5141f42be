//! Databases of all formats, from 5 on: `tests/compat/` has a small one of each. Ours is read, older ones are rebuilt.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::support::{Run, index, run, scratch};

/// A fixture, and a copy of its database that may be changed.
struct Fixture {
    folder: TempDir,
    path: PathBuf,
}

impl Fixture {
    fn new(format: impl std::fmt::Display) -> Fixture {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/compat/format-{format}"));
        let folder = scratch();
        let copy = folder.path().join("db");
        fs::create_dir(&copy).unwrap();
        for entry in fs::read_dir(path.join("database")).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), copy.join(entry.file_name())).unwrap();
        }
        Fixture { folder, path }
    }

    fn database(&self) -> PathBuf {
        self.folder.path().join("db")
    }

    /// The same games, indexed by this program.
    fn made_now(&self) -> PathBuf {
        let database = self.folder.path().join("now");
        for pgn in ["first.pgn", "second.pgn"] {
            index(&database, [self.path.join(pgn)]).ended_with(0);
        }
        on(&database, &["remove", "--games", "3,16"]).ended_with(0);
        database
    }
}

/// Runs a subcommand on a database.
#[track_caller]
fn on(database: &Path, arguments: &[&str]) -> Run {
    let name = database.to_str().unwrap();
    run([arguments[0], name].iter().chain(&arguments[1..]))
}

/// The positions that match, by the index; it makes sure that evaluating every position finds the same.
#[track_caller]
fn matches(database: &Path, query: &str) -> Vec<(u64, u64)> {
    let found = |more: &[&str]| -> Vec<(u64, u64)> {
        let arguments = [&["query", query, "--variations", "--json"], more].concat();
        let lines = on(database, &arguments).json().into_iter();
        let number = |line: &serde_json::Value, name: &str| line[name].as_u64();
        lines
            .filter_map(|line| number(&line, "game").zip(number(&line, "position")))
            .collect()
    };
    let by_index = found(&[]);
    assert_eq!(by_index, found(&["--no-index"]), "{query}");
    by_index
}

fn pgn(database: &Path) -> String {
    on(database, &["query", "initial", "--pgn", "-", "--utf8"])
        .ended_with(0)
        .stdout
}

/// Queries that need every part of a database, and how many positions of the fixtures they match.
const QUERIES: [(&str, usize); 14] = [
    ("initial", 14),
    ("pin", 40),
    ("mate", 6),
    ("check variation", 6),
    ("move enpassant", 1),
    ("move promote B", 2),
    ("move null", 1),
    ("move castle", 8),
    ("player \"Morphy\" terminal", 1),
    ("elo > 2300 initial", 1),
    ("eco \"C00\" initial", 1),
    ("result 1-0 terminal mainline", 8),
    ("\"passant\" in originalcomment", 1),
    ("tag \"Event\" ~~ \"backslash\" initial", 1),
];

#[test]
fn databases_of_formats_7_to_10_are_read() {
    for format in ["7", "7-clocks", "8", "9", "10"] {
        let fixture = Fixture::new(format);
        reads(&fixture, &fixture.database());
    }
}

/// Questions about clocks and evaluations, and how many positions of the fixture match that has them.
const CLOCKS: [(&str, usize); 5] = [
    ("clock white", 11),
    ("clock < 165", 4),
    ("movetime", 5),
    ("evalchange", 4),
    ("eval < -31000", 1),
];

#[test]
fn comments_tell_clocks_where_the_database_has_no_columns_for_them() {
    for format in ["7-clocks", "8", "9", "10"] {
        let fixture = Fixture::new(format);
        let database = fixture.database();
        let check = |database: &Path| {
            for (query, count) in CLOCKS {
                assert_eq!(matches(database, query).len(), count, "{query} in format {format}");
            }
        };
        check(&database);
        // Segments are joined, and those of the older format get the columns.
        index(&database, ["samples/studies.pgn"]).ended_with(0);
        check(&database);
        on(&database, &["rebuild", "--all"]).ended_with(0);
        check(&database);
        on(&database, &["compact"]).ended_with(0);
        check(&database);
        on(&database, &["verify"]).ended_with(0);
        let stats = &on(&database, &["stats", "--json"]).ended_with(0).json()[0];
        assert!(stats["columns"]["annotations"].as_u64().unwrap() > 0);
    }
}

#[test]
fn a_database_of_format_5_is_rebuilt() {
    is_rebuilt(5);
}

#[test]
fn a_database_of_format_6_is_rebuilt() {
    is_rebuilt(6);
}

/// Checks that a database of an older format is refused until it is rebuilt.
#[track_caller]
fn is_rebuilt(format: u32) {
    let fixture = Fixture::new(format);
    let database = fixture.database();
    for arguments in [
        ["query", "mate"],
        ["index", "samples/studies.pgn"],
        ["remove", "--games=1"],
    ] {
        let refused = on(&database, &arguments).ended_with(2);
        assert!(
            refused.stderr.contains(&format!(
                "written in format {format}, this program reads format 10; `cqldex rebuild DB` makes its"
            )),
            "{}",
            refused.stderr
        );
    }
    let rebuilt = on(&database, &["rebuild"]).ended_with(0);
    assert_eq!(rebuilt.stdout, "2 of 2 segments rebuilt\n");
    reads(&fixture, &database);
    let again = on(&database, &["rebuild"]).ended_with(0);
    assert_eq!(again.stdout, "0 of 2 segments rebuilt\n");
}

/// Checks what a database of the fixture's games finds.
#[track_caller]
fn reads(fixture: &Fixture, database: &Path) {
    let now = fixture.made_now();
    let verified = on(database, &["verify"]).ended_with(0);
    assert!(
        verified.stdout.starts_with("16 games, 402 positions and "),
        "{}",
        verified.stdout
    );
    assert!(verified.stdout.ends_with(": no damage\n"), "{}", verified.stdout);
    let stats = &on(database, &["stats", "--json"]).ended_with(0).json()[0];
    for (name, number) in [("games", 14), ("removed", 2), ("segments", 2), ("positions", 353)] {
        assert_eq!(stats[name], number, "{name}");
    }
    let pgn_bytes: u64 = ["first.pgn", "second.pgn"]
        .iter()
        .map(|pgn| fs::metadata(fixture.path.join(pgn)).unwrap().len())
        .sum();
    assert_eq!(stats["pgnBytes"], pgn_bytes);
    for (query, count) in QUERIES {
        let found = matches(database, query);
        assert_eq!(found.len(), count, "{query}");
        assert_eq!(found, matches(&now, query), "{query}");
    }
    assert!(pgn(database) == pgn(&now), "the games differ");
}

#[test]
fn a_database_of_format_7_is_changed() {
    is_changed(7);
}

#[test]
fn a_database_of_format_8_is_changed() {
    is_changed(8);
}

#[test]
fn a_database_of_format_9_is_changed() {
    is_changed(9);
}

#[test]
fn a_database_of_format_10_is_changed() {
    is_changed(10);
}

/// Checks that a database can be changed, and is then as one that this program has made.
#[track_caller]
fn is_changed(format: u32) {
    let fixture = Fixture::new(format);
    let databases = [fixture.database(), fixture.made_now()];
    let after = databases.map(|database| {
        // The source is recorded, so no game is added twice.
        let again = index(&database, [fixture.path.join("first.pgn")]).ended_with(0);
        assert!(
            again.stdout.contains("11 games known from earlier runs"),
            "{}",
            again.stdout
        );
        let added = index(&database, ["samples/studies.pgn"]).ended_with(0);
        assert!(added.stdout.starts_with("22 games, "), "{}", added.stdout);
        on(&database, &["remove", "--games", "1"]).ended_with(0);
        on(&database, &["verify"]).ended_with(0);
        on(&database, &["rebuild", "--all"]).ended_with(0);
        on(&database, &["compact"]).ended_with(0);
        on(&database, &["verify"]).ended_with(0);
        let stats = &on(&database, &["stats", "--json"]).ended_with(0).json()[0];
        for (name, number) in [("games", 35), ("removed", 0), ("segments", 1)] {
            assert_eq!(stats[name], number, "{name}");
        }
        (QUERIES.map(|(query, _)| matches(&database, query)), pgn(&database))
    });
    let [old, new] = after;
    assert_eq!(old.0, new.0);
    assert!(old.1 == new.1, "the games differ");
}
