//! The matching positions of a segment, noted while it is searched.

use roaring::RoaringBitmap;
use storage::{Section, SegmentMeta};

use super::candidates::Candidates;

/// What is found in some games of a segment, noted to be kept.
#[derive(Debug, Default)]
pub(super) struct Record {
    positions: RoaringBitmap,
    games: u64,
    /// About how many bytes the positions take.
    bytes: u64,
}

impl Record {
    /// Adds the matching positions of a game behind those that were added.
    pub(super) fn add_game(&mut self, start: u32, nodes: &[u32]) {
        let added = self.positions.append(nodes.iter().map(|node| start + node));
        debug_assert!(added.is_ok(), "games come in order, and so do positions");
        self.games += 1;
        self.bytes += 2 * nodes.len() as u64;
    }

    /// Adds the matching positions of some games behind those that were added.
    pub(super) fn add_games(&mut self, games: u64, candidates: &Candidates) {
        let positions = candidates.to_bitmap();
        self.bytes += positions.serialized_size() as u64;
        self.positions |= positions;
        self.games += games;
    }

    /// Adds what was found in the next games.
    pub(super) fn add(&mut self, other: Record) {
        self.positions |= other.positions;
        self.games += other.games;
        self.bytes += other.bytes;
    }

    /// About how many bytes the positions take.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The answer for a segment.
    pub(super) fn into_section(self, meta: &SegmentMeta) -> Section {
        Section {
            covered: meta.positions,
            positions: self.positions,
            games: u32::try_from(self.games).unwrap_or(u32::MAX),
            removed: meta.removed.games,
        }
    }
}
