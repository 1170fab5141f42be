//! What tells a segment from all others, whatever its number.

use std::fmt;

use sha2::{Digest, Sha256};

/// What tells a segment from all others: a hash of what is recorded of it. Files that are kept beside the games name
/// segments by their keys, so that they never take one segment for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SegmentKey([u8; SegmentKey::BYTES]);

impl SegmentKey {
    /// How many bytes a key has.
    pub const BYTES: usize = 16;

    /// The key with these bytes.
    pub const fn new(bytes: [u8; SegmentKey::BYTES]) -> SegmentKey {
        SegmentKey(bytes)
    }

    /// The key for these bytes of a record.
    pub(crate) fn of(record: &[u8]) -> SegmentKey {
        let mut key = [0; SegmentKey::BYTES];
        key.copy_from_slice(&Sha256::digest(record)[..SegmentKey::BYTES]);
        SegmentKey(key)
    }

    /// The bytes.
    pub const fn as_bytes(&self) -> &[u8; SegmentKey::BYTES] {
        &self.0
    }
}

impl fmt::Display for SegmentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
