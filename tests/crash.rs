//! The state of a database after the process that writes it was killed.
//!
//! The writer is this program itself, started again with a database in its environment. It crashes at a named step of a
//! commit, or is killed at a random moment. Afterwards the database has exactly what was committed, without damage, and
//! the same run again leads to the same database. The sets and answers that are kept beside the games are right at any
//! moment. `CQLDEX_CRASHES` sets how many random moments are tried.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::cast_possible_truncation, reason = "the databases are small")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use chess::MoveTree;
use storage::{Database, Fingerprint, NamedSet, Section, Sections, SegmentKey, SegmentMeta, Snapshot, TagColumn};

/// Environment variables of the writer: the database, the folder with the games, and the step to crash at.
const DATABASE: &str = "CQLDEX_TEST_DATABASE";
const GAMES: &str = "CQLDEX_TEST_GAMES";
const STEP: &str = "CQLDEX_TEST_STEP";
/// A file to which the writer writes the names of all steps.
const TRACE: &str = "CQLDEX_TEST_TRACE";
/// Set for a writer that only compacts.
const COMPACT: &str = "CQLDEX_TEST_COMPACT";

/// A temporary folder: in memory if possible, because nothing here depends on the disk.
fn scratch() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// How many files are added, each in a run of its own, and how many games each has.
const FILES: usize = 9;
const GAMES_PER_FILE: usize = 5;

/// The writer: adds each file, removes a game after every third, rebuilds the database at the end.
#[test]
fn the_writer() {
    let Ok(database) = std::env::var(DATABASE) else { return };
    let games = PathBuf::from(std::env::var(GAMES).unwrap());
    let step = std::env::var(STEP).ok();
    let trace = std::env::var(TRACE)
        .ok()
        .map(|path| Mutex::new(fs::File::create(path).unwrap()));
    let left = AtomicU64::new(0);
    let wanted = step.map(|step| {
        let (name, times) = step.rsplit_once('*').unwrap();
        left.store(times.parse().unwrap(), Ordering::Relaxed);
        name.to_owned()
    });
    storage::watch_steps(move |step| {
        if let Some(trace) = &trace {
            use std::io::Write;
            writeln!(trace.lock().unwrap(), "{step}").unwrap();
        }
        if wanted.as_deref() == Some(step) && left.fetch_sub(1, Ordering::Relaxed) == 1 {
            std::process::abort();
        }
    });
    let database = Path::new(&database);
    if std::env::var(COMPACT).is_ok() {
        Database::open(database).unwrap().compact(2).unwrap();
        return;
    }
    let done = database.with_extension("done");
    write(database, &games, &|files| fs::write(&done, files.to_string()).unwrap());
}

/// The work of the writer. Doing it again, even several times, has the same result.
fn write(database: &Path, games: &Path, done: &dyn Fn(usize)) {
    let options = indexer::Options {
        threads: 2,
        // Small enough for several commits a file.
        segment_positions: 500,
        ..indexer::Options::default()
    };
    for number in 0..FILES {
        let mut database = Database::open_or_create(database).unwrap();
        // Segments of one file, and of a file for each column.
        database.set_small([0, usize::MAX][number % 2]);
        let file = games.join(format!("{number:02}.pgn"));
        indexer::index(&mut database, &[file], &options, &()).unwrap();
        keep(&database.snapshot(), number == 0);
        done(number + 1);
        if number % 3 == 2 {
            database.remove([number as u64]).unwrap();
        }
    }
    let mut database = Database::open(database).unwrap();
    database.rebuild(true, false, 1, &mut |_| {}).unwrap();
}

/// The set that is saved when the first file is in: every other position of its games.
const FIXED: &str = "fixed";

/// A set that grows with the database.
const LIVE: &str = "live";

fn is_in_fixed(white: usize, node: usize) -> bool {
    white < GAMES_PER_FILE && node.is_multiple_of(2)
}

/// What the live set and the kept answer ask.
fn is_in_live(white: usize, node: usize) -> bool {
    (white + node).is_multiple_of(3)
}

fn question() -> Fingerprint {
    Fingerprint::of(b"live")
}

/// White and node of a position; `None` in a removed game.
type WhiteAndNode = Option<(usize, usize)>;

/// For each segment its key, and its positions.
fn places(snapshot: &Snapshot) -> Vec<(SegmentKey, Vec<WhiteAndNode>)> {
    let of = |(index, meta): (usize, &SegmentMeta)| {
        let segment = snapshot.segment(index);
        let (starts, whites) = (segment.starts().unwrap(), segment.tag_values(TagColumn::White).unwrap());
        let mut places = Vec::new();
        for game in 0..meta.games {
            let white: usize = whites.get(game).unwrap().parse().unwrap();
            let length = (starts[game as usize + 1] - starts[game as usize]) as usize;
            places.extend((0..length).map(|node| (!segment.is_removed(game)).then_some((white, node))));
        }
        (meta.key, places)
    };
    snapshot.segments().iter().enumerate().map(of).collect()
}

/// Saves the sets and keeps the answer, as processes that search would.
fn keep(snapshot: &Snapshot, saves_fixed: bool) {
    let places = places(snapshot);
    let sections = |holds: fn(usize, usize) -> bool| -> Sections {
        let section = |(key, places): &(SegmentKey, Vec<Option<(usize, usize)>>)| {
            let passes = |place: &Option<(usize, usize)>| place.is_some_and(|(white, node)| holds(white, node));
            let ids = (0..).zip(places).filter(|(_, place)| passes(place));
            let section = Section {
                covered: places.len() as u32,
                positions: ids.map(|(id, _)| id).collect(),
                ..Section::default()
            };
            (*key, section)
        };
        places.iter().map(section).collect()
    };
    let set = |name: &str, live: Option<&str>, sections: Sections| NamedSet {
        name: name.to_owned(),
        live: live.map(str::to_owned),
        sections,
    };
    let (sets, live) = (snapshot.sets(), set(LIVE, Some("live"), sections(is_in_live)));
    if saves_fixed {
        sets.save(&set(FIXED, None, sections(is_in_fixed)), true).unwrap();
        sets.save(&live, true).unwrap();
    }
    sets.complete(&live).unwrap();
    snapshot.answers().write(&question(), &live.sections).unwrap();
}

/// Checks what is kept: the fixed set is whole if it is there, and what the others say is true.
fn check_kept(database: &Path, is_saved: bool, what: &str) {
    let snapshot = Database::open_read_only(database).unwrap().snapshot();
    let places = places(&snapshot);
    let check = |sections: &Sections, holds: fn(usize, usize) -> bool, is_whole: bool| {
        for (key, places) in &places {
            let none = Section::default();
            let section = sections.get(key).unwrap_or(&none);
            let covered = if is_whole {
                places.len()
            } else {
                section.covered as usize
            };
            for (id, place) in (0..).zip(&places[..covered]) {
                if let Some((white, node)) = *place {
                    assert_eq!(section.positions.contains(id), holds(white, node), "{what}: {place:?}");
                }
            }
        }
    };
    let names = snapshot.sets().names().unwrap();
    assert!(names.len() == 2 || !is_saved, "{what}: {names:?}");
    for name in names {
        let set = snapshot.sets().read(&name).unwrap();
        match name.as_str() {
            FIXED => check(&set.sections, is_in_fixed, true),
            _ => check(&set.sections, is_in_live, false),
        }
    }
    if let Some(answer) = snapshot.answers().read(&question()) {
        check(&answer, is_in_live, false);
    }
}

fn writer(database: &Path, games: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "the_writer", "--test-threads", "1"])
        .env(DATABASE, database)
        .env(GAMES, games)
        .env_remove(STEP)
        .env_remove(TRACE)
        .env_remove(COMPACT)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Writes files with games that all differ: the name of White is the number of the game.
fn make_games(folder: &Path) {
    for file in 0..FILES {
        let mut text = String::new();
        for game in 0..GAMES_PER_FILE {
            let number = file * GAMES_PER_FILE + game;
            let moves = ["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 ", "1. d4 d5 2. c4 e6 3. Nc3 Nf6 "][number % 2];
            let more = "4. h3 h6 5. h4 h5 6. a4 g6 7. a5 g5 ".repeat(usize::from(number.is_multiple_of(3)));
            text += &format!("[White \"{number}\"]\n[Black \"x\"]\n\n{moves}{more}*\n\n");
        }
        fs::write(folder.join(format!("{file:02}.pgn")), text).unwrap();
    }
}

/// White in all games, in the order of the database, which must not be damaged.
fn whites(database: &Path) -> Vec<usize> {
    let snapshot = Database::open_read_only(database).unwrap().snapshot();
    let report = snapshot.verify(&mut |_| {}).unwrap();
    assert!(report.is_clean(), "{:?}", report.problems);
    read(&snapshot).into_iter().map(|(white, _)| white).collect()
}

/// White and the number of positions of all games that are not removed.
fn read(snapshot: &Snapshot) -> Vec<(usize, usize)> {
    let mut games = Vec::new();
    for index in 0..snapshot.segments().len() {
        let segment = snapshot.segment(index);
        for block in 0..segment.block_count().unwrap() {
            let trees = segment.trees(block).unwrap();
            for (at, text) in segment.texts(block).unwrap().into_iter().enumerate() {
                let mut tree = MoveTree::default();
                trees.tree(at, &mut tree).unwrap();
                if !segment.is_removed(trees.games().start + at as u32) {
                    games.push((text.tags[0].1.parse().unwrap(), tree.len()));
                }
            }
        }
    }
    games
}

/// Checks databases after a crash: their games are the first ones of the whole run, and the same run again leads to the
/// same database.
struct Scene {
    folder: tempfile::TempDir,
    wanted: Vec<(usize, usize)>,
}

impl Scene {
    fn new() -> Scene {
        let folder = scratch();
        let games = folder.path().join("games");
        fs::create_dir(&games).unwrap();
        make_games(&games);
        let whole = folder.path().join("whole");
        write(&whole, &games, &|_| {});
        let wanted = read(&Database::open_read_only(&whole).unwrap().snapshot());
        Scene { folder, wanted }
    }

    fn games(&self) -> PathBuf {
        self.folder.path().join("games")
    }

    fn check(&self, database: &Path, what: &str) {
        if Database::open_read_only(database).is_ok() {
            let found = whites(database);
            // Games are removed during the run, so only those that stay are compared.
            let removed: BTreeSet<usize> = (0..FILES * GAMES_PER_FILE)
                .filter(|number| self.wanted.iter().all(|(white, _)| white != number))
                .collect();
            let all: Vec<usize> = found
                .iter()
                .copied()
                .filter(|number| !removed.contains(number))
                .collect();
            let first: Vec<usize> = self.wanted.iter().map(|(white, _)| *white).take(all.len()).collect();
            assert_eq!(all, first, "{what}");
            // What a run had committed when it ended must be there.
            let done =
                fs::read_to_string(database.with_extension("done")).map_or(0, |files| files.parse().unwrap_or(0));
            assert!(
                found.iter().any(|&white| white + 1 >= done * GAMES_PER_FILE) || done == 0,
                "{what}"
            );
            check_kept(database, done > 0, what);
        }
        write(database, &self.games(), &|_| {});
        whites(database);
        check_kept(database, true, what);
        let snapshot = Database::open_read_only(database).unwrap().snapshot();
        assert_eq!(read(&snapshot), self.wanted, "{what}");
        assert_eq!(snapshot.last_number() as usize, FILES * GAMES_PER_FILE, "{what}");
        assert!(!database.join("ingest").join("meta.sst").exists(), "{what}");
        clear(database);
    }
}

fn clear(database: &Path) {
    fs::remove_dir_all(database).unwrap();
    let _ = fs::remove_file(database.with_extension("done"));
}

#[test]
fn a_writer_may_crash_at_every_step() {
    let scene = Scene::new();
    let (database, trace) = (scene.folder.path().join("db"), scene.folder.path().join("trace"));
    let status = writer(&database, &scene.games()).env(TRACE, &trace).status().unwrap();
    assert!(status.success());
    let taken = fs::read_to_string(&trace).unwrap();
    let steps: BTreeSet<&str> = taken.lines().collect();
    assert!(steps.len() >= 14, "{steps:?}");
    clear(&database);
    for step in steps {
        let times = taken.lines().filter(|line| *line == step).count();
        // The first time and the last; in a long test, one between.
        let between = if std::env::var("CQLDEX_CRASHES").is_ok() {
            times.div_ceil(2)
        } else {
            1
        };
        for time in BTreeSet::from([1, between, times]) {
            let status = writer(&database, &scene.games())
                .env(STEP, format!("{step}*{time}"))
                .status()
                .unwrap();
            assert!(!status.success(), "{step} {time} of {times}");
            scene.check(&database, step);
        }
    }
}

#[test]
fn a_compaction_may_be_killed() {
    let scene = Scene::new();
    let (database, trace) = (scene.folder.path().join("db"), scene.folder.path().join("trace"));
    let prepare = || write(&database, &scene.games(), &|_| {});
    let compact = || {
        let mut command = writer(&database, &scene.games());
        command.env(COMPACT, "1");
        command
    };
    prepare();
    assert!(compact().env(TRACE, &trace).status().unwrap().success());
    let steps: BTreeSet<String> = fs::read_to_string(&trace).unwrap().lines().map(str::to_owned).collect();
    assert!(steps.len() >= 8, "{steps:?}");
    for step in steps {
        fs::remove_dir_all(&database).unwrap();
        prepare();
        let killed = compact().env(STEP, format!("{step}*1")).status().unwrap();
        assert!(!killed.success(), "{step}");
        assert_eq!(whites(&database).len(), scene.wanted.len(), "{step}");
        check_kept(&database, true, &step);
        let report = Database::open(&database).unwrap().compact(2).unwrap();
        assert!(report.dropped == 3 || report.dropped == 0, "{step}");
        let snapshot = Database::open_read_only(&database).unwrap().snapshot();
        assert_eq!(read(&snapshot), scene.wanted, "{step}");
        assert_eq!(snapshot.last_number() as usize, scene.wanted.len(), "{step}");
        check_kept(&database, true, &step);
    }
}

#[test]
fn a_writer_may_be_killed_at_any_moment() {
    let rounds: u64 = std::env::var("CQLDEX_CRASHES").map_or(8, |count| count.parse().unwrap());
    let scene = Scene::new();
    let database = scene.folder.path().join("db");
    let started = Instant::now();
    assert!(writer(&database, &scene.games()).status().unwrap().success());
    let whole = started.elapsed();
    clear(&database);
    let mut seed = 7u64;
    for round in 0..rounds {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let moment = whole.mul_f64((seed >> 33) as f64 / (1u64 << 31) as f64);
        let mut child: Child = writer(&database, &scene.games()).spawn().unwrap();
        thread::sleep(moment);
        let _ = child.kill();
        child.wait().unwrap();
        scene.check(&database, &format!("round {round} after {moment:?}"));
    }
}

#[test]
fn readers_see_one_state_while_another_process_writes() {
    let scene = Scene::new();
    let database = scene.folder.path().join("db");
    let mut opened = 0;
    for _ in 0..2 {
        let mut child = writer(&database, &scene.games()).spawn().unwrap();
        let mut most = 0;
        let mut first: Option<(Snapshot, Vec<(usize, usize)>)> = None;
        while child.try_wait().unwrap().is_none() {
            match Database::open_read_only(&database) {
                Ok(reader) => {
                    let snapshot = reader.snapshot();
                    let games = read(&snapshot);
                    assert_eq!(games.len() as u64, snapshot.games());
                    let highest = snapshot.last_number();
                    assert!(highest >= most, "a later reader sees no less: {highest} after {most}");
                    most = highest;
                    opened += 1;
                    if first.is_none() && !games.is_empty() {
                        first = Some((snapshot, games));
                    }
                }
                Err(storage::Error::NotADatabase { .. }) if most == 0 => thread::sleep(Duration::from_millis(1)),
                Err(error) => panic!("{error}"),
            }
        }
        assert!(child.wait().unwrap().success());
        // The segments of this snapshot were joined and removed long ago.
        let (snapshot, games) = first.unwrap();
        assert_eq!(read(&snapshot), games);
        assert!(snapshot.segment(0).postings(postings::Term::Check).is_ok());
        drop(snapshot);
        fs::remove_dir_all(&database).unwrap();
    }
    assert!(opened > 10, "{opened}");
}

#[test]
fn a_second_writer_gets_an_error_at_once() {
    let folder = scratch();
    let path = folder.path().join("db");
    let first = Database::create(&path).unwrap();
    let games = folder.path().join("games");
    fs::create_dir(&games).unwrap();
    make_games(&games);
    let started = Instant::now();
    let second = Command::new(env!("CARGO_BIN_EXE_cqldex"))
        .args(["index".as_ref(), path.as_os_str(), games.as_os_str()])
        .output()
        .unwrap();
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_eq!(second.status.code(), Some(2));
    let message = String::from_utf8(second.stderr).unwrap();
    assert!(
        message.contains("another process is writing to this database"),
        "{message}"
    );
    drop(first);
}
