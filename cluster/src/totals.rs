//! The totals of a shard, and of all shards together.

use std::time::Duration;

use cqldex::Summary;
use serde::{Deserialize, Serialize};

/// What a search of a shard did, or of several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Matching games.
    pub games: u64,
    /// Matching positions.
    pub positions: u64,
    /// Games that were searched.
    pub games_searched: u64,
    /// Positions that were searched.
    pub positions_searched: u64,
    /// Positions that the index could not exclude.
    pub candidates: u64,
    /// Shards that could not be searched, with the reason.
    pub missing: Vec<Missing>,
}

/// A shard that could not be searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// The number of its first game.
    pub first: u64,
    /// How many games it has.
    pub games: u64,
    /// Why.
    pub reason: String,
}

impl Totals {
    /// Those of a search.
    pub(crate) fn of(summary: &Summary) -> Totals {
        Totals {
            games: summary.games,
            positions: summary.positions,
            games_searched: summary.games_searched,
            positions_searched: summary.positions_searched,
            candidates: summary.candidates,
            missing: Vec::new(),
        }
    }

    /// Adds those of another shard.
    pub(crate) fn add(&mut self, other: Totals) {
        self.games += other.games;
        self.positions += other.positions;
        self.games_searched += other.games_searched;
        self.positions_searched += other.positions_searched;
        self.candidates += other.candidates;
        self.missing.extend(other.missing);
    }

    /// The same as the library tells it.
    pub fn summary(&self, elapsed: Duration) -> Summary {
        let missing = self.missing.iter();
        Summary {
            games: self.games,
            positions: self.positions,
            games_searched: self.games_searched,
            positions_searched: self.positions_searched,
            candidates: self.candidates,
            elapsed,
            skipped: missing
                .map(|missing| cqldex::SkippedGames {
                    games: missing.first..missing.first + missing.games,
                    damage: missing.reason.clone(),
                })
                .collect(),
            ..Summary::default()
        }
    }
}
