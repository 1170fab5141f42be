//! The program `cqldex`: indexes chess games once and answers CQL queries from the index.

mod cli;
mod exit;
mod explained;
mod lsp;
mod name_list;
mod serve;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    // What clap has to say, it says itself: help and version on standard output, mistakes on standard error with 2.
    let cli = cli::Cli::parse();
    let failed = cli.failure_code();
    exit::report(cli.run(), failed)
}
