//! What a column of a table is called, and what it holds.

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What its values are.
    pub kind: Kind,
    /// Whether nearly every row has a value of its own: then a dictionary of the values is no use.
    pub is_distinct: bool,
    /// Whether its numbers are amounts: then people see their thousands apart.
    pub is_amount: bool,
}

/// What the values of a column are. A value of any kind can be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers.
    Integer,
    /// Other numbers.
    Real,
    /// Texts.
    Text,
    /// Whole dates; see [`days_of`](crate::days_of).
    Date,
    /// One of these texts: Arrow and Parquet have them as a dictionary. There are at most 127.
    Choice(&'static [&'static str]),
}

impl Column {
    /// A column whose values may repeat.
    pub fn new(name: impl Into<String>, kind: Kind) -> Column {
        Column {
            name: name.into(),
            kind,
            is_distinct: false,
            is_amount: false,
        }
    }

    /// A column of amounts: whole numbers such as `12,345`, where a year is `1999`.
    pub fn amount(name: impl Into<String>) -> Column {
        Column {
            is_amount: true,
            ..Column::new(name, Kind::Integer)
        }
    }

    /// The same for values that seldom repeat.
    #[must_use]
    pub fn distinct(self) -> Column {
        Column {
            is_distinct: true,
            ..self
        }
    }
}
