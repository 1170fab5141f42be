//! Times the same questions on the same games by other programs, where they are installed: CQL 6.2 and scoutfish.
//!
//! ```text
//! cargo bench --bench peers -- games.pgn --cql path/to/cql --scoutfish path/to/scoutfish
//! ```
//!
//! CQL reads the games for each question, with two threads. Scoutfish reads its own file, which it makes first; it is
//! asked what it can express, the lines `// scoutfish:` of `benches/queries.txt`. Its times are those of the whole
//! process, as CQL's; ours are told twice, for a database that is opened for this one question, and warm.

#![allow(clippy::print_stdout, reason = "a benchmark reports to whoever runs it")]

mod common;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use common::{Question, cell, compile, median, ms, once, warm};
use query::Route;
use storage::Database;

/// What was asked for on the command line.
#[derive(Default)]
struct Arguments {
    games: Option<PathBuf>,
    cql: Option<PathBuf>,
    scoutfish: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = Arguments::default();
    let mut given = std::env::args_os().skip(1);
    while let Some(argument) = given.next() {
        match argument.to_str() {
            Some("--cql") => arguments.cql = given.next().map(PathBuf::from),
            Some("--scoutfish") => arguments.scoutfish = given.next().map(PathBuf::from),
            // Cargo adds flags of its own.
            Some(flag) if flag.starts_with("--") => {}
            _ => arguments.games = Some(PathBuf::from(argument)),
        }
    }
    let Some(games) = &arguments.games else {
        println!("nothing to do: name a PGN file, and --cql or --scoutfish with a program");
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    let pgn = plain(games, folder.path())?;
    let path = folder.path().join("bench.db");
    let mut database = Database::create(&path)?;
    let summary = indexer::index(
        &mut database,
        std::slice::from_ref(&pgn),
        &indexer::Options::default(),
        &(),
    )?;
    drop(database);
    println!(
        "{} games, {} positions, indexed in {:.1} s",
        summary.games,
        summary.positions,
        summary.elapsed.as_secs_f64()
    );
    if let Some(scoutfish) = &arguments.scoutfish {
        let started = Instant::now();
        run(Command::new(scoutfish).arg("make").arg(&pgn))?;
        println!("scoutfish made its file in {:.1} s", started.elapsed().as_secs_f64());
    }
    compare(&arguments, &path, &pgn)
}

/// The games as a plain PGN file: a packed one is unpacked.
fn plain(games: &Path, folder: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let plain = folder.join("games.pgn");
    if games.extension().is_some_and(|extension| extension == "zst") {
        zstd::stream::copy_decode(std::fs::File::open(games)?, std::fs::File::create(&plain)?)?;
    } else {
        std::fs::copy(games, &plain)?;
    }
    Ok(plain)
}

fn compare(arguments: &Arguments, database: &Path, pgn: &Path) -> Result<(), Box<dyn Error>> {
    println!("\n| group | query | games | opened ms | warm ms | CQL ms | CQL games | ratio | scoutfish ms | ratio |");
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    let (mut cql_ratios, mut scoutfish_ratios, mut different) = (Vec::new(), Vec::new(), Vec::new());
    for question in common::questions() {
        let query = compile(question.text)?;
        let started = Instant::now();
        once(&Database::open_read_only(database)?.snapshot(), &query, Route::Plan)?;
        let opened = started.elapsed();
        let (summary, time) = warm(&Database::open_read_only(database)?.snapshot(), &query, Route::Plan)?;
        let cql = ask(arguments.cql.as_deref(), |cql| ask_cql(cql, &question, pgn));
        let scoutfish = ask(arguments.scoutfish.as_deref(), |scoutfish| {
            ask_scoutfish(scoutfish, &question, pgn)
        });
        let ratio = |theirs: &Option<(Duration, u64)>, ratios: &mut Vec<f64>| match theirs {
            None => ("-".to_owned(), "-".to_owned()),
            Some((theirs, _)) => {
                let ratio = ms(*theirs) / ms(time).max(1e-3);
                ratios.push(ratio);
                (format!("{:.0}", ms(*theirs)), format!("{ratio:.1}"))
            }
        };
        let (cql_ms, cql_ratio) = ratio(&cql, &mut cql_ratios);
        let (scoutfish_ms, scoutfish_ratio) = ratio(&scoutfish, &mut scoutfish_ratios);
        let cql_games = cql.map_or("-".to_owned(), |(_, games)| games.to_string());
        if cql.is_some_and(|(_, games)| games != summary.games) {
            different.push(question.text);
        }
        println!(
            "| {} | {} | {} | {:.1} | {:.2} | {cql_ms} | {cql_games} | {cql_ratio} | {scoutfish_ms} | {scoutfish_ratio} |",
            question.group,
            cell(question.text),
            summary.games,
            ms(opened),
            ms(time),
        );
    }
    for (peer, ratios) in [("CQL", &cql_ratios), ("scoutfish", &scoutfish_ratios)] {
        if !ratios.is_empty() {
            let slowest = ratios.iter().copied().fold(f64::INFINITY, f64::min);
            println!(
                "\n{peer}: {} questions, median {:.1} times as long, at least {slowest:.1} times",
                ratios.len(),
                median(ratios)
            );
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

fn ask_cql(cql: &Path, question: &Question, pgn: &Path) -> Result<Option<(Duration, u64)>, Box<dyn Error>> {
    let (file, out) = (pgn.with_file_name("question.cql"), pgn.with_file_name("answer.pgn"));
    std::fs::write(&file, format!("cql()\n{}\n", question.text))?;
    let started = Instant::now();
    let said = run(Command::new(cql)
        .args(["-threads", "2", "-i"])
        .arg(pgn)
        .arg("-o")
        .arg(out)
        .arg(file))?;
    let time = started.elapsed();
    // `12 matches of 345 games in ...`
    let line = said.lines().rev().find(|line| line.contains(" matches of "));
    let games = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    Ok(games.map(|games| (time, games)))
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
