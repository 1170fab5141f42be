//! Matching positions as rows of a table with typed columns.

mod field;
mod list;
mod segment;
mod writer;

pub(crate) use field::{RESULTS, SIDES, side};
pub use list::Columns;
pub use writer::RowsWriter;
