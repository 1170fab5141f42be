//! Many processes on one database: fifty that ask, and one after the other that adds, removes, replaces and compacts.
//!
//! Each answer must be that of a state that was committed: not before the last one that was complete when the question
//! began, and not after the one that was under way when it ended. All questions of a reader are asked by a process of its own.
//!
//! `CQLDEX_PROCESSES` sets for how many seconds; `CQLDEX_PROCESSES_PROGRAM` names another program, such as that of the
//! release profile.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "the figures are shown with --nocapture")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How many processes read at any time.
const READERS: usize = 50;

/// The games that a database has, by the names of White, which are numbers.
type State = BTreeSet<usize>;

/// Whether something is true of a game.
type Holds = fn(usize) -> bool;

/// A question, and of which games it is true.
const QUESTIONS: [(&str, Holds); 4] = [
    ("initial", |_| true),
    ("mate", is_mate),
    ("terminal result 1-0", is_mate),
    // Takes long enough for its answer to be kept, and finds each game that has more than four plies.
    ("initial find 5 200 {countmoves legal -- > 1}", |game| {
        !is_mate(game) && has_more(game)
    }),
];

/// How a question is asked.
const WAYS: [&[&str]; 4] = [&[], &["--no-answers"], &["--no-index"], &["--within", "all"]];

fn is_mate(game: usize) -> bool {
    game.is_multiple_of(3)
}

fn has_more(game: usize) -> bool {
    game % 3 == 1
}

fn game(number: usize) -> String {
    let moves = match number % 3 {
        0 => "1. f3 e5 2. g4 Qh4# 1-0",
        1 => "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O *",
        _ => "1. d4 d5 *",
    };
    format!("[White \"{number}\"]\n[Black \"x\"]\n\n{moves}\n\n")
}

fn program() -> Command {
    let path = std::env::var("CQLDEX_PROCESSES_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_cqldex").to_owned());
    let mut command = Command::new(path);
    command.stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    program().args(arguments).output().unwrap()
}

/// All states, and how many of them are complete: the last may be under way.
#[derive(Default)]
struct History {
    states: Mutex<Vec<State>>,
    complete: AtomicUsize,
}

impl History {
    /// The state that is the last one.
    fn last(&self) -> State {
        self.states.lock().unwrap().last().unwrap().clone()
    }

    /// Runs a command that leads to a state.
    fn change(&self, state: State, arguments: &[&str]) {
        self.states.lock().unwrap().push(state);
        let output = run(arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        self.complete.fetch_add(1, Ordering::SeqCst);
    }
}

/// The games that the database has, in its order: the number of the game in the database and the name of White.
fn listed(database: &str) -> Vec<(String, usize)> {
    let output = run(&[
        "query",
        database,
        "initial",
        "--columns",
        "game,white",
        "--format",
        "csv",
        "--no-answers",
    ]);
    let text = String::from_utf8(output.stdout).unwrap();
    let row = |line: &str| {
        line.split_once(',')
            .map(|(game, white)| (game.to_owned(), white.parse().unwrap()))
    };
    text.lines().skip(1).filter_map(row).collect()
}

/// Adds, removes, replaces and compacts.
fn write(history: &History, folder: &Path, round: usize, next: &mut usize) {
    let database = folder.join("db");
    let (database, pgn) = (database.to_str().unwrap(), folder.join("new.pgn"));
    let mut state = history.last();
    let add = |state: &mut State, count: usize, next: &mut usize| {
        let numbers = *next..*next + count;
        *next += count;
        fs::write(&pgn, numbers.clone().map(game).collect::<String>()).unwrap();
        state.extend(numbers);
    };
    match round % 8 {
        3 | 6 => {
            let games = listed(database);
            let gone: Vec<_> = games.iter().skip(round % 5).step_by(4).collect();
            for (_, white) in &gone {
                state.remove(white);
            }
            let numbers: Vec<&str> = gone.iter().map(|(number, _)| number.as_str()).collect();
            history.change(state, &["remove", database, "--games", &numbers.join(",")]);
        }
        5 => {
            let games = listed(database);
            let (number, white) = &games[games.len() / 2];
            state.remove(white);
            add(&mut state, 1, next);
            history.change(state, &["replace", database, number, pgn.to_str().unwrap()]);
        }
        7 => {
            let command = if round % 16 == 7 { "compact" } else { "rebuild" };
            let more: &[&str] = if command == "rebuild" { &["--all"] } else { &[] };
            history.change(state, &[&[command, database], more].concat());
        }
        _ => {
            add(&mut state, 30 + round % 7, next);
            history.change(state, &["index", database, pgn.to_str().unwrap()]);
        }
    }
}

/// Asks one question; what is wrong with the answer, if anything.
fn read(history: &History, database: &str, turn: usize) -> Result<(), String> {
    let (text, holds) = QUESTIONS[turn % QUESTIONS.len()];
    let way = WAYS[turn / QUESTIONS.len() % WAYS.len()];
    let first = history.complete.load(Ordering::SeqCst) - 1;
    let arguments = [&["query", database, text, "--columns", "white", "--format", "csv"], way].concat();
    let output = run(&arguments);
    let states = history.states.lock().unwrap()[first..].to_vec();
    if !matches!(output.status.code(), Some(0 | 1)) {
        return Err(format!("{arguments:?}: {output:?}"));
    }
    let answer = String::from_utf8(output.stdout).unwrap();
    let found: State = answer.lines().skip(1).map(|white| white.parse().unwrap()).collect();
    let is_right = states
        .iter()
        .any(|state| found.iter().eq(state.iter().filter(|&&game| holds(game))));
    if is_right {
        return Ok(());
    }
    Err(format!(
        "{arguments:?}: {} games, of {} states none has these: {}",
        found.len(),
        states.len(),
        String::from_utf8_lossy(&output.stderr)
    ))
}

#[test]
fn fifty_processes_read_while_others_write() {
    let seconds: u64 = std::env::var("CQLDEX_PROCESSES").map_or(5, |seconds| seconds.parse().unwrap());
    let folder = tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap());
    let database = folder.path().join("db");
    let (name, history, mut next) = (database.to_str().unwrap(), History::default(), 40);
    fs::write(folder.path().join("new.pgn"), (0..next).map(game).collect::<String>()).unwrap();
    history.change(
        (0..next).collect(),
        &["index", name, folder.path().join("new.pgn").to_str().unwrap()],
    );
    let saved = run(&["query", name, "wtm or btm", "--save", "all", "--live", "--count"]);
    assert!(saved.status.success(), "{saved:?}");
    let (is_over, turns, failures) = (AtomicBool::new(false), AtomicUsize::new(0), Mutex::new(Vec::new()));
    let started = Instant::now();
    let mut rounds = 0;
    thread::scope(|scope| {
        for _ in 0..READERS {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    if let Err(failure) = read(&history, name, turns.fetch_add(1, Ordering::Relaxed)) {
                        println!("{failure}");
                        failures.lock().unwrap().push(failure);
                    }
                }
            });
        }
        while started.elapsed() < Duration::from_secs(seconds) {
            write(&history, folder.path(), rounds, &mut next);
            rounds += 1;
        }
        is_over.store(true, Ordering::Relaxed);
    });
    let failures = failures.into_inner().unwrap();
    println!(
        "{} questions, {rounds} changes, {} wrong, {} s",
        turns.load(Ordering::Relaxed),
        failures.len(),
        started.elapsed().as_secs()
    );
    assert!(
        rounds > 0 && failures.is_empty(),
        "{} wrong: {}",
        failures.len(),
        failures[0]
    );
    let verified = run(&["verify", name]);
    assert!(verified.status.success(), "{verified:?}");
    assert_eq!(
        listed(name).into_iter().map(|(_, white)| white).collect::<State>(),
        history.last()
    );
}
