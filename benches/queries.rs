//! Times queries by plan and by scan, warm, on a database of real games; and, when it is given PGN, the indexing.
//!
//! ```text
//! cargo bench --bench queries -- games.pgn.zst      index into a folder that goes away, then ask
//! cargo bench --bench queries -- games.db           ask a database that is there already
//! ```
//!
//! The input may also be named by the environment variable `CQLDEX_BENCH`. The queries are those of
//! `benches/queries.txt`. Both routes have to give the same, or the run fails.

#![allow(clippy::print_stdout, reason = "a benchmark reports to whoever runs it")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use query::{Detail, ParseOptions, Route, Search, SearchOptions, Summary};
use storage::{Database, Snapshot};

const QUERIES: &str = include_str!("queries.txt");

/// Each query is run so often after a first time, and the middle time is told.
const RUNS: usize = 7;

/// A query that takes longer the first time is not run again: what is in memory makes no difference to it.
const LONG: Duration = Duration::from_secs(1);

fn main() -> Result<(), Box<dyn Error>> {
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
    ask_all(&snapshot)
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

fn ask_all(snapshot: &Snapshot) -> Result<(), Box<dyn Error>> {
    println!("\n| group | query | candidates | evaluated | matches | games | plan ms | scan ms | ratio |");
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|");
    let mut group = "";
    let (mut total, mut slowest, mut different) = (0.0, (0.0, ""), Vec::new());
    for line in QUERIES
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with("//"))
    {
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
            .filter(|name| is_group(name))
        {
            group = name;
            continue;
        }
        let (plan, plan_time) = ask(snapshot, line, Route::Plan)?;
        let (scan, scan_time) = ask(snapshot, line, Route::Scan)?;
        if (plan.games, plan.positions) != (scan.games, scan.positions) {
            different.push(line);
        }
        let (plan_ms, scan_ms) = (ms(plan_time), ms(scan_time));
        total += plan_ms;
        if plan_ms > slowest.0 {
            slowest = (plan_ms, line);
        }
        println!(
            "| {group} | `{}` | {} | {} | {} | {} | {plan_ms:.2} | {scan_ms:.1} | {:.1} |",
            line.replace('|', "\\|"),
            plan.candidates,
            plan.evaluated,
            plan.positions,
            plan.games,
            scan_ms / plan_ms.max(1e-3),
        );
    }
    println!(
        "\nall by plan: {total:.0} ms; slowest: {:.1} ms, `{}`",
        slowest.0, slowest.1
    );
    if different.is_empty() {
        Ok(())
    } else {
        Err(format!("plan and scan differ: {different:?}").into())
    }
}

/// Whether a bracketed line is a heading: queries begin with pieces in brackets, too.
fn is_group(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_lowercase() || c == ' ')
}

/// What a query found, and the middle time of some runs after one that warms up.
fn ask(snapshot: &Snapshot, text: &str, route: Route) -> Result<(Summary, Duration), Box<dyn Error>> {
    let failed = |problem: String| format!("`{text}`: {problem}");
    let mut query = query::parse(text, &ParseOptions::default())
        .map_err(|diagnostics| failed(diagnostics.iter().map(|one| one.render(text, "query")).collect()))?;
    query::transform::expand(&mut query).map_err(|error| failed(error.to_string()))?;
    let options = SearchOptions {
        route,
        detail: Detail::Count,
        ..SearchOptions::default()
    };
    let search = Search::new(&query, options);
    let mut summary = search.run(snapshot, &mut |_| ())?;
    if summary.elapsed > LONG {
        let elapsed = summary.elapsed;
        return Ok((summary, elapsed));
    }
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        summary = search.run(snapshot, &mut |_| ())?;
        times.push(summary.elapsed);
    }
    times.sort_unstable();
    Ok((summary, times[RUNS / 2]))
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
