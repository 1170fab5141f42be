//! `cqldex doctor`: what is missing or odd, of this machine, the configuration and a database.

mod database;
mod machine;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::builder::styling::AnsiColor;
use serde_json::json;

use super::configuration::{self, Configuration};
use crate::color;
use crate::exit::{Done, Failure};

/// Arguments of `cqldex doctor`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex doctor
  cqldex doctor games.db

Of a database, only what is quickly seen is looked at; `cqldex verify` reads all of it. Exit codes: 0 all is well, 1 something \
is odd, 2 something does not work.")]
pub(super) struct Args {
    /// A database to look at
    db: Option<PathBuf>,
    /// Print one JSON object for each line
    #[arg(long)]
    json: bool,
}

/// How much something matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// All is well.
    Ok,
    /// It works, but slower or in another way than it could.
    Odd,
    /// It does not work.
    Bad,
}

impl Level {
    fn word(self) -> &'static str {
        match self {
            Level::Ok => "ok",
            Level::Odd => "odd",
            Level::Bad => "bad",
        }
    }

    fn color(self) -> AnsiColor {
        match self {
            Level::Ok => AnsiColor::Green,
            Level::Odd => AnsiColor::Yellow,
            Level::Bad => AnsiColor::BrightRed,
        }
    }
}

/// What was looked at, and how it is.
#[derive(Clone, Debug)]
struct Finding {
    subject: &'static str,
    level: Level,
    text: String,
}

impl Finding {
    fn ok(subject: &'static str, text: impl Into<String>) -> Finding {
        Finding::new(subject, Level::Ok, text)
    }

    fn odd(subject: &'static str, text: impl Into<String>) -> Finding {
        Finding::new(subject, Level::Odd, text)
    }

    fn bad(subject: &'static str, text: impl Into<String>) -> Finding {
        Finding::new(subject, Level::Bad, text)
    }

    fn new(subject: &'static str, level: Level, text: impl Into<String>) -> Finding {
        Finding {
            subject,
            level,
            text: text.into(),
        }
    }
}

/// Looks at everything and prints a line for each thing.
pub(super) fn run(args: &Args, configuration: Result<&Configuration, Failure>) -> Result<Done, Failure> {
    let mut findings = machine::look();
    findings.push(colors());
    findings.push(configured(configuration));
    if let Some(path) = &args.db {
        findings.extend(database::look(path));
    }
    print(&findings, args.json)?;
    match findings.iter().map(|finding| finding.level).max() {
        Some(Level::Bad) => Err(Failure::message("something does not work; see above")),
        Some(Level::Odd) => Ok(Done::NothingMatched),
        _ => Ok(Done::Success),
    }
}

fn print(findings: &[Finding], as_json: bool) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let is_colored = color::on_stdout();
    let width = findings
        .iter()
        .map(|finding| finding.subject.len())
        .max()
        .unwrap_or_default();
    for Finding { subject, level, text } in findings {
        let word = level.word();
        if as_json {
            writeln!(
                out,
                "{}",
                json!({"type": "finding", "level": word, "subject": subject, "text": text})
            )?;
        } else {
            let word = color::painted(&format!("{word:<4}"), level.color(), is_colored);
            writeln!(out, "{word}  {subject:<width$}  {}", cqldex::format::printable(text))?;
        }
    }
    Ok(())
}

/// Whether colors are written, and why.
fn colors() -> Finding {
    let text = match (color::on_stdout(), color::on_stderr()) {
        (true, true) => "yes",
        (true, false) => "on standard output, not on standard error",
        (false, true) => "on standard error, not on standard output",
        (false, false) => "no",
    };
    let set: Vec<String> = ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TERM"]
        .iter()
        .filter_map(|name| Some(format!("{name}={}", std::env::var(name).ok()?)))
        .collect();
    Finding::ok(
        "colors",
        match set.is_empty() {
            true => text.to_owned(),
            false => format!("{text} ({})", set.join(", ")),
        },
    )
}

/// The configuration file.
fn configured(configuration: Result<&Configuration, Failure>) -> Finding {
    const SUBJECT: &str = "configuration";
    let configuration = match configuration {
        Ok(configuration) => configuration,
        Err(failure) => return Finding::bad(SUBJECT, failure.to_string().replace('\n', " ")),
    };
    let place = configuration::place();
    match place {
        None => Finding::ok(SUBJECT, "none"),
        Some(path) if !path.exists() => Finding::ok(SUBJECT, format!("none at {}", path.display())),
        Some(path) => {
            let databases = cqldex::format::count(configuration.len() as u64, "database");
            let missing = configuration.named().find(|(_, path)| !path.exists());
            match missing {
                Some((name, missing)) => Finding::odd(
                    SUBJECT,
                    format!(
                        "{}: `{name}` is {}, which is not there",
                        path.display(),
                        missing.display()
                    ),
                ),
                None => Finding::ok(SUBJECT, format!("{}, with {databases}", path.display())),
            }
        }
    }
}
