//! Aligned lines, for people.

use std::io::{self, Write};

use crate::column::{Column, Kind};
use crate::date::iso_date;
use crate::format::{grouped, printable};
use crate::rows::{Cell, Rows};
use crate::writer::RowWriter;

/// The widths of columns come from this many rows; later values may be wider.
const MEASURED: usize = 1000;

/// On which side of its column a value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// As texts do.
    Left,
    /// As numbers do.
    Right,
}

/// A line of a table, without spaces at its end: values in columns of these widths, with two spaces between.
///
/// ```
/// use table::{Align, aligned_line};
///
/// let columns = [(Align::Right, 5), (Align::Left, 4)];
/// assert_eq!(aligned_line(["12", "e4"], &columns), "   12  e4");
/// ```
pub fn aligned_line<'a>(cells: impl IntoIterator<Item = &'a str>, columns: &[(Align, usize)]) -> String {
    let mut line = String::new();
    for (index, (cell, (align, width))) in cells.into_iter().zip(columns).enumerate() {
        if index > 0 {
            line.push_str("  ");
        }
        let gap = width.saturating_sub(cell.chars().count());
        if *align == Align::Right {
            line.extend(std::iter::repeat_n(' ', gap));
        }
        line.push_str(cell);
        if *align == Align::Left {
            line.extend(std::iter::repeat_n(' ', gap));
        }
    }
    line.truncate(line.trim_end().len());
    line
}

pub(crate) struct TextWriter<W> {
    out: W,
    columns: Vec<(Align, usize)>,
    /// Whether the numbers of a column are amounts.
    amounts: Vec<bool>,
    /// The first rows, until the widths are known; the names of the columns come first.
    first: Vec<Vec<String>>,
    is_measured: bool,
}

impl<W: Write> TextWriter<W> {
    pub(crate) fn new(columns: &[Column], out: W) -> TextWriter<W> {
        let align = |column: &Column| match column.kind {
            Kind::Integer | Kind::Real => (Align::Right, 0),
            Kind::Text | Kind::Date | Kind::Choice(_) => (Align::Left, 0),
        };
        TextWriter {
            out,
            columns: columns.iter().map(align).collect(),
            amounts: columns.iter().map(|column| column.is_amount).collect(),
            first: vec![columns.iter().map(|column| column.name.clone()).collect()],
            is_measured: false,
        }
    }

    /// Writes the first rows with the widths that they need.
    fn measure(&mut self) -> io::Result<()> {
        for row in &self.first {
            for ((_, width), cell) in self.columns.iter_mut().zip(row) {
                *width = cell.chars().count().max(*width);
            }
        }
        for row in std::mem::take(&mut self.first) {
            writeln!(
                self.out,
                "{}",
                aligned_line(row.iter().map(String::as_str), &self.columns)
            )?;
        }
        self.is_measured = true;
        Ok(())
    }
}

impl<W: Write> RowWriter for TextWriter<W> {
    fn write(&mut self, rows: &Rows) -> io::Result<()> {
        for row in 0..rows.len() {
            let cells: Vec<String> = rows.row(row).zip(&self.amounts).map(shown).collect();
            if self.is_measured {
                let line = aligned_line(cells.iter().map(String::as_str), &self.columns);
                writeln!(self.out, "{line}")?;
                continue;
            }
            self.first.push(cells);
            if self.first.len() > MEASURED {
                self.measure()?;
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        if !self.is_measured && self.first.len() > 1 {
            self.measure()?;
        }
        self.out.flush()
    }
}

/// A value as people read it, on one line.
fn shown((cell, &is_amount): (Cell<'_>, &bool)) -> String {
    match cell {
        Cell::Missing => String::new(),
        Cell::Integer(value) if is_amount && value >= 0 => grouped(value.unsigned_abs()),
        Cell::Integer(value) => value.to_string(),
        Cell::Real(value) => format!("{value:.1}"),
        Cell::Text(text) => printable(text).replace(['\n', '\t'], " "),
        Cell::Date(days) => iso_date(days),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_values() {
        let columns = [
            Column::amount("games"),
            Column::new("name", Kind::Text),
            Column::new("score", Kind::Real),
        ];
        let mut rows = Rows::new(&columns);
        for (games, name, score) in [(12_345, "a\tb\x1b[31m", 52.25), (7, "", 0.0)] {
            rows.push(Cell::Integer(games));
            rows.push(name);
            rows.push(Cell::Real(score));
        }
        let mut text = Vec::new();
        let mut writer = TextWriter::new(&columns, &mut text);
        writer.write(&rows).unwrap();
        writer.finish().unwrap();
        assert_eq!(
            String::from_utf8(text).unwrap(),
            [
                " games  name           score",
                "12,345  a b\\u{1b}[31m   52.2",
                "     7                   0.0",
                ""
            ]
            .join("\n")
        );
    }

    #[test]
    fn many_rows_are_written_while_they_come() {
        let columns = [Column::new("n", Kind::Integer)];
        let (mut rows, mut text) = (Rows::new(&columns), Vec::new());
        (0..2 * MEASURED as u64).for_each(|n| rows.push(n));
        let mut writer = TextWriter::new(&columns, &mut text);
        writer.write(&rows).unwrap();
        assert!(writer.first.is_empty());
        writer.finish().unwrap();
        drop(writer);
        assert_eq!(String::from_utf8(text).unwrap().lines().count(), 2 * MEASURED + 1);
    }

    #[test]
    fn no_rows_are_no_lines() {
        let mut text = Vec::new();
        TextWriter::new(&[Column::new("n", Kind::Integer)], &mut text)
            .finish()
            .unwrap();
        assert_eq!(text, b"");
    }
}
