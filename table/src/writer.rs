//! What all formats have in common.

use std::io;

use crate::rows::Rows;

/// Writes the rows of a table.
pub trait RowWriter {
    /// Writes some rows. They have the columns that the writer was made for.
    ///
    /// # Errors
    ///
    /// When they can't be written.
    fn write(&mut self, rows: &Rows) -> io::Result<()>;

    /// Writes what comes at the end, and flushes the output. Nothing can be written after that.
    ///
    /// # Errors
    ///
    /// When it can't be written.
    fn finish(&mut self) -> io::Result<()>;
}

impl<W: RowWriter + ?Sized> RowWriter for &mut W {
    fn write(&mut self, rows: &Rows) -> io::Result<()> {
        (**self).write(rows)
    }

    fn finish(&mut self) -> io::Result<()> {
        (**self).finish()
    }
}
