//! Writing: sorted files that RocksDB takes over, the `meta` column's last.
//!
//! Nothing goes through RocksDB's log. What it knows is one list of files, and a reader that finds any beginning of
//! that list finds a database as it was at some moment.

use std::{
    fs,
    ops::Range,
    path::{Path, PathBuf},
    thread,
};

use rocksdb::{IngestExternalFileOptions, SstFileWriter};

use super::{MANIFEST_KEY, REMOVED_PREFIX, SOURCE_PREFIX, Store, generation, numbered, rocks};
use crate::{
    column::{Column, column_options},
    error::{Error, Result},
    frame::Sealer,
    id::SegmentId,
    key::Key,
    record::{self, FileRecord, Records},
    removed::Removed,
    source::Source,
    steps,
};

/// Where files are written before RocksDB takes them over.
const INGEST: &str = "ingest";

/// The `meta` column is one small file a commit; from so many on they become one.
const META_FILES: usize = 16;

/// The files of a segment of fewer bytes are written one after the other.
const SMALL: usize = 1 << 20;

/// What a commit changes in the `meta` column beside the manifest.
#[derive(Debug, Default)]
pub(crate) struct MetaChange {
    /// A key without a value is removed.
    entries: Vec<(Vec<u8>, Option<Vec<u8>>)>,
}

impl MetaChange {
    pub(crate) fn put(&mut self, key: Vec<u8>, value: Vec<u8>) {
        self.entries.push((key, Some(value)));
    }

    /// The removed games of a segment.
    pub(crate) fn removed(&mut self, segment: SegmentId, removed: &Removed) -> Result<()> {
        let key = numbered(REMOVED_PREFIX, segment.get());
        let value = match removed.is_empty() {
            true => None,
            false => Some(Sealer::new(3).seal(&removed.encode())?),
        };
        self.entries.push((key, value));
        Ok(())
    }

    /// A source that games came from.
    pub(crate) fn source(&mut self, number: u32, source: &Source) -> Result<()> {
        let value = Sealer::new(3).seal(&record::encode_source(source))?;
        self.put(numbered(SOURCE_PREFIX, number), value);
        Ok(())
    }
}

/// Removes what stands where a file is to be written: it may be another name of one that RocksDB has taken over.
fn clear_way(file: &Path) -> Result<()> {
    match fs::remove_file(file) {
        Err(source) if !generation::is_missing(&source) => Err(Error::Io {
            path: file.to_owned(),
            source,
        }),
        _ => Ok(()),
    }
}

/// The values of a segment in a column, ascending by key.
pub(crate) type Values<'a> = Vec<(Key, &'a [u8])>;

impl Store {
    /// Makes a manifest the valid one, together with other records: all of it or nothing.
    pub(crate) fn commit(&self, records: &Records, mut change: MetaChange) -> Result<()> {
        self.check_writable()?;
        let sealer = Sealer::new(3);
        change.put(MANIFEST_KEY.to_vec(), sealer.seal(&records.manifest.encode())?);
        change.entries.sort_unstable();
        let file = self.ingest_directory()?.join("meta.sst");
        let failed = |error| rocks(&self.path, error);
        let options = column_options();
        let mut writer = SstFileWriter::create(&options);
        clear_way(&file)?;
        writer.open(&file).map_err(failed)?;
        for (key, value) in &change.entries {
            match value {
                Some(value) => writer.put(key, value).map_err(failed)?,
                None => writer.delete(key).map_err(failed)?,
            }
        }
        writer.finish().map_err(failed)?;
        steps::reached("commit written");
        self.take_over(Column::Meta, &file)?;
        steps::reached("committed");
        self.leave_copy(records);
        steps::reached("commit counted");
        Ok(())
    }

    /// Joins the files of the `meta` column if there are many. Nothing is lost if that fails.
    pub(crate) fn tidy(&self) -> Result<()> {
        let files = self.db.live_files().map_err(|error| rocks(&self.path, error))?;
        let meta = files
            .iter()
            .filter(|file| file.column_family_name == Column::Meta.name());
        if meta.count() > META_FILES {
            self.db
                .compact_range_cf(self.column(Column::Meta)?, None::<&[u8]>, None::<&[u8]>);
            steps::reached("meta joined");
        }
        Ok(())
    }

    /// Writes all columns of a segment and makes RocksDB take the files over; gives their sizes and checksums.
    pub(crate) fn ingest(&self, segment: SegmentId, columns: [Values<'_>; 4]) -> Result<[FileRecord; 4]> {
        let written = self.write_files(segment, columns);
        if written.is_err() {
            // A full disk is not to stay full. What is left now goes when the database is next opened for writing.
            let _ = fs::remove_dir_all(self.path.join(INGEST));
        }
        written
    }

    fn write_files(&self, segment: SegmentId, columns: [Values<'_>; 4]) -> Result<[FileRecord; 4]> {
        self.check_writable()?;
        let directory = self.ingest_directory()?;
        steps::reached("segment begun");
        // At once: most of the time goes into waiting for the disk. For a few games threads cost more than they save.
        let size: usize = columns.iter().flatten().map(|(_, value)| value.len()).sum();
        let all = |work: &(dyn Fn(Column, &Values<'_>) -> Result<FileRecord> + Sync)| -> Result<[FileRecord; 4]> {
            let mut records = [FileRecord::default(); 4];
            if size < SMALL {
                for (record, (column, values)) in records.iter_mut().zip(Column::OF_SEGMENTS.into_iter().zip(&columns))
                {
                    *record = work(column, values)?;
                }
                return Ok(records);
            }
            let results = thread::scope(|scope| {
                let handles: Vec<_> = Column::OF_SEGMENTS
                    .into_iter()
                    .zip(&columns)
                    .map(|(column, values)| scope.spawn(move || work(column, values)))
                    .collect();
                let join = |handle: thread::ScopedJoinHandle<'_, _>| match handle.join() {
                    Ok(result) => result,
                    Err(panic) => std::panic::resume_unwind(panic),
                };
                handles.into_iter().map(join).collect::<Result<Vec<_>>>()
            })?;
            records.copy_from_slice(&results);
            Ok(records)
        };
        let file = |column: Column| directory.join(format!("{segment}-{}.sst", column.name()));
        let records = all(&|column, values| self.write_file(&file(column), values))?;
        steps::reached("segment written");
        all(&|column, _| {
            self.take_over(column, &file(column))?;
            steps::reached(match column {
                Column::Meta => "meta taken over",
                Column::Games => "games taken over",
                Column::Boards => "boards taken over",
                Column::Postings => "postings taken over",
                Column::Tags => "tags taken over",
            });
            Ok(FileRecord::default())
        })?;
        steps::reached("segment taken over");
        Ok(records)
    }

    fn write_file(&self, file: &PathBuf, values: &Values<'_>) -> Result<FileRecord> {
        let options = column_options();
        let mut writer = SstFileWriter::create(&options);
        let failed = |error| rocks(&self.path, error);
        clear_way(file)?;
        writer.open(file).map_err(failed)?;
        for (key, value) in values {
            writer.put(key.as_bytes(), value).map_err(failed)?;
        }
        writer.finish().map_err(failed)?;
        FileRecord::of(file).map_err(|source| Error::Io {
            path: file.clone(),
            source,
        })
    }

    fn ingest_directory(&self) -> Result<PathBuf> {
        let directory = self.path.join(INGEST);
        fs::create_dir_all(&directory).map_err(|source| Error::Io {
            path: directory.clone(),
            source,
        })?;
        Ok(directory)
    }

    fn take_over(&self, column: Column, file: &PathBuf) -> Result<()> {
        let mut options = IngestExternalFileOptions::default();
        options.set_move_files(true);
        self.db
            .ingest_external_file_cf_opts(self.column(column)?, &options, vec![file])
            .map_err(|error| rocks(&self.path, error))
    }

    /// Removes what an interrupted run left: files that were never taken over, segments that are not used.
    pub(crate) fn clear_leftovers(&self, is_used: impl Fn(SegmentId) -> bool) -> Result<()> {
        self.check_writable()?;
        let directory = self.path.join(INGEST);
        match fs::remove_dir_all(&directory) {
            Err(source) if !generation::is_missing(&source) => {
                return Err(Error::Io {
                    path: directory,
                    source,
                });
            }
            _ => {}
        }
        let mut unused = self.segments_with_files()?;
        unused.retain(|&segment| !is_used(segment));
        self.drop_segments(&unused, is_used)
    }

    /// Removes the files of segments that no manifest names any more. Readers that have them open keep them. Segments
    /// that have none in use between them go at once.
    pub(crate) fn drop_segments(&self, segments: &[SegmentId], is_used: impl Fn(SegmentId) -> bool) -> Result<()> {
        let mut numbers: Vec<u32> = segments.iter().map(|segment| segment.get()).collect();
        numbers.sort_unstable();
        let is_free = |mut between: Range<u32>| !between.any(|number| is_used(SegmentId::new(number)));
        for group in numbers.chunk_by(|&one, &next| is_free(one + 1..next)) {
            let mut end = [0xff; 9];
            end[..4].copy_from_slice(&group[group.len() - 1].to_be_bytes());
            self.delete_files(Key::segment(SegmentId::new(group[0])).as_bytes(), &end)?;
            steps::reached("old segment dropped");
        }
        Ok(())
    }

    /// Removes the files of all columns that hold segments and lie between two keys.
    fn delete_files(&self, from: &[u8], to: &[u8]) -> Result<()> {
        let failed = |error| rocks(&self.path, error);
        for column in Column::OF_SEGMENTS {
            let handle = self.column(column)?;
            self.db.delete_file_in_range_cf(handle, from, to).map_err(failed)?;
        }
        Ok(())
    }

    /// The numbers of the segments that have files, ascending.
    fn segments_with_files(&self) -> Result<Vec<SegmentId>> {
        let files = self.segment_files()?;
        let mut found: Vec<SegmentId> = files.into_iter().map(|(_, segment, _)| segment).collect();
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}
