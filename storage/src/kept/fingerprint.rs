//! What tells one question from all others.

use std::fmt;

use sha2::{Digest, Sha256};

/// What tells one question from all others: a hash of everything that its answer depends on, apart from the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; Fingerprint::BYTES]);

impl Fingerprint {
    /// How many bytes a fingerprint has.
    pub const BYTES: usize = 32;

    /// The fingerprint with these bytes.
    pub const fn new(bytes: [u8; Fingerprint::BYTES]) -> Fingerprint {
        Fingerprint(bytes)
    }

    /// The fingerprint of a question: the SHA-256 of these bytes.
    pub fn of(question: &[u8]) -> Fingerprint {
        Fingerprint(Sha256::digest(question).into())
    }

    /// The bytes.
    pub const fn as_bytes(&self) -> &[u8; Fingerprint::BYTES] {
        &self.0
    }
}

impl fmt::Display for Fingerprint {
    /// Writes 64 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
