//! `cqldex man`: writes the pages of the manual, from the same texts as the help.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use cqldex::format::count;

use crate::exit::{Done, Failure};

/// What a page is called that is about none of the subcommands.
const MANUAL: &str = "cqldex";

/// What the program looks at beside its command line, for the page about all of it: a section, with names and what they do.
const SURROUNDINGS: [(&str, &[(&str, &str)]); 3] = [
    (
        "ENVIRONMENT",
        &[
            (
                "CQLDEX_CONFIG",
                "The configuration file, instead of the usual one; empty for none.",
            ),
            (
                "CQLDEX_TOKEN",
                "What requests to cqldex serve have to show, as with --token.",
            ),
            ("NO_COLOR", "If it is not empty, no colors are written."),
            (
                "CLICOLOR_FORCE",
                "If it is not empty and not 0, colors are written in files and pipes, too.",
            ),
            ("CLICOLOR", "If it is 0, no colors are written."),
        ],
    ),
    (
        "FILES",
        &[
            (
                "$XDG_CONFIG_HOME/cqldex/config.toml",
                "The configuration (~/.config if the variable is not set): database, databases, threads, color.",
            ),
            (
                "$XDG_CACHE_HOME/cqldex",
                "Databases of cqldex cql (~/.cache if the variable is not set), where none can be made beside the games.",
            ),
        ],
    ),
    (
        "EXIT STATUS",
        &[
            ("0", "Something matched, or the command is done."),
            (
                "1",
                "Nothing matched; cqldex doctor: something is odd; cqldex cql and lsp: an error.",
            ),
            ("2", "An error."),
        ],
    ),
];

/// Arguments of `cqldex man`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex man ~/.local/share/man/man1

Then `man cqldex` and `man cqldex-query` show them. The Debian package brings these pages.")]
pub(super) struct Args {
    /// The folder; it is made if there is none
    folder: PathBuf,
}

/// Writes a page for the program, and one for each subcommand.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let folder = &args.folder;
    let failed = |error: io::Error| Failure::message(format!("{}: {error}", folder.display()));
    let mut program = super::Cli::command().disable_help_subcommand(true);
    program.build();
    fs::create_dir_all(folder).map_err(failed)?;
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    let mut pages = 0;
    for command in std::iter::once(&program).chain(commands) {
        let name = command.get_display_name().unwrap_or(MANUAL);
        fs::write(folder.join(format!("{name}.1")), page(command)?).map_err(failed)?;
        pages += 1;
    }
    writeln!(io::stdout(), "{} written to {}", count(pages, "page"), folder.display())?;
    Ok(Done::Success)
}

/// The page about a command.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let is_program = command.has_subcommands();
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").to_owned();
    // Without this the synopsis would list all options.
    let command = command.clone().override_usage(usage);
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    let man = Man::new(command).source(format!("cqldex {version}")).manual("cqldex");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if is_program {
        man.render_subcommands_section(&mut page)?;
    }
    man.render_options_section(&mut page)?;
    let mut rest = Roff::default();
    write_notes(&notes, &mut rest);
    if is_program {
        for (title, entries) in SURROUNDINGS {
            rest.control("SH", [title]);
            for (name, text) in entries {
                rest.control("TP", []);
                rest.text([bold(*name)]);
                rest.text([roman(*text)]);
            }
        }
    } else {
        rest.control("SH", ["SEE ALSO"]);
        rest.text([
            bold("cqldex"),
            roman("(1) has the environment, the configuration file and the exit status."),
        ]);
    }
    rest.to_writer(&mut page)?;
    Ok(page)
}

/// What stands below the help: examples line by line, and paragraphs.
fn write_notes(notes: &str, roff: &mut Roff) {
    let mut title = "NOTES";
    let mut is_open = false;
    for paragraph in notes.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        let (first, rest) = paragraph.split_once('\n').unwrap_or((paragraph, ""));
        let is_list = first.ends_with(':') && rest.starts_with("  ");
        if is_list {
            title = "NOTES";
            is_open = false;
            roff.control("SH", [first.trim_end_matches(':').to_uppercase().as_str()]);
            roff.control("nf", []);
            rest.lines().for_each(|line| {
                roff.text([roman(line)]);
            });
            roff.control("fi", []);
        } else {
            match is_open {
                false => roff.control("SH", [title]),
                true => roff.control("PP", []),
            };
            is_open = true;
            paragraph.lines().for_each(|line| {
                roff.text([roman(line)]);
            });
        }
    }
}
