//! Rewrites the expression of a query to an equivalent one that is cheaper in a segment.

mod bound;
mod chains;
mod factor;
mod fold;
mod implied;
mod known;
mod listed_pins;
mod made_moves;
mod moved;
mod needs;
mod order;
mod rough;
mod stages;

use crate::expr::Truth;

pub(crate) use bound::{courses, is_cheap};
pub use order::Estimate;
pub use stages::{Left, PlannedStage, plan_stages};

impl Truth {
    /// The same condition, as far as it can be made cheaper before it is known in which segment it is asked.
    #[must_use]
    pub(crate) fn rewritten(self) -> Truth {
        self.with_moved_together()
            .with_links_of_pins()
            .with_common_first()
            .without_links()
    }

    /// The same, where no part of a conjunction is a conjunction.
    fn flattened(self) -> Truth {
        match self {
            Truth::And(parts) if parts.iter().any(|part| matches!(part, Truth::And(_))) => Truth::all(parts),
            other => other,
        }
    }
}
