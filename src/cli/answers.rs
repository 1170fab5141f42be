//! `cqldex answers`: what is kept of earlier answers.

use std::io::{self, Write};
use std::path::PathBuf;

use cqldex::{AnswersUsage, Database};
use serde_json::json;

use crate::exit::{Done, Failure};
use cqldex::format::{bytes, count};

/// Arguments of `cqldex answers`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex answers games.db
  cqldex answers games.db --clear")]
pub(super) struct Args {
    /// The database
    db: PathBuf,
    /// Drop all of them; nothing but time is lost
    #[arg(long)]
    clear: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Says how many answers are kept, or drops them.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let database = Database::open(&args.db, super::reading(None))?;
    let dropped = match args.clear {
        true => Some(database.clear_answers()?),
        false => None,
    };
    let kept = database.answers()?;
    let mut out = io::stdout().lock();
    if args.json {
        let dropped = dropped.unwrap_or_default();
        let object = json!({
            "type": "answers",
            "count": kept.count,
            "bytes": kept.bytes,
            "bound": kept.bound,
            "dropped": dropped.count,
            "droppedBytes": dropped.bytes,
        });
        writeln!(out, "{object}")?;
        return Ok(Done::Success);
    }
    if let Some(dropped) = dropped {
        writeln!(
            out,
            "{} dropped, {}",
            count(dropped.count, "answer"),
            bytes(dropped.bytes)
        )?;
    } else {
        writeln!(out, "{} kept, {}", count(kept.count, "answer"), size(&kept))?;
    }
    Ok(Done::Success)
}

/// How many bytes kept answers take, and may take.
pub(super) fn size(kept: &AnswersUsage) -> String {
    format!("{} of at most {}", bytes(kept.bytes), bytes(kept.bound))
}
