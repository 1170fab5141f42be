//! From the expression that a query was lowered to, to the one that is swept: equivalent and cheaper, for one segment.

mod factor;
mod fold;
mod order;
mod stages;

pub use order::Estimate;
pub use stages::stages_of;
