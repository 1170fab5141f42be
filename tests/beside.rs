//! Random queries beside CQL 6.2: the same games, comments, order, messages and files, byte for byte.
//!
//! `CQLDEX_CQL62` names the program CQL 6.2; without it the test counts as ignored. `CQLDEX_QUERIES` sets how many queries are
//! asked, `CQLDEX_SEED` at which number they begin; `CQLDEX_PROGRAM` names another build of cqldex than that of the tests.
//! Where two answers differ, the number and the text of the query are told, and the first line that differs. What may
//! differ is in `docs/language.md#deviations`; the grammar leaves that out where it can.
//!
//! The games are those of this project and, where the conformance cases are, the first ones of theirs: 250 in all, in four
//! files, which take turns.

#![allow(clippy::print_stdout, reason = "what was asked is told with --nocapture")]
#![expect(clippy::cast_possible_truncation, reason = "the number of a file is small")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "other tests use the rest of the generator and of the cases")]

mod cases;
mod random;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};
use random::Grammar;

/// How many games are asked, and in how many files they are.
const GAMES: usize = 250;
const FILES: usize = 4;

/// A program that takes longer for a query is stopped.
const LIMIT: Duration = Duration::from_secs(20);

/// What CQL 6.2 says where cqldex accepts what it refuses (docs/language.md#deviations).
const ALSO_ACCEPTED: [&str; 3] = [
    "notransform specified differently",
    "the clauses are not distinct",
    // Only inside `notransform`; elsewhere it is an error here, too.
    "apply a transform to anticipate node",
];

/// The games of this project.
const OWN_GAMES: [&str; 3] = [
    include_str!("../samples/games.pgn"),
    include_str!("../samples/studies.pgn"),
    include_str!("plan/annotated.pgn"),
];

/// What `similarposition` and `readfile` read.
const SIMILAR: &str = "[SetUp \"1\"]\n[FEN \"8/6k1/8/8/3K4/7p/8/R7 w - - 0 1\"]\n\n1. Ke3 *\n";

fn setting(name: &str, default: u64) -> u64 {
    let value = std::env::var(name).ok().and_then(|value| value.parse().ok());
    value.unwrap_or(default)
}

/// The games of a text, each with its tags.
fn games_of(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n");
    let mut games: Vec<String> = text.split("\n\n[").map(|game| game.trim().to_owned()).collect();
    games.iter_mut().skip(1).for_each(|game| game.insert(0, '['));
    games.retain(|game| !game.is_empty());
    games
}

/// Writes the files that are asked, and gives their names.
fn write_games(folder: &Path) -> Vec<PathBuf> {
    let mut games: Vec<String> = OWN_GAMES.iter().copied().flat_map(games_of).collect();
    if let Some(cases) = cases::folder() {
        let text = fs::read(cases.join("games.pgn")).unwrap();
        games.extend(games_of(&String::from_utf8_lossy(&text)));
    }
    games.truncate(GAMES);
    let name = |number: usize| folder.join(format!("games{number}.pgn"));
    for number in 0..FILES {
        let share: Vec<&str> = games.iter().skip(number).step_by(FILES).map(String::as_str).collect();
        fs::write(name(number), share.join("\n\n") + "\n").unwrap();
    }
    (0..FILES).map(name).collect()
}

/// How a program ended.
#[derive(Clone, Debug, PartialEq)]
enum Answer {
    /// What it printed, the games that it wrote, and what the query wrote.
    Given(String, String, Option<String>),
    /// The query is refused or was stopped, with this message.
    Refused(String),
    /// The program failed, or took too long.
    Failed(String),
}

/// Asks a program about a file of games; both programs take the same command line.
fn ask(program: &[&str], folder: &Path, games: &Path) -> Answer {
    let (output, written) = (folder.join("found.pgn"), folder.join("out.cqo"));
    for file in [&output, &written] {
        // What the other program wrote is not this one's.
        let _ = fs::remove_file(file);
    }
    let said = [folder.join("said.txt"), folder.join("errors.txt")];
    let [stdout, stderr] = [&said[0], &said[1]].map(|file| fs::File::create(file).unwrap());
    let mut child = Command::new(program[0])
        .args(&program[1..])
        .args(["-singlethreaded", "-i"])
        .arg(games)
        .args(["-o", "found.pgn", "query.cql"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(stderr)
        .spawn()
        .unwrap();
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break Some(status);
        }
        if started.elapsed() > LIMIT {
            child.kill().unwrap();
            child.wait().unwrap();
            break None;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let read = |file: &Path| fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let [stdout, stderr] = [&said[0], &said[1]].map(|file| read(file).unwrap());
    match status.map(|status| status.code()) {
        Some(Some(0)) => Answer::Given(told(&stdout), read(&output).unwrap_or_default(), read(&written).ok()),
        Some(Some(_)) if !stdout.contains("internal error") => Answer::Refused(format!("{stdout}{stderr}")),
        Some(_) => Answer::Failed(format!("{stdout}{stderr}")),
        None => Answer::Failed("it took too long".to_owned()),
    }
}

/// What a program said, without its own name, how it worked and the time that it took.
fn told(stdout: &str) -> String {
    const NOTES: [&str; 9] = [
        "CQL: running single-threaded because",
        "Db: read ",
        "Detected estimated ",
        "Ignoring long comment in game",
        "lastgamenumber: reading file:",
        "lastnumber: read ",
        "Read file:",
        "Reading file:",
        "writefile: opening file:",
    ];
    // Some of these notes end with an empty line.
    let lines = stdout.lines().skip(1).filter(|line| !line.is_empty());
    let lines = lines.filter(|line| !NOTES.iter().any(|note| line.starts_with(note)));
    let lines = lines.map(|line| match line.split_once(" games in ") {
        Some((counts, _)) if counts.contains(" matches of ") => counts,
        _ => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The first line in which two texts differ.
fn first_difference(ours: &str, theirs: &str) -> String {
    let (mut a, mut b) = (ours.lines(), theirs.lines());
    loop {
        match (a.next(), b.next()) {
            (None, None) => return "the ends of lines differ".to_owned(),
            (ours, theirs) if ours != theirs => {
                return format!(
                    "ours: {}\n      CQL 6.2: {}",
                    ours.unwrap_or("-"),
                    theirs.unwrap_or("-")
                );
            }
            _ => {}
        }
    }
}

/// The kind of what came of a query, and the difference, if there is one.
fn compare(ours: &Answer, theirs: &Answer) -> (&'static str, Option<String>) {
    match (ours, theirs) {
        _ if ours == theirs => ("same answers", None),
        (_, Answer::Failed(_)) => ("CQL 6.2 fails", None),
        (Answer::Refused(_), Answer::Refused(_)) => ("refused or stopped by both", None),
        (Answer::Given(our_text, our_games, our_file), Answer::Given(their_text, their_games, their_file)) => {
            let parts = [
                ("games", our_games.as_str(), their_games.as_str()),
                ("messages", our_text, their_text),
                (
                    "files",
                    our_file.as_deref().unwrap_or_default(),
                    their_file.as_deref().unwrap_or_default(),
                ),
            ];
            let different = parts.into_iter().find(|(_, ours, theirs)| ours != theirs);
            let (what, ours, theirs) = different.unwrap_or(("files", "", ""));
            (what, Some(first_difference(ours, theirs)))
        }
        (Answer::Given(..), Answer::Refused(message)) if ALSO_ACCEPTED.iter().any(|part| message.contains(part)) => {
            ("accepted here, too", None)
        }
        (Answer::Given(..), Answer::Refused(message)) => ("only CQL 6.2 refuses", Some(message.clone())),
        (Answer::Refused(message), Answer::Given(..)) => ("only cqldex refuses", Some(message.clone())),
        (Answer::Failed(message), _) => ("cqldex fails", Some(message.clone())),
    }
}

/// Asks random queries of both programs, and compares what they answer.
fn random_queries(cql: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let files = write_games(folder);
    fs::write(folder.join("similar.pgn"), SIMILAR).unwrap();
    let program = std::env::var("CQLDEX_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_cqldex").to_owned());
    let ask_both = |text: &str, games: &Path| {
        fs::write(folder.join("query.cql"), text).unwrap();
        let ours = ask(&[&program, "cql", "-files", "."], folder, games);
        (ours, ask(&[cql], folder, games))
    };
    for games in &files {
        // This makes the index.
        let (ours, theirs) = ask_both("cql() .", games);
        if ours != theirs || !matches!(ours, Answer::Given(..)) {
            return Err(format!("not every position is found: {ours:?} and {theirs:?}").into());
        }
    }
    let (first, total) = (setting("CQLDEX_SEED", 1), setting("CQLDEX_QUERIES", 500));
    let (mut kinds, mut differences) = (BTreeMap::<&str, u64>::new(), 0);
    for number in first..first + total {
        // If 3 divides the seed, a query means the same in CQL 6.2.
        let text = Grammar::new(number.wrapping_mul(3)).query();
        let (ours, theirs) = ask_both(&text, &files[number as usize % FILES]);
        let (kind, difference) = compare(&ours, &theirs);
        *kinds.entry(kind).or_default() += 1;
        if let Some(difference) = difference {
            differences += 1;
            println!("query {number}, {kind}:\n{text}\n   => {difference}\n");
        }
        if (number + 1 - first) % 1_000 == 0 {
            println!("{} queries: {kinds:?}", number + 1 - first);
        }
    }
    println!("{total} queries: {kinds:?}");
    let same = kinds.get("same answers").copied().unwrap_or(0);
    match (differences, same * 10 >= total * 6) {
        (0, true) => Ok(()),
        (0, false) => Err("hardly any query is answered: the grammar is at fault".into()),
        _ => Err(format!("{differences} queries are answered in two ways").into()),
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let cql = std::env::var("CQLDEX_CQL62").ok();
    let is_absent = cql.is_none();
    let ask = move || random_queries(&cql.unwrap_or_default());
    let trial = Trial::test("random queries are answered as by CQL 6.2", ask).with_ignored_flag(is_absent);
    libtest_mimic::run(&arguments, vec![trial]).exit_code()
}
