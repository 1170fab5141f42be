//! CQL 5.0 to 5.2: filters side by side, `relation` (docs/language/cql5.md).
//!
//! Text to tokens to filters as written ([`ast`]); then kinds are found out and the typed tree is built ([`lower`]), or
//! CQL 6.2 is written ([`mod@print`]).

mod ast;
mod designator;
mod lower;
mod parse;
mod print;
mod token;
mod words;

use crate::diagnostic::{Code, Diagnostic};
use crate::hir::ParsedQuery;
use crate::parse::ParseOptions;
use crate::span::Span;

/// Parses a query of CQL 5.
///
/// # Errors
/// The first thing that is wrong.
pub fn parse(text: &str, options: &ParseOptions) -> Result<ParsedQuery, Vec<Diagnostic>> {
    if !options.before.is_empty() || !options.game_filters.is_empty() {
        let message = "filters and variables of the command line are CQL 6.2, and the query is CQL 5";
        let diagnostic = Diagnostic::new(Code::RefusedCql5, Span::default(), message);
        return Err(vec![
            diagnostic.help("translate the query, or write the filters into it"),
        ]);
    }
    let query = read(text).and_then(|text| lower::lower(&text, options).map_err(|diagnostic| *diagnostic));
    query.map_err(|diagnostic| vec![diagnostic])
}

/// Writes a query of CQL 5 in CQL 6.2.
///
/// # Errors
/// The first thing that is wrong with the query, or that CQL 6.2 has no equivalent for.
pub fn translate(text: &str) -> Result<String, Vec<Diagnostic>> {
    let written = read(text).and_then(|text| {
        lower::lower(&text, &ParseOptions::default())
            .and_then(|_| print::print(&text))
            .map_err(|diagnostic| *diagnostic)
    });
    written.map_err(|diagnostic| vec![diagnostic])
}

fn read(text: &str) -> Result<ast::Text, Diagnostic> {
    let tokens = token::lex(text)?;
    parse::parse(text, &tokens).map_err(|diagnostic| *diagnostic)
}
