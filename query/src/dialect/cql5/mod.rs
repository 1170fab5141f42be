//! CQL 5 (legacy-dialects B).

use crate::diagnostic::{Code, Diagnostic};
use crate::hir::Query;
use crate::parse::ParseOptions;
use crate::span::Span;

/// Parses a query of CQL 5.
///
/// # Errors
/// What is wrong.
pub fn parse(text: &str, _options: &ParseOptions) -> Result<Query, Vec<Diagnostic>> {
    let span = Span::new(0, text.len());
    Err(vec![Diagnostic::new(
        Code::OtherDialect,
        span,
        "CQL 5 is not supported yet",
    )])
}
