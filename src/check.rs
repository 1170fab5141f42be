//! All that can be said about a text: for editors, and for people who write queries.

use crate::error::Diagnostic;
use crate::query::{Query, QueryOptions};

#[doc(inline)]
pub use language::{Edit, Fix, Severity};

/// What [`check`] found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// Errors and warnings, in the order of the text. There are no warnings beside errors.
    pub diagnostics: Vec<Diagnostic>,
    /// The query, if there is no error.
    pub query: Option<Query>,
    text: String,
}

impl Checked {
    /// All of it for people, with the lines that it is about; `origin` says where the text comes from. Empty if nothing was
    /// found.
    pub fn render(&self, origin: &str) -> String {
        self.render_with(|diagnostic| diagnostic.render(&self.text, origin))
    }

    /// The same with colours for a terminal.
    pub fn render_styled(&self, origin: &str) -> String {
        self.render_with(|diagnostic| diagnostic.render_styled(&self.text, origin))
    }

    /// The text that was checked; what was not UTF-8 is replaced.
    pub fn text(&self) -> &str {
        &self.text
    }

    fn render_with(&self, render: impl Fn(&Diagnostic) -> String) -> String {
        self.diagnostics.iter().map(render).collect::<Vec<_>>().join("\n\n")
    }
}

/// Checks a text. Other than [`Query::parse_with`] it goes on behind an error and tells all that do not follow from
/// others; the first one is the same. About a query without errors it says what is allowed and probably wrong.
///
/// ```
/// use cqldex::{QueryOptions, check};
///
/// let text = "Kg1 chek\n#R = 2";
/// let checked = check(text, &QueryOptions::default());
/// let codes: Vec<&str> = checked.diagnostics.iter().map(|found| found.code.text()).collect();
/// assert_eq!(codes, ["Q301", "Q205"]);
/// assert_eq!(checked.diagnostics[0].fixes[0].apply(text).as_deref(), Some("Kg1 check\n#R = 2"));
/// ```
pub fn check(text: impl AsRef<[u8]>, options: &QueryOptions) -> Checked {
    let bytes = text.as_ref();
    let found = language::check_bytes(bytes, options.dialect, &options.additions());
    let query = match found.query {
        Some(_) => Query::parse_with(bytes, options).ok(),
        None => None,
    };
    Checked {
        diagnostics: found.diagnostics,
        query,
        text: String::from_utf8_lossy(bytes).into_owned(),
    }
}
