//! Every call that fails: the program beside a disk that is full, bad, torn, cut off, or lies.
//!
//! `tests/faults/faults.c` is loaded before the C library, counts the calls of the program on files of a database, and does
//! something to one of them. The test lets it be each call in turn, of each command that writes. Afterwards the program has
//! said an error or has done its work; nothing that was committed is lost; `verify` finds nothing, or says what is damaged;
//! and questions have the answers of before or of after, with kept answers and without.
//!
//! `CQLDEX_FAULTS=1` tries each call, `CQLDEX_FAULTS=10` every tenth; without it, a few of each command.
//! `CQLDEX_FAULTS_PROGRAM` names another program, such as that of the release profile.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "the figures are shown with --nocapture")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// What happens to a call; see `faults.c`.
const KINDS: [&str; 7] = ["fail", "full", "short", "tear", "power", "half", "lie"];

/// What `verify` says of the copy that each commit leaves of its records.
const COPY: &str = "it is not the copy of the last commit";

/// What is asked to know the state of a database. The last but one takes long enough for its answer to be kept.
const QUESTIONS: [(&str, &str); 5] = [
    ("checks", "check"),
    ("starts", "initial"),
    ("headers", "terminal tag \"Event\" ~~ \"a\""),
    ("slow", "path 2 200 ({countmoves legal -- > 1} --)+"),
    ("set", "positionset \"kept\""),
];

/// A command that changes a database, or what is kept beside it. `DB` stands for the database.
/// The database before an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Nothing,
    /// With segments of one file each.
    Small,
    /// Of an older format, with a file for each column of a segment. New segments have these, too.
    Columns,
}

struct Operation {
    name: &'static str,
    arguments: &'static [&'static str],
    base: Base,
    /// A failure to write is no error: the command is there to read.
    is_reader: bool,
}

const fn writes(name: &'static str, arguments: &'static [&'static str]) -> Operation {
    Operation {
        name,
        arguments,
        base: Base::Small,
        is_reader: false,
    }
}

const fn in_columns(operation: Operation) -> Operation {
    Operation {
        base: Base::Columns,
        ..operation
    }
}

const OPERATIONS: [Operation; 13] = [
    Operation {
        base: Base::Nothing,
        ..writes("create", &["index", "DB", "samples/studies.pgn"])
    },
    writes("add", &["index", "DB", "tests/fuzz/braces.pgn"]),
    writes("add and join", &["index", "DB", "samples/games.pgn", "--repeat"]),
    in_columns(writes("add in columns", &["index", "DB", "samples/games.pgn"])),
    writes("remove", &["remove", "DB", "--games", "2-4"]),
    writes("replace", &["replace", "DB", "3", "MORE"]),
    writes("compact", &["compact", "DB"]),
    in_columns(writes("compact in columns", &["compact", "DB"])),
    writes("rebuild", &["rebuild", "DB"]),
    writes(
        "save a set",
        &["query", "DB", "mate", "--save", "new", "--count", "--replace"],
    ),
    writes("delete a set", &["sets", "DB", "--delete", "kept"]),
    writes("combine sets", &["sets", "DB", "--make", "new", "=", "!kept"]),
    Operation {
        is_reader: true,
        ..writes(
            "keep an answer",
            &["query", "DB", "path 2 200 ({countmoves legal -- > 2} --)+", "--count"],
        )
    },
];

fn program() -> Command {
    let path = std::env::var("CQLDEX_FAULTS_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_cqldex").to_owned());
    let mut command = Command::new(path);
    command.current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    program().args(arguments).output().unwrap()
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name())).unwrap();
        match path.is_dir() {
            true => copy(&path, &to.join(name)),
            false => drop(fs::copy(&path, to.join(name)).unwrap()),
        }
    }
}

/// What questions say of a database: a row for each position, and the sets.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    positions: String,
    sets: String,
}

/// What a database holds after a run.
#[derive(Debug)]
struct Look {
    /// As found anew, and as it is with kept answers.
    states: [State; 2],
    /// What `verify` says, if it is not content.
    damage: Option<String>,
}

struct Scene {
    folder: tempfile::TempDir,
    library: PathBuf,
}

impl Scene {
    fn new() -> Scene {
        let folder = tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap());
        let library = folder.path().join("faults.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/faults.c");
        let compiled = Command::new("cc")
            .args(["-O1", "-shared", "-fPIC", "-o"])
            .args([&library, &source])
            .args(["-ldl", "-lpthread"])
            .status()
            .unwrap();
        assert!(compiled.success(), "the library that makes calls fail");
        let scene = Scene { folder, library };
        fs::create_dir(scene.path("questions")).unwrap();
        for (name, text) in QUESTIONS {
            fs::write(scene.path("questions").join(name).with_extension("cql"), text).unwrap();
        }
        fs::write(
            scene.path("more.pgn"),
            "[White \"x\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n",
        )
        .unwrap();
        let base = scene.path("base");
        let base = base.to_str().unwrap();
        for arguments in [
            &["index", base, "samples/games.pgn"][..],
            &["index", base, "samples/studies.pgn"],
            &["index", base, "tests/fuzz/bytes.pgn"],
            &["remove", base, "--games", "7,30-32"],
            &["query", base, "check", "--save", "kept", "--count"],
            &["query", base, QUESTIONS[3].1, "--count"],
        ] {
            let output = run(arguments);
            assert!(output.status.success(), "{arguments:?}: {output:?}");
        }
        scene
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The state of a database.
    fn look(&self, database: &Path) -> Look {
        let (name, questions) = (database.to_str().unwrap(), self.path("questions"));
        let verified = run(&["verify", name]);
        let damage = (!verified.status.success()).then(|| format!("{verified:?}"));
        let state = |more: &[&str]| {
            let rows = database.with_extension("csv");
            let _ = fs::remove_file(&rows);
            let mut arguments = vec![
                "batch",
                name,
                questions.to_str().unwrap(),
                "--label",
                rows.to_str().unwrap(),
            ];
            arguments.extend(["--columns", "questions,game,position,white"]);
            arguments.extend(more);
            let output = run(&arguments);
            assert!(matches!(output.status.code(), Some(0..=2)), "{output:?}");
            let positions = fs::read_to_string(&rows).unwrap_or_default();
            let sets = String::from_utf8(run(&["sets", name, "--json"]).stdout).unwrap();
            State { positions, sets }
        };
        Look {
            states: [state(&["--no-answers"]), state(&[])],
            damage,
        }
    }

    /// A database on which an operation can be run.
    fn prepare(&self, operation: &Operation, place: &str) -> PathBuf {
        let database = self.path(place).join("db");
        let _ = fs::remove_dir_all(self.path(place));
        fs::create_dir(self.path(place)).unwrap();
        match operation.base {
            Base::Nothing => {}
            Base::Small => copy(&self.path("base"), &database),
            Base::Columns => {
                let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compat/format-8/database");
                copy(&fixture, &database);
            }
        }
        database
    }

    /// Runs an operation; call number `at` fails, or none.
    fn operate(&self, operation: &Operation, database: &Path, kind: &str, at: usize, trace: Option<&Path>) -> Output {
        let (name, more) = (database.to_str().unwrap(), self.path("more.pgn"));
        let arguments = operation.arguments.iter().map(|argument| match *argument {
            "DB" => name,
            "MORE" => more.to_str().unwrap(),
            other => other,
        });
        let mut command = program();
        command
            .args(arguments)
            .env("LD_PRELOAD", &self.library)
            .env("FAULT_ROOT", name)
            .env("FAULT_KIND", kind)
            .env("FAULT_AT", at.to_string());
        if let Some(trace) = trace {
            command.env("FAULT_TRACE", trace);
        }
        command.output().unwrap()
    }
}

/// Whether a kind of fault does anything to a call, given by its line of the trace.
fn concerns(kind: &str, call: &str) -> bool {
    let name = call.split(' ').nth(1).unwrap();
    match kind {
        "short" => ["read", "pread", "write", "writev", "pwrite"].contains(&name),
        "lie" => ["fsync", "fdatasync"].contains(&name),
        "full" => !["read", "pread", "fread", "fsync", "fdatasync", "unlink"].contains(&name),
        _ => true,
    }
}

/// Everything that is expected of an operation.
struct Plan<'a> {
    operation: &'a Operation,
    before: State,
    /// What it may leave when it fails: the state of before, and an empty database if there was none.
    unfinished: Vec<State>,
    after: State,
    calls: Vec<String>,
}

impl Plan<'_> {
    fn of<'a>(scene: &Scene, operation: &'a Operation) -> Plan<'a> {
        let database = scene.prepare(operation, "plan");
        let before = scene.look(&database).states[0].clone();
        let trace = scene.path("trace");
        let _ = fs::remove_file(&trace);
        // What is not synced when the process ends is lost; so all that counts is synced.
        let output = scene.operate(operation, &database, "after", 0, Some(&trace));
        assert!(output.status.success(), "{}: {output:?}", operation.name);
        let look = scene.look(&database);
        assert!(look.damage.is_none(), "{}: {look:?}", operation.name);
        assert_eq!(look.states[0], look.states[1], "{}", operation.name);
        let calls = fs::read_to_string(&trace).unwrap().lines().map(str::to_owned).collect();
        let mut unfinished = vec![before.clone()];
        if operation.base == Base::Nothing {
            let positions = "questions,game,position,white\r\n".to_owned();
            unfinished.push(State {
                positions,
                sets: String::new(),
            });
        }
        Plan {
            operation,
            before,
            unfinished,
            after: look.states[0].clone(),
            calls,
        }
    }

    /// Whether questions have the answers of before or of after, or none: all of them, or that about a set.
    fn is_part(&self, state: &State) -> bool {
        let without_set = |state: &State| -> Vec<String> {
            let rows = state
                .positions
                .lines()
                .map(|row| row.replace(";set", "").replace("set,", ","));
            rows.filter(|row| !row.starts_with(',')).collect()
        };
        let known = self.unfinished.iter().chain([&self.after]);
        state.positions.lines().count() <= 1 || known.map(without_set).any(|known| known == without_set(state))
    }

    /// Lets a call fail, and says what is wrong afterwards; if nothing is, how it ended.
    fn check(&self, scene: &Scene, place: &str, kind: &str, at: usize) -> Result<&'static str, String> {
        let database = scene.prepare(self.operation, place);
        let output = scene.operate(self.operation, &database, kind, at, None);
        let look = scene.look(&database);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        let wrong = |what: &str| {
            let call = self
                .calls
                .get(at - 1)
                .map_or("a call that is not always made", String::as_str);
            Err(format!(
                "{}: {kind} {call}: {what}: {:?}: {told}",
                self.operation.name, output.status
            ))
        };
        let ended = match (output.status.code(), output.status.signal()) {
            (Some(0), _) => "done",
            (Some(2), _) if told.contains("error") => "error",
            // It is the ninth signal that the library sends.
            (None, Some(9)) if ["tear", "power", "half"].contains(&kind) => "killed",
            _ => return wrong("a strange end"),
        };
        if kind == "short" && ended != "done" {
            return wrong("a part of a call is no error");
        }
        let is_new = look.states[0] == self.after;
        for state in &look.states {
            let is_known = self.unfinished.contains(state) || *state == self.after;
            // What a disk lost that said it was written is damage; it is told, and all else is as it was.
            let is_told = kind == "lie" && look.damage.is_some() && self.is_part(state);
            if !is_known && !is_told {
                return wrong(&format!(
                    "neither the state of before nor of after: {state:?} {:?}",
                    look.damage
                ));
            }
        }
        if kind == "lie" {
            return Ok(if look.damage.is_some() { "damage told" } else { "fine" });
        }
        // A database that was never finished is none.
        let is_none = self.operation.base == Base::Nothing && look.states[0] == self.before;
        if let Some(damage) = look.damage
            && !is_none
        {
            // A commit is complete before its copy is written. If that fails, `verify` says so, and `rebuild` writes it.
            let is_copy_only = is_new && damage.contains("1 damaged value") && damage.contains(COPY);
            if !is_copy_only || !run(&["rebuild", database.to_str().unwrap()]).status.success() {
                return wrong(&format!("damaged: {damage}"));
            }
            if let Some(damage) = scene.look(&database).damage {
                return wrong(&format!("the copy is not written again: {damage}"));
            }
            return Ok("without copy");
        }
        if look.states[0] != look.states[1] {
            return wrong("kept answers say something else");
        }
        if ended == "done" && !is_new {
            return wrong("it is said to be done and is not");
        }
        if self.operation.is_reader && kind == "full" && ended != "done" {
            return wrong("an answer needs no room");
        }
        if !is_new {
            let again = scene.operate(self.operation, &database, "none", 0, None);
            let look = scene.look(&database);
            if !again.status.success() || look.damage.is_some() || look.states.iter().any(|state| *state != self.after)
            {
                return wrong(&format!("it can't be done again: {again:?} {look:?}"));
            }
        }
        Ok(ended)
    }
}

#[test]
fn every_call_may_fail() {
    let scene = Scene::new();
    let step: usize = std::env::var("CQLDEX_FAULTS").map_or(71, |step| step.parse().unwrap());
    let plans: Vec<Plan> = OPERATIONS.iter().map(|operation| Plan::of(&scene, operation)).collect();
    let mut runs = Vec::new();
    for (number, plan) in plans.iter().enumerate() {
        for (offset, kind) in KINDS.into_iter().enumerate() {
            let calls = (1..).zip(&plan.calls).filter(|(_, call)| concerns(kind, call));
            // Each kind begins elsewhere, so that a step meets most calls with one kind or another.
            let first = (offset * step / KINDS.len() + number) % step;
            runs.extend(calls.skip(first).step_by(step).map(|(at, _)| (number, kind, at)));
            // Always: the last syncs of the list of files. RocksDB removes the file of a commit when they fail.
            let syncs = (1..)
                .zip(&plan.calls)
                .filter(|(_, call)| call.contains("sync ") && call.contains("MANIFEST"));
            let syncs: Vec<_> = syncs.map(|(at, _)| (number, kind, at)).collect();
            if kind == "fail" {
                runs.extend(&syncs[syncs.len().saturating_sub(4)..]);
            }
        }
    }
    assert!(runs.len() >= 100, "{}", runs.len());
    let next = AtomicUsize::new(0);
    let ends: Mutex<BTreeMap<(usize, &str, &str), usize>> = Mutex::default();
    let failures: Mutex<Vec<String>> = Mutex::default();
    thread::scope(|scope| {
        for worker in 0..2 {
            let (scene, plans, runs, next, ends, failures) = (&scene, &plans, &runs, &next, &ends, &failures);
            scope.spawn(move || {
                while let Some(&(number, kind, at)) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match plans[number].check(scene, &format!("run{worker}"), kind, at) {
                        Ok(end) => *ends.lock().unwrap().entry((number, kind, end)).or_default() += 1,
                        Err(failure) => {
                            println!("{failure}");
                            failures.lock().unwrap().push(failure);
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    for ((number, kind, end), count) in ends.into_inner().unwrap() {
        let plan = &plans[number];
        println!(
            "{} ({} calls), {kind}: {end} {count}",
            plan.operation.name,
            plan.calls.len()
        );
    }
    println!("{} runs, {} wrong", runs.len(), failures.len());
    assert!(
        failures.is_empty(),
        "{} of {} runs: {}",
        failures.len(),
        runs.len(),
        failures[0]
    );
}
