//! Rewrites the expression of a query to an equivalent one that is cheaper in a segment.

mod bound;
mod chains;
mod factor;
mod fold;
mod implied;
mod needs;
mod order;
mod rough;
mod stages;

pub(crate) use bound::{courses, is_cheap};
pub use order::Estimate;
pub use stages::{Left, PlannedStage, plan_stages};
