//! Sources: the texts that games came from. A text is recognised by its hash, so that a file may be renamed.

use sha2::{Digest, Sha256};

/// How many bytes at the beginning of a text have a hash of their own. It is enough to tell most texts apart.
const HEAD: usize = 4096;

/// A text that games were added from. The counts reach up to the last committed game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The name of the file, for display.
    pub name: String,
    /// How many bytes were read, uncompressed.
    pub bytes: u64,
    /// How many lines were read.
    pub lines: u64,
    /// How many games were read, skipped ones included.
    pub games: u64,
    /// Whether the whole text was read.
    pub is_complete: bool,
    /// SHA-256 of the first 4,096 bytes, or of all bytes if there are fewer.
    pub head: [u8; 32],
    /// SHA-256 of all bytes that were read.
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

    /// How many bytes [`SourceHasher::head`] covers in a text of this length.
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
