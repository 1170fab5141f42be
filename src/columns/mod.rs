//! Matching positions as rows of a table with typed columns.

mod field;
mod list;
mod questions;
mod segment;
mod writer;

pub(crate) use field::{RESULTS, SIDES, side};
pub use list::Columns;
pub use questions::Labels;
pub(crate) use questions::Questions;
pub use writer::RowsWriter;
