//! What the sweeps over the index did, stage by stage.

use std::time::Duration;

/// What one stage of a plan did, in all segments together or for some games; `expected` and `bytes_read` are of whole segments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StageSummary {
    /// How many positions it was expected to leave.
    pub expected: f64,
    /// How many positions it left.
    pub left: u64,
    /// How many of these it did not look at, because it takes less time to evaluate them.
    pub left_out: u64,
    /// How many positions it looked at on their boards, instead of in the lists of men on squares.
    pub by_boards: u64,
    /// How long it took, added up over all threads.
    pub sweeping: Duration,
    /// The size on disk of its posting lists. A list that several stages read counts in each.
    pub bytes_read: u64,
}

/// What the sweep for some games did.
#[derive(Debug, Default)]
pub(super) struct SweepResult {
    /// What each stage of the plan did.
    pub(super) stages: Vec<StageSummary>,
    /// How many positions are evaluated only because later ones may depend on them.
    pub(super) for_later: u64,
    /// How long it took to find these.
    pub(super) finding_for_later: Duration,
}

impl SweepResult {
    /// Adds what the sweep for other games did.
    pub(super) fn add(&mut self, other: &SweepResult) {
        add_stages(&mut self.stages, &other.stages);
        self.for_later += other.for_later;
        self.finding_for_later += other.finding_for_later;
    }
}

/// Adds what stages did for other games.
pub(super) fn add_stages(all: &mut Vec<StageSummary>, others: &[StageSummary]) {
    for (all, stage) in at_least(all, others.len()).iter_mut().zip(others) {
        all.left += stage.left;
        all.left_out += stage.left_out;
        all.by_boards += stage.by_boards;
        all.sweeping += stage.sweeping;
    }
}

/// The stages, at least `count` of them.
pub(super) fn at_least(stages: &mut Vec<StageSummary>, count: usize) -> &mut [StageSummary] {
    if stages.len() < count {
        stages.resize_with(count, StageSummary::default);
    }
    stages
}
