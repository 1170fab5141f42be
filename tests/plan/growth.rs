//! Long queries take time that grows with their length.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use search::{Detail, RunOptions, Search};
use storage::Snapshot;

use super::samples::{compiled, samples};

/// How many filters the shorter query has, and how many times as many the longer one.
const FILTERS: usize = 2_500;
const TIMES: usize = 4;

/// What is linear takes four times as long for four times as much; what grows with the square, sixteen times.
const MOST: u32 = 9;

/// What takes less is taken for as long: other programs may take more.
const LEAST: Duration = Duration::from_millis(5);

/// How often a query is asked: other programs take time, too, so the shortest time counts.
const TRIES: usize = 12;

/// A filter by its number.
type Kind = fn(usize) -> String;

const KINDS: [(&str, Kind); 12] = [
    ("equal ones", |_| "check".to_owned()),
    ("men", |number| format!("not {}{}", men(number), square(number / 12))),
    ("attacks", |number| {
        format!("not {} attacks {}{}", men(number), men(number / 5), square(number / 9))
    }),
    ("counts", |number| format!("#[Aa]<{}", number + 40)),
    ("alternatives", |number| format!("check or #A=={number} or")),
    ("variables", |number| format!("x{number}={number}")),
    ("variables that are read", |number| {
        format!("x{number}={number} x{number}>=0")
    }),
    ("one variable", |number| format!("x={number} x>=0")),
    ("comments", |number| format!("comment(\"a{number}\")")),
    ("headers", |number| format!("not player \"x{number}\"")),
    ("other positions", |_| "not find mate".to_owned()),
    ("sort keys", |_| "sort \"a\" #A".to_owned()),
];

fn men(number: usize) -> char {
    char::from(b"QRBNPKqrbnpk"[number % 12])
}

fn square(number: usize) -> String {
    let sign = |first: u8, number: usize| char::from(first + u8::try_from(number % 8).expect("it is below 8"));
    format!("{}{}", sign(b'a', number), sign(b'1', number / 8))
}

/// How long a query of so many filters takes at least, from its text to its answer.
fn time(snapshot: &Snapshot, kind: Kind, filters: usize) -> Duration {
    let mut text = String::new();
    for number in 0..filters {
        let _ = writeln!(text, "{}", kind(number));
    }
    // Alternatives end with one.
    let text = text.replace('\n', " ") + " true";
    let started = Instant::now();
    let query = compiled(&text);
    let options = RunOptions {
        detail: Detail::Count,
        ..RunOptions::default()
    };
    Search::new(&query, options)
        .run(snapshot, &mut |_| {})
        .expect("it can be answered");
    started.elapsed()
}

#[test]
fn the_time_of_a_query_grows_with_its_length() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    let mut wrong = Vec::new();
    for (name, kind) in KINDS {
        let (mut short, mut long) = (Duration::MAX, Duration::MAX);
        let is_linear = (0..TRIES).any(|_| {
            short = short.min(time(&snapshot, kind, FILTERS));
            long = long.min(time(&snapshot, kind, FILTERS * TIMES));
            long < short.max(LEAST) * MOST
        });
        println!("{name}: {short:?}, {TIMES} times as much: {long:?}");
        if !is_linear {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "these grow faster: {wrong:?}");
}
