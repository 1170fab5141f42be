//! `cqldex compact`: drops removed games for good, and joins segments.

use std::io::{self, Write};
use std::path::PathBuf;

use cqldex::{Database, Moved};

use crate::exit::{Done, Failure};
use cqldex::format::{bytes, count, grouped};

/// How many ranges of numbers are printed.
const TOLD: usize = 20;

/// Arguments of `cqldex compact`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex compact games.db
  cqldex compact games.db --all")]
pub(super) struct Args {
    /// The database
    db: PathBuf,
    /// How many threads work; one for each core unless told otherwise
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
    /// Tell all games that got other numbers, not only the first ranges
    #[arg(long)]
    all: bool,
}

/// Compacts a database and says what has changed.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let mut database = Database::open(&args.db, super::writing(args.threads))?;
    let report = database.compact()?;
    let mut out = io::stdout().lock();
    let [before, after] = report.segments;
    writeln!(out, "{}, now {}", count(before, "segment"), grouped(after))?;
    let [before, after] = report.bytes;
    writeln!(out, "{}, now {}", bytes(before), bytes(after))?;
    writeln!(out, "{} dropped", count(report.dropped, "removed game"))?;
    if report.moved.is_empty() {
        writeln!(out, "all games keep their numbers")?;
        return Ok(Done::Success);
    }
    let told = if args.all { report.moved.len() } else { TOLD };
    for Moved { from, to, .. } in report.moved.iter().take(told) {
        let last = from.end - 1;
        let shift = last - from.start;
        if shift == 0 {
            writeln!(out, "game {} is game {to} now", from.start)?;
        } else {
            writeln!(out, "games {}-{last} are games {to}-{} now", from.start, to + shift)?;
        }
    }
    if report.moved.len() > told {
        writeln!(
            out,
            "... and {} more ranges; --all tells them",
            grouped((report.moved.len() - told) as u64)
        )?;
    }
    Ok(Done::Success)
}
