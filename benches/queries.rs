//! Times queries by plan and by scan on a database of real games: opened for one question and warm, on all threads and
//! on one; and, when it is given PGN, the indexing. `--no-scan` leaves the scans out, which take most of the time.
//!
//! ```text
//! cargo bench --bench queries -- games.pgn.zst      index into a folder that goes away, then ask
//! cargo bench --bench queries -- games.db           ask a database that is there already
//! ```
//!
//! The input may also be named by the environment variable `CQLDEX_BENCH`. The queries are those of
//! `benches/queries.txt`. Both routes have to give the same, or the run fails.

#![allow(clippy::print_stdout, reason = "a benchmark reports to whoever runs it")]

mod common;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use common::{cell, compile, median, ms, once, warm};
use query::Route;
use storage::{Database, Snapshot};

fn main() -> Result<(), Box<dyn Error>> {
    let scan = !std::env::args_os().any(|argument| argument == "--no-scan");
    // Cargo adds flags of its own.
    let argument = std::env::args_os()
        .skip(1)
        .find(|argument| !argument.to_string_lossy().starts_with("--"));
    let Some(input) = argument.or_else(|| std::env::var_os("CQLDEX_BENCH")).map(PathBuf::from) else {
        println!("nothing to do: name a PGN file or a database, as argument or in CQLDEX_BENCH");
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    let path = if input.is_dir() && input.join("CURRENT").is_file() {
        input
    } else {
        let path = folder.path().join("bench.db");
        index(&path, &input)?;
        path
    };
    let started = Instant::now();
    let snapshot = Database::open_read_only(&path)?.snapshot();
    println!(
        "opened in {:.1} ms, {} threads",
        ms(started.elapsed()),
        std::thread::available_parallelism()?
    );
    sizes(&snapshot)?;
    drop(snapshot);
    ask_all(&path, scan)
}

fn index(path: &Path, input: &Path) -> Result<(), Box<dyn Error>> {
    let mut database = Database::create(path)?;
    let summary = indexer::index(&mut database, &[input.to_owned()], &indexer::Options::default(), &())?;
    let seconds = summary.elapsed.as_secs_f64();
    println!(
        "indexed {} games, {} positions, {:.1} MB of PGN in {seconds:.1} s: {:.0} games/s, {:.1} MB/s",
        summary.games,
        summary.positions,
        summary.bytes as f64 / 1e6,
        summary.games as f64 / seconds,
        summary.bytes as f64 / 1e6 / seconds,
    );
    Ok(())
}

fn sizes(snapshot: &Snapshot) -> Result<(), Box<dyn Error>> {
    let stats = snapshot.stats()?;
    let (bytes, positions) = (stats.bytes as f64, stats.positions.max(1) as f64);
    println!(
        "\n{} games, {} positions, {} segments\n",
        stats.games, stats.positions, stats.segments
    );
    println!("| column | MB | bytes a position | of the PGN |\n|---|---:|---:|---:|");
    let all = stats
        .columns
        .iter()
        .map(|&(name, size)| (name, size as f64))
        .chain([("all", bytes)]);
    for (name, size) in all {
        let share = 100.0 * size / stats.pgn_bytes.max(1) as f64;
        println!(
            "| {name} | {:.1} | {:.2} | {share:.1} % |",
            size / 1e6,
            size / positions
        );
    }
    Ok(())
}

fn ask_all(path: &Path, scan: bool) -> Result<(), Box<dyn Error>> {
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    println!(
        "\n| group | query | candidates | evaluated | matches | games | opened ms | warm ms | one thread ms | scan ms | ratio |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    let (mut times, mut extra, mut slowest, mut worst, mut different) =
        (Vec::new(), Vec::new(), (0.0, ""), (0.0, ""), Vec::new());
    let snapshot = Database::open_read_only(path)?.snapshot();
    for question in common::questions() {
        let query = compile(question.text)?;
        let started = Instant::now();
        once(&Database::open_read_only(path)?.snapshot(), &query, Route::Plan)?;
        let opened = ms(started.elapsed());
        let (plan, time) = warm(&snapshot, &query, Route::Plan)?;
        let one_thread = alone.install(|| warm(&snapshot, &query, Route::Plan).map(|(_, time)| ms(time)).ok());
        let plan_ms = ms(time);
        times.push(plan_ms);
        extra.push(opened - plan_ms);
        if plan_ms > slowest.0 {
            slowest = (plan_ms, question.text);
        }
        let (mut scan_ms, mut ratio) = ("-".to_owned(), "-".to_owned());
        if scan {
            let (scan, time) = warm(&snapshot, &query, Route::Scan)?;
            if (plan.games, plan.positions) != (scan.games, scan.positions) {
                different.push(question.text);
            }
            if plan_ms / ms(time) > worst.0 {
                worst = (plan_ms / ms(time), question.text);
            }
            scan_ms = format!("{:.1}", ms(time));
            ratio = format!("{:.1}", ms(time) / plan_ms.max(1e-3));
        }
        println!(
            "| {} | {} | {} | {} | {} | {} | {opened:.1} | {plan_ms:.2} | {:.2} | {scan_ms} | {ratio} |",
            question.group,
            cell(question.text),
            plan.candidates,
            plan.evaluated,
            plan.positions,
            plan.games,
            one_thread.unwrap_or(f64::NAN),
        );
    }
    println!(
        "\n{} queries by plan: median {:.1} ms, slowest {:.1} ms (`{}`); to open and ask once takes {:.1} ms more, in the median",
        times.len(),
        median(&times),
        slowest.0,
        slowest.1,
        median(&extra),
    );
    if scan {
        println!(
            "the plan takes at most {:.2} times as long as the scan (`{}`)",
            worst.0, worst.1
        );
    }
    if different.is_empty() {
        Ok(())
    } else {
        Err(format!("plan and scan differ: {different:?}").into())
    }
}
