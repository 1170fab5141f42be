//! A forged database: values are changed as they are read, and their checksums are right. It can be asked, shown and
//! verified, or says what is damaged.

#![no_main]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};

use cqldex::{By, CountOptions, MatchWriter, PgnWriter};
use cqldex::{Database, Detail, Dialect, Options, PgnOptions, Query, SearchOptions};
use cqldex_fuzz::{folder, make_database};
use libfuzzer_sys::fuzz_target;
use storage::alter_values;

/// One change of the value that is read as number `value`.
#[derive(Clone, Debug)]
struct Change {
    value: usize,
    kind: u8,
    at: usize,
    bytes: Vec<u8>,
}

/// The changes of this run, and how many values were read.
static CHANGES: Mutex<(Vec<Change>, usize)> = Mutex::new((Vec::new(), 0));

static DATABASE: LazyLock<PathBuf> = LazyLock::new(|| {
    let path = made();
    alter_values(|value| {
        let mut changes = CHANGES.lock().expect("nobody panics with it");
        let number = changes.1;
        changes.1 += 1;
        for change in changes.0.iter().filter(|change| change.value == number) {
            alter(value, change);
        }
    });
    path
});

/// A database with a set.
fn made() -> PathBuf {
    let path = folder().join("db");
    drop(make_database(&path));
    let options = Options {
        threads: std::num::NonZeroUsize::MIN,
        ..Options::default()
    };
    let database = Database::open(&path, options).expect("it was just made");
    let query = Query::parse("check", Dialect::Cql6).expect("this is a query");
    let save = SearchOptions {
        save: Some(cqldex::SaveAs::new("checks")),
        ..SearchOptions::default()
    };
    let saved = database.search(&query, save).summary().expect("the set is saved");
    assert!(saved.positions > 0);
    drop(database);
    path
}

fn alter(value: &mut Vec<u8>, change: &Change) {
    let at = change.at.min(value.len());
    match change.kind % 4 {
        0 => *value = change.bytes.clone(),
        1 => {
            let end = (at + change.bytes.len()).min(value.len());
            value[at..end].copy_from_slice(&change.bytes[..end - at]);
        }
        2 => value.truncate(at),
        _ => drop(value.splice(at..at, change.bytes.iter().copied())),
    }
}

/// Up to four changes: number of the value, kind, place (16 bits), length, bytes.
fn read_changes(mut data: &[u8]) -> Vec<Change> {
    let mut changes = Vec::new();
    while let [value, kind, low, high, length, rest @ ..] = data
        && changes.len() < 4
    {
        let length = usize::from(*length).min(rest.len());
        changes.push(Change {
            value: usize::from(*value),
            kind: *kind,
            at: usize::from(u16::from_le_bytes([*low, *high])),
            bytes: rest[..length].to_vec(),
        });
        data = &rest[length..];
    }
    changes
}

fuzz_target!(
    init: {
        let mut words = std::env::args().skip(1);
        if words.next().is_some_and(|word| word == "dump-values")
            && let Some(to) = words.next()
        {
            dump(Path::new(&to));
            std::process::exit(0);
        }
    },
    |data: &[u8]| {
        let path = &*DATABASE;
        let Some((&which, data)) = data.split_first() else { return };
        *CHANGES.lock().expect("nobody panics with it") = (read_changes(data), 0);
        // What is damaged is an error; that there is no panic is what is asked.
        let _ = use_it(path, which);
        *CHANGES.lock().expect("nobody panics with it") = (Vec::new(), 0);
    }
);

/// Writes each value of the database into a file, as an input of the target `values`: once for each kind of values.
fn dump(to: &Path) {
    let path = made();
    let values: Arc<Mutex<BTreeSet<Vec<u8>>>> = Arc::default();
    let found = Arc::clone(&values);
    alter_values(move |value| {
        found.lock().expect("nobody panics with it").insert(value.clone());
    });
    for which in 0..8 {
        use_it(&path, which).expect("nothing is damaged");
    }
    let values = values.lock().expect("nobody panics with it");
    for (number, value) in values.iter().enumerate().filter(|(_, value)| value.len() < 2_000) {
        for kind in 0..14 {
            for games in [14, 8, 4] {
                let input = [&[kind, games], value.as_slice()].concat();
                fs::write(to.join(format!("{number}-{kind}-{games}")), input).expect("the folder can be written to");
            }
        }
    }
}

fn use_it(path: &Path, which: u8) -> cqldex::Result<()> {
    let options = Options {
        read_only: true,
        threads: std::num::NonZeroUsize::MIN,
        cache: 1 << 20,
        ..Options::default()
    };
    let database = Database::open(path, options)?;
    match which % 8 {
        0 => {
            database.verify(&mut |_| ())?;
        }
        1 => {
            let reader = database.reader();
            let mut reader = reader;
            for number in 1..=database.last_number().min(200) {
                if let Some(game) = reader.game(number)? {
                    let _ = game.pgn();
                    game.positions().for_each(|position| drop(position.fen()));
                }
            }
        }
        2 => {
            let _ = database.sets().list()?;
            let _ = search(&database, "positionset \"checks\" R")?;
        }
        3 => {
            let checks = database.sets().read("checks")?;
            database.counts(&checks, &[By::Year, By::Player, By::Result], &CountOptions::default())?;
            database.counts(
                &checks,
                &[By::Next, By::Tag("Round".to_owned())],
                &CountOptions::default(),
            )?;
            checks.squares(&Query::parse("K", Dialect::Cql6).expect("this is a query"))?;
            checks.turns(&mut |_| true)?;
        }
        4 => {
            let query = Query::parse("comment(\"a\") K", Dialect::Cql6).expect("this is a query");
            let options = SearchOptions {
                detail: Detail::Results,
                kept_answers: None,
                ..SearchOptions::default()
            };
            let mut text = Vec::new();
            PgnWriter::new(&mut text, &database, &query, PgnOptions::default())
                .write_matches(database.search(&query, options))?;
        }
        5 => {
            search(
                &database,
                "cql(variations) pin from A through a to k originalcomment \"a\"",
            )?;
            search(&database, "clock < 100 or eval > 3 or elo > 2000")?;
        }
        6 => {
            search(&database, "check #A > 3 player \"a\" year > 1900")?;
            search(&database, "find 2 mate echo (s t) s == t")?;
        }
        _ => {
            search(&database, "flip { N attacks k } not R")?;
            database.stats()?;
        }
    }
    Ok(())
}

fn search(database: &Database, text: &str) -> cqldex::Result<u64> {
    let query = Query::parse(text, Dialect::Cql6).unwrap_or_else(|error| panic!("{text}: {error}"));
    let options = SearchOptions {
        kept_answers: None,
        timeout: Some(std::time::Duration::from_secs(2)),
        ..SearchOptions::default()
    };
    let mut found = 0;
    for game in database.search(&query, options) {
        found += game?.positions.len() as u64;
    }
    Ok(found)
}
