//! `cqldex remove`: takes games out of a database.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use cqldex::{Database, Detail};

use super::query::SearchArgs;
use super::text::{Dialect, QueryArgs};
use crate::exit::{Done, Failure};
use cqldex::format::{count, grouped};

/// Arguments of `cqldex remove`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex remove games.db --games 7,12-15
  cqldex remove games.db 'player \"Tal,\"' --dry-run
  cqldex remove games.db -f query.cql")]
pub(super) struct Args {
    /// The database
    db: PathBuf,
    /// Remove the games with these numbers: `7`, `3-9`, several with commas
    #[arg(long, value_name = "NUMBERS", conflicts_with_all = ["filters", "file"])]
    games: Option<String>,
    /// Remove the games that a query matches; `-` reads it from standard input
    #[arg(value_name = "FILTERS", required_unless_present_any = ["file", "games"])]
    filters: Option<String>,
    /// Read the query from a file (`-` for standard input)
    #[arg(short, long, value_name = "FILE.cql", conflicts_with = "filters")]
    file: Option<PathBuf>,
    /// The dialect that the query is written in
    #[arg(long, value_enum, default_value = "auto")]
    dialect: Dialect,
    #[command(flatten)]
    search: SearchArgs,
    /// Only say how many games would be removed
    #[arg(long)]
    dry_run: bool,
}

/// Removes games by number or by query.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let mut database = Database::open(&args.db, args.search.on(super::writing(args.search.threads)))?;
    let games = match &args.games {
        Some(list) => numbered(list, &database)?,
        None => {
            let query = QueryArgs::new(args.filters.clone(), args.file.clone(), args.dialect);
            matching(&query, &args.search, &database)?
        }
    };
    let mut out = io::stdout().lock();
    if args.dry_run {
        writeln!(out, "{} would be removed", count(games.len() as u64, "game"))?;
    } else {
        let removed = database.remove(games.iter().copied())?;
        let left = database.games();
        writeln!(
            out,
            "{} removed, {} left; the others keep their numbers until `cqldex compact`",
            count(removed, "game"),
            grouped(left)
        )?;
    }
    Ok(if games.is_empty() {
        Done::NothingMatched
    } else {
        Done::Success
    })
}

/// The games in the database that a list of numbers and ranges names.
fn numbered(list: &str, database: &Database) -> Result<BTreeSet<u64>, Failure> {
    let last = database.last_number();
    let mut games = BTreeSet::new();
    for part in list.split(',') {
        let bad = || Failure::message(format!("--games: `{part}` is neither a number nor a range such as 3-9"));
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| bad());
        let (first, end) = match part.split_once('-') {
            Some((first, end)) => (number(first)?, number(end)?),
            None => (number(part)?, number(part)?),
        };
        if first > end {
            return Err(bad());
        }
        if first == 0 || end > last {
            let wrong = if first == 0 { 0 } else { end };
            return Err(Failure::message(format!(
                "--games: there is no game {wrong}: the numbers are 1 to {last}"
            )));
        }
        games.extend((first..=end).filter(|&number| database.has_game(number)));
    }
    Ok(games)
}

/// The games that a query matches.
fn matching(query: &QueryArgs, search: &SearchArgs, database: &Database) -> Result<BTreeSet<u64>, Failure> {
    let text = query.read()?;
    let compiled = text.compile()?;
    let options = search.options(Detail::Positions);
    let matches = database.search(&compiled, options);
    let numbers = matches.map(|game| Ok(game.map_err(|error| text.failure(error))?.number));
    numbers.collect()
}
