//! What a group of games or positions is called.

use std::sync::Arc;

/// What a group has in common. Groups whose value is not known come last.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Key {
    /// A number, such as a year.
    Number(i64),
    /// A text, such as a name.
    Text(Arc<str>),
    /// It is not known.
    Unknown,
}

impl Key {
    /// A name of the header; a question mark stands for one that is not known.
    pub(super) fn of_name(name: &str) -> Key {
        Some(name).filter(|name| !matches!(*name, "" | "?")).into()
    }
}

impl From<Option<i64>> for Key {
    fn from(number: Option<i64>) -> Key {
        number.map_or(Key::Unknown, Key::Number)
    }
}

impl From<Option<&str>> for Key {
    fn from(text: Option<&str>) -> Key {
        text.map_or(Key::Unknown, |text| Key::Text(text.into()))
    }
}

impl<'k> From<&'k Key> for table::Cell<'k> {
    fn from(key: &'k Key) -> table::Cell<'k> {
        match key {
            Key::Number(number) => table::Cell::Integer(*number),
            Key::Text(text) => table::Cell::Text(text),
            Key::Unknown => table::Cell::Missing,
        }
    }
}
