//! The work of counting, cut into parts of about the same size.

use std::ops::Range;

use roaring::RoaringBitmap;
use storage::Segment;

use crate::error::Result;
use crate::sets::PositionSet;

/// About how many positions of the database, not of the set, are in a part.
const PART: u32 = 1 << 19;

/// Some games of a segment, and their positions in a set.
#[derive(Debug)]
pub(super) struct Unit {
    /// The place of the segment in the snapshot.
    pub(super) index: usize,
    pub(super) segment: Segment,
    /// The games, by their numbers in the segment.
    pub(super) range: Range<u32>,
    /// The positions, by their ids in the segment; empty if they are not needed.
    pub(super) ids: Vec<u32>,
    /// How many positions there are.
    pub(super) positions: usize,
    /// The games that have a position in the set, and which of `ids` these are.
    pub(super) games: Vec<(u32, Range<usize>)>,
    /// Where the games of the segment begin, and the last one ends.
    starts: std::sync::Arc<[u32]>,
}

/// Where a part is.
#[derive(Clone, Debug)]
pub(super) struct Part {
    index: usize,
    range: Range<u32>,
}

/// The parts of a set. With `whole`, there are also parts without a position in the set.
pub(super) fn parts(positions: &PositionSet, whole: bool) -> Vec<Part> {
    let mut parts = Vec::new();
    for (index, of_segment) in positions.in_segments().enumerate() {
        if of_segment.len() == 0 && !whole {
            continue;
        }
        let games = of_segment.games;
        let step = u64::from(games) * u64::from(PART) / u64::from(of_segment.positions.max(1));
        let step = u32::try_from(step).unwrap_or(u32::MAX).max(1);
        let mut first = 0;
        while first < games {
            let end = first.saturating_add(step).min(games);
            parts.push(Part {
                index,
                range: first..end,
            });
            first = end;
        }
    }
    parts
}

impl Unit {
    /// Finds the positions of a part. Without `with_ids`, it is only known how many each game has.
    pub(super) fn new(positions: &PositionSet, part: &Part, with_ids: bool) -> Result<Unit> {
        let segment = positions.snapshot().segment(part.index);
        let starts = segment.starts()?;
        let Range { start, end } = part.range;
        let mut ids = Vec::new();
        let mut games: Vec<(u32, Range<usize>)> = Vec::new();
        let (mut game, mut count) = (start, 0);
        let in_part = positions
            .bitmap(part.index)
            .map(|bitmap| bitmap.range(starts[start as usize]..starts[end as usize]));
        if let Some(mut iter) = in_part {
            // Many conditions hold for several positions in a row.
            while let Some(run) = iter.next_range() {
                let (mut first, end_of_run) = (*run.start(), run.end() + 1);
                if with_ids {
                    ids.extend(run);
                }
                while first < end_of_run {
                    if starts[game as usize + 1] <= first {
                        let behind = &starts[game as usize + 1..=end as usize];
                        let skipped = behind.partition_point(|&next| next <= first);
                        game += u32::try_from(skipped).unwrap_or(u32::MAX);
                    }
                    let until = starts[game as usize + 1].min(end_of_run);
                    let added = (until - first) as usize;
                    match games.last_mut().filter(|(last, _)| *last == game) {
                        Some((_, ranks)) => ranks.end += added,
                        None => games.push((game, count..count + added)),
                    }
                    count += added;
                    first = until;
                }
            }
        }
        Ok(Unit {
            index: part.index,
            segment,
            range: part.range.clone(),
            ids,
            positions: count,
            games,
            starts,
        })
    }

    /// The first position of a game.
    pub(super) fn start(&self, game: u32) -> u32 {
        self.starts[game as usize]
    }

    /// CQL's `positionid` of some positions of a game.
    pub(super) fn nodes(&self, game: u32, ranks: &Range<usize>) -> Vec<u32> {
        let start = self.start(game);
        self.ids[ranks.clone()].iter().map(|id| id - start).collect()
    }

    /// The number of a game in the database, from 1.
    pub(super) fn number(&self, game: u32) -> u64 {
        self.segment.meta().first_game + u64::from(game) + 1
    }

    /// The positions as a bitmap.
    pub(super) fn bitmap(&self) -> RoaringBitmap {
        self.ids.iter().copied().collect()
    }
}
