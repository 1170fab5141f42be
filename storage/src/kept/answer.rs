//! A kept answer as it is read: each section is unpacked when it is needed.

use super::{file::KeptFile, folder::Folder, section::Section};
use crate::segment_meta::SegmentMeta;

/// What is known of a question. The counts of a section are read without its positions.
#[derive(Clone, Debug)]
pub struct Answer {
    folder: Folder,
    /// The name of its file.
    name: String,
    file: KeptFile,
}

/// What a section says beside its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SectionCounts {
    /// [`Section::covered`].
    pub covered: u32,
    /// How many positions it has.
    pub positions: u32,
    /// [`Section::games`].
    pub games: u32,
    /// [`Section::removed`].
    pub removed: u32,
}

impl Answer {
    pub(super) fn new(folder: Folder, name: String, file: KeptFile) -> Answer {
        Answer { folder, name, file }
    }

    /// What is known of a segment, without the positions.
    pub fn counts(&self, meta: &SegmentMeta) -> Option<SectionCounts> {
        let packed = self.file.packed.get(&meta.key)?;
        Some(SectionCounts {
            covered: packed.covered,
            positions: packed.count,
            games: packed.games,
            removed: packed.removed,
        })
    }

    /// What is known of a segment. If it is damaged, the answer is removed.
    pub fn section(&self, meta: &SegmentMeta) -> Option<Section> {
        let packed = self.file.packed.get(&meta.key)?;
        let section = packed.open(meta.positions);
        if section.is_err() {
            // It may be gone already.
            let _ = self.folder.remove(&self.name);
        }
        section.ok()
    }
}
