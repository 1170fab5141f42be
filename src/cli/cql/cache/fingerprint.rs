//! How a file is recognised: by its length, and a checksum of every mebibyte of it.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use crc32fast::Hasher;
use serde::{Deserialize, Serialize};

/// How many bytes one checksum covers.
const BLOCK: usize = 1 << 20;

/// How many bytes at the end of a file are kept to see how it ends.
const TAIL: usize = 256;

/// The length and the checksums of what was read of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Fingerprint {
    /// How many bytes were read.
    pub(super) length: u64,
    /// CRC-32 of each mebibyte; the last may be shorter.
    blocks: Vec<u32>,
}

impl Fingerprint {
    /// Whether a file begins with the bytes of this fingerprint; reads no further.
    pub(super) fn is_prefix_of(&self, file: &mut impl Read) -> io::Result<bool> {
        let mut buffer = vec![0; BLOCK];
        let mut left = self.length;
        for &checksum in &self.blocks {
            let block = &mut buffer[..usize::try_from(left).unwrap_or(BLOCK).min(BLOCK)];
            match file.read_exact(block) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
                Err(error) => return Err(error),
            }
            if crc32fast::hash(block) != checksum {
                return Ok(false);
            }
            left -= block.len() as u64;
        }
        Ok(left == 0)
    }
}

/// What was seen of a file while it was read.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) fingerprint: Fingerprint,
    /// How many lines ended in it.
    pub(super) lines: u64,
    /// Its last bytes.
    pub(super) tail: Vec<u8>,
}

/// Computes the fingerprint of a file while it is read.
#[derive(Debug, Default)]
struct Taker {
    seen: Seen,
    block: Hasher,
    in_block: usize,
}

impl Taker {
    fn take(&mut self, mut bytes: &[u8]) {
        let seen = &mut self.seen;
        seen.fingerprint.length += bytes.len() as u64;
        seen.lines += memchr::memchr_iter(b'\n', bytes).count() as u64;
        seen.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(TAIL)..]);
        seen.tail.drain(..seen.tail.len().saturating_sub(TAIL));
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.in_block));
            self.block.update(now);
            self.in_block += now.len();
            if self.in_block == BLOCK {
                self.finish_block();
            }
            bytes = later;
        }
    }

    fn finish_block(&mut self) {
        let block = std::mem::take(&mut self.block);
        self.seen.fingerprint.blocks.push(block.finalize());
        self.in_block = 0;
    }
}

/// A reader that computes the fingerprint of what it reads.
#[derive(Debug)]
pub(super) struct Watched<R> {
    reader: R,
    taker: Arc<Mutex<Taker>>,
}

/// Gives the fingerprint of a [`Watched`] reader.
#[derive(Debug)]
pub(super) struct Watch(Arc<Mutex<Taker>>);

/// Watches a reader.
pub(super) fn watch<R: Read>(reader: R) -> (Watched<R>, Watch) {
    let taker = Arc::new(Mutex::new(Taker::default()));
    let watch = Watch(Arc::clone(&taker));
    (Watched { reader, taker }, watch)
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        let mut taker = self.taker.lock().unwrap_or_else(PoisonError::into_inner);
        taker.take(&buffer[..count]);
        Ok(count)
    }
}

impl Watch {
    /// Whether what went through the reader until now has this fingerprint.
    pub(super) fn has_seen(&self, fingerprint: &Fingerprint) -> bool {
        let taker = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Seen { fingerprint: seen, .. } = &taker.seen;
        let open = (taker.in_block > 0).then(|| taker.block.clone().finalize());
        seen.length == fingerprint.length
            && seen
                .blocks
                .iter()
                .copied()
                .chain(open)
                .eq(fingerprint.blocks.iter().copied())
    }

    /// What went through the reader until now.
    pub(super) fn seen(self) -> Seen {
        let mut taker = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if taker.in_block > 0 {
            taker.finish_block();
        }
        std::mem::take(&mut taker.seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(bytes: &[u8], piece: usize) -> Seen {
        let (mut watched, watch) = watch(bytes);
        let mut buffer = vec![0; piece];
        while watched.read(&mut buffer).unwrap() > 0 {}
        watch.seen()
    }

    fn text(length: usize) -> Vec<u8> {
        (0..251).cycle().take(length).collect()
    }

    #[test]
    fn a_fingerprint_does_not_depend_on_how_a_file_is_read() {
        let text = text(2 * BLOCK + 77);
        let whole = seen(&text, text.len());
        assert_eq!(whole.fingerprint, seen(&text, 1000).fingerprint);
        assert_eq!(whole.fingerprint.length, text.len() as u64);
        assert_eq!(whole.fingerprint.blocks.len(), 3);
        assert_eq!(whole.lines, text.iter().filter(|&&byte| byte == b'\n').count() as u64);
        assert_eq!(whole.tail, text[text.len() - TAIL..]);
    }

    #[test]
    fn a_reader_can_be_asked_half_way() {
        let text = text(BLOCK + 500);
        for length in [0, 10, BLOCK, BLOCK + 500] {
            let fingerprint = seen(&text[..length], 4096).fingerprint;
            let (mut watched, watch) = watch(text.as_slice());
            io::copy(&mut (&mut watched).take(length as u64), &mut io::sink()).unwrap();
            assert!(watch.has_seen(&fingerprint), "{length}");
            assert!(!watch.has_seen(&seen(&text[..5], 4096).fingerprint));
            io::copy(&mut watched, &mut io::sink()).unwrap();
            assert_eq!(watch.seen().fingerprint, seen(&text, 4096).fingerprint);
        }
    }

    #[test]
    fn a_file_that_grew_begins_with_what_it_was() {
        for length in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1] {
            let old = text(length);
            let fingerprint = seen(&old, 4096).fingerprint;
            let mut new = old.clone();
            new.extend_from_slice(b"more");
            assert!(fingerprint.is_prefix_of(&mut old.as_slice()).unwrap());
            assert!(fingerprint.is_prefix_of(&mut new.as_slice()).unwrap());
            if length > 0 {
                assert!(!fingerprint.is_prefix_of(&mut &old[..length - 1]).unwrap());
                for at in [0, length / 2, length - 1] {
                    let mut changed = new.clone();
                    changed[at] ^= 1;
                    assert!(!fingerprint.is_prefix_of(&mut changed.as_slice()).unwrap(), "{at}");
                }
            }
        }
    }
}
