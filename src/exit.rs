//! How commands end: what they found, what went wrong, and the exit code that says so.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::color;

/// How a command ended that did what it was asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// It matched something, or it is done. Exit code 0.
    Success,
    /// A query matched nothing. Exit code 1.
    NothingMatched,
}

/// Why a command could not do what it was asked to. Exit code 2 (`cqldex cql`: 1), but for a closed pipe.
#[derive(Debug)]
pub(crate) enum Failure {
    /// One line for the user.
    Message(String),
    /// Something stored is damaged.
    Damage(String),
    /// Errors in a query, rendered with the lines they are about.
    Diagnostics(String),
    /// Who read the output has seen enough: nothing is wrong.
    ClosedPipe,
}

impl Failure {
    /// A failure with one line for the user.
    pub(crate) fn message(message: impl Into<String>) -> Failure {
        Failure::Message(message.into())
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Message(text) | Failure::Damage(text) | Failure::Diagnostics(text) => f.write_str(text),
            Failure::ClosedPipe => f.write_str("nobody reads the output"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        cqldex::Error::Output(error).into()
    }
}

impl From<cqldex::Error> for Failure {
    fn from(error: cqldex::Error) -> Failure {
        match error {
            cqldex::Error::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            error if error.is_damage() => Failure::Damage(error.to_string()),
            error => Failure::Message(error.to_string()),
        }
    }
}

/// The exit code of a command that could not do what it was asked to, unless it has one of its own.
pub(crate) const FAILED: u8 = 2;

/// Tells the user what went wrong, if anything did, and gives the exit code; that of a failure is `failed`.
pub(crate) fn report(result: Result<Done, Failure>, failed: u8) -> ExitCode {
    // When standard error is closed too, there is nobody left to tell.
    match result {
        Ok(Done::Success) | Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Ok(Done::NothingMatched) => ExitCode::from(1),
        Err(Failure::Message(message)) => {
            let _ = writeln!(io::stderr(), "{} {message}", color::error());
            ExitCode::from(failed)
        }
        Err(Failure::Damage(damage)) => {
            let _ = writeln!(
                io::stderr(),
                "{} {damage}\nhelp: `cqldex verify DB` lists everything that is damaged, `cqldex rebuild DB` repairs \
                 what can be",
                color::error()
            );
            ExitCode::from(failed)
        }
        Err(Failure::Diagnostics(text)) => {
            let _ = writeln!(io::stderr(), "{text}");
            ExitCode::from(failed)
        }
    }
}
