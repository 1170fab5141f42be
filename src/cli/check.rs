//! `cqldex check`: all that is wrong in the text of a query, and what is probably wrong.

use std::io::{self, Write};

use super::text::QueryArgs;
use crate::exit::{Done, Failure};

/// Arguments of `cqldex check`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex check 'flip { Kg1 Bd3 }'
  cqldex check -f query.cql
  cqldex check --theme boden-mate")]
pub(super) struct Args {
    #[command(flatten)]
    query: QueryArgs,
}

/// Parses, checks and expands a query; prints its errors, or warnings if there is no error. Warnings are no failure.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let text = args.query.read()?;
    let checked = text.check();
    let Some(first) = checked.diagnostics.first() else {
        return Ok(Done::Success);
    };
    let more = format!("`cqldex explain-error {}` says more", first.code.text());
    let found = format!("{}\n\n{more}", text.rendered(&checked));
    match checked.query {
        None => Err(Failure::Diagnostics(found)),
        Some(_) => {
            let _ = writeln!(io::stderr(), "{found}");
            Ok(Done::Success)
        }
    }
}
