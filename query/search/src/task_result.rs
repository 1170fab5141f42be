//! What a task gives: games while it runs, and counts at its end.

use std::time::Duration;

use super::record::Record;
use super::swept::SweepResult;
use super::{GameMatch, SearchError};

/// Receives games of a task while the task runs.
pub(super) trait Outlet {
    /// Takes games; blocks while too many are waiting.
    ///
    /// # Errors
    ///
    /// When the run has ended.
    fn give(&mut self, games: Vec<GameMatch>) -> Result<(), SearchError>;

    /// Called by a long task from time to time.
    ///
    /// # Errors
    ///
    /// When the run has ended.
    fn tick(&mut self) -> Result<(), SearchError>;
}

/// What a task found.
#[derive(Debug, Default)]
pub(super) struct TaskResult {
    /// Games that were not handed over yet.
    pub(super) games: Vec<GameMatch>,
    /// How many positions and games these are together.
    pub(super) waiting: usize,
    /// How many positions were listed in all.
    pub(super) listed: usize,
    /// All matching games and positions, whether they are listed or not.
    pub(super) matching_games: u64,
    pub(super) matching_positions: u64,
    pub(super) candidates: u64,
    pub(super) evaluated: u64,
    pub(super) sweeping: Duration,
    pub(super) evaluating: Duration,
    /// How many bytes of boards were read.
    pub(super) boards_read: u64,
    /// What the sweeps did.
    pub(super) swept: SweepResult,
    pub(super) messages: Vec<Vec<u8>>,
    /// What was found, if it may be kept.
    pub(super) record: Option<Record>,
}

impl TaskResult {
    /// Counts matches that nobody looks at.
    pub(super) fn count(&mut self, games: u64, positions: u64) {
        self.candidates += positions;
        self.matching_positions += positions;
        self.matching_games += games;
    }
}
