//! `-lex` and `-parse`: a query as the program reads it.

use std::fmt::Write;

use language::syntax::lex;

use super::search::query_text;
use super::settings::{Settings, Task};
use crate::exit::Failure;
use crate::output::tree;

/// The tokens of a query, each with its place, and for `-parse` its filters with their kinds.
pub(super) fn listing(settings: &Settings) -> Result<String, Failure> {
    let query = query_text(settings)?;
    let text = query.text();
    let mut listing = String::new();
    for token in lex(&text).tokens {
        let (line, column) = place(&text, token.span.start as usize);
        let written = text.get(token.span.range()).unwrap_or_default();
        let debug = format!("{:?}", token.kind);
        let kind = debug.split(|letter: char| !letter.is_alphanumeric()).next();
        let kind = kind.unwrap_or_default();
        // Writing to a string does not fail.
        let _ = writeln!(listing, "{:<7} {written:<20} {kind}", format!("{line}:{column}"));
    }
    if settings.task == Task::Parse {
        let compiled = query.compile()?;
        listing.push('\n');
        for line in tree::lines(&compiled.written.body, &text) {
            listing += &line;
            listing.push('\n');
        }
    }
    Ok(listing)
}

/// Line and column of a place in a text, from 1; columns count characters.
pub(super) fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn places_count_lines_and_characters() {
        let text = "cql()\n\u{2654} check\n";
        assert_eq!(place(text, 0), (1, 1));
        assert_eq!(place(text, 6), (2, 1));
        assert_eq!(place(text, 10), (2, 3));
        assert_eq!(place(text, 99), (3, 1));
    }
}
