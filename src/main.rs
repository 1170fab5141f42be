//! The program `cqldex`: indexes chess games once and answers CQL queries from the index.

mod cli;
mod color;
mod exit;
mod explained;
mod lsp;
mod memory;
mod name_list;
mod serve;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
