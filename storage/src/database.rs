//! A database on disk: creating, opening, committing.

#[cfg(any(test, feature = "testing"))]
use std::path::PathBuf;
use std::{
    path::Path,
    sync::{Arc, Weak},
};

use chess::AnnotationKind;
use postings::Term;

use crate::{
    annotations::AnnotationDirectory,
    batch::{Block, SegmentData},
    directory::Directory,
    error::{Error, Result},
    frame::Sealer,
    id::SegmentId,
    key::Key,
    record::{Manifest, Records, SegmentRecord},
    removed::Removed,
    segment::{Array, Segment},
    segment_files::SegmentFiles,
    segment_key::SegmentKey,
    snapshot::Snapshot,
    source::Source,
    steps,
    store::{Access, FORMAT_VERSION, MetaChange, Store},
    tags::TagColumn,
    texts::outcome_code,
};

/// A directory with indexed games.
#[derive(Debug)]
pub struct Database {
    store: Arc<Store>,
    manifest: Manifest,
    segments: Arc<[Segment]>,
    /// Files of former segments that snapshots may still read, by the numbers of the segments.
    retired: Vec<(u32, Weak<SegmentFiles>)>,
}

/// A segment of the database after a change.
pub(crate) enum Slot {
    /// An old one, by its place, unchanged.
    Kept(usize),
    /// An old one, by its place, with other removed games.
    Changed(usize, SegmentRecord, Removed),
    /// A new one, whose files have just been written.
    New(SegmentRecord, Removed),
}

impl Database {
    /// Creates an empty database, opened for writing. The directory may exist if it is empty.
    ///
    /// # Errors
    ///
    /// When something exists there already, or the directory can't be made.
    pub fn create(path: impl AsRef<Path>) -> Result<Database> {
        Database::from_store(Store::create(path.as_ref())?)
    }

    /// Opens a database for writing. One process can do so at a time. Files that an interrupted run left are removed.
    ///
    /// # Errors
    ///
    /// When there is no database, it has another format, or another process writes to it.
    pub fn open(path: impl AsRef<Path>) -> Result<Database> {
        Database::from_store(Store::open(path.as_ref(), Access::Write)?)?.cleared()
    }

    /// Opens a database for [`Database::rebuild`]. It may be of format 5 or 6, whose games are stored as they are today; its
    /// index can't be read.
    ///
    /// # Errors
    ///
    /// As [`Database::open`].
    pub fn open_to_rebuild(path: impl AsRef<Path>) -> Result<Database> {
        Database::from_store(Store::open_to_rebuild(path.as_ref())?)?.cleared()
    }

    /// Clears what interrupted runs have left.
    fn cleared(self) -> Result<Database> {
        let segments = &self.manifest.segments;
        let is_used = |number| segments.iter().any(|record| record.id == number);
        self.store.clear_leftovers(is_used)?;
        self.store.catch_up(self.manifest.generation);
        steps::reached("leftovers cleared");
        Ok(self)
    }

    /// Whether the database has an older format than the one that is written now.
    ///
    /// # Errors
    ///
    /// When the format can't be read.
    pub fn is_of_older_format(&self) -> Result<bool> {
        Ok(self.store.format()? != Some(FORMAT_VERSION))
    }

    /// Says that the database has our format from now on: its whole index has been made anew.
    pub(crate) fn set_format(&mut self) -> Result<()> {
        self.manifest = self.store.set_format()?.manifest;
        Ok(())
    }

    /// Opens a database for writing. Creates it if the path does not exist, is an empty directory, or is a database
    /// whose creation was interrupted.
    ///
    /// # Errors
    ///
    /// As [`Database::create`] and [`Database::open`].
    pub fn open_or_create(path: impl AsRef<Path>) -> Result<Database> {
        let path = path.as_ref();
        if Store::is_vacant(path)? {
            Database::create(path)
        } else {
            Database::open(path)
        }
    }

    /// Opens a database for reading. Other processes may read and write it. Their later commits are not seen.
    ///
    /// # Errors
    ///
    /// When there is no database, or it has another format.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Database> {
        Database::from_store(Store::open(path.as_ref(), Access::Read)?)
    }

    /// The same for a database that is a part of a greater whole, with `before` games in the parts before it: all numbers
    /// of its games are that much higher.
    ///
    /// # Errors
    ///
    /// As [`Database::open_read_only`].
    pub fn open_part(path: impl AsRef<Path>, before: u64) -> Result<Database> {
        Database::numbered(Store::open(path.as_ref(), Access::Read)?, before)
    }

    /// Restores the records of segments from the copy that each commit leaves, if these records, or those of sources,
    /// can't be read. The sources are lost then. Returns whether that was necessary.
    ///
    /// # Errors
    ///
    /// When there is no copy of the last commit either, another process writes to the database, or the disk fails.
    pub fn recover(path: impl AsRef<Path>) -> Result<bool> {
        Store::recover(path.as_ref())
    }

    fn from_store(store: Store) -> Result<Database> {
        Database::numbered(store, 0)
    }

    fn numbered(store: Store, before: u64) -> Result<Database> {
        let mut manifest = store.manifest()?;
        for record in &mut manifest.segments {
            record.first_game += before;
        }
        let store = Arc::new(store);
        let segment = |record: &SegmentRecord| {
            let meta = record.meta();
            let removed = store.removed(record.id, meta.games, meta.removed.games)?;
            Ok(Segment::new(Arc::clone(&store), meta, removed))
        };
        let segments = manifest.segments.iter().map(segment).collect::<Result<_>>()?;
        Ok(Database {
            store,
            manifest,
            segments,
            retired: Vec::new(),
        })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        self.store.path()
    }

    /// Whether there was a commit since this was opened or has committed itself.
    ///
    /// # Errors
    ///
    /// When the directory can't be read.
    pub fn is_outdated(&self) -> Result<bool> {
        Ok(self.store.newest_commit()? != Some(self.manifest.generation))
    }

    /// Sets how many bytes of posting lists are kept in memory; 768 MiB unless this was called.
    pub fn set_cache(&self, bytes: u64) {
        self.store.set_cache(bytes);
    }

    /// A view of the database as it is now. Later commits do not change it.
    pub fn snapshot(&self) -> Snapshot {
        let files = self.manifest.segments.iter().map(|record| record.files);
        Snapshot::new(Arc::clone(&self.store), Arc::clone(&self.segments), files.collect())
    }

    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    pub(crate) fn records(&self) -> &[SegmentRecord] {
        &self.manifest.segments
    }

    /// The keys of all segments.
    pub(crate) fn keys(&self) -> Vec<SegmentKey> {
        self.manifest.segments.iter().map(SegmentRecord::key).collect()
    }

    /// A segment whose files are written, and which is not committed yet.
    pub(crate) fn unapplied(&self, record: &SegmentRecord) -> Segment {
        Segment::new(Arc::clone(&self.store), record.meta(), Removed::default())
    }

    pub(crate) fn check_writable(&self) -> Result<()> {
        self.store.check_writable()
    }

    /// Writes the copy of the records again.
    pub(crate) fn renew_copy(&self) -> Result<()> {
        self.store.renew_copy()
    }

    /// Puts segments into one file that have fewer bytes than this, from now on. Needs the feature `testing`.
    #[cfg(any(test, feature = "testing"))]
    pub fn set_small(&self, bytes: usize) {
        self.store.set_small(bytes);
    }

    /// The files of all segments. Needs the feature `testing`.
    ///
    /// # Errors
    ///
    /// When RocksDB can't list them.
    #[cfg(any(test, feature = "testing"))]
    pub fn segment_files(&self) -> Result<Vec<PathBuf>> {
        let files = self.store.segment_files()?;
        Ok(files.into_iter().map(|(_, _, path)| path).collect())
    }

    /// The texts that games came from, with their numbers.
    ///
    /// # Errors
    ///
    /// When the records are damaged.
    pub fn sources(&self) -> Result<Vec<(u32, Source)>> {
        self.store.sources()
    }

    /// A number for a new source. The next commit makes it permanent.
    pub fn new_source(&mut self) -> u32 {
        self.manifest.next_source += 1;
        self.manifest.next_source - 1
    }

    /// Adds a segment behind the others, without joining.
    #[cfg(test)]
    pub(crate) fn commit(&mut self, data: SegmentData) -> Result<()> {
        let record = self.write_segment(data)?;
        let mut slots = self.kept_slots();
        slots.push(Slot::New(record, Removed::default()));
        self.apply(slots, &[])
    }

    /// All segments, unchanged.
    pub(crate) fn kept_slots(&self) -> Vec<Slot> {
        (0..self.segments.len()).map(Slot::Kept).collect()
    }

    /// Writes the files of a segment. The segment does not exist before [`Database::apply`] gets it in a slot. In a database of an
    /// older format, programs of that format can read it.
    pub(crate) fn write_segment(&mut self, mut data: SegmentData) -> Result<SegmentRecord> {
        if !self.store.lists_pins()? {
            data.postings.retain(|list| !matches!(list.term, Term::Pinned(..)));
        }
        self.write_rebuilt(&data)
    }

    /// The same for a segment that has all that those of our format have.
    pub(crate) fn write_rebuilt(&mut self, data: &SegmentData) -> Result<SegmentRecord> {
        self.store.check_writable()?;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "each game has a position, and positions have numbers of 32 bits"
        )]
        let games = data.outcomes.len() as u32;
        if games == 0 {
            return Err(Error::TooLarge {
                what: "a segment without games",
            });
        }
        let (directory, arrays) = (encode_directory(data)?, encode_arrays(data)?);
        let bytes = stored_bytes(data, &arrays);
        let id = SegmentId::new(self.manifest.next, self.store.layout(bytes)?);
        // Each number is given once, even if the segment is never committed.
        self.manifest.next += 1;
        let texts = (0..).zip(&data.blocks);
        let texts = texts.map(|(number, block)| (Key::texts(id, number), block.texts.as_slice()));
        let trees = (0..).zip(&data.blocks);
        let trees = trees.map(|(number, block)| (Key::trees(id, number), block.trees.as_slice()));
        let lists = data.postings.iter();
        let lists = lists.map(|postings| (Key::term(id, postings.term), postings.sealed.as_slice()));
        let values = arrays.iter();
        let values = values.map(|(array, value)| (Key::array(id, array.number()), value.as_slice()));
        let files = self.store.ingest_segment(
            id,
            [
                texts.collect(),
                trees.collect(),
                lists.chain([(Key::directory(id), directory.as_slice())]).collect(),
                values.chain(annotations(id, &data.blocks)).collect(),
            ],
        )?;
        Ok(SegmentRecord {
            id: id.get(),
            games,
            positions: data.positions,
            pgn_bytes: data.pgn_bytes,
            files,
            ..SegmentRecord::default()
        })
    }

    /// Makes these the segments of the database, in this order, and records sources, all in one commit. The files of
    /// segments that are left out are removed.
    pub(crate) fn apply(&mut self, slots: Vec<Slot>, sources: &[(u32, Source)]) -> Result<()> {
        let mut change = MetaChange::default();
        let mut manifest = Manifest {
            generation: self.manifest.generation + 1,
            segments: Vec::with_capacity(slots.len()),
            ..self.manifest
        };
        let mut is_kept = vec![false; self.segments.len()];
        let mut all_removed = Vec::new();
        for slot in &slots {
            let (record, removed, is_recorded) = match slot {
                Slot::Kept(at) => {
                    is_kept[*at] = true;
                    (self.manifest.segments[*at], self.segments[*at].removed(), true)
                }
                Slot::Changed(at, record, removed) => {
                    is_kept[*at] = true;
                    (*record, removed, false)
                }
                Slot::New(record, removed) => (*record, removed, removed.is_empty()),
            };
            manifest.segments.push(record);
            if !is_recorded {
                change.removed(record.id, removed)?;
            }
            if !removed.is_empty() {
                all_removed.push((record.id, removed.encode()));
            }
        }
        manifest.renumber();
        let mut unused = Vec::new();
        for (segment, is_kept) in self.segments.iter().zip(is_kept) {
            let id = segment.meta().id;
            if !is_kept {
                unused.push(Arc::clone(segment.files()));
                if !segment.removed().is_empty() {
                    change.removed(id.get(), &Removed::default())?;
                }
            }
        }
        for (number, source) in sources {
            change.source(*number, source)?;
        }
        let records = Records {
            manifest,
            removed: all_removed,
        };
        self.store.commit(&records, change)?;
        let manifest = records.manifest;
        let segments = slots
            .into_iter()
            .zip(&manifest.segments)
            .map(|(slot, record)| match slot {
                Slot::Kept(at) if self.segments[at].meta() == &record.meta() => self.segments[at].clone(),
                Slot::Kept(at) => self.segments[at].changed(record.meta(), self.segments[at].removed().clone()),
                Slot::Changed(at, _, removed) => self.segments[at].changed(record.meta(), removed),
                Slot::New(_, removed) => Segment::new(Arc::clone(&self.store), record.meta(), removed),
            });
        self.segments = segments.collect();
        self.manifest = manifest;
        // The commit is complete. Files that can't be removed now are removed when the database is next opened for
        // writing.
        let _ = self.drop_unused(unused).and_then(|()| self.store.tidy());
        Ok(())
    }

    /// Removes the files of segments that the database does not need any more. Those that a snapshot of this process may
    /// read stay until the last such snapshot is gone.
    fn drop_unused(&mut self, unused: Vec<Arc<SegmentFiles>>) -> Result<()> {
        self.retired.retain(|(_, files)| files.strong_count() > 0);
        let mut free = Vec::new();
        for files in unused {
            let (id, held) = (files.id(), Arc::downgrade(&files));
            match files.retire() {
                true => free.push(id.get()),
                false => self.retired.push((id.get(), held)),
            }
        }
        let (manifest, retired) = (&self.manifest, &self.retired);
        let is_used = |number| {
            manifest.segments.iter().any(|record| record.id == number)
                || retired.iter().any(|(retired, _)| *retired == number)
        };
        self.store.drop_segments(&free, is_used)
    }
}

/// How many bytes the values of a segment take, without its directory.
fn stored_bytes(data: &SegmentData, arrays: &[(Array, Vec<u8>)]) -> usize {
    let lists = data.postings.iter().map(|postings| postings.sealed.len());
    let blocks = data.blocks.iter().map(|block| {
        let annotations: usize = block.annotations.iter().map(|sealed| sealed.bytes.len()).sum();
        block.texts.len() + block.trees.len() + annotations
    });
    let arrays = arrays.iter().map(|(_, value)| value.len());
    lists.chain(blocks).chain(arrays).sum()
}

/// The statistics of the posting lists of a segment.
fn encode_directory(data: &SegmentData) -> Result<Vec<u8>> {
    let entries = data.postings.iter().map(|postings| (postings.term, postings.stats));
    Sealer::new(3).seal(&Directory::encode(entries))
}

/// The annotations of the blocks of a segment, ascending by their keys.
fn annotations(id: SegmentId, blocks: &[Block]) -> impl Iterator<Item = (Key, &[u8])> {
    AnnotationKind::ALL.into_iter().flat_map(move |kind| {
        let values = (0..).zip(blocks);
        values
            .map(move |(block, values)| {
                let sealed = &values.annotations[kind as usize];
                (Key::annotations(id, kind, block), sealed.bytes.as_slice())
            })
            .filter(|(_, sealed)| !sealed.is_empty())
    })
}

/// The encoded arrays over the games of a segment, ascending by their numbers.
fn encode_arrays(data: &SegmentData) -> Result<Vec<(Array, Vec<u8>)>> {
    let words = |numbers: &[u32]| -> Vec<u8> { numbers.iter().flat_map(|number| number.to_le_bytes()).collect() };
    let mut blocks = vec![0];
    let mut games = 0;
    blocks.extend(data.blocks.iter().map(|block| {
        games += block.games;
        games
    }));
    let lengths: Vec<u32> = data.starts.windows(2).map(|two| two[1] - two[0]).collect();
    let ratings = |numbers: &[u16]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let [white, black] = &data.ratings;
    let mut raw = vec![
        (Array::Lengths, words(&lengths)),
        (Array::Blocks, words(&blocks)),
        (Array::WhiteRatings, ratings(white)),
        (Array::BlackRatings, ratings(black)),
        (
            Array::Outcomes,
            data.outcomes.iter().map(|&outcome| outcome_code(outcome)).collect(),
        ),
        (
            Array::Identities,
            data.identities.iter().flat_map(|number| number.to_le_bytes()).collect(),
        ),
    ];
    let annotations = AnnotationDirectory::of(data.blocks.iter().map(|block| &block.annotations));
    raw.push((Array::Annotations, annotations.encode()));
    raw.extend(
        TagColumn::ALL
            .into_iter()
            .zip(&data.tags)
            .map(|(column, tags)| (Array::Tag(column), tags.encode())),
    );
    let sealer = Sealer::new(crate::batch::TAGS_LEVEL);
    raw.into_iter()
        .map(|(array, bytes)| Ok((array, sealer.seal(&bytes)?)))
        .collect()
}

#[cfg(test)]
mod tests;
