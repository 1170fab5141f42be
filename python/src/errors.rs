//! Errors of the library as exceptions of Python. Their classes are defined in `cqldex/_errors.py`.

use cqldex::{Error, QueryError};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::diagnostic::Diagnostic;

/// The module with the classes.
const MODULE: &str = "cqldex._errors";

/// The exception for an error.
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    match error {
        Error::Query(error) => about_a_query(py, "QueryError", error),
        Error::Evaluation(error) => about_a_query(py, "EvaluationError", error),
        error => made(py, class(error), &error.to_string(), error.code()),
    }
}

/// The name of the class for an error that is not about the text of a query.
fn class(error: &Error) -> &'static str {
    match error {
        Error::Cancelled => "CancelledError",
        Error::TimedOut(_) => "QueryTimeoutError",
        Error::Locked(_) => "LockedError",
        Error::DamagedValue(_) | Error::DamagedFile(_) | Error::DamagedLog(_) | Error::DamagedSet(_) => "DamageError",
        Error::Pgn(_) => "PgnError",
        Error::NoSuchSet(_)
        | Error::SetExists(_)
        | Error::SetName(_)
        | Error::LiveSet { .. }
        | Error::NotLive(_)
        | Error::SetExpression(_) => "SetError",
        Error::NoSuchColumn(_) | Error::NoSuchGroup(_) | Error::Combination(_) | Error::NoFolder => "ArgumentError",
        _ => "DatabaseError",
    }
}

/// The exception for something that this package itself refuses.
pub(crate) fn refused(py: Python<'_>, class: &str, message: &str, code: &str) -> PyErr {
    made(py, class, message, code)
}

/// A database of another process.
pub(crate) fn forked() -> PyErr {
    let message = "the database was opened before the process was forked; open it again in the new process";
    Python::attach(|py| made(py, "ForkError", message, "forked"))
}

/// A database that is closed.
pub(crate) fn closed(py: Python<'_>) -> PyErr {
    made(py, "DatabaseError", "the database is closed", "closed")
}

fn made(py: Python<'_>, class: &str, message: &str, code: &str) -> PyErr {
    let exception = py
        .import(MODULE)
        .and_then(|module| module.call_method1(class, (message, code)));
    exception.map_or_else(|error| error, PyErr::from_value)
}

fn about_a_query(py: Python<'_>, class: &str, error: &QueryError) -> PyErr {
    let diagnostics = Diagnostic::all(error);
    let rendered = PyString::new(py, &error.render("query"));
    let exception = py
        .import(MODULE)
        .and_then(|module| module.call_method1(class, (rendered, error.code(), error.text(), diagnostics)));
    exception.map_or_else(|error| error, PyErr::from_value)
}

/// Makes exceptions of the errors in results.
pub(crate) trait OrRaise<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T, E: Into<Error>> OrRaise<T> for Result<T, E> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| raised(py, &error.into()))
    }
}
