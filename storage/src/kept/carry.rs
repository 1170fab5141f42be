//! Carries the sections of old segments over to the new segments that are made of them, in one file.
//!
//! This happens before the commit of the new segments. Until then, and if the commit never comes, the sections of the
//! old ones are needed, so they stay in the file. The next write of the file drops what is not needed any more.

use std::collections::BTreeMap;

use super::{
    file::{KeptFile, Packed},
    transfer::{Transfer, Uncovered},
};
use crate::{error::Result, segment_key::SegmentKey};

impl KeptFile {
    /// Makes the sections of new segments, and drops those of segments that are neither `current` nor new. Returns
    /// whether there is a new section.
    pub(super) fn carry(
        &mut self,
        current: &[SegmentKey],
        transfers: &[Transfer],
        uncovered: Uncovered,
    ) -> Result<bool> {
        let mut new = Vec::new();
        for transfer in transfers {
            if let Some(packed) = self.carried(transfer, uncovered)? {
                new.push((transfer.key, packed));
            }
        }
        self.packed.retain(|segment, _| current.contains(segment));
        let is_news = !new.is_empty();
        self.packed.extend(new);
        Ok(is_news)
    }

    /// The section of a new segment. If one that it needs is damaged, so is the new one: otherwise the damage would be
    /// forgotten together with the old segment.
    fn carried(&self, transfer: &Transfer, uncovered: Uncovered) -> Result<Option<Packed>> {
        let mut old = BTreeMap::new();
        for part in &transfer.parts {
            match self.packed.get(&part.key).map(|packed| packed.open(part.positions)) {
                Some(Ok(section)) => drop(old.insert(part.key, section)),
                Some(Err(_)) => return Ok(Some(Packed::damaged())),
                None => {}
            }
        }
        transfer
            .section(&old, uncovered)
            .map(|section| Packed::new(&section))
            .transpose()
    }
}
