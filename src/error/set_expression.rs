//! What is wrong with an expression over named sets.

use std::fmt;
use std::ops::Range;

/// What is wrong with an expression over sets, and where.
///
/// ```
/// use cqldex::{Database, Error, Options};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("games.db");
/// # let database = Database::create(&path, Options::default())?;
/// let Err(Error::SetExpression(error)) = database.sets().combine("forks & ") else { panic!() };
/// assert_eq!(error.range(), 8..8);
/// assert_eq!(error.message(), "expected the name of a set behind `&`");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetExpressionError {
    text: String,
    range: Range<usize>,
    message: String,
}

impl SetExpressionError {
    pub(crate) fn new(text: &str, range: Range<usize>, message: impl Into<String>) -> SetExpressionError {
        SetExpressionError {
            text: text.to_owned(),
            range,
            message: message.into(),
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of the text that are wrong.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// What is wrong with them.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// The message, the text, and a line that marks the place.
impl fmt::Display for SetExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |text: &str| -> String {
            let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
            text.chars().map(plain).collect()
        };
        let (before, marked) = (&self.text[..self.range.start], &self.text[self.range.clone()]);
        let (indent, width) = (before.chars().count(), marked.chars().count().max(1));
        writeln!(f, "{}", self.message)?;
        writeln!(f, "  | {}", shown(&self.text))?;
        write!(f, "  | {:indent$}{}", "", "^".repeat(width))
    }
}

impl std::error::Error for SetExpressionError {}
