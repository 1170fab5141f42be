//! `cqldex diff`: what a query finds in one database or set and not in another.

use std::io::{self, Write};
use std::path::PathBuf;

use cqldex::format::count;
use cqldex::{Cancel, Database, Detail, PositionSet, Query, SearchOptions};

use super::groups::collect;
use super::query::{self, tell_warnings};
use super::text::QueryText;
use crate::exit::{Done, Failure};

/// Arguments of `cqldex diff`.
#[derive(Debug, clap::Args)]
#[group(id = "Difference")]
#[command(after_help = "\
Examples:
  cqldex diff games.db 'mate' --other old.db           in games.db, and not in old.db
  cqldex diff games.db 'mate' --other-within seen      not in the set `seen` of the same database
  cqldex diff games.db 'mate' --other old.db --by year

Games of two databases are the same if they have the same players, date, result, start and main line.")]
pub(super) struct Args {
    #[command(flatten)]
    query: query::Args,
    /// Leave out what the query finds in this database
    #[arg(long, value_name = "DB", required_unless_present_any = ["other_within", "other_not_within"])]
    other: Option<PathBuf>,
    /// Leave out only what it finds in this named set of the other database, or of the same one if no other is named; of
    /// several sets, in all of them
    #[arg(long, value_name = "SET")]
    other_within: Vec<String>,
    /// Leave out only what it finds outside of this named set
    #[arg(long, value_name = "SET")]
    other_not_within: Vec<String>,
}

/// Searches both and prints what only the first has.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    query::run_on(&args.query, &|database, query, text, cancel| {
        let found = args.found(database, (query, text), cancel)?;
        Ok(Some(found))
    })
}

impl Args {
    /// The positions that only the first has.
    fn found(
        &self,
        database: &Database,
        (query, text): (&Query, &QueryText),
        cancel: &Cancel,
    ) -> Result<PositionSet, Failure> {
        let search = self.query.search();
        let options = search.options_until(cancel.clone(), Detail::Count);
        let ours = positions(database, query, text, options.clone())?;
        let opened = match &self.other {
            Some(path) => Some(Database::open(path, search.on(super::reading(search.threads)))?),
            None => None,
        };
        let other = opened.as_ref().unwrap_or(database);
        let options = SearchOptions {
            within: self.other_within.clone(),
            not_within: self.other_not_within.clone(),
            ..options
        };
        let theirs = positions(other, query, text, options)?;
        let only = ours.without(&theirs)?;
        let both = count(ours.len() - only.len(), "position");
        let _ = writeln!(io::stderr(), "note: {both} left out that the other has, too");
        Ok(only)
    }
}

/// Where a query matches.
fn positions(
    database: &Database,
    query: &Query,
    text: &QueryText,
    options: SearchOptions,
) -> Result<PositionSet, Failure> {
    let found = collect(database, query, text, options)?;
    tell_warnings(&found.summary);
    found
        .positions
        .ok_or_else(|| Failure::message("the positions were not collected"))
}
