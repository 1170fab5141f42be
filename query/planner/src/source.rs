//! Where the planner gets posting lists and statistics from.

use std::sync::Arc;

use postings::{Postings, Term};

/// Where posting lists come from: a segment, or a map in tests.
pub trait TermSource {
    /// What may go wrong.
    type Error;

    /// The positions where a term holds.
    ///
    /// # Errors
    ///
    /// When the list can't be read.
    fn postings(&self, term: Term) -> Result<Arc<Postings>, Self::Error>;

    /// How many positions that is.
    ///
    /// # Errors
    ///
    /// When the statistics can't be read.
    fn cardinality(&self, term: Term) -> Result<u32, Self::Error>;

    /// The share of positions in games that match a filter on games, by its number in the plan.
    fn share_of_games(&self, _: usize) -> f64 {
        0.1
    }
}
