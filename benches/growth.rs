//! Times the same questions on databases of several sizes: how cost grows with the number of games.
//!
//! ```text
//! cargo bench --bench growth -- games.pgn.zst
//! cargo bench --bench growth -- games.pgn.zst --sizes 1/8,1/4,1/2,1,4
//! ```
//!
//! A part is every so-manieth game; games are repeated with another value of the tag Event.

#![allow(clippy::print_stdout, reason = "a benchmark prints its report")]

mod common;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Parser;
use common::games::{self, Share};
use common::questions::{cell, questions};
use common::{compile, figure, median, ms, warm};
use search::Route;
use storage::Database;

/// Times the same questions on databases of several sizes.
#[derive(Debug, Parser)]
struct Arguments {
    /// A PGN file, which may be packed by zstd; without one there is nothing to do
    #[arg(env = "CQLDEX_BENCH")]
    games: Option<PathBuf>,
    /// How many of the games: 4 is all of them four times, 1/8 is every eighth
    #[arg(long, value_delimiter = ',', default_value = "1/8,1/4,1/2,1,4")]
    sizes: Vec<Share>,
    /// Stop a question after this number of seconds
    #[arg(long, default_value = "60")]
    limit: u64,
    /// What cargo adds.
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let Some(pgn) = &arguments.games else {
        println!("nothing to do: name a PGN file, as argument or in CQLDEX_BENCH");
        return Ok(());
    };
    let limit = Duration::from_secs(arguments.limit);
    let mut sizes = Vec::new();
    for &share in &arguments.sizes {
        println!("size {share}:");
        sizes.push(ask_all(pgn, share, limit)?);
    }
    table(&arguments.sizes, &sizes);
    Ok(())
}

/// What was measured at one size.
struct Size {
    positions: u64,
    /// For each question its time in milliseconds, if it was not given up.
    times: Vec<Option<f64>>,
}

/// Makes a database of a size and asks all questions of it.
fn ask_all(pgn: &Path, share: Share, limit: Duration) -> Result<Size, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let (games, path) = (folder.path().join("games.pgn"), folder.path().join("bench.db"));
    games::write(pgn, share, &games)?;
    common::index(&path, &games)?;
    std::fs::remove_file(games)?;
    let snapshot = Database::open_read_only(&path)?.snapshot();
    let stats = snapshot.stats()?;
    println!(
        "{} positions in {} segments, {:.2} bytes a position",
        stats.positions,
        stats.segments,
        stats.bytes as f64 / stats.positions.max(1) as f64
    );
    let mut times = Vec::new();
    for question in questions() {
        let answer = warm(&snapshot, &compile(question.text)?, Route::Plan, limit)?;
        times.push(answer.map(|answer| ms(answer.time)));
    }
    Ok(Size {
        positions: stats.positions,
        times,
    })
}

/// Prints the times side by side, and how much more a position costs in the largest database than in the smallest.
fn table(shares: &[Share], sizes: &[Size]) {
    let heads: Vec<String> = shares.iter().map(|share| format!("{share} ms")).collect();
    println!(
        "\n| group | query | {} | a position, last to first |",
        heads.join(" | ")
    );
    println!("|---|---|{}---:|", "---:|".repeat(sizes.len()));
    let mut growths = Vec::new();
    for (index, question) in questions().iter().enumerate() {
        let cells: Vec<String> = sizes.iter().map(|size| figure(size.times[index], 2)).collect();
        let a_position = |size: &Size| size.times[index].map(|time| time / size.positions.max(1) as f64);
        let ends = sizes
            .first()
            .and_then(a_position)
            .zip(sizes.last().and_then(a_position));
        let growth = ends.map(|(first, last)| last / first);
        growths.extend(growth);
        println!(
            "| {} | {} | {} | {} |",
            question.group,
            cell(question.text),
            cells.join(" | "),
            figure(growth, 2)
        );
    }
    println!(
        "\na position costs {:.2} times as much in the last as in the first, in the median, and {:.2} times at most",
        median(&growths),
        growths.iter().copied().fold(0.0, f64::max)
    );
}
