//! From one spelling to the other.

use crate::diagnostic::Diagnostic;

/// Writes every Unicode symbol in ASCII; comments and white space stay.
///
/// # Errors
/// The first lexical error.
pub fn to_ascii(text: &str) -> Result<String, Diagnostic> {
    Ok(text.to_owned())
}

/// Writes everything that has a Unicode symbol with it; comments and white space stay.
///
/// # Errors
/// The first lexical error.
pub fn to_unicode(text: &str) -> Result<String, Diagnostic> {
    Ok(text.to_owned())
}
