//! The matching positions of a segment, noted while it is searched.

use roaring::RoaringBitmap;
use storage::{Error, PackedAnswer, Section, SegmentMeta};

use super::candidates::Candidates;

/// What is found in some games of a segment, noted to be kept.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// Positions, as far as they are few.
    positions: RoaringBitmap,
    /// The others.
    pieces: Vec<Piece>,
    games: u64,
    /// About how many bytes the positions take.
    bytes: u64,
}

/// Positions of some games, a bit for each.
#[derive(Debug)]
struct Piece {
    /// The position of the first bit, a multiple of 64.
    base: u32,
    words: Vec<u64>,
}

impl Record {
    /// Adds the matching positions of a game behind those that were added.
    pub(super) fn add_game(&mut self, start: u32, nodes: &[u32]) {
        let added = self.positions.append(nodes.iter().map(|node| start + node));
        debug_assert!(added.is_ok(), "games come in order, and so do positions");
        self.games += 1;
        let runs = 1 + nodes.windows(2).filter(|pair| pair[0] + 1 < pair[1]).count();
        self.bytes += (2 * nodes.len()).min(4 * runs) as u64;
    }

    /// Adds the matching positions of some games behind those that were added.
    pub(super) fn add_games(&mut self, games: u64, positions: u64, candidates: &Candidates) {
        let (base, words) = candidates.words();
        // With a position in every word, words are handled more quickly than positions.
        if positions >= words.len() as u64 {
            self.pieces.push(Piece {
                base,
                words: words.to_vec(),
            });
            self.bytes += (2 * positions).min(4 * runs(words)).min(8 * words.len() as u64);
        } else {
            self.positions |= candidates.to_bitmap();
            self.bytes += 2 * positions;
        }
        self.games += games;
    }

    /// Adds what was found in the next games.
    pub(super) fn add(&mut self, mut other: Record) {
        self.positions |= other.positions;
        self.pieces.append(&mut other.pieces);
        self.games += other.games;
        self.bytes += other.bytes;
    }

    /// About how many bytes the positions take.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// All positions of the segment, a bit for each, if they are many.
    fn words(&self, meta: &SegmentMeta) -> Option<Vec<u64>> {
        if self.pieces.is_empty() {
            return None;
        }
        let mut words = vec![0; meta.positions.div_ceil(64) as usize];
        for Piece { base, words: piece } in &self.pieces {
            // Behind the last position, all bits are 0. A word can have positions of two pieces.
            for (word, theirs) in words[*base as usize / 64..].iter_mut().zip(piece) {
                *word |= theirs;
            }
        }
        for position in &self.positions {
            bits::insert(&mut words, position);
        }
        Some(words)
    }

    /// The answer for a segment, with these positions.
    fn section(&self, meta: &SegmentMeta, positions: RoaringBitmap) -> Section {
        Section {
            covered: meta.positions,
            positions,
            games: u32::try_from(self.games).unwrap_or(u32::MAX),
            removed: meta.removed.games,
        }
    }

    /// The answer for a segment.
    pub(super) fn to_section(&self, meta: &SegmentMeta) -> Section {
        let positions = self.words(meta).map(|words| {
            let mut bytes = vec![0; 8 * words.len()];
            for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
                *bytes = word.to_le_bytes();
            }
            RoaringBitmap::from_lsb0_bytes(0, &bytes)
        });
        self.section(meta, positions.unwrap_or_else(|| self.positions.clone()))
    }

    /// Adds the answer for a segment to those for others.
    ///
    /// # Errors
    ///
    /// When it can't be packed.
    pub(super) fn pack(mut self, meta: &SegmentMeta, into: &mut PackedAnswer) -> Result<(), Error> {
        match self.words(meta) {
            Some(words) => into.add_words(meta.key, &self.section(meta, RoaringBitmap::new()), &words),
            None => {
                let positions = std::mem::take(&mut self.positions);
                into.add(meta.key, self.section(meta, positions))
            }
        }
    }
}

/// About how many runs of positions there are, judged by some of the words.
fn runs(words: &[u64]) -> u64 {
    const STEP: usize = 8;
    let begun = |word: &u64| u64::from((word & !(word << 1)).count_ones());
    words.iter().step_by(STEP).map(begun).sum::<u64>() * STEP as u64
}
