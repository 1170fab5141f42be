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
pub struct Sections(BTreeMap<SegmentKey, Section>);

impl Sections {
    /// No sections.
    pub fn new() -> Sections {
        Sections::default()
    }

    /// How many segments have a section.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no segment has a section.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The section of a segment.
    pub fn get(&self, segment: &SegmentKey) -> Option<&Section> {
        self.0.get(segment)
    }

    /// The section of a segment, to be changed.
    pub fn get_mut(&mut self, segment: &SegmentKey) -> Option<&mut Section> {
        self.0.get_mut(segment)
    }

    /// Sets the section of a segment. Returns the one that it had.
    pub fn insert(&mut self, segment: SegmentKey, section: Section) -> Option<Section> {
        self.0.insert(segment, section)
    }

    /// Takes the section of a segment out.
    pub fn remove(&mut self, segment: &SegmentKey) -> Option<Section> {
        self.0.remove(segment)
    }

    /// Drops the sections for which `keep` is false.
    pub fn retain(&mut self, mut keep: impl FnMut(&SegmentKey, &Section) -> bool) {
        self.0.retain(|segment, section| keep(segment, section));
    }

    /// All sections, by the keys of their segments.
    pub fn iter(&self) -> btree_map::Iter<'_, SegmentKey, Section> {
        self.0.iter()
    }
}

impl FromIterator<(SegmentKey, Section)> for Sections {
    fn from_iter<I: IntoIterator<Item = (SegmentKey, Section)>>(sections: I) -> Sections {
        Sections(sections.into_iter().collect())
    }
}

impl IntoIterator for Sections {
    type Item = (SegmentKey, Section);
    type IntoIter = btree_map::IntoIter<SegmentKey, Section>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Sections {
    type Item = (&'a SegmentKey, &'a Section);
    type IntoIter = btree_map::Iter<'a, SegmentKey, Section>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
