//! Reads a whole database and checks it.

use crate::{error::Error, id::SegmentId};

/// How far [`Snapshot::verify`](crate::Snapshot::verify) is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Games checked.
    pub games_done: u64,
    /// Games in all.
    pub games_total: u64,
}

/// What [`Snapshot::verify`](crate::Snapshot::verify) found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Report {
    /// How many games were read and replayed.
    pub games: u64,
    /// How many positions they have.
    pub positions: u64,
    /// How many posting lists were compared with the replayed games.
    pub postings: u64,
    /// What is wrong, by segment.
    pub problems: Vec<(SegmentId, Error)>,
}

impl Report {
    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }
}
