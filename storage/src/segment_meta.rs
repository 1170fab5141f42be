//! What is known of a segment without reading it: its place and its counts.

use crate::{id::SegmentId, segment_key::SegmentKey};

/// What a snapshot knows of a segment without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SegmentMeta {
    /// Its number in the database.
    pub id: SegmentId,
    /// What tells it from all other segments.
    pub key: SegmentKey,
    /// How many games it has. Their numbers in the segment begin at 0.
    pub games: u32,
    /// How many positions it has. Their ids begin at 0.
    pub positions: u32,
    /// The number of its first game, counted from 0 over the whole database. Users see numbers that begin at 1.
    pub first_game: u64,
    /// The size of its games as PGN, in bytes.
    pub pgn_bytes: u64,
    /// Its size on disk, in bytes.
    pub stored_bytes: u64,
    /// What was removed. It is included in the counts above, but queries skip it.
    pub removed: RemovedCounts,
}

/// How much of a segment was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RemovedCounts {
    /// How many games.
    pub games: u32,
    /// How many positions they have.
    pub positions: u32,
    /// How many of these positions are on main lines.
    pub mainline: u32,
}
