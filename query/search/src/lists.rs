//! The posting lists of a segment, as the planner asks for them.

use std::sync::Arc;

use chess::Quantity;
use planner::{GameRanges, QuantityLists, TermSource};
use postings::{Postings, Term};
use storage::Segment;

use super::quantities::SegmentQuantities;

/// The lists of a segment, how many games the filters on headers let through, and the named sets,
/// and clocks and evaluations.
pub(super) struct Lists<'a> {
    pub(super) segment: &'a Segment,
    pub(super) games: &'a [GameRanges],
    pub(super) sets: &'a [Arc<Postings>],
    pub(super) quantities: Option<&'a SegmentQuantities>,
}

impl<'a> Lists<'a> {
    /// The lists of a segment, where no filter on headers was asked, and no named set was read.
    pub(super) fn of(segment: &'a Segment) -> Lists<'a> {
        Lists {
            segment,
            games: &[],
            sets: &[],
            quantities: None,
        }
    }
}

impl TermSource for Lists<'_> {
    type Error = storage::Error;

    fn postings(&self, term: Term) -> Result<Arc<Postings>, storage::Error> {
        self.segment.postings(term)
    }

    fn cardinality(&self, term: Term) -> Result<u32, storage::Error> {
        Ok(self.segment.term_stats(term)?.cardinality)
    }

    fn lists_pins(&self) -> Result<bool, storage::Error> {
        self.segment.lists_pins()
    }

    fn sets(&self) -> &[Arc<Postings>] {
        self.sets
    }

    fn given(&self, quantity: Quantity) -> Result<Option<u32>, storage::Error> {
        self.quantities
            .map_or(Ok(None), |quantities| quantities.given(quantity))
    }

    fn quantity(&self, quantity: Quantity) -> Result<Arc<QuantityLists>, storage::Error> {
        match self.quantities {
            Some(quantities) => quantities.lists(quantity),
            None => Ok(Arc::default()),
        }
    }

    fn share_of_games(&self, index: usize) -> f64 {
        let Some(ranges) = self.games.get(index) else {
            return 0.1;
        };
        let positions: u32 = ranges.iter().map(|range| range.end - range.start).sum();
        f64::from(positions) / f64::from(self.segment.meta().positions.max(1))
    }
}
