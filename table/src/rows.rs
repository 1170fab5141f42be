//! Some rows of a table, held by columns.

use crate::column::{Column, Kind};

/// A batch is full with this many rows.
const FULL: usize = 1 << 13;

/// A batch is full with this many bytes of text.
const FULL_BYTES: usize = 4 << 20;

/// A value in a table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// It is not known, or there is none.
    Missing,
    /// A whole number.
    Integer(i64),
    /// Another number.
    Real(f64),
    /// A text, also of a column of choices.
    Text(&'a str),
    /// Days from 1970-01-01; see [`days_of`](crate::days_of).
    Date(i32),
}

impl From<u64> for Cell<'_> {
    fn from(number: u64) -> Self {
        Cell::Integer(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Cell<'_> {
    fn from(number: u32) -> Self {
        Cell::Integer(number.into())
    }
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Cell<'a> {
        Cell::Text(text)
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Cell<'a> {
        value.map_or(Cell::Missing, T::into)
    }
}

/// Some rows of a table.
#[derive(Clone, Debug)]
pub struct Rows {
    columns: Vec<Column>,
    values: Vec<Values>,
    /// The column that the next value belongs to.
    next: usize,
    rows: usize,
    /// How many bytes the texts have.
    bytes: usize,
}

/// The values of a column, with something in the places of those that are missing.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    pub(crate) list: List,
    /// For each row whether it has a value.
    pub(crate) present: Vec<bool>,
}

#[derive(Clone, Debug)]
pub(crate) enum List {
    Integers(Vec<i64>),
    Reals(Vec<f64>),
    /// All texts together, and where each ends.
    Texts(String, Vec<usize>),
    Dates(Vec<i32>),
    /// Which of the texts.
    Choices(&'static [&'static str], Vec<i8>),
}

impl List {
    fn new(kind: Kind) -> List {
        match kind {
            Kind::Integer => List::Integers(Vec::new()),
            Kind::Real => List::Reals(Vec::new()),
            Kind::Text => List::Texts(String::new(), Vec::new()),
            Kind::Date => List::Dates(Vec::new()),
            Kind::Choice(choices) => List::Choices(choices, Vec::new()),
        }
    }

    /// Adds a value. Returns whether it is one of this kind; if not, something stands in its place.
    fn push(&mut self, cell: Cell<'_>) -> bool {
        match (&mut *self, cell) {
            (List::Integers(list), Cell::Integer(value)) => list.push(value),
            (List::Reals(list), Cell::Real(value)) => list.push(value),
            (List::Texts(texts, ends), Cell::Text(value)) => {
                texts.push_str(value);
                ends.push(texts.len());
            }
            (List::Dates(list), Cell::Date(value)) => list.push(value),
            (List::Choices(choices, list), Cell::Text(value)) => {
                let place = choices.iter().position(|choice| *choice == value);
                let place = place.and_then(|place| i8::try_from(place).ok());
                list.push(place.unwrap_or_default());
                return place.is_some();
            }
            _ => {
                self.push_nothing();
                return false;
            }
        }
        true
    }

    fn push_nothing(&mut self) {
        match self {
            List::Integers(list) => list.push(0),
            List::Reals(list) => list.push(0.0),
            List::Texts(texts, ends) => ends.push(texts.len()),
            List::Dates(list) => list.push(0),
            List::Choices(_, list) => list.push(0),
        }
    }

    fn clear(&mut self) {
        match self {
            List::Integers(list) => list.clear(),
            List::Reals(list) => list.clear(),
            List::Texts(texts, ends) => {
                texts.clear();
                ends.clear();
            }
            List::Dates(list) => list.clear(),
            List::Choices(_, list) => list.clear(),
        }
    }

    fn get(&self, row: usize) -> Cell<'_> {
        match self {
            List::Integers(list) => Cell::Integer(list[row]),
            List::Reals(list) => Cell::Real(list[row]),
            List::Texts(texts, ends) => {
                let start = row.checked_sub(1).map_or(0, |before| ends[before]);
                Cell::Text(&texts[start..ends[row]])
            }
            List::Dates(list) => Cell::Date(list[row]),
            List::Choices(choices, list) => {
                let choice = usize::try_from(list[row]).ok().and_then(|place| choices.get(place));
                choice.map_or(Cell::Missing, |choice| Cell::Text(choice))
            }
        }
    }
}

impl Rows {
    /// No rows yet.
    pub fn new(columns: &[Column]) -> Rows {
        let values = columns.iter().map(|column| Values {
            list: List::new(column.kind),
            present: Vec::new(),
        });
        Rows {
            values: values.collect(),
            columns: columns.to_vec(),
            next: 0,
            rows: 0,
            bytes: 0,
        }
    }

    /// Adds the next value of the current row; the row ends with that of the last column. A value that is of another kind
    /// than its column, or none of its choices, is missing.
    pub fn push<'a>(&mut self, cell: impl Into<Cell<'a>>) {
        let cell = cell.into();
        let Some(column) = self.values.get_mut(self.next) else {
            return;
        };
        let is_present = column.list.push(cell);
        debug_assert!(
            is_present || cell == Cell::Missing,
            "{cell:?} in a column of another kind"
        );
        column.present.push(is_present);
        if let Cell::Text(text) = cell {
            self.bytes += text.len();
        }
        self.next += 1;
        if self.next == self.columns.len() {
            self.next = 0;
            self.rows += 1;
        }
    }

    /// The columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Whether the rows are to be written before there are more.
    pub fn is_full(&self) -> bool {
        self.rows >= FULL || self.bytes >= FULL_BYTES
    }

    /// Forgets all rows, and keeps the memory for others.
    pub fn clear(&mut self) {
        for column in &mut self.values {
            column.list.clear();
            column.present.clear();
        }
        (self.next, self.rows, self.bytes) = (0, 0, 0);
    }

    /// A value.
    ///
    /// # Panics
    ///
    /// When there is no such row or column.
    pub fn cell(&self, row: usize, column: usize) -> Cell<'_> {
        let values = &self.values[column];
        match values.present[row] {
            true => values.list.get(row),
            false => Cell::Missing,
        }
    }

    /// The values of a row.
    ///
    /// # Panics
    ///
    /// When there is no such row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = Cell<'_>> {
        (0..self.columns.len()).map(move |column| self.cell(row, column))
    }

    #[cfg(feature = "arrow")]
    pub(crate) fn values(&self) -> &[Values] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_by_row() {
        let columns = [
            Column::new("a", Kind::Integer),
            Column::new("b", Kind::Real),
            Column::new("c", Kind::Text),
            Column::new("d", Kind::Date),
            Column::new("e", Kind::Choice(&["1-0", "0-1"])),
        ];
        let first = [
            Cell::Integer(-3),
            Cell::Real(0.5),
            Cell::Text("x"),
            Cell::Date(7),
            Cell::Text("0-1"),
        ];
        let second = [Cell::Missing; 5];
        let third = [
            Cell::Integer(4),
            Cell::Missing,
            Cell::Text(""),
            Cell::Date(-7),
            Cell::Text("1-0"),
        ];
        let mut rows = Rows::new(&columns);
        for _ in 0..2 {
            for row in [first, second, third] {
                row.into_iter().for_each(|cell| rows.push(cell));
            }
            assert_eq!(rows.len(), 3);
            for (index, row) in [first, second, third].into_iter().enumerate() {
                assert_eq!(rows.row(index).collect::<Vec<_>>(), row);
            }
            rows.clear();
            assert!(rows.is_empty());
        }
    }

    #[test]
    fn a_batch_is_full_by_rows_or_by_bytes() {
        let mut rows = Rows::new(&[Column::new("a", Kind::Text)]);
        (0..FULL - 1).for_each(|_| rows.push("a"));
        assert!(!rows.is_full());
        rows.push("a");
        assert!(rows.is_full());
        rows.clear();
        assert!(!rows.is_full());
        rows.push(&*"a".repeat(FULL_BYTES));
        assert!(rows.is_full());
    }
}
