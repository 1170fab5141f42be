//! A consistent view of a database. Queries read one.

use std::{fs, sync::Arc};

use crate::{
    column::Column,
    error::{Error, Result},
    kept::{Answers, Sets},
    key::Key,
    record::FileRecord,
    segment::Segment,
    segment_meta::SegmentMeta,
    stats::Stats,
    store::Store,
    verify::{self, Progress, Report},
};

/// The database as it was when the snapshot was taken.
#[derive(Clone, Debug)]
pub struct Snapshot {
    store: Arc<Store>,
    segments: Arc<[Segment]>,
    metas: Arc<[SegmentMeta]>,
    files: Arc<[[FileRecord; 4]]>,
}

impl Snapshot {
    pub(crate) fn new(store: Arc<Store>, segments: Arc<[Segment]>, files: Arc<[[FileRecord; 4]]>) -> Snapshot {
        let metas = segments.iter().map(|segment| *segment.meta()).collect();
        Snapshot {
            store,
            segments,
            metas,
            files,
        }
    }

    /// The segments, in the order of their games.
    pub fn segments(&self) -> &[SegmentMeta] {
        &self.metas
    }

    /// The `index`th segment. This is cheap, and the segment may outlive the snapshot.
    ///
    /// # Panics
    ///
    /// When there is no such segment.
    pub fn segment(&self, index: usize) -> Segment {
        self.segments[index].clone()
    }

    /// How many games there are, without removed ones.
    pub fn games(&self) -> u64 {
        let live = |meta: &SegmentMeta| u64::from(meta.games - meta.removed.games);
        self.metas.iter().map(live).sum()
    }

    /// The number of the last game, counted from 1; 0 if there is none. Removed games count, because they keep their
    /// numbers.
    pub fn last_number(&self) -> u64 {
        self.metas
            .last()
            .map_or(0, |last| last.first_game + u64::from(last.games))
    }

    /// How many positions there are, without those of removed games.
    pub fn positions(&self) -> u64 {
        let live = |meta: &SegmentMeta| u64::from(meta.positions - meta.removed.positions);
        self.metas.iter().map(live).sum()
    }

    /// Where a game is: the index of the segment, and the number in the segment. `game` counts from 0 over the whole
    /// database. `None` if there is no such game, or it was removed.
    pub fn locate(&self, game: u64) -> Option<(usize, u32)> {
        let index = self
            .metas
            .partition_point(|meta| meta.first_game <= game)
            .checked_sub(1)?;
        let meta = &self.metas[index];
        let local = u32::try_from(game - meta.first_game)
            .ok()
            .filter(|&local| local < meta.games && !self.segments[index].is_removed(local))?;
        Some((index, local))
    }

    /// The answers that are kept beside the games.
    pub fn answers(&self) -> Answers {
        Answers::new(self.store.path(), Arc::clone(&self.metas))
    }

    /// The sets with names that are kept beside the games.
    pub fn sets(&self) -> Sets {
        Sets::new(self.store.path(), Arc::clone(&self.segments))
    }

    /// Sizes and counts of the database.
    ///
    /// # Errors
    ///
    /// When the database can't be read.
    pub fn stats(&self) -> Result<Stats> {
        let path = self.store.path();
        let failed = Error::io(path);
        let mut bytes = 0;
        for entry in fs::read_dir(path).map_err(&failed)? {
            // A file that is removed between these two calls does not count.
            bytes += entry.map_err(&failed)?.metadata().map_or(0, |metadata| metadata.len());
        }
        let (answers, sets) = (self.answers().usage()?, self.sets().usage()?);
        Ok(Stats {
            games: self.games(),
            removed: self.last_number() - self.games(),
            positions: self.positions(),
            segments: self.metas.len() as u64,
            bytes: bytes + answers.bytes + sets.bytes,
            answers,
            sets,
            pgn_bytes: self.metas.iter().map(|meta| meta.pgn_bytes).sum(),
            columns: self.column_sizes()?,
        })
    }

    /// How many bytes the files of each column take; annotations, which are in the files of `tags` and of small segments, by
    /// themselves.
    fn column_sizes(&self) -> Result<Vec<(&'static str, u64)>> {
        let mut sizes = self.store.column_sizes()?;
        let mut annotations = 0;
        for segment in self.segments.iter() {
            // `verify` tells of damage. Segments of format 7 have no directory.
            let Ok(Some(directory)) = segment.annotation_directory() else {
                continue;
            };
            annotations += directory.bytes();
            let host = Key::segment(segment.meta().id, Column::Tags).host();
            if let Some((_, size)) = sizes.iter_mut().find(|(name, _)| *name == host.name()) {
                *size = size.saturating_sub(directory.bytes());
            }
        }
        sizes.push(("annotations", annotations));
        Ok(sizes)
    }

    /// Reads the whole database and checks it: checksums, encodings, order and range of ids, and the posting lists
    /// against the boards that the stored moves lead to, and sets with names. Damage is listed in the report; it is no error.
    ///
    /// # Errors
    ///
    /// When the database can't be read at all.
    pub fn verify(&self, progress: &mut (dyn FnMut(Progress) + Send)) -> Result<Report> {
        let mut report = verify::verify(&self.store, &self.segments, &self.files, progress)?;
        report.records.extend(self.sets().problems()?);
        Ok(report)
    }
}
