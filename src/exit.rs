//! How commands end: what they found, what went wrong, and the exit code that says so.

use std::io::{self, Write};
use std::process::ExitCode;

/// How a command ended that did what it was asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    /// It matched something, or it is done. Exit code 0.
    Success,
    /// A query matched nothing. Exit code 1.
    NothingMatched,
}

/// Why a command could not do what it was asked to. Exit code 2, but for a closed pipe.
#[derive(Debug)]
pub(crate) enum Failure {
    /// One line for the user.
    Message(String),
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

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Message(format!("the output cannot be written: {error}")),
        }
    }
}

impl From<storage::Error> for Failure {
    fn from(error: storage::Error) -> Failure {
        let hint = match error {
            storage::Error::Corrupt { .. } => {
                "\nhelp: `cqldex verify DB` lists everything that is damaged; index the games again to repair it"
            }
            _ => "",
        };
        Failure::Message(format!("{error}{hint}"))
    }
}

impl From<indexer::Error> for Failure {
    fn from(error: indexer::Error) -> Failure {
        match error {
            indexer::Error::Storage(error) => error.into(),
            error => Failure::Message(error.to_string()),
        }
    }
}

/// Tells the user what went wrong, if anything did, and gives the exit code.
pub(crate) fn report(result: Result<Done, Failure>) -> ExitCode {
    // When standard error is closed too, there is nobody left to tell.
    match result {
        Ok(Done::Success) | Err(Failure::ClosedPipe) => ExitCode::SUCCESS,
        Ok(Done::NothingMatched) => ExitCode::from(1),
        Err(Failure::Message(message)) => {
            let _ = writeln!(io::stderr(), "error: {message}");
            ExitCode::from(2)
        }
        Err(Failure::Diagnostics(text)) => {
            let _ = writeln!(io::stderr(), "{text}");
            ExitCode::from(2)
        }
    }
}
