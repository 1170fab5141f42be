//! `cqldex stats`: how large a database is.

use std::io::{self, Write};
use std::path::PathBuf;

use cqldex::{AnswersUsage, Database, Stats};

use crate::exit::{Done, Failure};
use cqldex::format::{bytes, grouped};

/// Arguments of `cqldex stats`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex stats games.db
  cqldex stats games.db --json")]
pub(super) struct Args {
    /// The database
    db: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Prints counts and sizes.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let database = Database::open(&args.db, super::reading(None))?;
    let (stats, answers) = (database.stats()?, database.answers()?);
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", json(&stats, &answers))?;
        return Ok(Done::Success);
    }
    let row = |name: &str, value: String| format!("{name:<12}{value:>16}");
    writeln!(out, "{}", row("games", grouped(stats.games)))?;
    if stats.removed > 0 {
        writeln!(
            out,
            "{}   until `cqldex compact`",
            row("removed", grouped(stats.removed))
        )?;
    }
    writeln!(out, "{}", row("positions", grouped(stats.positions)))?;
    writeln!(out, "{}", row("segments", grouped(stats.segments)))?;
    writeln!(out, "{}", row("on disk", bytes(stats.bytes)))?;
    writeln!(
        out,
        "{}{}",
        row("as PGN", bytes(stats.pgn_bytes)),
        share(stats.bytes, stats.pgn_bytes)
    )?;
    for (name, size) in &stats.columns {
        writeln!(
            out,
            "  {:<12}{:>14}{}",
            name,
            bytes(*size),
            each(*size, stats.positions)
        )?;
    }
    let name = "answers";
    writeln!(
        out,
        "{}   {}",
        row(name, grouped(answers.count)),
        super::answers::size(&answers)
    )?;
    Ok(Done::Success)
}

fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return String::new();
    }
    format!("   the database is {:.0} % of it", 100.0 * part as f64 / whole as f64)
}

fn each(size: u64, positions: u64) -> String {
    if positions == 0 {
        return String::new();
    }
    format!("   {:.2} bytes a position", size as f64 / positions as f64)
}

/// The fields are stable: new ones may be added, but none is renamed or removed.
fn json(stats: &Stats, answers: &AnswersUsage) -> String {
    let Stats {
        games,
        removed,
        positions,
        segments,
        bytes,
        pgn_bytes,
        ..
    } = stats;
    let AnswersUsage {
        count,
        bytes: kept,
        bound,
        ..
    } = answers;
    let columns: Vec<String> = stats
        .columns
        .iter()
        .map(|(name, size)| format!(r#""{name}":{size}"#))
        .collect();
    format!(
        r#"{{"type":"stats","games":{games},"removed":{removed},"positions":{positions},"segments":{segments},"bytes":{bytes},"pgnBytes":{pgn_bytes},"columns":{{{}}},"answers":{{"count":{count},"bytes":{kept},"bound":{bound}}}}}"#,
        columns.join(",")
    )
}
