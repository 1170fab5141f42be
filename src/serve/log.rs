//! What the server says on standard error.

use std::io::Write;

/// Writes a line.
pub(crate) fn line(text: &str) {
    // A closed standard error does not end the server.
    let _ = writeln!(std::io::stderr(), "{text}");
}
