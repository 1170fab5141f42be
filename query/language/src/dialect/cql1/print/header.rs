//! The header `cql( )`.

use chess::Outcome;

use crate::hir::Header;

/// The header of a query.
pub(super) fn header(header: &Header) -> String {
    let mut parts = Vec::new();
    parts.extend(header.input.as_ref().map(|file| format!("input {file}")));
    parts.extend(header.output.as_ref().map(|file| format!("output {file}")));
    parts.extend(header.variations.then(|| "variations".to_owned()));
    format!("cql({})", parts.join(" "))
}

/// A result; empty for a game that has none.
pub(super) fn outcome(outcome: Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::White => Some("1-0"),
        Outcome::Black => Some("0-1"),
        Outcome::Draw => Some("1/2-1/2"),
        Outcome::Unknown => None,
    }
}
