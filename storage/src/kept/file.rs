//! The bytes of a file with sections: see `docs/format.md`, chapter 11.
//!
//! The head lists the sections with their checksums, so that one section can be read, copied or dropped without
//! unpacking the others, and so that no section can be missing without notice.

use std::collections::BTreeMap;

use postings::{
    Damage,
    varint::{self, Reader},
};
use roaring::RoaringBitmap;

use super::{portable, section::Section};
use crate::{
    error::Result,
    frame::{self, Sealer},
    segment_key::SegmentKey,
    segment_meta::SegmentMeta,
};

/// What a file begins with.
const MAGIC: &[u8; 8] = b"cqlkept\0";

/// The version of these files. It has nothing to do with that of the database.
const VERSION: u32 = 1;

/// Sections are compressed at this level of zstd.
const LEVEL: i32 = 1;

/// A file with sections, in memory. The sections are packed as they are on disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KeptFile {
    /// What the owner of the file notes in it.
    pub(super) note: Vec<u8>,
    /// The sections, by segment.
    pub(super) packed: BTreeMap<SegmentKey, Packed>,
}

/// A section in a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Packed {
    /// [`Section::covered`].
    pub(super) covered: u32,
    /// How many positions the section has.
    pub(super) count: u32,
    /// [`Section::games`].
    pub(super) games: u32,
    /// [`Section::removed`].
    pub(super) removed: u32,
    frame: Vec<u8>,
}

impl Packed {
    /// Packs a section.
    pub(super) fn new(section: &Section) -> Result<Packed> {
        Packed::of(section.clone())
    }

    /// The same for a section that is not needed any more.
    pub(super) fn of(section: Section) -> Result<Packed> {
        debug_assert!(section.positions.max().is_none_or(|last| last < section.covered));
        let mut positions = section.positions;
        positions.optimize();
        let mut bytes = Vec::with_capacity(positions.serialized_size());
        positions
            .serialize_into(&mut bytes)
            .expect("writing to memory does not fail");
        Ok(Packed {
            covered: section.covered,
            count: count(&positions),
            games: section.games,
            removed: section.removed,
            frame: Sealer::new(LEVEL).seal(&bytes)?,
        })
    }

    /// The same with a bit for each position in words; the positions of the section are not looked at.
    pub(super) fn of_words(section: &Section, words: &[u64]) -> Result<Packed> {
        let (bytes, count) = portable::encode(words);
        Ok(Packed {
            covered: section.covered,
            count,
            games: section.games,
            removed: section.removed,
            frame: Sealer::new(LEVEL).seal(&bytes)?,
        })
    }

    /// Whether no game was removed, when this was made, that the segment of a snapshot still has. Positions of such games may
    /// be missing.
    pub(super) fn is_seen_by(&self, meta: &SegmentMeta) -> bool {
        self.removed <= meta.removed.games
    }

    /// How many bytes it takes.
    pub(super) fn bytes(&self) -> u64 {
        self.frame.len() as u64
    }

    /// A section that is damaged.
    pub(super) fn damaged() -> Packed {
        Packed {
            covered: 0,
            count: 0,
            // Zeros are not the checksum of zeros.
            games: 0,
            removed: 0,
            frame: vec![0; frame::HEADER],
        }
    }

    /// Unpacks the section of a segment with `positions` positions, and checks everything about it.
    pub(super) fn open(&self, positions: u32) -> Result<Section, Damage> {
        if self.covered > positions {
            return Err(Damage::Invalid("a section covers more positions than its segment has"));
        }
        let bytes = frame::open(&self.frame)?;
        let mut rest = bytes.as_slice();
        let found =
            RoaringBitmap::deserialize_from(&mut rest).map_err(|_| Damage::Invalid("a section is not a bitmap"))?;
        if !rest.is_empty() {
            return Err(Damage::TrailingBytes);
        }
        if count(&found) != self.count || found.max().is_some_and(|last| last >= self.covered) {
            return Err(Damage::Invalid("a section has other positions than it should have"));
        }
        Ok(Section {
            covered: self.covered,
            positions: found,
            games: self.games,
            removed: self.removed,
        })
    }

    /// Checks that the section is as it was written, without unpacking it.
    pub(super) fn check(&self) -> Result<(), Damage> {
        frame::check(&self.frame)
    }

    /// The checksum of the frame, which its first bytes are.
    fn checksum(&self) -> Result<[u8; 4], Damage> {
        self.frame.first_chunk().copied().ok_or(Damage::Truncated)
    }
}

/// How many positions a bitmap has. Those of a segment have numbers below 2^31.
fn count(positions: &RoaringBitmap) -> u32 {
    u32::try_from(positions.len()).unwrap_or(u32::MAX)
}

impl KeptFile {
    /// The bytes of the file.
    pub(super) fn encode(&self) -> Result<Vec<u8>> {
        let mut head = Vec::new();
        varint::put(&mut head, self.note.len() as u64);
        head.extend_from_slice(&self.note);
        varint::put(&mut head, self.packed.len() as u64);
        for (segment, packed) in &self.packed {
            head.extend_from_slice(segment.as_bytes());
            head.extend_from_slice(&packed.covered.to_le_bytes());
            head.extend_from_slice(&packed.count.to_le_bytes());
            head.extend_from_slice(&packed.games.to_le_bytes());
            head.extend_from_slice(&packed.removed.to_le_bytes());
            varint::put(&mut head, packed.frame.len() as u64);
            head.extend_from_slice(&packed.checksum().unwrap_or_default());
        }
        let head = frame::store(&head)?;
        let frames: usize = self.packed.values().map(|packed| packed.frame.len()).sum();
        let mut out = Vec::with_capacity(16 + head.len() + frames);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        #[expect(clippy::cast_possible_truncation, reason = "a frame holds up to a gigabyte")]
        out.extend_from_slice(&(head.len() as u32).to_le_bytes());
        out.extend_from_slice(&head);
        for packed in self.packed.values() {
            out.extend_from_slice(&packed.frame);
        }
        Ok(out)
    }

    /// Decodes what [`KeptFile::encode`] wrote. The sections are checked when they are opened.
    pub(super) fn decode(bytes: &[u8]) -> Result<KeptFile, Damage> {
        let mut reader = Reader::new(bytes);
        if reader.array()? != *MAGIC {
            return Err(Damage::Invalid("the file does not begin as it should"));
        }
        if reader.u32()? != VERSION {
            return Err(Damage::Invalid("another version of this program wrote the file"));
        }
        let length = reader.u32()? as usize;
        let head = frame::stored(reader.bytes(length)?)?;
        let mut head = Reader::new(head);
        let length = head.count()?;
        let mut file = KeptFile {
            note: head.bytes(length)?.to_vec(),
            packed: BTreeMap::new(),
        };
        for _ in 0..head.count()? {
            let segment = SegmentKey::new(head.array()?);
            let (covered, count) = (head.u32()?, head.u32()?);
            let (games, removed) = (head.u32()?, head.u32()?);
            let length = head.varint32()? as usize;
            let checksum = head.array()?;
            let packed = Packed {
                covered,
                count,
                games,
                removed,
                frame: reader.bytes(length)?.to_vec(),
            };
            if packed.checksum()? != checksum {
                return Err(Damage::Checksum);
            }
            if file.packed.last_key_value().is_some_and(|(last, _)| *last >= segment) {
                return Err(Damage::Invalid("the sections are out of order"));
            }
            file.packed.insert(segment, packed);
        }
        head.finish()?;
        reader.finish()?;
        Ok(file)
    }
}
