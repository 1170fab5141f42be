//! `cqldex verify`: checks that the database has everything as it was written.

use std::io::{self, Write};
use std::path::PathBuf;

use cqldex::Database;
use indicatif::{ProgressBar, ProgressStyle};

use crate::exit::{Done, Failure};
use cqldex::format::{count, grouped};

/// Arguments of `cqldex verify`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex verify games.db")]
pub(super) struct Args {
    /// The database
    db: PathBuf,
}

/// Shows how many of `games` games are read. Draws nothing unless standard error is a terminal.
pub(super) fn bar(games: u64) -> ProgressBar {
    let bar = ProgressBar::new(games);
    let style = ProgressStyle::with_template("{wide_bar} {human_pos} of {human_len} games, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// Reads and checks everything; damage is listed and makes the command fail.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let database = Database::open(&args.db, super::reading(None))?;
    let bar = bar(database.last_number());
    let report = database.verify(&mut |games| bar.set_position(games))?;
    bar.finish_and_clear();

    let mut out = io::stdout().lock();
    for (segment, error) in &report.problems {
        writeln!(out, "segment {segment}: {error}")?;
    }
    for error in &report.records {
        writeln!(out, "records: {error}")?;
    }
    let checked = format!(
        "{}, {} and {} checked",
        count(report.games, "game"),
        count(report.positions, "position"),
        count(report.postings, "posting list")
    );
    if report.is_clean() {
        writeln!(out, "{checked}: no damage")?;
        return Ok(Done::Success);
    }
    let problems = (report.problems.len() + report.records.len()) as u64;
    Err(Failure::message(format!(
        "{checked}: {} damaged {}; `cqldex rebuild` repairs what can be",
        grouped(problems),
        if problems == 1 { "value" } else { "values" }
    )))
}
