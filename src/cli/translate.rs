//! `cqldex translate`: a query of an older dialect in CQL 6.2.

use std::io::{self, Write};
use std::path::Path;

use super::text::{Dialect, QueryText};
use crate::exit::{Done, Failure};

/// Arguments of `cqldex translate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex translate '(match (position Rc3 qg3 :shift))'
  cqldex translate old.cql")]
pub(super) struct Args {
    /// A file with the query, or the query itself; `-` reads it from standard input
    #[arg(value_name = "FILE or QUERY")]
    query: String,
    /// The dialect that the query is written in
    #[arg(long, value_enum, default_value = "auto")]
    dialect: Dialect,
}

/// Prints the query in CQL 6.2.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let text = if args.query == "-" {
        QueryText::of_stdin(args.dialect)?
    } else if Path::new(&args.query).is_file() {
        QueryText::of_file(Path::new(&args.query), args.dialect)?
    } else {
        QueryText::of_argument(&args.query, args.dialect)
    };
    writeln!(io::stdout().lock(), "{}", text.translate()?)?;
    Ok(Done::Success)
}
