//! A database on disk: creating, opening, committing segments.

use std::{path::Path, sync::Arc};

use crate::{
    batch::SegmentData,
    column::Column,
    directory::Directory,
    error::{Error, Result},
    frame::Sealer,
    id::SegmentId,
    key::Key,
    record::Manifest,
    segment::{Array, Segment},
    snapshot::{SegmentMeta, Snapshot},
    store::{Access, Store},
    tags::TagColumn,
    texts::outcome_code,
};

/// A directory with indexed games.
#[derive(Debug)]
pub struct Database {
    store: Arc<Store>,
    manifest: Manifest,
    segments: Arc<[Segment]>,
}

impl Database {
    /// Creates an empty database, opened for writing. The directory may exist if it is empty.
    ///
    /// # Errors
    ///
    /// When something stands there already, or the directory can't be made.
    pub fn create(path: impl AsRef<Path>) -> Result<Database> {
        Database::from_store(Store::create(path.as_ref())?)
    }

    /// Opens a database for writing; one process at a time can. What an interrupted run left is removed.
    ///
    /// # Errors
    ///
    /// When there is no database, it has another format, or somebody else writes to it.
    pub fn open(path: impl AsRef<Path>) -> Result<Database> {
        let database = Database::from_store(Store::open(path.as_ref(), Access::Write)?)?;
        database.store.remove_from(SegmentId::new(database.manifest.next))?;
        Ok(database)
    }

    /// Opens a database for reading, whoever else reads or writes it.
    ///
    /// # Errors
    ///
    /// When there is no database or it has another format.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Database> {
        Database::from_store(Store::open(path.as_ref(), Access::Read)?)
    }

    fn from_store(store: Store) -> Result<Database> {
        let manifest = store.manifest()?;
        let store = Arc::new(store);
        let segment = |&record| Segment::new(Arc::clone(&store), SegmentMeta::from(record));
        let segments = manifest.segments.iter().map(segment).collect();
        Ok(Database {
            store,
            manifest,
            segments,
        })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        self.store.path()
    }

    /// What is committed now; it stays as it is whatever is committed later.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::new(Arc::clone(&self.store), Arc::clone(&self.segments))
    }

    /// Adds a segment; it is visible to snapshots taken later, wholly or not at all. A segment without games is
    /// refused.
    ///
    /// # Errors
    ///
    /// When the database was opened for reading or the disk fails.
    pub fn commit(&mut self, data: SegmentData) -> Result<SegmentId> {
        self.store.check_writable()?;
        let games = data.outcomes.len() as u32;
        if games == 0 {
            return Err(Error::TooLarge {
                what: "a segment without games",
            });
        }
        let id = SegmentId::new(self.manifest.next);
        let mut stored_bytes = 0;
        for column in Column::OF_SEGMENTS {
            stored_bytes += self.write_column(column, id, &data)?;
        }
        let meta = SegmentMeta {
            id,
            games,
            positions: data.positions,
            first_game: self.snapshot().games(),
            pgn_bytes: data.pgn_bytes,
            stored_bytes,
        };
        // The segment exists from this write on.
        let mut manifest = self.manifest.clone();
        manifest.next += 1;
        manifest.segments.push(meta.into());
        self.store.write_manifest(&manifest)?;
        self.manifest = manifest;
        let segment = Segment::new(Arc::clone(&self.store), meta);
        self.segments = self.segments.iter().cloned().chain([segment]).collect();
        Ok(id)
    }

    fn write_column(&self, column: Column, id: SegmentId, data: &SegmentData) -> Result<u64> {
        let blocks = (0..).zip(&data.blocks);
        match column {
            Column::Meta => Ok(0),
            Column::Games => {
                let values = blocks.map(|(block, content)| (Key::block(id, block), content.texts.as_slice()));
                self.store.ingest(column, id, values)
            }
            Column::Boards => {
                let values = blocks.map(|(block, content)| (Key::block(id, block), content.trees.as_slice()));
                self.store.ingest(column, id, values)
            }
            Column::Postings => {
                let entries = data.postings.iter().map(|postings| (postings.term, postings.stats));
                let directory = Sealer::new(3)?.seal(&Directory::encode(entries))?;
                let lists = data.postings.iter();
                let values = lists
                    .map(|postings| (Key::term(id, postings.term), postings.sealed.as_slice()))
                    .chain([(Key::directory(id), directory.as_slice())]);
                self.store.ingest(column, id, values)
            }
            Column::Tags => {
                let arrays = encode_arrays(data)?;
                let values = arrays
                    .iter()
                    .map(|(array, value)| (Key::array(id, array.number()), value.as_slice()));
                self.store.ingest(column, id, values)
            }
        }
    }
}

/// The arrays over the games of a segment, ascending by number.
fn encode_arrays(data: &SegmentData) -> Result<Vec<(Array, Vec<u8>)>> {
    let words = |numbers: &[u32]| {
        numbers
            .iter()
            .flat_map(|number| number.to_le_bytes())
            .collect::<Vec<u8>>()
    };
    let mut blocks = vec![0];
    let mut games = 0;
    blocks.extend(data.blocks.iter().map(|block| {
        games += block.games;
        games
    }));
    let lengths: Vec<u32> = data.starts.windows(2).map(|two| two[1] - two[0]).collect();
    let ratings = |color: usize| {
        data.ratings[color]
            .iter()
            .flat_map(|rating| rating.to_le_bytes())
            .collect()
    };
    let mut raw = vec![
        (Array::Lengths, words(&lengths)),
        (Array::Blocks, words(&blocks)),
        (Array::WhiteRatings, ratings(0)),
        (Array::BlackRatings, ratings(1)),
        (
            Array::Outcomes,
            data.outcomes.iter().map(|&outcome| outcome_code(outcome)).collect(),
        ),
    ];
    raw.extend(
        TagColumn::ALL
            .into_iter()
            .zip(&data.tags)
            .map(|(column, tags)| (Array::Tag(column), tags.encode())),
    );
    let mut sealer = Sealer::new(crate::batch::TAGS_LEVEL)?;
    raw.into_iter()
        .map(|(array, bytes)| Ok((array, sealer.seal(&bytes)?)))
        .collect()
}

#[cfg(test)]
mod tests;
