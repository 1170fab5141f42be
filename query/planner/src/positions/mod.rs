//! Sets of the positions of some games.

mod remaining;
mod set;

pub use self::remaining::RemainingPositions;
pub(crate) use self::set::PositionSet;

/// Where the temporal expressions of a plan hold in some games, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct TemporalResults {
    results: Vec<Option<PositionSet>>,
}

impl TemporalResults {
    /// Where an expression holds, if it was evaluated.
    pub(crate) fn get(&self, id: usize) -> Option<&PositionSet> {
        self.results.get(id).and_then(Option::as_ref)
    }

    /// Notes where an expression holds.
    pub(crate) fn insert(&mut self, id: usize, positions: PositionSet) {
        if self.results.len() <= id {
            self.results.resize_with(id + 1, || None);
        }
        self.results[id] = Some(positions);
    }
}
