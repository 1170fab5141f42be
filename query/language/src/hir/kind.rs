//! The kinds of filters.

/// What a filter gives in a position (docs/language/kinds.md#kinds).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Matches or not.
    Logical,
    /// A set of squares; it always has a value, and matches when it is not empty.
    Set,
    /// A 32-bit integer, or no value.
    Numeric,
    /// A byte string, or no value.
    String,
    /// A node of the game's tree, or no value.
    Position,
}

impl Kind {
    /// What it is called: `logical`, `set`, `number`, `string`, `position`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Logical => "logical",
            Kind::Set => "set",
            Kind::Numeric => "number",
            Kind::String => "string",
            Kind::Position => "position",
        }
    }
}
