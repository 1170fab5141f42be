//! Where the positions of old segments are in a new one.

use std::{collections::BTreeMap, ops::Range};

use roaring::RoaringBitmap;

use super::section::Section;
use crate::{record::SegmentRecord, segment_key::SegmentKey, segment_meta::SegmentMeta};

/// A new segment that was made of old ones.
#[derive(Clone, Debug)]
pub(crate) struct Transfer {
    /// The key of the new segment.
    pub(crate) key: SegmentKey,
    /// How many positions it has.
    pub(crate) positions: u32,
    /// The old segments, in the order of their games.
    pub(crate) parts: Vec<Part>,
}

/// An old segment whose positions are in a new one.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Its key.
    pub(crate) key: SegmentKey,
    /// How many positions it has.
    pub(crate) positions: u32,
    /// Its positions that are in the new segment, ascending.
    pub(crate) spans: Vec<Span>,
    /// Whether removed games are still there, as removed ones.
    pub(crate) keeps_removed: bool,
}

/// Consecutive positions of an old segment that are consecutive in the new one too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// Their old ids.
    pub(crate) from: Range<u32>,
    /// The new id of the first.
    pub(crate) to: u32,
}

/// What becomes of positions that a section does not cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Uncovered {
    /// They stay unknown. So a new section covers the first positions only, up to one that is unknown.
    Unknown,
    /// They are not in the set.
    Absent,
}

impl Part {
    /// Some positions of a segment, and all of its removed games.
    pub(crate) fn of(segment: &SegmentMeta, spans: Vec<Span>) -> Part {
        Part {
            key: segment.key,
            positions: segment.positions,
            spans,
            keeps_removed: true,
        }
    }

    /// The positions of games that were not removed.
    pub(crate) fn without_removed(segment: &SegmentMeta, spans: Vec<Span>) -> Part {
        Part {
            keeps_removed: false,
            ..Part::of(segment, spans)
        }
    }

    /// All positions of a segment, in the same order. The first gets the id `to`.
    pub(crate) fn whole(key: SegmentKey, positions: u32, to: u32) -> Part {
        Part {
            key,
            positions,
            spans: vec![Span { from: 0..positions, to }],
            keeps_removed: true,
        }
    }
}

/// Adds positions that directly follow one another to spans.
pub(crate) fn push_span(spans: &mut Vec<Span>, from: Range<u32>, to: u32) {
    match spans.last_mut() {
        Some(last) if last.from.end == from.start && last.end() == to => last.from.end = from.end,
        _ => spans.push(Span { from, to }),
    }
}

impl Span {
    /// The new id behind the last position.
    fn end(&self) -> u32 {
        self.to + (self.from.end - self.from.start)
    }

    /// Copies the positions below `end` to their new ids.
    fn copy(&self, positions: &RoaringBitmap, end: u32, out: &mut RoaringBitmap) {
        let from = self.from.start..end.min(self.from.end);
        if from.is_empty() {
            return;
        }
        let mut runs = positions.range(from);
        while let Some(run) = runs.next_range() {
            let moved = |id: u32| id - self.from.start + self.to;
            out.insert_range(moved(*run.start())..=moved(*run.end()));
        }
    }
}

impl Transfer {
    /// The new segment with this record.
    pub(crate) fn new(segment: &SegmentRecord, parts: Vec<Part>) -> Transfer {
        Transfer {
            key: segment.key(),
            positions: segment.positions,
            parts,
        }
    }

    /// The section of the new segment, from the sections of the old ones; `None` if nothing is known of it.
    pub(super) fn section(&self, old: &BTreeMap<SegmentKey, Section>, uncovered: Uncovered) -> Option<Section> {
        match uncovered {
            Uncovered::Unknown => Some(self.prefix(old)).filter(|section| section.covered > 0),
            Uncovered::Absent => {
                let known = self.parts.iter().any(|part| old.contains_key(&part.key));
                known.then(|| self.all(old))
            }
        }
    }

    /// All positions that are in the old sections.
    fn all(&self, old: &BTreeMap<SegmentKey, Section>) -> Section {
        let mut positions = RoaringBitmap::new();
        for part in &self.parts {
            if let Some(section) = old.get(&part.key) {
                for span in &part.spans {
                    span.copy(&section.positions, section.covered, &mut positions);
                }
            }
        }
        Section {
            covered: self.positions,
            positions,
            ..Section::default()
        }
    }

    /// The positions up to the first one that no old section covers.
    fn prefix(&self, old: &BTreeMap<SegmentKey, Section>) -> Section {
        let mut new = Section::default();
        // The matching games were counted in all that a section covers.
        let mut games = Some(0);
        for part in &self.parts {
            let Some(section) = old.get(&part.key) else { break };
            let is_whole = matches!(&*part.spans, [span] if span.from == (0..part.positions));
            games = games
                .filter(|_| is_whole && section.has_counted())
                .map(|games: u32| games + section.games);
            new.games = games.unwrap_or_default();
            if part.keeps_removed {
                new.removed += section.removed;
            }
            for span in &part.spans {
                if span.to != new.covered {
                    return new;
                }
                let end = section.covered.clamp(span.from.start, span.from.end);
                span.copy(&section.positions, end, &mut new.positions);
                new.covered += end - span.from.start;
                if end < span.from.end {
                    return new;
                }
            }
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u8) -> SegmentKey {
        SegmentKey::new([number; SegmentKey::BYTES])
    }

    fn section(covered: u32, positions: impl IntoIterator<Item = u32>) -> Section {
        Section {
            covered,
            positions: positions.into_iter().collect(),
            ..Section::default()
        }
    }

    #[test]
    fn what_was_counted_is_added_up_where_all_of_it_is_taken() {
        let counted = |covered: u32, positions: &[u32], games: u32, removed: u32| Section {
            games,
            removed,
            ..section(covered, positions.iter().copied())
        };
        let mut transfer = Transfer {
            key: key(9),
            positions: 40,
            parts: vec![Part::whole(key(1), 10, 0), Part::whole(key(2), 20, 10)],
        };
        let mut old = BTreeMap::from([(key(1), counted(10, &[1, 7], 2, 3)), (key(2), counted(15, &[0], 1, 1))]);
        let sum = |transfer: &Transfer, old: &BTreeMap<SegmentKey, Section>| {
            let new = transfer.section(old, Uncovered::Unknown).unwrap();
            (new.covered, new.games, new.removed)
        };
        assert_eq!(sum(&transfer, &old), (25, 3, 4));
        old.insert(key(2), counted(15, &[0], 0, 1));
        assert_eq!(sum(&transfer, &old), (25, 0, 4), "nobody has counted");
        transfer.parts[0].spans = vec![Span { from: 0..5, to: 0 }, Span { from: 8..10, to: 7 }];
        assert_eq!(sum(&transfer, &old), (5, 0, 3));
        transfer.parts[0].keeps_removed = false;
        assert_eq!(
            sum(&transfer, &old),
            (5, 0, 0),
            "who sees the new segment has not seen these games"
        );
    }

    #[test]
    fn joined_segments_are_covered_up_to_the_first_unknown_position() {
        let transfer = Transfer {
            key: key(9),
            positions: 60,
            parts: vec![
                Part::whole(key(1), 10, 0),
                Part::whole(key(2), 20, 10),
                Part::whole(key(3), 20, 30),
            ],
        };
        let mut old = BTreeMap::new();
        assert_eq!(transfer.section(&old, Uncovered::Unknown), None);
        assert_eq!(transfer.section(&old, Uncovered::Absent), None);
        old.insert(key(2), section(20, [0, 19]));
        assert_eq!(transfer.section(&old, Uncovered::Unknown), None);
        assert_eq!(transfer.section(&old, Uncovered::Absent), Some(section(60, [10, 29])));
        old.insert(key(1), section(10, [3, 4, 9]));
        let first = section(30, [3, 4, 9, 10, 29]);
        assert_eq!(transfer.section(&old, Uncovered::Unknown), Some(first));
        old.insert(key(3), section(5, 1..5));
        let all = [3, 4, 9, 10, 29, 31, 32, 33, 34];
        assert_eq!(transfer.section(&old, Uncovered::Unknown), Some(section(35, all)));
        assert_eq!(transfer.section(&old, Uncovered::Absent), Some(section(60, all)));
        old.insert(key(2), section(4, [0]));
        assert_eq!(
            transfer.section(&old, Uncovered::Unknown),
            Some(section(14, [3, 4, 9, 10]))
        );
    }

    #[test]
    fn positions_that_are_left_out_are_no_gap_but_new_ones_are() {
        let spans = |to: u32| {
            let mut spans = Vec::new();
            push_span(&mut spans, 0..2, 0);
            push_span(&mut spans, 2..5, 2);
            push_span(&mut spans, 8..10, to);
            assert_eq!(spans.len(), 2);
            spans
        };
        let transfer = |to: u32| Transfer {
            key: key(9),
            positions: 2 + to,
            parts: vec![Part {
                key: key(1),
                positions: 10,
                spans: spans(to),
                keeps_removed: true,
            }],
        };
        let old = BTreeMap::from([(key(1), section(10, [1, 4, 5, 7, 8]))]);
        let compacted = Some(section(7, [1, 4, 5]));
        assert_eq!(transfer(5).section(&old, Uncovered::Unknown), compacted);
        assert_eq!(transfer(5).section(&old, Uncovered::Absent), compacted);
        assert_eq!(transfer(6).section(&old, Uncovered::Unknown), Some(section(5, [1, 4])));
        assert_eq!(
            transfer(6).section(&old, Uncovered::Absent),
            Some(section(8, [1, 4, 6]))
        );
    }
}
