//! Queries on a database with damaged files give the right answer, or an error that names the place. They never panic.
//!
//! `CQLDEX_DAMAGES` sets how many databases are damaged; `CQLDEX_SEED` is the seed of the random numbers.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "the figures are shown with --nocapture")]

use std::fs;
use std::path::{Path, PathBuf};

use indexer::Options;
use language::{Dialect, ParseOptions};
use search::{Route, RunOptions, Search};
use storage::Database;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().unwrap())
}

/// A temporary folder: in memory if possible, because nothing here depends on the disk.
fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// Random numbers that are the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// A query that the index answers alone, one that is evaluated, one that reads headers, one that reads texts.
const QUERIES: [&str; 4] = [
    "check",
    "connectedpawns check",
    "player \"a\" check",
    "tag \"Event\" ~~ \"a\" terminal",
];

/// The matches of a query, or its error.
type Answer = Result<Vec<(u64, u32)>, String>;

fn ask(path: &Path, skip_damaged: bool) -> Vec<(Answer, u64)> {
    let mut answers = Vec::new();
    for text in QUERIES {
        let query = language::compile(text, Dialect::Cql6, &ParseOptions::default()).unwrap();
        for route in [Route::Plan, Route::Scan] {
            let mut found = Vec::new();
            let mut missing = 0;
            let answer = Database::open_read_only(path)
                .map_err(|error| error.to_string())
                .and_then(|database| {
                    let options = RunOptions {
                        route,
                        skip_damaged,
                        ..RunOptions::default()
                    };
                    let mut sink = |game: search::GameMatch| {
                        found.extend(game.positions.iter().map(|position| (game.number, position.node)));
                    };
                    let summary = Search::new(&query, options).run(&database.snapshot(), &mut sink);
                    let summary = summary.map_err(|error| error.to_string())?;
                    missing = summary
                        .skipped
                        .iter()
                        .map(|skipped| skipped.games.end - skipped.games.start)
                        .sum();
                    Ok(())
                });
            answers.push((answer.map(|()| found), missing));
        }
    }
    answers
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir(to).unwrap();
    for file in files(from) {
        fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// A database of several segments, one with removed games.
fn make(path: &Path) {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut database = Database::create(path).unwrap();
    let options = Options {
        // Segments are never joined.
        segment_positions: 1,
        threads: 1,
        ..Options::default()
    };
    let games = fs::read_to_string(samples.join("games.pgn")).unwrap();
    let starts: Vec<usize> = games.match_indices("[Event \"").map(|(at, _)| at).step_by(20).collect();
    let ends = starts.iter().skip(1).copied().chain([games.len()]);
    let part = path.with_extension("pgn");
    for (number, (start, end)) in starts.iter().copied().zip(ends).enumerate() {
        // Segments of one file, and of a file for each column.
        database.set_small([0, usize::MAX][number % 2]);
        fs::write(&part, &games[start..end]).unwrap();
        indexer::index(&mut database, std::slice::from_ref(&part), &options, &()).unwrap();
    }
    indexer::index(&mut database, &[samples.join("studies.pgn")], &options, &()).unwrap();
    database.remove([3, 4, 70]).unwrap();
}

/// Damages one or two files. Returns them, and a description.
fn damage(folder: &Path, dice: &mut Dice) -> (Vec<PathBuf>, String) {
    let all = files(folder);
    // Mostly files with data. There are as many others, which are small.
    let data: Vec<PathBuf> = all
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "sst"))
        .cloned()
        .collect();
    let pick = |dice: &mut Dice| -> PathBuf {
        if dice.roll(4) == 0 {
            all[dice.roll(all.len())].clone()
        } else {
            data[dice.roll(data.len())].clone()
        }
    };
    let path = pick(dice);
    let mut bytes = fs::read(&path).unwrap();
    let before = bytes.clone();
    let length = bytes.len();
    let kind = dice.roll(7);
    match kind {
        0 | 1 if length > 0 => bytes[dice.roll(length)] ^= 1 << dice.roll(8),
        2 if length > 0 => bytes.truncate(dice.roll(length)),
        3 if length > 0 => {
            let at = dice.roll(length);
            let end = length.min(at + 1 + dice.roll(4096));
            bytes[at..end].fill(0);
        }
        4 => bytes.extend((0..dice.roll(100)).map(|_| 7)),
        5 => {
            let other = pick(dice);
            let theirs = fs::read(&other).unwrap();
            if theirs == before {
                return (Vec::new(), "nothing".to_owned());
            }
            fs::write(&path, theirs).unwrap();
            fs::write(&other, before).unwrap();
            let description = format!("swapped {} and {}", path.display(), other.display());
            return (vec![path, other], description);
        }
        _ => {
            fs::remove_file(&path).unwrap();
            let description = format!("deleted {}", path.display());
            return (vec![path], description);
        }
    }
    if bytes == before {
        return (Vec::new(), "nothing".to_owned());
    }
    fs::write(&path, bytes).unwrap();
    let description = format!("damage {kind} in {} of {length} bytes", path.display());
    (vec![path], description)
}

#[test]
fn damage_never_gives_a_wrong_answer() {
    let folder = scratch();
    let (sound, damaged) = (folder.path().join("sound"), folder.path().join("damaged"));
    make(&sound);
    let database = Database::open_read_only(&sound).unwrap();
    assert!(
        database.snapshot().segments().len() >= 4,
        "{:?}",
        database.snapshot().segments()
    );
    let segment_files: Vec<PathBuf> = database.segment_files().unwrap();
    assert!(segment_files.len() >= 10);
    let is_data = |path: &Path| {
        let is_copy = path.file_name().unwrap().to_str().unwrap().starts_with("commit.");
        is_copy || segment_files.iter().any(|file| file.file_name() == path.file_name())
    };
    let games = database.snapshot().games();
    drop(database);
    let right: Vec<Answer> = ask(&sound, false).into_iter().map(|(answer, _)| answer).collect();
    assert!(
        right
            .iter()
            .all(|answer| answer.as_ref().is_ok_and(|found| !found.is_empty())),
        "{right:?}"
    );

    let mut dice = Dice(setting("CQLDEX_SEED", 1));
    let (mut errors, mut found, mut skipped, mut restored, mut rebuilt) = (0, 0, 0, 0, 0);
    let rounds = setting("CQLDEX_DAMAGES", 40);
    for round in 0..rounds {
        copy(&sound, &damaged);
        let (hit, what) = damage(&damaged, &mut dice);
        for ((answer, _), right) in ask(&damaged, false).iter().zip(&right) {
            match answer {
                Ok(_) => assert_eq!(answer, right, "round {round}: {what}"),
                Err(error) => {
                    errors += 1;
                    let is_named = error.contains("column `") || error.contains(damaged.to_str().unwrap());
                    assert!(is_named, "round {round}: {what}: {error}");
                }
            }
        }
        // What can be read is right, and what is missing is reported.
        for ((answer, missing), right) in ask(&damaged, true).into_iter().zip(&right) {
            let (Ok(answer), Ok(right)) = (answer, right) else {
                continue;
            };
            assert!(
                answer.iter().all(|position| right.contains(position)),
                "round {round}: {what}"
            );
            assert!(
                missing > 0 || answer == *right,
                "round {round}: {what}: nothing is reported missing"
            );
            skipped += u64::from(missing > 0);
        }
        let report = Database::open_read_only(&damaged).and_then(|database| database.snapshot().verify(&mut |_| {}));
        let is_noticed = report.as_ref().map_or(true, |report| !report.is_clean());
        found += u64::from(is_noticed);
        assert!(
            is_noticed || !hit.iter().any(|path| is_data(path)),
            "round {round}: {what} is not noticed"
        );
        // Rebuilding repairs the database, with the loss of what can't be read. The list of segments is restored too.
        let Ok(is_restored) = Database::recover(&damaged) else {
            continue;
        };
        restored += u64::from(is_restored);
        if (is_restored || round % 3 == 0 && report.is_ok_and(|report| !report.is_clean()))
            && let Ok(mut database) = Database::open(&damaged)
        {
            let result = database.rebuild(false, true, 1, &mut |_| {});
            let result = result.unwrap_or_else(|error| panic!("round {round}: {what}: {error}"));
            let snapshot = database.snapshot();
            let report = snapshot.verify(&mut |_| {}).unwrap();
            assert!(report.is_clean(), "round {round}: {what}: {report:?}");
            assert_eq!(
                snapshot.games() + result.lost.len() as u64,
                games,
                "round {round}: {what}"
            );
            rebuilt += 1;
        }
    }
    println!(
        "{rounds} rounds: {errors} queries failed, {found} noticed by verify, {skipped} queries without a segment, {restored} lists of \
         segments restored, {rebuilt} rebuilt"
    );
    assert!(found > rounds / 2 && errors > 0 && skipped > 0 && rebuilt > 0);
}
