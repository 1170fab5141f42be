//! Times queries by plan and by scan on a database of real games: with files that are in no cache, opened for one
//! question, and warm, on all threads and on one; and, when it is given PGN, the indexing.
//!
//! ```text
//! cargo bench --bench queries -- games.pgn.zst              index into a folder that goes away, then ask
//! cargo bench --bench queries -- games.pgn.zst --size 4     the same games four times, with other tags
//! cargo bench --bench queries -- games.db --cold            ask a database that is there already
//! ```
//!
//! The queries are those of `benches/queries.txt`. Both routes have to give the same, or the run fails.

#![allow(clippy::print_stdout, reason = "a benchmark prints its report")]

mod common;

use std::error::Error;
use std::fs::File;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Parser;
use common::games::{self, Share};
use common::questions::{Question, cell, questions};
use common::{compile, figure, median, ms, opened, warm, warm_on};
use postings::Term;
use search::{Route, Threads};
use storage::{Database, Snapshot};

/// Times queries by plan and by scan on a database of real games.
#[derive(Debug, Parser)]
struct Arguments {
    /// A PGN file, which may be packed by zstd, or a database; without one there is nothing to do
    #[arg(env = "CQLDEX_BENCH")]
    input: Option<PathBuf>,
    /// How many of the games of the file: 4 is all of them four times, 1/8 is every eighth
    #[arg(long, default_value = "1")]
    size: Share,
    /// Leave the scans out, which take most of the time
    #[arg(long)]
    no_scan: bool,
    /// Also ask once with the database's files out of the page cache
    #[arg(long)]
    cold: bool,
    /// Stop a question after this number of seconds
    #[arg(long, default_value = "60")]
    limit: u64,
    /// Only the questions with this in them
    #[arg(long, default_value = "")]
    only: String,
    /// What cargo adds.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let Some(input) = &arguments.input else {
        println!("nothing to do: name a PGN file or a database, as argument or in CQLDEX_BENCH");
        return Ok(());
    };
    let folder = tempfile::tempdir()?;
    let path = if input.is_dir() && input.join("CURRENT").is_file() {
        input.clone()
    } else {
        let path = folder.path().join("bench.db");
        if arguments.size == Share::ALL {
            common::index(&path, input)?;
        } else {
            let pgn = folder.path().join("games.pgn");
            games::write(input, arguments.size, &pgn)?;
            common::index(&path, &pgn)?;
            std::fs::remove_file(pgn)?;
        }
        path
    };
    let started = Instant::now();
    let snapshot = Database::open_read_only(&path)?.snapshot();
    println!(
        "opened in {:.1} ms, {} threads",
        ms(started.elapsed()),
        std::thread::available_parallelism()?
    );
    columns(&snapshot)?;
    families(&snapshot)?;
    drop(snapshot);
    ask_all(&path, &arguments)
}

/// What the database takes.
fn columns(snapshot: &Snapshot) -> Result<(), Box<dyn Error>> {
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

/// What the posting lists take, by family of terms.
fn families(snapshot: &Snapshot) -> Result<(), Box<dyn Error>> {
    let positions: u64 = snapshot.segments().iter().map(|meta| u64::from(meta.positions)).sum();
    println!("\n| terms | positions in them | runs | MB | bytes a position |\n|---|---:|---:|---:|---:|");
    let mut families: Vec<(&str, [u64; 3])> = Vec::new();
    for term in Term::all() {
        let name = family(term);
        let known = families.iter().position(|(other, _)| *other == name);
        let at = known.unwrap_or_else(|| {
            families.push((name, [0; 3]));
            families.len() - 1
        });
        let sums = &mut families[at].1;
        for index in 0..snapshot.segments().len() {
            let stats = snapshot.segment(index).term_stats(term)?;
            for (sum, part) in sums.iter_mut().zip([stats.cardinality, stats.runs, stats.bytes]) {
                *sum += u64::from(part);
            }
        }
    }
    for (name, [cardinality, runs, bytes]) in families {
        println!(
            "| {name} | {cardinality} | {runs} | {:.2} | {:.3} |",
            bytes as f64 / 1e6,
            bytes as f64 / positions.max(1) as f64
        );
    }
    Ok(())
}

/// The family that a term belongs to.
fn family(term: Term) -> &'static str {
    match term {
        Term::Placement(..) => "man on square",
        Term::WhiteToMove => "White to move",
        Term::AtLeast(..) => "at least so many men",
        Term::Captured(_) => "captured",
        Term::Check => "check",
        Term::Mate | Term::Stalemate => "mate, stalemate",
        Term::MovesAtMost(_) => "at most this number of legal moves",
        Term::Pinned(..) => "pinned men",
        Term::Promoted(_) | Term::Castled(_) | Term::EnPassant | Term::NullMove => "special moves",
        _ => "place in the game",
    }
}

/// Takes the files of a database out of the page cache.
fn evict(path: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            let file = File::open(entry.path())?;
            file.sync_all()?;
            rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed)?;
        }
    }
    Ok(())
}

/// The times of the questions of one kind.
#[derive(Default)]
struct Times {
    warm: Vec<f64>,
    /// What it takes more to open the database for one question.
    extra: Vec<f64>,
    /// How many times as long as the scan the plan took, at most, and for what.
    worst: Option<(f64, &'static str)>,
    given_up: Vec<&'static str>,
}

fn ask_all(path: &Path, arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    println!(
        "\n| group | query | candidates | evaluated | matches | games | MB read | cold ms | opened ms | warm ms | one thread ms | scan ms | ratio |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    let asker = Asker::new(path, arguments)?;
    let (mut positions, mut games, mut different) = (Times::default(), Times::default(), Vec::new());
    for question in questions() {
        if question.text.contains(&arguments.only) {
            let times = if question.is_about_games() {
                &mut games
            } else {
                &mut positions
            };
            if !asker.ask(&question, times)? {
                different.push(question.text);
            }
        }
    }
    for (kind, times) in [("positions", positions), ("games", games)] {
        times.report(kind);
    }
    if different.is_empty() {
        Ok(())
    } else {
        Err(format!("plan and scan differ: {different:?}").into())
    }
}

/// Asks questions of one database.
struct Asker<'a> {
    path: &'a Path,
    snapshot: Snapshot,
    arguments: &'a Arguments,
    limit: Duration,
    alone: Threads,
}

impl<'a> Asker<'a> {
    fn new(path: &'a Path, arguments: &'a Arguments) -> Result<Asker<'a>, Box<dyn Error>> {
        Ok(Asker {
            path,
            snapshot: Database::open_read_only(path)?.snapshot(),
            arguments,
            limit: Duration::from_secs(arguments.limit),
            alone: Threads::new(NonZeroUsize::MIN),
        })
    }

    /// Prints the row of a question; false if plan and scan differ.
    fn ask(&self, question: &Question, times: &mut Times) -> Result<bool, Box<dyn Error>> {
        let query = compile(question.text)?;
        let cold = if self.arguments.cold {
            evict(self.path)?;
            opened(self.path, &query, self.limit)?.map(ms)
        } else {
            None
        };
        let opened = opened(self.path, &query, self.limit)?.map(ms);
        let Some(plan) = warm(&self.snapshot, &query, Route::Plan, self.limit)? else {
            times.given_up.push(question.text);
            println!("| {} | {} | given up |", question.group, cell(question.text));
            return Ok(true);
        };
        let one_thread = warm_on(&self.alone, &self.snapshot, &query, Route::Plan, self.limit)?;
        let one_thread = one_thread.map(|answer| ms(answer.time));
        let scan = if self.arguments.no_scan {
            None
        } else {
            warm(&self.snapshot, &query, Route::Scan, self.limit)?
        };
        let (plan_ms, scan_ms) = (ms(plan.time), scan.as_ref().map(|scan| ms(scan.time)));
        times.warm.push(plan_ms);
        times.extra.extend(opened.map(|opened| opened - plan_ms));
        if let Some(ratio) = scan_ms.map(|scan_ms| plan_ms / scan_ms)
            && times.worst.is_none_or(|(worst, _)| ratio > worst)
        {
            times.worst = Some((ratio, question.text));
        }
        let found = &plan.summary;
        println!(
            "| {} | {} | {} | {} | {} | {} | {:.1} | {} | {} | {plan_ms:.2} | {} | {} | {} |",
            question.group,
            cell(question.text),
            found.candidates,
            found.evaluated,
            found.positions,
            found.games,
            found.bytes_read as f64 / 1e6,
            figure(cold, 1),
            figure(opened, 1),
            figure(one_thread, 2),
            figure(scan_ms, 1),
            figure(scan_ms.map(|scan_ms| scan_ms / plan_ms.max(1e-3)), 1),
        );
        Ok(scan.is_none_or(|scan| (scan.summary.games, scan.summary.positions) == (found.games, found.positions)))
    }
}

impl Times {
    /// Says what the questions took together.
    fn report(&self, kind: &str) {
        let most = |figures: &[f64]| figures.iter().copied().fold(0.0, f64::max);
        println!(
            "\n{} questions about {kind} by plan: median {:.1} ms, slowest {:.1} ms; to open and ask once takes {:.1} ms \
             more in the median, {:.1} ms at most",
            self.warm.len(),
            median(&self.warm),
            most(&self.warm),
            median(&self.extra),
            most(&self.extra),
        );
        if let Some((worst, text)) = self.worst {
            println!("the plan takes at most {worst:.2} times as long as the scan (`{text}`)");
        }
        if !self.given_up.is_empty() {
            println!("given up: {:?}", self.given_up);
        }
    }
}
