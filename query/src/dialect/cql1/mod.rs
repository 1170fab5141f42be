//! CQL 1 to 3 and CQL-S: match lists of position lists (legacy-dialects A).

use crate::diagnostic::{Code, Diagnostic};
use crate::hir::Query;
use crate::parse::ParseOptions;
use crate::span::Span;

/// Parses a match list, or a position list alone.
///
/// # Errors
/// What is wrong.
pub fn parse(text: &str, _options: &ParseOptions) -> Result<Query, Vec<Diagnostic>> {
    let span = Span::new(0, text.len());
    Err(vec![Diagnostic::new(
        Code::OtherDialect,
        span,
        "CQL 1 to 3 is not supported yet",
    )])
}
