//! `cqldex next`: the moves that were played in the positions that match.

use std::io::Write;
use std::path::PathBuf;

use cqldex::format::grouped;
use cqldex::{CountOptions, Database, Detail, totals};

use super::format::OutputArgs;
use super::groups::{collect, tell_left_out};
use super::query::{SearchArgs, tell_messages};
use super::text::QueryArgs;
use crate::exit::{Done, Failure};

/// How many moves the table lists unless told otherwise, and how many replies to each.
const TABLE_LIMIT: u64 = 12;

/// Arguments of `cqldex next`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex next games.db 'Bc4 Nf3 bc5 nf6 wtm'
  cqldex next games.db 'Pe4 pe5 wtm' --depth 2 --limit 5
  cqldex next games.db 'Pe4 pc5 wtm' -o moves.csv")]
pub(super) struct Args {
    /// The database
    db: PathBuf,
    #[command(flatten)]
    query: QueryArgs,
    /// How many moves deep: 2 also counts the replies to each move
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8))]
    depth: u32,
    /// List at most N moves, and N replies to each. Tables list 12 unless told otherwise
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    search: SearchArgs,
}

/// Counts moves and writes them.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let text = args.query.read()?;
    let query = text.compile()?;
    let format = args.output.table_format()?;
    let database = Database::open(&args.db, args.search.on(super::reading(args.search.threads)))?;
    let options = args.search.options(Detail::Count);
    let count = CountOptions {
        variations: options.variations.unwrap_or(query.header().variations),
        skip_damaged: args.search.skip_damaged,
        cancel: options.cancel.clone(),
        ..CountOptions::default()
    };
    let found = collect(&database, &query, &text, options)?;
    let Some(positions) = &found.positions else {
        return Err(Failure::message("the positions were not collected"));
    };
    let next = database.next_moves(positions, args.depth, &count);
    let next = next.map_err(|error| text.failure(error))?;
    tell_left_out(&next.left_out);
    let is_for_people = format == cqldex::Format::Text;
    let limit = match args.limit {
        None if is_for_people && !args.output.is_file() => Some(TABLE_LIMIT),
        limit => limit,
    };
    let mut out = args.output.open()?;
    next.write(format, &mut out, limit, &positions.reader())?;
    if is_for_people {
        let moves = next.moves.len() as u64;
        if moves > 0 {
            writeln!(out)?;
        }
        if let Some(limit) = limit.filter(|&limit| limit < moves) {
            let (limit, moves) = (grouped(limit), grouped(moves));
            writeln!(out, "the first {limit} of {moves} moves are listed; --limit N lists N")?;
        }
        out.write_all(totals(&found.summary, None).as_bytes())?;
    }
    out.commit()?;
    tell_messages(&found.summary);
    Ok(match found.summary.games {
        0 => Done::NothingMatched,
        _ => Done::Success,
    })
}
