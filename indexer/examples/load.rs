//! Indexes files, and prints times and sizes: `cargo run --release --example load -- DB FILE...`
//! Without files, reads and verifies a whole database.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example prints its results")]

use std::{error::Error, path::PathBuf, time::Instant};

use chess::MoveTree;
use indexer::{Observer, Options, Skipped, index};
use storage::Database;

struct Printer;

impl Observer for Printer {
    fn skipped(&self, skipped: &Skipped) {
        eprintln!("{skipped}");
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let path = PathBuf::from(arguments.next().ok_or("no database given")?);
    let sources: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    if !sources.is_empty() {
        let mut database = if path.exists() {
            Database::open(&path)?
        } else {
            Database::create(&path)?
        };
        let summary = index(&mut database, &sources, &Options::default(), &Printer)?;
        println!("{summary:#?}");
        let seconds = summary.elapsed.as_secs_f64();
        println!(
            "{:.0} games/s, {:.0} positions/s",
            summary.games as f64 / seconds,
            summary.positions as f64 / seconds
        );
    }

    let started = Instant::now();
    let database = Database::open_read_only(&path)?;
    println!("open: {:?}", started.elapsed());
    let snapshot = database.snapshot();
    let stats = snapshot.stats()?;
    println!("{stats:#?}");
    println!("{:.3} of the PGN", stats.bytes as f64 / stats.pgn_bytes as f64);

    if !sources.is_empty() {
        print_memory();
        return Ok(());
    }

    let started = Instant::now();
    let (mut tree, mut moves) = (MoveTree::default(), 0);
    for index in 0..snapshot.segments().len() {
        let segment = snapshot.segment(index);
        for block in 0..segment.block_count()? {
            let trees = segment.trees(block)?;
            for game in 0..trees.len() {
                trees.tree(game, &mut tree)?;
                moves += tree.moves.len();
            }
        }
    }
    println!("all trees, {moves} moves: {:?}", started.elapsed());

    let started = Instant::now();
    let report = snapshot.verify(&mut |_| {})?;
    println!("verify: {:?}, {} problems", started.elapsed(), report.problems.len());
    for (segment, error) in report.problems.iter().take(10) {
        println!("segment {segment}: {error}");
    }
    print_memory();
    Ok(())
}

fn print_memory() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!(
        "{}",
        status
            .lines()
            .filter(|line| line.starts_with("VmHWM"))
            .collect::<String>()
    );
}
