//! A JSON object a line.

use std::io::{self, Write};

use crate::column::Column;
use crate::date::iso_date;
use crate::rows::{Cell, Rows};
use crate::writer::RowWriter;

pub(crate) struct JsonWriter<W> {
    out: W,
    /// What stands before the values: `{"game":`, `,"white":`.
    names: Vec<String>,
}

impl<W: Write> JsonWriter<W> {
    pub(crate) fn new(columns: &[Column], out: W) -> JsonWriter<W> {
        let names = columns.iter().enumerate().map(|(index, column)| {
            let before = if index == 0 { '{' } else { ',' };
            format!("{before}{}:", serde_json::Value::from(column.name.as_str()))
        });
        JsonWriter {
            out,
            names: names.collect(),
        }
    }
}

impl<W: Write> RowWriter for JsonWriter<W> {
    fn write(&mut self, rows: &Rows) -> io::Result<()> {
        for row in 0..rows.len() {
            for (name, cell) in self.names.iter().zip(rows.row(row)) {
                self.out.write_all(name.as_bytes())?;
                match cell {
                    Cell::Integer(value) => write!(self.out, "{value}")?,
                    // JSON has no infinity; `null` stands for it.
                    Cell::Real(value) => serde_json::to_writer(&mut self.out, &value)?,
                    Cell::Text(text) => serde_json::to_writer(&mut self.out, text)?,
                    Cell::Date(days) => write!(self.out, "\"{}\"", iso_date(days))?,
                    Cell::Missing => self.out.write_all(b"null")?,
                }
            }
            self.out.write_all(b"}\n")?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
