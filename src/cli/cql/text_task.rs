//! `-a`, `-u`, `-utf8`, `-html`, `-colorize`, `-echo`: work on the text of a query.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::super::convert::{Spelling, convert};
use super::super::output_file::OutputFile;
use super::html;
use super::place::place;
use super::settings::TextTask;
use crate::exit::Failure;

/// Does it; `operands` is what stands behind the option.
pub(super) fn run(task: TextTask, operands: &[OsString]) -> Result<(), Failure> {
    if task == TextTask::Colorize {
        let [] = operands else {
            return Err(Failure::message(
                "nothing may follow `-colorize`: it reads standard input",
            ));
        };
        let mut text = String::new();
        let read = io::stdin().lock().read_to_string(&mut text);
        read.map_err(|error| Failure::message(format!("standard input cannot be read: {error}")))?;
        let html = html::colored(&text, "<stdin>")?;
        return Ok(io::stdout().lock().write_all(html.as_bytes())?);
    }
    let (file, output) = files(task, operands)?;
    let name = file.display().to_string();
    let text = std::fs::read(&file).map_err(|error| Failure::message(format!("{name}: {error}")))?;
    match task {
        TextTask::Ascii => write(&file, &convert(&text, &name, Spelling::Ascii)?),
        TextTask::Unicode => write(&file, &convert(&text, &name, Spelling::Unicode)?),
        TextTask::Utf8 => {
            let text = convert(&text, &name, Spelling::Unicode)?;
            match output {
                Some(output) => write(&output, &text),
                None => Ok(io::stdout().lock().write_all(text.as_bytes())?),
            }
        }
        TextTask::Html => {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let page = file.with_file_name(format!("{stem}-cql.html"));
            write(&page, &html::page(&String::from_utf8_lossy(&text), &name)?)
        }
        TextTask::Echo => Ok(echo(&String::from_utf8_lossy(&text))?),
        TextTask::Colorize => Ok(()),
    }
}

/// The file with the query, and the one for the result if there is one.
fn files(task: TextTask, operands: &[OsString]) -> Result<(PathBuf, Option<PathBuf>), Failure> {
    let (file, output) = match operands {
        [file] => (file, None),
        [file, option, output] if task == TextTask::Utf8 && is_output(option) => (file, Some(output.into())),
        _ => {
            return Err(Failure::message(
                "exactly one file that ends in .cql has to follow the option",
            ));
        }
    };
    let file = PathBuf::from(file);
    let is_query = file
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("cql"));
    match is_query {
        true => Ok((file, output)),
        false => Err(Failure::message(format!(
            "{}: the name has to end in .cql",
            file.display()
        ))),
    }
}

fn is_output(option: &OsString) -> bool {
    let option = option.to_string_lossy().to_ascii_lowercase();
    matches!(option.trim_start_matches('-'), "o" | "output") && option.starts_with('-')
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let mut file = OutputFile::create(path)?;
    file.write_all(text.as_bytes())?;
    file.commit()
}

/// Every character of a text with its place and its code.
fn echo(text: &str) -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    writeln!(out, "line column offset code    character")?;
    for (offset, character) in text.char_indices() {
        let (line, column) = place(text, offset);
        let code = format!("U+{:04X}", u32::from(character));
        writeln!(out, "{line:>4} {column:>6} {offset:>6} {code:<7} {character:?}")?;
    }
    out.flush()
}
