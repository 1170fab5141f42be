//! `-lex` and `-parse`: a query as the program reads it.

use std::fmt::Write;

use cqldex::tokens;

use super::place::place;
use super::search::query_text;
use super::settings::{Settings, Task};
use crate::exit::Failure;

/// The tokens of a query, each with its place, and for `-parse` its filters with their kinds.
pub(super) fn listing(settings: &Settings) -> Result<String, Failure> {
    let query = query_text(settings)?;
    let text = query.text();
    let mut listing = String::new();
    for token in tokens(&text).0 {
        let (line, column) = place(&text, token.range.start);
        let written = text.get(token.range).unwrap_or_default();
        let place = format!("{line}:{column}");
        // Writing to a string does not fail.
        let _ = writeln!(listing, "{place:<7} {written:<20} {}", token.name);
    }
    if settings.task == Task::Parse {
        listing.push('\n');
        for line in query.compile()?.filters() {
            listing += &line;
            listing.push('\n');
        }
    }
    Ok(listing)
}
