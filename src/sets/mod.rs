//! Named sets of positions: kept beside the games, combined, exported, and read by queries.

mod difference;
mod export;
mod expression;
mod listing;
mod live;
mod named_sets;
mod names;
mod positions;
mod save;
mod searching;
mod tally;

pub use export::{ExportFormat, SetExport};
pub use named_sets::{SetInfo, Sets};
pub use positions::PositionSet;
pub use save::SaveAs;
pub(crate) use searching::SetUse;
pub use tally::Turn;
