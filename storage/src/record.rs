//! The records of the `meta` column. Only this file uses bincode.

use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use bincode::{Decode, Encode, config, error::DecodeError};
use postings::Damage;

use crate::{
    id::{Layout, SegmentId},
    segment_key::SegmentKey,
    segment_meta::{RemovedCounts, SegmentMeta},
    source::Source,
};

/// The list of committed segments. A segment exists if it is listed here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub(crate) struct Manifest {
    /// How many commits there were, this one included.
    pub(crate) generation: u64,
    /// The number of the next segment.
    pub(crate) next: u32,
    /// The number of the next source.
    pub(crate) next_source: u32,
    pub(crate) segments: Vec<SegmentRecord>,
}

/// The content of the `meta` column, without the sources.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub(crate) struct Records {
    pub(crate) manifest: Manifest,
    /// The removed games of segments, as [`Removed`](crate::removed::Removed) writes them.
    pub(crate) removed: Vec<(u32, Vec<u8>)>,
}

impl Records {
    pub(crate) fn encode(&self) -> Vec<u8> {
        encode(self)
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Records, Damage> {
        let records: Records = decode(bytes)?;
        records.manifest.check()?;
        Ok(records)
    }
}

/// A sorted file of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub(crate) struct FileRecord {
    pub(crate) bytes: u64,
    /// CRC-32 of the whole file.
    pub(crate) checksum: u32,
}

impl FileRecord {
    /// Reads a file and computes its record.
    pub(crate) fn of(path: &Path) -> io::Result<FileRecord> {
        let mut file = File::open(path)?;
        let mut hasher = crc32fast::Hasher::new();
        let mut buffer = vec![0; 1 << 16];
        let mut bytes = 0;
        loop {
            match file.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => {
                    hasher.update(&buffer[..count]);
                    bytes += count as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(FileRecord {
            bytes,
            checksum: hasher.finalize(),
        })
    }
}

/// One segment in the manifest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub(crate) struct SegmentRecord {
    pub(crate) id: u32,
    pub(crate) games: u32,
    pub(crate) positions: u32,
    pub(crate) removed_games: u32,
    pub(crate) removed_positions: u32,
    pub(crate) removed_mainline: u32,
    pub(crate) first_game: u64,
    pub(crate) pgn_bytes: u64,
    /// In the order of `Column::OF_SEGMENTS`. A small segment has one file, and this is the first record; the others are
    /// empty.
    pub(crate) files: [FileRecord; 4],
}

impl SegmentRecord {
    /// The number of the segment, with its layout.
    pub(crate) fn id(&self) -> SegmentId {
        let has_one_file = self.files[1..].iter().all(|file| file.bytes == 0);
        let layout = if has_one_file { Layout::OneFile } else { Layout::Columns };
        SegmentId::new(self.id, layout)
    }

    /// Adds the counts of removed games of another segment.
    pub(crate) fn add_removed(&mut self, other: &SegmentRecord) {
        self.removed_games += other.removed_games;
        self.removed_positions += other.removed_positions;
        self.removed_mainline += other.removed_mainline;
    }

    /// The key of the segment: a hash of what never changes as long as its files are the same.
    pub(crate) fn key(&self) -> SegmentKey {
        let mut bytes = b"segment".to_vec();
        bytes.extend_from_slice(&self.games.to_le_bytes());
        bytes.extend_from_slice(&self.positions.to_le_bytes());
        for file in &self.files {
            bytes.extend_from_slice(&file.bytes.to_le_bytes());
            bytes.extend_from_slice(&file.checksum.to_le_bytes());
        }
        SegmentKey::of(&bytes)
    }

    /// The same as snapshots show it.
    pub(crate) fn meta(&self) -> SegmentMeta {
        SegmentMeta {
            id: self.id(),
            key: self.key(),
            games: self.games,
            positions: self.positions,
            first_game: self.first_game,
            pgn_bytes: self.pgn_bytes,
            stored_bytes: self.files.iter().map(|file| file.bytes).sum(),
            removed: RemovedCounts {
                games: self.removed_games,
                positions: self.removed_positions,
                mainline: self.removed_mainline,
            },
        }
    }
}

/// The largest record that is read: half a million segments. Without a limit, a damaged length could make bincode
/// reserve all memory.
const LIMIT: usize = 64 << 20;

/// Little-endian integers of fixed size, lengths of 64 bits.
fn layout() -> impl config::Config {
    config::legacy().with_limit::<LIMIT>()
}

fn encode(record: &impl Encode) -> Vec<u8> {
    bincode::encode_to_vec(record, layout()).expect("numbers and texts in memory can always be encoded")
}

fn decode<T: Decode<()>>(bytes: &[u8]) -> Result<T, Damage> {
    let (record, length) = bincode::decode_from_slice(bytes, layout()).map_err(|error| match error {
        DecodeError::UnexpectedEnd { .. } => Damage::Truncated,
        _ => Damage::Invalid("a record can't be read"),
    })?;
    if length == bytes.len() {
        Ok(record)
    } else {
        Err(Damage::TrailingBytes)
    }
}

impl Manifest {
    pub(crate) fn encode(&self) -> Vec<u8> {
        encode(self)
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Manifest, Damage> {
        let manifest: Manifest = decode(bytes)?;
        manifest.check()?;
        Ok(manifest)
    }

    /// Checks that the numbers of the segments fit together.
    fn check(&self) -> Result<(), Damage> {
        let (mut first_game, mut stored, mut pgn) = (0, 0u64, 0u64);
        for record in &self.segments {
            let in_files = record
                .files
                .iter()
                .try_fold(stored, |all, file| all.checked_add(file.bytes));
            let (Some(all_stored), Some(all_pgn)) = (in_files, pgn.checked_add(record.pgn_bytes)) else {
                return Err(Damage::Invalid("the files of the list of segments are too large"));
            };
            (stored, pgn) = (all_stored, all_pgn);
            let contradicts = record.first_game != first_game
                || record.id >= self.next
                || record.removed_games > record.games
                || record.removed_positions > record.positions
                || record.removed_mainline > record.removed_positions;
            if contradicts {
                return Err(Damage::Invalid("the list of segments contradicts itself"));
            }
            first_game += u64::from(record.games);
        }
        Ok(())
    }

    /// Computes the number of the first game of each segment, in the order of the list.
    pub(crate) fn renumber(&mut self) {
        let mut first_game = 0;
        for record in &mut self.segments {
            record.first_game = first_game;
            first_game += u64::from(record.games);
        }
    }
}

/// A [`Source`] as it is on disk.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
struct SourceRecord {
    name: String,
    bytes: u64,
    lines: u64,
    games: u64,
    is_complete: bool,
    head: [u8; 32],
    hash: [u8; 32],
}

pub(crate) fn encode_source(source: &Source) -> Vec<u8> {
    let Source {
        name,
        bytes,
        lines,
        games,
        is_complete,
        head,
        hash,
    } = source.clone();
    encode(&SourceRecord {
        name,
        bytes,
        lines,
        games,
        is_complete,
        head,
        hash,
    })
}

pub(crate) fn decode_source(bytes: &[u8]) -> Result<Source, Damage> {
    let SourceRecord {
        name,
        bytes,
        lines,
        games,
        is_complete,
        head,
        hash,
    } = decode(bytes)?;
    Ok(Source {
        name,
        bytes,
        lines,
        games,
        is_complete,
        head,
        hash,
    })
}

#[cfg(test)]
#[expect(clippy::cast_possible_truncation, reason = "the lists of the tests are short")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn manifest(games: &[u32]) -> Manifest {
        let segments = games.iter().zip(3..).map(|(&games, id)| SegmentRecord {
            id,
            games,
            positions: 7,
            removed_games: 0,
            removed_positions: 0,
            removed_mainline: 0,
            first_game: 0,
            pgn_bytes: 9,
            files: [FileRecord {
                bytes: 11,
                checksum: 12,
            }; 4],
        });
        let mut manifest = Manifest {
            generation: 1,
            next: 3 + games.len() as u32,
            next_source: 2,
            segments: segments.collect(),
        };
        manifest.renumber();
        manifest
    }

    proptest! {
        #[test]
        fn manifests_come_back(games: Vec<u32>) {
            let manifest = manifest(&games);
            let bytes = manifest.encode();
            prop_assert_eq!(Manifest::decode(&bytes).unwrap(), manifest);
            prop_assert!(Manifest::decode(&bytes[..bytes.len() - 1]).is_err());
        }

        #[test]
        fn sources_come_back(name: String, bytes: u64, lines: u64, games: u64, is_complete: bool, head: [u8; 32]) {
            let source = Source { name, bytes, lines, games, is_complete, head, hash: head };
            let encoded = encode_source(&source);
            prop_assert_eq!(decode_source(&encoded).unwrap(), source);
            prop_assert!(decode_source(&encoded[..encoded.len() - 1]).is_err());
        }

        #[test]
        fn garbage_is_refused_or_read(bytes: Vec<u8>) {
            let _ = Manifest::decode(&bytes);
            let _ = decode_source(&bytes);
        }
    }

    /// Found by guided fuzzing: their sum was too large for 64 bits.
    #[test]
    fn sizes_that_cannot_be_added_up_are_damage() {
        type Change = fn(&mut Manifest);
        let changes: [Change; 3] = [
            |manifest| (0..2).for_each(|file| manifest.segments[0].files[file].bytes = 1 << 63),
            |manifest| (0..2).for_each(|segment| manifest.segments[segment].files[3].bytes = 1 << 63),
            |manifest| (0..2).for_each(|segment| manifest.segments[segment].pgn_bytes = 1 << 63),
        ];
        for change in changes {
            let mut manifest = manifest(&[5, 6]);
            change(&mut manifest);
            assert!(matches!(Manifest::decode(&manifest.encode()), Err(Damage::Invalid(_))));
        }
    }

    #[test]
    fn the_layout_does_not_depend_on_the_library() {
        let numbers = |numbers: &[u32]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
        // Generation, next, next source, number of segments.
        let mut wanted = numbers(&[1, 0, 4, 2, 1, 0]);
        // Id, games, positions, removed, first game, bytes of PGN, four files.
        wanted.extend(numbers(&[3, 5, 7, 0, 0, 0, 0, 0, 9, 0]));
        wanted.extend(numbers(&[11, 0, 12]).repeat(4));
        assert_eq!(manifest(&[5]).encode(), wanted);
    }
}
