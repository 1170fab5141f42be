//! `cqldex check`: checks whether a text is a query.

use super::text::QueryArgs;
use crate::exit::{Done, Failure};

/// Arguments of `cqldex check`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    query: QueryArgs,
}

/// Parses, checks and expands a query; prints nothing if there is no error.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    args.query.read()?.compile()?;
    Ok(Done::Success)
}
