//! The source of posting lists and statistics for the planner.

use std::sync::Arc;

use chess::Quantity;
use postings::{Postings, Term};

use crate::quantities::QuantityLists;

/// Where posting lists come from: a segment, or a map in tests.
pub trait TermSource {
    /// The error of reading.
    type Error;

    /// The positions where a term holds.
    ///
    /// # Errors
    ///
    /// When the list can't be read.
    fn postings(&self, term: Term) -> Result<Arc<Postings>, Self::Error>;

    /// The number of these positions.
    ///
    /// # Errors
    ///
    /// When the statistics can't be read.
    fn cardinality(&self, term: Term) -> Result<u32, Self::Error>;

    /// Whether there are lists of pinned men.
    ///
    /// # Errors
    ///
    /// When that can't be read.
    fn lists_pins(&self) -> Result<bool, Self::Error> {
        Ok(false)
    }

    /// The positions of each named set that the query reads, in the order of its names.
    fn sets(&self) -> &[Arc<Postings>] {
        &[]
    }

    /// At how many positions a quantity has a value, at most; `None` if that is not stored.
    ///
    /// # Errors
    ///
    /// When the statistics can't be read.
    fn given(&self, _: Quantity) -> Result<Option<u32>, Self::Error> {
        Ok(Some(0))
    }

    /// The lists of a quantity.
    ///
    /// # Errors
    ///
    /// When they can't be read.
    fn quantity(&self, _: Quantity) -> Result<Arc<QuantityLists>, Self::Error> {
        Ok(Arc::default())
    }

    /// The share of positions in games that match a filter on games, by its number in the plan.
    fn share_of_games(&self, _: usize) -> f64 {
        0.1
    }
}
