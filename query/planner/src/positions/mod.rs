//! Sets of the positions of some games.

mod remaining;
mod set;

pub use self::remaining::RemainingPositions;
pub(crate) use self::set::PositionSet;

/// Where the temporal expressions of a plan hold in some games, by their numbers.
#[derive(Debug, Default)]
pub(crate) struct TemporalResults {
    results: Vec<Option<TemporalResult>>,
}

/// Where an expression holds.
#[derive(Debug)]
struct TemporalResult {
    /// The positions of the games that it was evaluated for. In other games it is undefined.
    games: PositionSet,
    positions: PositionSet,
}

impl TemporalResults {
    /// Where an expression holds, in the games that it was evaluated for last.
    pub(crate) fn get(&self, id: usize) -> Option<&PositionSet> {
        Some(&self.results.get(id)?.as_ref()?.positions)
    }

    /// Whether an expression was evaluated for all games that have these positions.
    pub(crate) fn is_known(&self, id: usize, games: &PositionSet) -> bool {
        let known = self.results.get(id).and_then(Option::as_ref);
        known.is_some_and(|known| bits::is_subset(games.words(), known.games.words()))
    }

    /// Notes where an expression holds in some games.
    pub(crate) fn insert(&mut self, id: usize, games: PositionSet, positions: PositionSet) {
        if self.results.len() <= id {
            self.results.resize_with(id + 1, || None);
        }
        self.results[id] = Some(TemporalResult { games, positions });
    }
}
