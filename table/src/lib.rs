//! Tables with typed columns, written in any format: CSV, JSON, Arrow, Parquet, or lines for a terminal.
//!
//! Rows come in batches ([`Rows`]), so that a table of any length takes little memory. What the rows are about is for the
//! caller to know: nothing here knows chess.
//!
//! ```
//! use table::{Cell, Column, Format, Kind, Rows};
//!
//! let columns = [Column::new("game", Kind::Integer), Column::new("white", Kind::Text)];
//! let mut rows = Rows::new(&columns);
//! rows.push(Cell::Integer(7));
//! rows.push(Cell::Text("Tal, Mikhail"));
//! let mut text = Vec::new();
//! let mut writer = Format::Csv.writer(&columns, &mut text)?;
//! writer.write(&rows)?;
//! writer.finish()?;
//! drop(writer);
//! assert_eq!(text, b"game,white\r\n7,\"Tal, Mikhail\"\r\n");
//! # Ok::<(), std::io::Error>(())
//! ```

#[cfg(feature = "arrow")]
mod arrow;
mod column;
mod csv;
mod date;
pub mod format;
mod formats;
mod json;
#[cfg(feature = "arrow")]
mod parquet;
mod rows;
mod text;
mod writer;

#[cfg(feature = "arrow")]
pub use crate::arrow::{record_batch, schema};
pub use crate::{
    column::{Column, Kind},
    date::{days_of, iso_date},
    formats::Format,
    rows::{Cell, Rows},
    text::{Align, aligned_line},
    writer::RowWriter,
};
