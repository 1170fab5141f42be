//! `cqldex rebuild`: makes the index anew from the stored games.

use std::io::{self, Write};
use std::path::PathBuf;

use cqldex::{Database, Error, RebuildOptions};

use crate::exit::{Done, Failure};
use cqldex::format::count;

/// How many lost games are listed.
const TOLD: usize = 50;

/// Arguments of `cqldex rebuild`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex rebuild games.db
  cqldex rebuild games.db --all")]
pub(super) struct Args {
    /// The database
    db: PathBuf,
    /// Rebuild all segments, not only damaged ones
    #[arg(long)]
    all: bool,
    /// Remove games that cannot be read; without this they are an error, and nothing is changed
    #[arg(long)]
    give_up_damaged: bool,
    /// How many threads work; one for each core unless told otherwise
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
}

/// Finds damaged segments and makes their index anew.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let mut out = io::stdout().lock();
    if Database::recover(&args.db)? {
        writeln!(
            out,
            "the list of segments was damaged and is restored from its copy; which files the games came from is \
             forgotten: `cqldex index` would add their games again (--skip-duplicates leaves them out)"
        )?;
    }
    let mut database = Database::open_to_rebuild(&args.db, super::writing(args.threads))?;
    let bar = super::verify::bar(database.last_number());
    let options = RebuildOptions {
        all: args.all,
        give_up_damaged: args.give_up_damaged,
    };
    let report = database.rebuild(options, &mut |games| bar.set_position(games));
    bar.finish_and_clear();
    let report = report.map_err(|error| match error {
        error @ Error::DamagedValue(_) if !args.give_up_damaged => Failure::message(format!(
            "{error}\nhelp: these are games; --give-up-damaged removes the ones that cannot be read"
        )),
        error => error.into(),
    })?;
    writeln!(
        out,
        "{} of {} rebuilt",
        report.rebuilt.len(),
        count(report.segments, "segment")
    )?;
    if report.copy {
        writeln!(out, "the copy of the list of segments is made anew")?;
    }
    if !report.lost.is_empty() {
        let numbers: Vec<String> = report.lost.iter().take(TOLD).map(u64::to_string).collect();
        let more = if report.lost.len() > TOLD { " ..." } else { "" };
        let lost = count(report.lost.len() as u64, "game");
        writeln!(out, "{lost} lost and removed: {}{more}", numbers.join(" "))?;
    }
    Ok(Done::Success)
}
