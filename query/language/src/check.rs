//! All that can be said about the text of a query: every error that is real, or the warnings.

use crate::diagnostic::Diagnostic;
use crate::dialect::{self, Dialect};
use crate::expand::expand;
use crate::hir::Query;
use crate::parse::{self, ParseOptions};
use crate::warn;

/// What [`check`] found.
#[derive(Clone, Debug)]
pub struct Checked {
    /// Errors and warnings in the order of the text. There are no warnings beside errors.
    pub diagnostics: Vec<Diagnostic>,
    /// The query, if there is no error.
    pub query: Option<Query>,
}

/// Checks a text of any dialect that may be any bytes: see [`check`].
pub fn check_bytes(bytes: &[u8], dialect: Dialect, options: &ParseOptions) -> Checked {
    match parse::utf8(bytes) {
        Ok(text) => check(text, dialect, options),
        Err(diagnostics) => Checked {
            diagnostics,
            query: None,
        },
    }
}

/// Checks a text of any dialect. Other than [`crate::dialect::parse()`] it goes on behind an error and tells all that do
/// not follow from others; the first one is the same.
pub fn check(text: &str, dialect: Dialect, options: &ParseOptions) -> Checked {
    let parsed = match dialect::parse(text, dialect, options) {
        Ok(parsed) => parsed,
        Err(first) => {
            let all = match dialect.resolve(text) {
                Dialect::Cql6 | Dialect::Cqli | Dialect::Auto => parse::all_errors(text, options),
                Dialect::Cql5 | Dialect::Cql1 => Vec::new(),
            };
            return Checked {
                diagnostics: if all.is_empty() { first } else { all },
                query: None,
            };
        }
    };
    let warnings = match dialect.resolve(text) {
        Dialect::Cql6 | Dialect::Cqli | Dialect::Auto => {
            warn::warnings(&parsed, text, &parse::names_of_idle_functions(text, options))
        }
        // They are read by rules of their own.
        Dialect::Cql5 | Dialect::Cql1 => Vec::new(),
    };
    match expand(parsed) {
        Ok(query) => Checked {
            diagnostics: warnings,
            query: Some(query),
        },
        Err(error) => Checked {
            diagnostics: vec![error.into()],
            query: None,
        },
    }
}
