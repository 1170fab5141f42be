//! `cqldex convert`: the other spelling of a query.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use cqldex::{to_ascii, to_unicode};

use super::output_file::OutputFile;
use super::text::rendered;
use crate::exit::{Done, Failure};

/// Arguments of `cqldex convert`.
#[derive(Debug, clap::Args)]
#[command(group(clap::ArgGroup::new("spelling").required(true)))]
#[command(after_help = "\
Examples:
  cqldex convert --unicode query.cql
  cqldex convert --ascii --in-place query.cql")]
pub(super) struct Args {
    /// Write everything in ASCII
    #[arg(long, group = "spelling")]
    ascii: bool,
    /// Write everything that has a Unicode symbol with it
    #[arg(long, group = "spelling")]
    unicode: bool,
    /// Rewrite the file; without this the result goes to standard output
    #[arg(long)]
    in_place: bool,
    /// The file with the query; `-` for standard input
    #[arg(value_name = "FILE.cql")]
    file: PathBuf,
}

/// Which spelling is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelling {
    Ascii,
    Unicode,
}

/// Converts a file.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let spelling = if args.ascii { Spelling::Ascii } else { Spelling::Unicode };
    let is_stdin = args.file.as_os_str() == "-";
    if is_stdin && args.in_place {
        return Err(Failure::message("standard input cannot be rewritten in place"));
    }
    let mut text = Vec::new();
    let read = match is_stdin {
        true => io::stdin().lock().read_to_end(&mut text).map(|_| ()),
        false => std::fs::read(&args.file).map(|bytes| text = bytes),
    };
    let name = if is_stdin {
        "<stdin>".to_owned()
    } else {
        args.file.display().to_string()
    };
    read.map_err(|error| Failure::message(format!("{name}: {error}")))?;
    let converted = convert(&text, &name, spelling)?;
    if args.in_place {
        // The file is the old one or the new one, whatever happens.
        let mut file = OutputFile::create(&args.file)?;
        file.write_all(converted.as_bytes())?;
        file.commit()?;
    } else {
        io::stdout().lock().write_all(converted.as_bytes())?;
    }
    Ok(Done::Success)
}

/// The text of a query in the spelling that is wanted; `name` is what messages call it.
pub(super) fn convert(text: &[u8], name: &str, spelling: Spelling) -> Result<String, Failure> {
    let text = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => {
            let message = format!("{name}: byte {} is no UTF-8", error.valid_up_to() + 1);
            return Err(Failure::message(message));
        }
    };
    let converted = match spelling {
        Spelling::Ascii => to_ascii(text),
        Spelling::Unicode => to_unicode(text),
    };
    converted.map_err(|error| rendered(&error, name))
}
