//! CSV (RFC 4180), with the crate `csv`.

use std::io::{self, Write};

use ::csv::{ErrorKind, Terminator, Writer, WriterBuilder};

use crate::column::Column;
use crate::date::iso_date;
use crate::rows::{Cell, Rows};
use crate::writer::RowWriter;

pub(crate) struct CsvWriter<W: Write> {
    out: Writer<W>,
}

impl<W: Write> CsvWriter<W> {
    pub(crate) fn new(columns: &[Column], out: W) -> io::Result<CsvWriter<W>> {
        let mut out = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(out);
        out.write_record(columns.iter().map(|column| &column.name))
            .map_err(io_error)?;
        Ok(CsvWriter { out })
    }
}

impl<W: Write> RowWriter for CsvWriter<W> {
    fn write(&mut self, rows: &Rows) -> io::Result<()> {
        let mut number = String::new();
        for row in 0..rows.len() {
            for cell in rows.row(row) {
                number.clear();
                let text = match cell {
                    Cell::Missing => "",
                    Cell::Text(text) => text,
                    Cell::Date(days) => {
                        number = iso_date(days);
                        &number
                    }
                    Cell::Integer(value) => shown(&mut number, format_args!("{value}")),
                    // With a point, so that nobody takes the column for one of whole numbers.
                    Cell::Real(value) => shown(&mut number, format_args!("{value:?}")),
                };
                self.out.write_field(text).map_err(io_error)?;
            }
            self.out.write_record(None::<&[u8]>).map_err(io_error)?;
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A number in digits.
fn shown<'t>(text: &'t mut String, number: std::fmt::Arguments<'_>) -> &'t str {
    use std::fmt::Write;
    // A text takes everything.
    let _ = text.write_fmt(number);
    text
}

/// The error of the output, if that is what went wrong.
fn io_error(error: ::csv::Error) -> io::Error {
    match error.into_kind() {
        ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}
