//! `cqldex lsp`: serves an editor.

use std::path::PathBuf;

use crate::exit::{Done, Failure};
use crate::lsp::{End, Settings, serve_stdio};

/// The exit code that the protocol wants when an editor ends without saying so.
pub(super) const FAILED: u8 = 1;

/// Arguments of `cqldex lsp`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex lsp
  cqldex lsp --database games.db

The editor starts this program and talks to it on standard input and standard output, in the Language Server Protocol. \
docs/editors.md says how VS Code, Neovim, Vim and Helix are set up; editors/ has what they need.")]
pub(super) struct Args {
    /// The database that queries are asked of: the editor shows how many games and positions match
    #[arg(long, value_name = "DB")]
    database: Option<PathBuf>,
    /// Accept CQL 6.2 only: extensions such as positionset are an error
    #[arg(long)]
    strict: bool,
    /// Talk on standard input and standard output, as always; some editors say so
    #[arg(long)]
    stdio: bool,
}

/// Serves until the editor ends it.
pub(super) fn run(args: Args) -> Result<Done, Failure> {
    let settings = Settings {
        database: args.database,
        strict: args.strict,
    };
    match serve_stdio(settings) {
        Ok(End::InOrder) => Ok(Done::Success),
        Ok(End::Abrupt) => Err(Failure::message("the editor has ended without `shutdown`")),
        Err(failure) => Err(Failure::message(failure.0)),
    }
}
