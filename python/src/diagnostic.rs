//! What is wrong with the text of a query, and where.

use cqldex::QueryError;
use pyo3::prelude::*;

/// One thing that is wrong with a query. `str()` shows the line with a caret.
///
/// `code` is stable, such as `Q301`; `span` has the first character and the one behind the last; `label` is what
/// stands beside the caret, and `help` says what to write instead; they may be empty and `None`.
#[pyclass(frozen, eq, module = "cqldex")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    /// The stable code, such as `Q301`.
    #[pyo3(get)]
    code: String,
    /// What is wrong, in one line.
    #[pyo3(get)]
    message: String,
    /// What to say at the place; may be empty.
    #[pyo3(get)]
    label: String,
    /// Where it is: characters of the text, the end exclusive.
    #[pyo3(get)]
    span: (usize, usize),
    /// What to write instead.
    #[pyo3(get)]
    help: Option<String>,
    /// With the line of the query and a caret.
    rendered: String,
}

impl Diagnostic {
    /// Those of an error.
    pub(crate) fn all(error: &QueryError) -> Vec<Diagnostic> {
        let text = error.text();
        // Python counts characters, not bytes.
        let characters = |byte: usize| text.get(..byte).unwrap_or(text).chars().count();
        let of = |diagnostic: &cqldex::Diagnostic| {
            let range = diagnostic.span.range();
            Diagnostic {
                code: diagnostic.code.text().to_owned(),
                message: diagnostic.message.clone(),
                span: (characters(range.start), characters(range.end)),
                label: diagnostic.label.clone(),
                help: diagnostic.help.clone(),
                rendered: diagnostic.render(text, "query"),
            }
        };
        error.diagnostics().iter().map(of).collect()
    }
}

#[pymethods]
impl Diagnostic {
    fn __str__(&self) -> &str {
        &self.rendered
    }

    fn __repr__(&self) -> String {
        let Diagnostic {
            code, message, span, ..
        } = self;
        format!(
            "Diagnostic(code='{code}', message={message:?}, span=({}, {}))",
            span.0, span.1
        )
    }
}
