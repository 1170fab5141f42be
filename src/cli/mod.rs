//! The command line: one file for each subcommand.

mod answers;
mod batch;
mod candidates;
mod check;
mod compact;
mod completions;
mod configuration;
mod convert;
mod cql;
mod diff;
mod doctor;
mod explain;
mod explain_error;
mod format;
mod format_query;
mod groups;
mod index;
mod interrupt;
mod lsp;
mod man;
mod next;
mod output_file;
mod pgn_files;
mod query;
mod rebuild;
mod remove;
mod replace;
mod serve;
mod sets;
mod stats;
mod text;
mod themes;
mod translate;
mod verify;
mod watched;

use std::num::NonZeroUsize;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::CompleteEnv;
use cqldex::Options;

use self::configuration::Configuration;
use crate::color::Color;
use crate::exit::{self, Done, FAILED, Failure};

/// Index chess games once, then answer CQL 6.2 queries in milliseconds.
#[derive(Debug, Parser)]
#[command(
    version,
    about,
    max_term_width = 100,
    after_help = "\
Examples:
  cqldex index games.db games.pgn.zst
  cqldex query games.db 'flip { Kg1 Bd3 Bh7 } btm'
  cqldex query games.db 'mate' --by year,result
  cqldex next games.db 'Bc4 Nf3 bc5 nf6 wtm'
  cqldex batch games.db queries/ -o found.csv
  cqldex query games.db --theme smothered-mate
  cqldex serve games.db --open

`cqldex help COMMAND` has examples of each command. Exit codes: 0 matched or done, 1 nothing matched, 2 an error; of \
`cqldex cql`: 0 done, 1 an error. Environment, configuration and colors: docs/command-line.md, or `man cqldex`."
)]
struct Cli {
    /// When to write in colors: auto looks at NO_COLOR and CLICOLOR_FORCE, and whether there is a terminal
    #[arg(long, global = true, value_enum, value_name = "WHEN", hide_possible_values = true)]
    color: Option<Color>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Create a database from PGN files, or add games to it
    Index(index::Args),
    /// Search a database
    Query(query::Args),
    /// Ask many queries at once, of one database or several
    Batch(batch::Args),
    /// List queries that have a name, such as boden-mate; show one, or name those of a game
    Themes(themes::Args),
    /// Find what a query finds in one database or set and not in another
    Diff(diff::Args),
    /// Count which moves were played in the positions that match, with results and ratings
    Next(next::Args),
    /// Show how a query is understood, planned and, with --analyze, run
    Explain(explain::Args),
    /// Tell all errors of a query, or what is probably wrong in it; no database is needed
    Check(check::Args),
    /// Say at length what the code of an error or a warning means
    ExplainError(explain_error::Args),
    /// Write a query of CQL 1 to 5 in CQL 6.2
    Translate(translate::Args),
    /// Lay out queries in one good way; comments and the meaning stay
    Format(format_query::Args),
    /// Write a query in ASCII, or with its Unicode symbols
    Convert(convert::Args),
    /// Answer a query on a PGN file, with the options of the program `cql` 6.2; the index is made along the way
    Cql(cql::Args),
    /// Serve a page where the board is the question, and an HTTP interface
    Serve(serve::Args),
    /// Serve an editor: errors, documentation, completions and counts, in the Language Server Protocol
    Lsp(lsp::Args),
    /// A search of the server in a process of its own
    #[command(hide = true)]
    ServeSearch,
    /// List, combine, export, rename or delete the named sets of a database
    Sets(sets::Args),
    /// Show how many games a database has and what it takes on disk
    Stats(stats::Args),
    /// Show how many answers of earlier searches are kept, or drop them
    Answers(answers::Args),
    /// Remove games, by their numbers or by a query
    Remove(remove::Args),
    /// Put a corrected game in the place of one; it keeps the number
    Replace(replace::Args),
    /// Drop removed games for good and join small segments; games behind a dropped one get other numbers
    Compact(compact::Args),
    /// Make the index of damaged segments, or of a database of an older format, anew from the stored games
    Rebuild(rebuild::Args),
    /// Read a whole database and check every checksum, list and game
    Verify(verify::Args),
    /// Tell what is missing or odd: of this machine, the configuration, a database
    Doctor(doctor::Args),
    /// Print what a shell needs to complete commands, databases and themes
    Completions(completions::Args),
    /// Write the pages of the manual
    Man(man::Args),
}

/// The command line, with the defaults of the configuration.
fn command(configuration: &Configuration) -> clap::Command {
    configuration.apply(Cli::command())
}

/// The program: completes a word if a shell asks for that, or runs a command.
pub(crate) fn main() -> ExitCode {
    let (configuration, wrong) = match Configuration::read() {
        Ok(configuration) => (configuration, None),
        Err(failure) => (Configuration::default(), Some(failure)),
    };
    CompleteEnv::with_factory(|| candidates::apply(command(&configuration), &configuration))
        .var(completions::VARIABLE)
        .complete();
    let color = Color::of_words(std::env::args_os()).or(configuration.color());
    color.unwrap_or(Color::Auto).apply();
    // What clap has to say, it says itself: help and version on standard output, mistakes on standard error with 2.
    let matches = command(&configuration).get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    if let Some(color) = cli.color {
        color.apply();
    }
    let failed = cli.failure_code();
    if cli.is_watched()
        && let Some(limit) = watched::limit()
        && let Some(code) = watched::run(limit, failed)
    {
        return code;
    }
    let configuration = match wrong {
        Some(wrong) => Err(wrong),
        None => Ok(&configuration),
    };
    exit::report(cli.run(configuration), failed)
}

impl Cli {
    /// The exit code when the command fails.
    fn failure_code(&self) -> u8 {
        match self.command {
            Command::Cql(_) => cql::FAILED,
            Command::Lsp(_) => lsp::FAILED,
            _ => FAILED,
        }
    }

    /// Whether the command may need much memory. A search of the server is watched by the server.
    fn is_watched(&self) -> bool {
        !matches!(
            self.command,
            Command::ServeSearch | Command::Doctor(_) | Command::Completions(_) | Command::Man(_)
        )
    }

    /// Runs the command. With a configuration that can't be read, only `doctor` does.
    ///
    /// # Errors
    ///
    /// When the command fails, with what to tell the user.
    fn run(self, configuration: Result<&Configuration, Failure>) -> Result<Done, Failure> {
        let configuration = match &self.command {
            Command::Doctor(_) => configuration,
            _ => Ok(configuration?),
        };
        match self.command {
            Command::Index(args) => index::run(&args),
            Command::Query(args) => query::run(&args),
            Command::Batch(args) => batch::run(&args),
            Command::Themes(args) => themes::run(&args),
            Command::Diff(args) => diff::run(&args),
            Command::Next(args) => next::run(&args),
            Command::Explain(args) => explain::run(&args),
            Command::Check(args) => check::run(&args),
            Command::ExplainError(args) => explain_error::run(&args),
            Command::Translate(args) => translate::run(&args),
            Command::Format(args) => format_query::run(&args),
            Command::Convert(args) => convert::run(&args),
            Command::Cql(args) => cql::run(args),
            Command::Serve(args) => serve::run(args),
            Command::Lsp(args) => lsp::run(args),
            Command::ServeSearch => Ok(crate::serve::run_child().map(|()| Done::Success)?),
            Command::Sets(args) => sets::run(&args),
            Command::Stats(args) => stats::run(&args),
            Command::Answers(args) => answers::run(&args),
            Command::Remove(args) => remove::run(&args),
            Command::Replace(args) => replace::run(&args),
            Command::Compact(args) => compact::run(&args),
            Command::Rebuild(args) => rebuild::run(&args),
            Command::Verify(args) => verify::run(&args),
            Command::Doctor(args) => doctor::run(&args, configuration),
            Command::Completions(args) => completions::run(&args),
            Command::Man(args) => man::run(&args),
        }
    }
}

/// How a command that writes opens its database; `threads` is how many it may use. Lists in memory take a quarter of what the
/// system gives at most.
fn writing(threads: Option<NonZeroUsize>) -> Options {
    let options = Options::default();
    let memory = crate::memory::limit().map_or(u64::MAX, |limit| limit.bytes);
    Options {
        cache: options.cache.min(memory / 4),
        threads: threads.unwrap_or(options.threads),
        ..options
    }
}

/// How a command that only reads opens its database.
fn reading(threads: Option<NonZeroUsize>) -> Options {
    Options {
        read_only: true,
        ..writing(threads)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{Cli, Configuration, command};

    #[test]
    fn the_command_line_is_consistent() {
        command(&Configuration::default()).debug_assert();
    }

    #[test]
    fn every_command_has_examples() {
        for command in Cli::command()
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
        {
            let name = command.get_name();
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains(&format!("cqldex {name}")), "{name} has no example");
        }
    }
}
