//! What a search did.

use std::time::Duration;

use evaluator::Value;

use super::swept::{StageSummary, add_stages, at_least};
use super::task_result::TaskResult;

/// What a search did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Matching games.
    pub games: u64,
    /// Matching positions.
    pub positions: u64,
    /// Games that were searched.
    pub games_searched: u64,
    /// Positions that were searched.
    pub positions_searched: u64,
    /// Positions that the index could not exclude, each counted once; in a scan all of them.
    pub candidates: u64,
    /// Positions that were evaluated.
    pub evaluated: u64,
    /// How many of these were evaluated only because later positions may depend on them: where a variable outlives a position,
    /// for example, or a sequence keeps others from beginning inside its match.
    pub for_later: u64,
    /// How long it took to find these, added up over all threads. It is a part of `sweeping`.
    pub finding_for_later: Duration,
    /// How long it took.
    pub elapsed: Duration,
    /// How long it took to plan for the segments and to ask filters on headers, added up over all threads.
    pub opening: Duration,
    /// How long the sweeps over the index took, added up over all threads.
    pub sweeping: Duration,
    /// How long the evaluator took, added up over all threads.
    pub evaluating: Duration,
    /// The size on disk of the posting lists and boards that the search used, whether they were in memory or not.
    /// Headers and texts of games are not counted.
    pub bytes_read: u64,
    /// What the index did, stage by stage. Each stage looks only where those before it left positions.
    pub stages: Vec<StageSummary>,
    /// Whether the search ended at the limit, before the last game.
    pub stopped_at_limit: bool,
    /// Games that could not be searched; empty unless damage is skipped.
    pub skipped: Vec<SkippedGames>,
    /// The sets that the query reads and that lack games, because these could not be searched when the sets were saved:
    /// the name of each, and how many games.
    pub incomplete_sets: Vec<(String, u64)>,
    /// Messages of the query, in order.
    pub messages: Vec<Vec<u8>>,
    /// The values of persistent variables after the run.
    pub persistent: Vec<(String, Value)>,
    /// What came from the answers of earlier searches, and what was kept for later ones.
    pub kept: KeptUse,
}

/// What came from the answers of earlier searches, and what was kept for later ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeptUse {
    /// How many games were not searched, because an earlier search had.
    pub games: u64,
    /// How many segments consist of such games.
    pub segments: u64,
    /// How many bytes the answer takes that was written; 0 if nothing was.
    pub written: u64,
    /// Whether an answer could not be written. Nothing but time is lost by that.
    pub failed: bool,
}

/// Games that were left out because what is stored of them is damaged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedGames {
    /// Their numbers, from 1; the end is exclusive.
    pub games: std::ops::Range<u64>,
    /// What is damaged.
    pub damage: String,
}

impl SkippedGames {
    pub(super) fn of(meta: &storage::SegmentMeta, damage: &storage::Error) -> SkippedGames {
        SkippedGames {
            games: meta.first_game + 1..meta.first_game + 1 + u64::from(meta.games),
            damage: damage.to_string(),
        }
    }
}

impl Summary {
    /// How long all threads together have worked.
    pub(super) fn work(&self) -> Duration {
        self.opening + self.sweeping + self.evaluating
    }

    /// Adds the work that another search took.
    pub(super) fn add_work(&mut self, other: &Summary) {
        self.candidates += other.candidates;
        self.evaluated += other.evaluated;
        self.for_later += other.for_later;
        self.finding_for_later += other.finding_for_later;
        self.opening += other.opening;
        self.sweeping += other.sweeping;
        self.evaluating += other.evaluating;
        self.bytes_read += other.bytes_read;
    }

    pub(super) fn add(&mut self, found: &mut TaskResult) {
        self.games += found.matching_games;
        self.positions += found.matching_positions;
        self.candidates += found.candidates;
        self.evaluated += found.evaluated;
        self.sweeping += found.sweeping;
        self.evaluating += found.evaluating;
        self.bytes_read += found.boards_read;
        let swept = &found.swept;
        self.for_later += swept.for_later;
        self.finding_for_later += swept.finding_for_later;
        add_stages(&mut self.stages, &swept.stages);
        self.messages.append(&mut found.messages);
    }

    /// The stages, at least `count` of them.
    pub(super) fn stages_mut(&mut self, count: usize) -> &mut [StageSummary] {
        at_least(&mut self.stages, count)
    }
}
