//! Times the same questions on the same games by other programs, where they are installed: CQL 6.2 and scoutfish.
//!
//! ```text
//! cargo bench --bench peers -- games.pgn --cql path/to/cql --scoutfish path/to/scoutfish
//! ```
//!
//! CQL reads the games for each question, with two threads. Scoutfish reads its own file, which it makes first; it is
//! asked what it can express, the lines `// scoutfish:` of `benches/queries.txt`. Its times are those of the whole
//! process, as CQL's; ours are told twice, for a database that is opened for this one question, and warm.

#![allow(clippy::print_stdout, reason = "a benchmark prints its report")]

mod common;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use clap::Parser;
use common::cql;
use common::games::{self, Share};
use common::questions::{Question, cell, questions};
use common::{compile, figure, median, ms, opened, warm};
use language::dialect::{self, Dialect};
use search::Route;
use storage::Database;

/// No question is given up.
const NO_LIMIT: Duration = Duration::MAX;

/// Times the same questions on the same games by other programs.
#[derive(Debug, Parser)]
struct Arguments {
    /// A PGN file, which may be packed by zstd; without one there is nothing to do
    games: Option<PathBuf>,
    /// The program CQL 6.2
    #[arg(long)]
    cql: Option<PathBuf>,
    /// The program scoutfish
    #[arg(long)]
    scoutfish: Option<PathBuf>,
    /// What cargo adds.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let Some(games) = &arguments.games else {
        println!("nothing to do: name a PGN file, and --cql or --scoutfish with a program");
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    let (pgn, path) = (folder.path().join("games.pgn"), folder.path().join("bench.db"));
    games::write(games, Share::ALL, &pgn)?;
    common::index(&path, &pgn)?;
    if let Some(scoutfish) = &arguments.scoutfish {
        let started = Instant::now();
        run(Command::new(scoutfish).arg("make").arg(&pgn))?;
        println!("scoutfish made its file in {:.1} s", started.elapsed().as_secs_f64());
    }
    compare(&arguments, &path, &pgn)
}

/// How many times as long the peers took, for the questions of one kind.
#[derive(Default)]
struct Ratios {
    cql: Vec<f64>,
    scoutfish: Vec<f64>,
}

fn compare(arguments: &Arguments, database: &Path, pgn: &Path) -> Result<(), Box<dyn Error>> {
    println!("\n| group | query | games | opened ms | warm ms | CQL ms | CQL games | ratio | scoutfish ms | ratio |");
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    let (mut positions, mut games, mut different) = (Ratios::default(), Ratios::default(), Vec::new());
    let snapshot = Database::open_read_only(database)?.snapshot();
    for question in questions() {
        let query = compile(question.text)?;
        let opened = opened(database, &query, NO_LIMIT)?.map(ms);
        let Some(answer) = warm(&snapshot, &query, Route::Plan, NO_LIMIT)? else {
            continue;
        };
        let time = ms(answer.time);
        let cql = ask(arguments.cql.as_deref(), |cql| ask_cql(cql, &question, pgn));
        let scoutfish = ask(arguments.scoutfish.as_deref(), |scoutfish| {
            ask_scoutfish(scoutfish, &question, pgn)
        });
        let ratios = if question.is_about_games() {
            &mut games
        } else {
            &mut positions
        };
        let ratio = |theirs: &Option<(Duration, u64)>| theirs.map(|(theirs, _)| ms(theirs) / time.max(1e-3));
        ratios.cql.extend(ratio(&cql));
        ratios.scoutfish.extend(ratio(&scoutfish));
        if cql.is_some_and(|(_, games)| games != answer.summary.games) {
            different.push(question.text);
        }
        println!(
            "| {} | {} | {} | {} | {time:.2} | {} | {} | {} | {} | {} |",
            question.group,
            cell(question.text),
            answer.summary.games,
            figure(opened, 1),
            figure(cql.map(|(theirs, _)| ms(theirs)), 0),
            cql.map_or("-".to_owned(), |(_, games)| games.to_string()),
            figure(ratio(&cql), 1),
            figure(scoutfish.map(|(theirs, _)| ms(theirs)), 0),
            figure(ratio(&scoutfish), 1),
        );
    }
    for (kind, ratios) in [("positions", &positions), ("games", &games)] {
        for (peer, ratios) in [("CQL", &ratios.cql), ("scoutfish", &ratios.scoutfish)] {
            if !ratios.is_empty() {
                println!(
                    "\n{peer}, {} questions about {kind}: median {:.1} times as long, at least {:.1} times",
                    ratios.len(),
                    median(ratios),
                    ratios.iter().copied().fold(f64::INFINITY, f64::min)
                );
            }
        }
    }
    if !different.is_empty() {
        println!("\nCQL found other numbers of games: {different:?}");
    }
    Ok(())
}

/// A peer's time and number of games; nothing if it is not there, can't be asked, or fails, as CQL does on null moves.
fn ask(
    peer: Option<&Path>,
    ask: impl FnOnce(&Path) -> Result<Option<(Duration, u64)>, Box<dyn Error>>,
) -> Option<(Duration, u64)> {
    peer.and_then(|peer| ask(peer).unwrap_or(None))
}

/// Asks CQL 6.2; what is written in an older dialect is translated.
fn ask_cql(cql: &Path, question: &Question, pgn: &Path) -> Result<Option<(Duration, u64)>, Box<dyn Error>> {
    let Ok(text) = dialect::translate(question.text, Dialect::Auto) else {
        return Ok(None);
    };
    let file = pgn.with_file_name("question.cql");
    let head = if text.starts_with("cql(") { "" } else { "cql()\n" };
    std::fs::write(&file, format!("{head}{text}\n"))?;
    let answer = cql::ask(cql, pgn, &file, NO_LIMIT)?;
    Ok(answer.counts.map(|(games, _)| (answer.time, games)))
}

fn ask_scoutfish(scoutfish: &Path, question: &Question, pgn: &Path) -> Result<Option<(Duration, u64)>, Box<dyn Error>> {
    let Some(json) = question.scoutfish else {
        return Ok(None);
    };
    let started = Instant::now();
    let said = run(Command::new(scoutfish)
        .arg("scout")
        .arg(pgn.with_extension("scout"))
        .arg(json))?;
    let time = started.elapsed();
    let count = said
        .lines()
        .find_map(|line| line.trim().strip_prefix("\"match count\":"));
    let games = count.and_then(|count| count.trim().trim_end_matches(',').parse().ok());
    Ok(games.map(|games| (time, games)))
}

/// Runs a program and gives what it wrote.
fn run(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command.output()?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr)).into())
    }
}
