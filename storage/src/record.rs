//! The small records of the `meta` column: the only place that knows bincode.

use bincode::{Decode, Encode, config, error::DecodeError};

use crate::{error::Damage, id::SegmentId, snapshot::SegmentMeta};

/// The list of committed segments: what makes a segment exist.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub(crate) struct Manifest {
    /// The number of the next segment.
    pub(crate) next: u32,
    pub(crate) segments: Vec<SegmentRecord>,
}

/// One segment in the manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(crate) struct SegmentRecord {
    id: u32,
    games: u32,
    positions: u32,
    first_game: u64,
    pgn_bytes: u64,
    stored_bytes: u64,
}

impl From<SegmentMeta> for SegmentRecord {
    fn from(meta: SegmentMeta) -> SegmentRecord {
        let SegmentMeta {
            id,
            games,
            positions,
            first_game,
            pgn_bytes,
            stored_bytes,
        } = meta;
        SegmentRecord {
            id: id.get(),
            games,
            positions,
            first_game,
            pgn_bytes,
            stored_bytes,
        }
    }
}

impl From<SegmentRecord> for SegmentMeta {
    fn from(record: SegmentRecord) -> SegmentMeta {
        let SegmentRecord {
            id,
            games,
            positions,
            first_game,
            pgn_bytes,
            stored_bytes,
        } = record;
        SegmentMeta {
            id: SegmentId::new(id),
            games,
            positions,
            first_game,
            pgn_bytes,
            stored_bytes,
        }
    }
}

/// No manifest is larger: a million segments. Keeps damage from making bincode reserve all memory.
const LIMIT: usize = 64 << 20;

/// Little-endian integers of fixed size, lengths of 64 bits.
fn layout() -> impl config::Config {
    config::legacy().with_limit::<LIMIT>()
}

impl Manifest {
    pub(crate) fn encode(&self) -> Vec<u8> {
        bincode::encode_to_vec(self, layout()).expect("numbers in memory can always be encoded")
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Manifest, Damage> {
        let (manifest, length): (Manifest, usize) =
            bincode::decode_from_slice(bytes, layout()).map_err(|error| match error {
                DecodeError::UnexpectedEnd { .. } => Damage::Truncated,
                _ => Damage::Invalid("the list of segments can't be read"),
            })?;
        if length != bytes.len() {
            return Err(Damage::TrailingBytes);
        }
        let mut first_game = 0;
        for record in &manifest.segments {
            if record.first_game != first_game || record.id >= manifest.next {
                return Err(Damage::Invalid("the list of segments contradicts itself"));
            }
            first_game += u64::from(record.games);
        }
        Ok(manifest)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn manifest(games: &[u32]) -> Manifest {
        let mut first_game = 0;
        let segments = games.iter().zip(3..).map(|(&games, id)| {
            let record = SegmentRecord {
                id,
                games,
                positions: 7,
                first_game,
                pgn_bytes: 9,
                stored_bytes: 11,
            };
            first_game += u64::from(games);
            record
        });
        Manifest {
            segments: segments.collect(),
            next: 3 + games.len() as u32,
        }
    }

    proptest! {
        #[test]
        fn manifests_come_back(games: Vec<u32>) {
            let manifest = manifest(&games);
            let bytes = manifest.encode();
            prop_assert_eq!(Manifest::decode(&bytes).unwrap(), manifest);
            prop_assert!(Manifest::decode(&bytes[1..]).is_err());
        }

        #[test]
        fn garbage_is_refused_or_read(bytes: Vec<u8>) {
            let _ = Manifest::decode(&bytes);
        }
    }

    #[test]
    fn the_layout_does_not_depend_on_the_library() {
        let mut wanted = vec![4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
        wanted.extend([3, 0, 0, 0, 5, 0, 0, 0, 7, 0, 0, 0]);
        wanted.extend([0; 8]);
        wanted.extend([9, 0, 0, 0, 0, 0, 0, 0, 11, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(manifest(&[5]).encode(), wanted);
    }
}
