//! The dialects of CQL: one entry point for text in any of them, and what tells them apart.
//!
//! Every dialect is a front end to the one typed tree of [`crate::hir`]; transforms, planner and evaluator do not know
//! the dialects.

pub mod cql1;
pub mod cql5;
mod detect;

pub use detect::detect;

use crate::diagnostic::{Code, Diagnostic};
use crate::expand::expand;
use crate::hir::{ParsedQuery, Query};
use crate::parse::{self, MAX_LENGTH, ParseOptions};
use crate::span::Span;

/// In which CQL a query is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The dialect that the text looks like: CQL 6.2 unless it can only be an older one.
    #[default]
    Auto,
    /// CQL 6.2, and what 6.0 and 6.1 share with it.
    Cql6,
    /// CQL 5.0 to 5.2, with `relation`.
    Cql5,
    /// CQL 1 to 3 and CQL-S: `(match (position ...))`.
    Cql1,
    /// What cqldex knows of CQLi beside CQL 6: [`Dialect::Cql6`] reads it, too.
    Cqli,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Dialect; 5] = [
        Dialect::Auto,
        Dialect::Cql6,
        Dialect::Cql5,
        Dialect::Cql1,
        Dialect::Cqli,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Auto => "auto",
            Dialect::Cql6 => "cql6",
            Dialect::Cql5 => "cql5",
            Dialect::Cql1 => "cql1",
            Dialect::Cqli => "cqli",
        }
    }

    /// The dialect whose reader reads a text: that of the text itself for [`Dialect::Auto`], and that of CQL 6 for
    /// [`Dialect::Cqli`].
    #[must_use]
    pub fn resolve(self, text: &str) -> Dialect {
        match self {
            Dialect::Auto => detect(text),
            Dialect::Cqli => Dialect::Cql6,
            named => named,
        }
    }
}

/// Parses a query of any dialect that may be any bytes.
///
/// # Errors
/// See [`parse()`]; bytes that are not UTF-8 are an error of their own.
pub fn parse_bytes(bytes: &[u8], dialect: Dialect, options: &ParseOptions) -> Result<ParsedQuery, Vec<Diagnostic>> {
    parse(parse::utf8(bytes)?, dialect, options)
}

/// Parses a query of any dialect.
///
/// # Errors
/// What is wrong, in the words of the dialect.
pub fn parse(text: &str, dialect: Dialect, options: &ParseOptions) -> Result<ParsedQuery, Vec<Diagnostic>> {
    if text.len() >= MAX_LENGTH {
        let message = format!("the text has {} bytes; the limit is {MAX_LENGTH}", text.len());
        return Err(vec![Diagnostic::new(Code::TooLong, Span::default(), message)]);
    }
    match dialect.resolve(text) {
        Dialect::Cql1 => cql1::parse(text, options),
        Dialect::Cql5 => cql5::parse(text, options),
        Dialect::Cql6 | Dialect::Cqli | Dialect::Auto => parse::parse(text, options),
    }
}

/// Parses a query of any dialect and expands its transforms: what all later stages take.
///
/// # Errors
/// What is wrong, in the words of the dialect.
pub fn compile(text: &str, dialect: Dialect, options: &ParseOptions) -> Result<Query, Vec<Diagnostic>> {
    let parsed = parse(text, dialect, options)?;
    expand(parsed).map_err(|error| vec![error.into()])
}

/// Writes a query of any dialect, which may be any bytes, in CQL 6.2.
///
/// # Errors
/// See [`translate`]; bytes that are not UTF-8 are an error of their own.
pub fn translate_bytes(bytes: &[u8], dialect: Dialect) -> Result<String, Vec<Diagnostic>> {
    translate(parse::utf8(bytes)?, dialect)
}

/// Writes a query of any dialect in CQL 6.2. A text of CQL 6 stays as it is.
///
/// # Errors
/// What is wrong with the text, or the parts of it that CQL 6.2 has no equivalent for.
pub fn translate(text: &str, dialect: Dialect) -> Result<String, Vec<Diagnostic>> {
    // A text that is too long, or no query, gets the same messages as everywhere.
    parse(text, dialect, &ParseOptions::default())?;
    match dialect.resolve(text) {
        Dialect::Cql1 => cql1::translate(text),
        Dialect::Cql5 => cql5::translate(text),
        Dialect::Cql6 | Dialect::Cqli | Dialect::Auto => Ok(text.trim_end().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Found by `scripts/fuzz`.
    #[test]
    fn what_is_translated_is_a_query() {
        for (dialect, text) in [(Dialect::Cql5, "up 1 ."), (Dialect::Cql5, "right 1 2 .")] {
            let translated = translate(text, dialect).unwrap();
            let parsed = parse(&translated, Dialect::Cql6, &ParseOptions::default());
            assert!(parsed.is_ok(), "{text}: {translated}");
        }
    }
}
