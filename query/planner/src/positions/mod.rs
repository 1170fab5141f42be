//! Sets of the positions of some games.

mod ranks;
mod remaining;
mod set;
mod words;

pub(crate) use self::ranks::Ranks;
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
    /// Where an expression holds, in the games that it was evaluated for.
    pub(crate) fn get(&self, id: usize) -> Option<&PositionSet> {
        Some(&self.results.get(id)?.as_ref()?.positions)
    }

    /// The positions of those of some games for which an expression was not evaluated.
    pub(crate) fn missing(&self, id: usize, games: &PositionSet) -> PositionSet {
        let mut missing = games.clone();
        if let Some(known) = self.results.get(id).and_then(Option::as_ref) {
            missing.remove_all(&known.games);
        }
        missing
    }

    /// Notes where an expression holds in some games that are not known yet; `positions` may have any positions of others.
    pub(crate) fn insert(&mut self, id: usize, games: &PositionSet, mut positions: PositionSet) {
        if self.results.len() <= id {
            self.results.resize_with(id + 1, || None);
        }
        match &mut self.results[id] {
            Some(known) => {
                positions.keep_all(games);
                known.positions.remove_all(games);
                known.positions.add_all(&positions);
                known.games.add_all(games);
            }
            none => {
                *none = Some(TemporalResult {
                    games: games.clone(),
                    positions,
                });
            }
        }
    }
}
