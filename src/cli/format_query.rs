//! `cqldex format`: lays out queries.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use cqldex::{Layout, format_query};

use super::output_file::OutputFile;
use super::text::rendered;
use crate::exit::{Done, Failure};

/// What standard input is called.
const STDIN: &str = "-";

/// Arguments of `cqldex format`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Only white space changes, so the meaning of a query can't. With --check, exit code 1 says that a file would change.

Examples:
  cqldex format query.cql
  cqldex format --write themes/*/*.cql
  cqldex format --check queries/*.cql
  echo 'flip{Kg1 Bd3}' | cqldex format")]
pub(super) struct Args {
    /// The files with the queries; standard input (-) if there are none
    #[arg(value_name = "FILE.cql")]
    files: Vec<PathBuf>,
    /// Write nothing, and name the files that would change
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Rewrite the files, and name those that change; without this all goes to standard output
    #[arg(long)]
    write: bool,
    /// Write everything in ASCII
    #[arg(long, conflicts_with = "unicode")]
    ascii: bool,
    /// Write everything that has a Unicode symbol with it
    #[arg(long)]
    unicode: bool,
    /// How many characters a line may have, if it can be broken
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u16).range(20..))]
    width: u16,
}

/// Lays out all files. An error in one leaves the others as they are meant to be.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let stdin = [PathBuf::from(STDIN)];
    let files = if args.files.is_empty() {
        &stdin
    } else {
        args.files.as_slice()
    };
    if args.write && files.iter().any(|file| file.as_os_str() == STDIN) {
        return Err(Failure::message("standard input cannot be rewritten: name a file"));
    }
    let layout = Layout {
        width: usize::from(args.width),
        unicode: (args.ascii || args.unicode).then_some(args.unicode),
    };
    let mut changed = false;
    for file in files {
        changed |= one(args, file, layout)?;
    }
    Ok(match args.check && changed {
        true => Done::NothingMatched,
        false => Done::Success,
    })
}

/// Lays out a file; returns whether it changes.
fn one(args: &Args, file: &Path, layout: Layout) -> Result<bool, Failure> {
    let is_stdin = file.as_os_str() == STDIN;
    let name = if is_stdin {
        "<stdin>".to_owned()
    } else {
        file.display().to_string()
    };
    let mut bytes = Vec::new();
    let read = match is_stdin {
        true => io::stdin().lock().read_to_end(&mut bytes).map(|_| ()),
        false => std::fs::read(file).map(|read| bytes = read),
    };
    read.map_err(|error| Failure::message(format!("{name}: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to() + 1;
        Failure::message(format!("{name}: byte {place} is no UTF-8"))
    })?;
    let new = format_query(&text, layout).map_err(|error| rendered(&error, &name))?;
    let changes = new != text;
    let mut out = io::stdout().lock();
    if !args.check && !args.write {
        out.write_all(new.as_bytes())?;
    } else if changes {
        writeln!(out, "{name}")?;
    }
    if args.write && changes {
        // The file is the old one or the new one, whatever happens.
        let mut target = OutputFile::create(file)?;
        target.write_all(new.as_bytes())?;
        target.commit()?;
    }
    Ok(changes)
}
