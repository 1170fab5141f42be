//! How a search is saved as a set.

/// How a search keeps its matching positions as a named set.
///
/// ```
/// use cqldex::SaveAs;
///
/// let save = SaveAs { replace: true, ..SaveAs::new("forks") };
/// assert_eq!(save, SaveAs { name: "forks".to_owned(), live: false, replace: true });
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SaveAs {
    /// The name: a letter, then letters, digits, `_` and `-`.
    pub name: String,
    /// Whether the query is kept with the set, which then grows with the database.
    pub live: bool,
    /// Whether a set of this name may be replaced; otherwise it is an error.
    pub replace: bool,
}

impl SaveAs {
    /// A set with this name, which is new and does not grow.
    pub fn new(name: impl Into<String>) -> SaveAs {
        SaveAs {
            name: name.into(),
            ..SaveAs::default()
        }
    }
}
