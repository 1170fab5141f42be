//! The posting lists of a segment, as the planner asks for them.

use std::sync::Arc;

use planner::{GameRanges, TermSource};
use postings::{Postings, Term};
use storage::Segment;

/// The lists of a segment, how many games the filters on headers let through, and the named sets.
pub(super) struct Lists<'a> {
    pub(super) segment: &'a Segment,
    pub(super) games: &'a [GameRanges],
    pub(super) sets: &'a [Arc<Postings>],
}

impl<'a> Lists<'a> {
    /// The lists of a segment, where no filter on headers was asked, and no named set was read.
    pub(super) fn of(segment: &'a Segment) -> Lists<'a> {
        Lists {
            segment,
            games: &[],
            sets: &[],
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

    fn sets(&self) -> &[Arc<Postings>] {
        self.sets
    }

    fn share_of_games(&self, index: usize) -> f64 {
        let Some(ranges) = self.games.get(index) else {
            return 0.1;
        };
        let positions: u32 = ranges.iter().map(|range| range.end - range.start).sum();
        f64::from(positions) / f64::from(self.segment.meta().positions.max(1))
    }
}
