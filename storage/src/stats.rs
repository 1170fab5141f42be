//! How large a database is.

use crate::kept::{AnswersUsage, SetsUsage};

/// Counts and sizes of a database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// How many games.
    pub games: u64,
    /// How many games are removed, but still there.
    pub removed: u64,
    /// How many positions, those of variations included.
    pub positions: u64,
    /// How many segments.
    pub segments: u64,
    /// How many bytes the directory takes.
    pub bytes: u64,
    /// The answers that are kept beside the games. They are included in `bytes`.
    pub answers: AnswersUsage,
    /// The sets that are kept beside the games. They are included in `bytes`.
    pub sets: SetsUsage,
    /// How many bytes the games were as PGN.
    pub pgn_bytes: u64,
    /// How many bytes each column's values take, by name.
    pub columns: Vec<(&'static str, u64)>,
}
