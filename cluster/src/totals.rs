//! The totals of a shard, and of all shards together.

use std::time::Duration;

use cqldex::{By, Counts, GroupCount, Key, Summary};
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
    /// Games and positions in groups, if they are asked for: of each shard those that it has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group>,
}

/// A group of games: its keys, and how many there are of what [`GroupCount`] counts, in the order of its fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    keys: Vec<GroupKey>,
    counts: [u64; 7],
}

/// What a group has in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum GroupKey {
    Number(i64),
    Text(String),
    Unknown,
}

/// Groups as they travel.
pub(crate) fn groups_of(counts: &Counts) -> Vec<Group> {
    let group = |(keys, count): (&[Key], &GroupCount)| Group {
        keys: keys.iter().map(GroupKey::from).collect(),
        counts: [
            count.games,
            count.positions,
            count.white,
            count.draw,
            count.black,
            count.won,
            count.lost,
        ],
    };
    counts.groups().map(group).collect()
}

impl From<&Key> for GroupKey {
    fn from(key: &Key) -> GroupKey {
        match key {
            Key::Number(number) => GroupKey::Number(*number),
            Key::Text(text) => GroupKey::Text(text.to_string()),
            _ => GroupKey::Unknown,
        }
    }
}

impl From<&GroupKey> for Key {
    fn from(key: &GroupKey) -> Key {
        match key {
            GroupKey::Number(number) => Key::Number(*number),
            GroupKey::Text(text) => Key::Text(text.as_str().into()),
            GroupKey::Unknown => Key::Unknown,
        }
    }
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
            groups: Vec::new(),
        }
    }

    /// The groups of all shards as one.
    pub fn counts(&self, by: &[By]) -> Counts {
        let groups = self.groups.iter().map(|group| {
            let [games, positions, white, draw, black, won, lost] = group.counts;
            let count = GroupCount {
                games,
                positions,
                white,
                draw,
                black,
                won,
                lost,
                database_games: 0,
            };
            (group.keys.iter().map(Key::from).collect(), count)
        });
        Counts::of_parts(by, groups, (self.games, self.positions))
    }

    /// Adds those of another shard. What comes from another process may be too large to be added.
    pub(crate) fn add(&mut self, other: Totals) {
        self.games = self.games.saturating_add(other.games);
        self.positions = self.positions.saturating_add(other.positions);
        self.games_searched = self.games_searched.saturating_add(other.games_searched);
        self.positions_searched = self.positions_searched.saturating_add(other.positions_searched);
        self.candidates = self.candidates.saturating_add(other.candidates);
        self.missing.extend(other.missing);
        self.groups.extend(other.groups);
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
                    games: missing.first..missing.first.saturating_add(missing.games),
                    damage: missing.reason.clone(),
                })
                .collect(),
            ..Summary::default()
        }
    }
}
