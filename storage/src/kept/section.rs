//! Positions of segments.

use std::collections::{BTreeMap, btree_map};

use roaring::RoaringBitmap;

use crate::segment_key::SegmentKey;

/// Positions of one segment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// How many positions of the segment were looked at: the first ones. Nothing is known of the others.
    pub covered: u32,
    /// The ids of positions, all below `covered`. Some may be of games that were removed since.
    pub positions: RoaringBitmap,
    /// How many games these positions are in; 0 if nobody has counted them.
    pub games: u32,
    /// How many games of the segment were removed when this was made. Their positions may be missing, so that a snapshot
    /// with fewer removed games can't use an answer.
    pub removed: u32,
}

impl Section {
    /// Whether [`Section::games`] was counted.
    pub fn has_counted(&self) -> bool {
        self.games > 0 || self.positions.is_empty()
    }
}

/// Positions of several segments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sections {
    sections: BTreeMap<SegmentKey, Section>,
    /// The segments that could not be looked at, and how many games they had.
    lacking: BTreeMap<SegmentKey, u32>,
}

impl Sections {
    /// No sections.
    pub fn new() -> Sections {
        Sections::default()
    }

    /// How many segments have a section.
    pub fn len(&self) -> usize {
        self.sections.len()
    }

    /// Whether no segment has a section.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// The section of a segment.
    pub fn get(&self, segment: &SegmentKey) -> Option<&Section> {
        self.sections.get(segment)
    }

    /// The section of a segment, to be changed.
    pub fn get_mut(&mut self, segment: &SegmentKey) -> Option<&mut Section> {
        self.sections.get_mut(segment)
    }

    /// Sets the section of a segment. Returns the one that it had.
    pub fn insert(&mut self, segment: SegmentKey, section: Section) -> Option<Section> {
        self.sections.insert(segment, section)
    }

    /// Takes the section of a segment out.
    pub fn remove(&mut self, segment: &SegmentKey) -> Option<Section> {
        self.sections.remove(segment)
    }

    /// Notes that a segment could not be looked at, and how many games it had.
    pub fn lack(&mut self, segment: SegmentKey, games: u32) {
        self.lacking.insert(segment, games);
    }

    /// The segments that could not be looked at when this was made, and how many games they had then. The segments may
    /// have been merged with others since.
    pub fn lacking(&self) -> impl ExactSizeIterator<Item = (SegmentKey, u32)> + '_ {
        self.lacking.iter().map(|(segment, games)| (*segment, *games))
    }

    /// How many games could not be looked at when this was made.
    pub fn games_missing(&self) -> u64 {
        self.lacking.values().map(|&games| u64::from(games)).sum()
    }

    /// Drops the sections for which `keep` is false.
    pub fn retain(&mut self, mut keep: impl FnMut(&SegmentKey, &Section) -> bool) {
        self.sections.retain(|segment, section| keep(segment, section));
    }

    /// All sections, by the keys of their segments.
    pub fn iter(&self) -> btree_map::Iter<'_, SegmentKey, Section> {
        self.sections.iter()
    }
}

impl FromIterator<(SegmentKey, Section)> for Sections {
    fn from_iter<I: IntoIterator<Item = (SegmentKey, Section)>>(sections: I) -> Sections {
        Sections {
            sections: sections.into_iter().collect(),
            lacking: BTreeMap::new(),
        }
    }
}

impl IntoIterator for Sections {
    type Item = (SegmentKey, Section);
    type IntoIter = btree_map::IntoIter<SegmentKey, Section>;

    fn into_iter(self) -> Self::IntoIter {
        self.sections.into_iter()
    }
}

impl<'a> IntoIterator for &'a Sections {
    type Item = (&'a SegmentKey, &'a Section);
    type IntoIter = btree_map::Iter<'a, SegmentKey, Section>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
