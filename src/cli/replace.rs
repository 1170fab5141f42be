//! `cqldex replace`: puts a corrected game in the place of one.

use std::io::{self, Write};
use std::path::PathBuf;

use cqldex::Database;

use crate::exit::{Done, Failure};

/// Arguments of `cqldex replace`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex replace games.db 12 corrected.pgn")]
pub(super) struct Args {
    /// The database
    db: PathBuf,
    /// The number of the game
    number: u64,
    /// A PGN file with one game, or `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// How many threads work; one for each core unless told otherwise
    #[arg(long, value_name = "N")]
    threads: Option<std::num::NonZeroUsize>,
}

/// Replaces a game.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let mut database = Database::open(&args.db, super::writing(args.threads))?;
    let number = args.number;
    if !database.replace(number, &args.file)? {
        let last = database.last_number();
        return Err(Failure::message(format!(
            "there is no game {number}: the numbers are 1 to {last}, without those of removed games"
        )));
    }
    writeln!(io::stdout(), "game {number} replaced; all games keep their numbers")?;
    Ok(Done::Success)
}
