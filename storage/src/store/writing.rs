//! Writing: sorted files that RocksDB ingests, that of the `meta` column last.
//!
//! Nothing goes through RocksDB's log. Every change is one entry in its list of files. A reader that finds the list at
//! any point of its growth finds the database as it was at some moment.

use std::{
    fs::{self, File},
    ops::Range,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    thread,
};

use rocksdb::{IngestExternalFileOptions, SstFileWriter};

use super::{Access, MANIFEST_KEY, REMOVED_PREFIX, SOURCE_PREFIX, Store, numbered, rocks};
use crate::{
    column::{Column, column_options},
    error::{Error, Result, is_missing},
    frame::Sealer,
    id::{Layout, SegmentId},
    key::Key,
    record::{self, FileRecord, Records},
    removed::Removed,
    source::Source,
    steps, threads,
};

/// The directory that files are written in before RocksDB ingests them.
const INGEST: &str = "ingest";

/// The file of a commit in that directory.
const COMMIT: &str = "meta.sst";

/// Each commit adds a small file to the `meta` column. When there are more than this many, they are compacted to one.
const META_FILES: usize = 16;

/// A segment with fewer bytes is put into one file. Each file costs five syncs, which take longer than to write it.
pub(super) const SMALL: usize = 4 << 20;

/// The first format with segments of one file.
const ONE_FILE_FORMAT: u32 = 9;

/// The first format in which all segments have lists of pinned men.
const PINS_FORMAT: u32 = 10;

/// Mends a database when its RocksDB is closed, if a commit has failed: see [`mend`].
#[derive(Debug)]
pub(super) struct Mend {
    path: PathBuf,
    is_needed: AtomicBool,
}

impl Mend {
    pub(super) fn new(path: &Path) -> Mend {
        Mend {
            path: path.to_owned(),
            is_needed: AtomicBool::new(false),
        }
    }
}

impl Drop for Mend {
    fn drop(&mut self) {
        if self.is_needed.load(Ordering::Relaxed) {
            // What fails now is done when the database is next opened for writing.
            let _ = mend(&self.path);
        }
    }
}

/// Puts the file of a commit back that RocksDB has listed and removed.
///
/// When its list of files is written but can't be synced, RocksDB takes the change for undone and removes the file, but who
/// reads the list finds it there. It is still in the directory of files that are ingested.
pub(super) fn mend(path: &Path) -> Result<()> {
    let kept = path.join(INGEST).join(COMMIT);
    let Ok(metadata) = fs::metadata(&kept) else {
        return Ok(());
    };
    let store = Store::open_unchecked(path, Access::Read, false)?;
    let files = store.live_files()?.into_iter();
    let newest = files
        .filter(|file| file.column == Some(Column::Meta))
        .max_by(|one, other| one.path.cmp(&other.path));
    if let Some(newest) = newest
        && newest.bytes == metadata.len()
        && !newest.path.exists()
    {
        fs::hard_link(&kept, &newest.path).map_err(Error::io(&newest.path))?;
        File::open(path)
            .and_then(|directory| directory.sync_all())
            .map_err(Error::io(path))?;
    }
    Ok(())
}

/// What a commit changes in the `meta` column, apart from the manifest.
#[derive(Debug, Default)]
pub(crate) struct MetaChange {
    /// Keys and their new values; a key without a value is deleted.
    entries: Vec<(Vec<u8>, Option<Vec<u8>>)>,
}

impl MetaChange {
    /// Sets a value.
    pub(crate) fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.entries.push((key, Some(value)));
    }

    /// Sets the removed games of a segment.
    pub(crate) fn removed(&mut self, segment: u32, removed: &Removed) -> Result<()> {
        let key = numbered(REMOVED_PREFIX, segment);
        let value = if removed.is_empty() {
            None
        } else {
            Some(Sealer::new(3).seal(&removed.encode())?)
        };
        self.entries.push((key, value));
        Ok(())
    }

    /// Sets a source.
    pub(crate) fn source(&mut self, number: u32, source: &Source) -> Result<()> {
        let value = Sealer::new(3).seal(&record::encode_source(source))?;
        self.put(numbered(SOURCE_PREFIX, number), value);
        Ok(())
    }
}

/// Makes room for a new file. An old one must not be overwritten: it can be a second link to a file that RocksDB has
/// ingested.
fn clear_way(file: &Path) -> Result<()> {
    match fs::remove_file(file) {
        Err(error) if !is_missing(&error) => Err(Error::io(file)(error)),
        _ => Ok(()),
    }
}

/// The values of a segment in a column, ascending by key.
pub(crate) type Values<'a> = Vec<(Key, &'a [u8])>;

/// Does some work for each file of a segment, in threads, because most of it waits for the disk.
fn for_all_files<T: Send>(
    files: &[(Column, Values<'_>)],
    work: impl Fn(Column, &Values<'_>) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    if let [(column, values)] = files {
        return Ok(vec![work(*column, values)?]);
    }
    let work = &work;
    thread::scope(|scope| {
        let files = files.iter();
        let handles: Vec<_> = files
            .map(|(column, values)| scope.spawn(move || work(*column, values)))
            .collect();
        handles.into_iter().map(threads::join).collect()
    })
}

impl Store {
    /// Replaces the manifest, together with other records, atomically.
    pub(crate) fn commit(&self, records: &Records, mut change: MetaChange) -> Result<()> {
        self.check_writable()?;
        change.put(MANIFEST_KEY.to_vec(), Sealer::new(3).seal(&records.manifest.encode())?);
        change.entries.sort_unstable();
        let file = self.ingest_directory()?.join(COMMIT);
        let entries = change.entries.iter();
        self.write_file(&file, entries.map(|(key, value)| (key.as_slice(), value.as_deref())))?;
        steps::reached("commit written");
        self.ingest_file(Column::Meta, &file)
            .inspect_err(|_| self.mend.is_needed.store(true, Ordering::Relaxed))?;
        steps::reached("committed");
        self.leave_copy(records);
        steps::reached("commit counted");
        Ok(())
    }

    /// Compacts the files of the `meta` column if there are many. Nothing is lost if that fails.
    pub(crate) fn tidy(&self) -> Result<()> {
        let files = self.live_files()?;
        if files.iter().filter(|file| file.column == Some(Column::Meta)).count() > META_FILES {
            self.db
                .compact_range_cf(self.column(Column::Meta)?, None::<&[u8]>, None::<&[u8]>);
            steps::reached("meta joined");
        }
        Ok(())
    }

    /// How a segment with so many bytes is laid out. In a database of an older format, programs of that format can read
    /// what is added.
    pub(crate) fn layout(&self, bytes: usize) -> Result<Layout> {
        let has_one_file = bytes < self.small.load(Ordering::Relaxed)
            && self.format()?.is_some_and(|format| format >= ONE_FILE_FORMAT);
        Ok(if has_one_file { Layout::OneFile } else { Layout::Columns })
    }

    /// Whether all segments have lists of pinned men.
    pub(crate) fn lists_pins(&self) -> Result<bool> {
        Ok(self.format()?.is_some_and(|format| format >= PINS_FORMAT))
    }

    /// Puts segments into one file that have fewer bytes than this.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn set_small(&self, bytes: usize) {
        self.small.store(bytes, Ordering::Relaxed);
    }

    /// Writes the files of a segment and ingests them. Returns their sizes and checksums, as a record of a segment has them.
    pub(crate) fn ingest_segment(&self, segment: SegmentId, columns: [Values<'_>; 4]) -> Result<[FileRecord; 4]> {
        let written = self.write_segment_files(segment, columns);
        if written.is_err() {
            // The disk may be full, so free what was written. What can't be removed now is removed when the database is
            // next opened for writing.
            let _ = fs::remove_dir_all(self.path.join(INGEST));
        }
        written
    }

    fn write_segment_files(&self, segment: SegmentId, columns: [Values<'_>; 4]) -> Result<[FileRecord; 4]> {
        self.check_writable()?;
        let directory = self.ingest_directory()?;
        steps::reached("segment begun");
        let file = |column: Column| directory.join(format!("{segment}-{}.sst", column.name()));
        let files: Vec<(Column, Values<'_>)> = match segment.layout() {
            Layout::Columns => Column::OF_SEGMENTS.into_iter().zip(columns).collect(),
            Layout::OneFile => vec![(Column::Small, columns.concat())],
        };
        let written = for_all_files(&files, |column, values| {
            let file = file(column);
            self.write_file(&file, values.iter().map(|(key, value)| (key.as_bytes(), Some(*value))))?;
            FileRecord::of(&file).map_err(Error::io(&file))
        })?;
        steps::reached("segment written");
        for_all_files(&files, |column, _| {
            self.ingest_file(column, &file(column))?;
            steps::reached(match column {
                Column::Meta => "meta ingested",
                Column::Games => "games ingested",
                Column::Boards => "boards ingested",
                Column::Postings => "postings ingested",
                Column::Tags => "tags ingested",
                Column::Small => "small segment ingested",
            });
            Ok(())
        })?;
        let mut records = [FileRecord::default(); 4];
        records[..written.len()].copy_from_slice(&written);
        steps::reached("segment ingested");
        Ok(records)
    }

    /// Writes a sorted file. Keys ascend; one without a value is written as deleted.
    fn write_file<'a>(&self, file: &Path, entries: impl Iterator<Item = (&'a [u8], Option<&'a [u8]>)>) -> Result<()> {
        let options = column_options();
        let mut writer = SstFileWriter::create(&options);
        let failed = |error| rocks::error(&self.path, error);
        clear_way(file)?;
        writer.open(file).map_err(failed)?;
        for (key, value) in entries {
            match value {
                Some(value) => writer.put(key, value).map_err(failed)?,
                None => writer.delete(key).map_err(failed)?,
            }
        }
        writer.finish().map_err(failed)
    }

    fn ingest_directory(&self) -> Result<PathBuf> {
        let directory = self.path.join(INGEST);
        fs::create_dir_all(&directory).map_err(Error::io(&directory))?;
        Ok(directory)
    }

    fn ingest_file(&self, column: Column, file: &Path) -> Result<()> {
        let mut options = IngestExternalFileOptions::default();
        options.set_move_files(true);
        self.db
            .ingest_external_file_cf_opts(self.column(column)?, &options, vec![file])
            .map_err(|error| rocks::error(&self.path, error))
    }

    /// Removes what an interrupted run left: files that were never ingested, and segments that are not in use.
    pub(crate) fn clear_leftovers(&self, is_used: impl Fn(u32) -> bool) -> Result<()> {
        self.check_writable()?;
        let directory = self.path.join(INGEST);
        match fs::remove_dir_all(&directory) {
            Err(error) if !is_missing(&error) => return Err(Error::io(&directory)(error)),
            _ => {}
        }
        let mut unused = self.segments_with_files()?;
        unused.retain(|&segment| !is_used(segment));
        self.drop_segments(&unused, is_used)
    }

    /// Removes the files of segments, by their numbers, that the manifest does not name any more. Readers that have them
    /// open keep them. Segments with no used segment between their numbers are removed in one step.
    pub(crate) fn drop_segments(&self, segments: &[u32], is_used: impl Fn(u32) -> bool) -> Result<()> {
        let mut numbers = segments.to_vec();
        numbers.sort_unstable();
        let is_free = |mut between: Range<u32>| !between.any(&is_used);
        for group in numbers.chunk_by(|&one, &next| is_free(one + 1..next)) {
            let mut end = [0xff; 9];
            end[..4].copy_from_slice(&group[group.len() - 1].to_be_bytes());
            self.delete_files(&group[0].to_be_bytes(), &end)?;
            steps::reached("old segment dropped");
        }
        Ok(())
    }

    /// Removes the files of segments that lie between two keys, from all columns.
    fn delete_files(&self, from: &[u8], to: &[u8]) -> Result<()> {
        let failed = |error| rocks::error(&self.path, error);
        for column in Column::WITH_SEGMENTS {
            let handle = self.column(column)?;
            self.db.delete_file_in_range_cf(handle, from, to).map_err(failed)?;
        }
        Ok(())
    }

    /// The numbers of the segments that have files, ascending.
    fn segments_with_files(&self) -> Result<Vec<u32>> {
        let files = self.segment_files()?;
        let mut found: Vec<u32> = files.into_iter().map(|(_, segment, _)| segment).collect();
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}
