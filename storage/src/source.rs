//! Where games came from: files whose text is known again, whatever they are called.

use sha2::{Digest, Sha256};

/// How much of a text is hashed by itself, so that most files are told apart at a glance.
const HEAD: usize = 4096;

/// A text that games were added from, up to the last game that was committed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// What the file was called, for people.
    pub name: String,
    /// How many bytes of it, unpacked, were read.
    pub bytes: u64,
    /// How many lines they are.
    pub lines: u64,
    /// How many games they have, skipped ones counted.
    pub games: u64,
    /// Whether that was the whole file.
    pub is_complete: bool,
    /// SHA-256 of the first 4,096 bytes, or of all if these are fewer.
    pub head: [u8; 32],
    /// SHA-256 of all bytes.
    pub hash: [u8; 32],
}

/// Computes the hashes of a text piece by piece.
#[derive(Clone, Debug, Default)]
pub struct SourceHasher {
    head: Sha256,
    all: Sha256,
    bytes: u64,
}

impl SourceHasher {
    /// Adds the next piece.
    pub fn update(&mut self, text: &[u8]) {
        let left = HEAD.saturating_sub(usize::try_from(self.bytes).unwrap_or(HEAD));
        self.head.update(&text[..left.min(text.len())]);
        self.all.update(text);
        self.bytes += text.len() as u64;
    }

    /// How many bytes were added.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How long the part is that [`SourceHasher::head`] is the hash of, for a text of this length.
    pub fn head_length(bytes: u64) -> u64 {
        bytes.min(HEAD as u64)
    }

    /// The hash of the first bytes.
    pub fn head(&self) -> [u8; 32] {
        self.head.clone().finalize().into()
    }

    /// The hash of all bytes.
    pub fn hash(&self) -> [u8; 32] {
        self.all.clone().finalize().into()
    }
}
