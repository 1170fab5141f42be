//! The frame around every value that we decode: checksum, kind of compression, unpacked length.

use std::cell::RefCell;

use postings::Damage;

use crate::{
    altered::alter,
    error::{Error, Result},
};

/// The length of the header: checksum (4 bytes), codec (1), length of the unpacked payload (4).
pub(crate) const HEADER: usize = 9;

/// The codec of a payload that is not compressed.
const STORED: u8 = 0;
/// The codec of a payload that zstd compressed.
const ZSTD: u8 = 1;

/// The largest unpacked value. A length above it is damage.
const MAX_LENGTH: usize = 1 << 30;

/// Puts values into frames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sealer {
    level: i32,
}

/// A compressor with its output buffer. Both are kept, because the system takes longer to allocate a megabyte than a
/// compressor to pack a small value.
struct Compressor {
    level: i32,
    compressor: zstd::bulk::Compressor<'static>,
    packed: Vec<u8>,
}

impl Compressor {
    fn new(level: i32) -> Result<Compressor> {
        Ok(Compressor {
            level,
            compressor: zstd::bulk::Compressor::new(level).map_err(Error::Compression)?,
            packed: Vec::new(),
        })
    }

    fn seal(&mut self, raw: &[u8]) -> Result<Vec<u8>> {
        self.packed.clear();
        self.packed.reserve(zstd::zstd_safe::compress_bound(raw.len()));
        self.compressor
            .compress_to_buffer(raw, &mut self.packed)
            .map_err(Error::Compression)?;
        let (codec, payload) = if self.packed.len() < raw.len() {
            (ZSTD, self.packed.as_slice())
        } else {
            (STORED, raw)
        };
        Ok(wrap(codec, raw.len(), payload))
    }
}

impl Sealer {
    /// A sealer that compresses at this level of zstd.
    pub(crate) const fn new(level: i32) -> Sealer {
        Sealer { level }
    }

    /// Puts a value into a frame, compressed if that makes it smaller.
    pub(crate) fn seal(self, raw: &[u8]) -> Result<Vec<u8>> {
        thread_local! {
            static COMPRESSOR: RefCell<Option<Compressor>> = const { RefCell::new(None) };
        }
        check_length(raw.len())?;
        COMPRESSOR.with_borrow_mut(|slot| match slot {
            Some(compressor) if compressor.level == self.level => compressor.seal(raw),
            _ => slot.insert(Compressor::new(self.level)?).seal(raw),
        })
    }
}

/// Puts a value into a frame without compression.
pub(crate) fn store(raw: &[u8]) -> Result<Vec<u8>> {
    check_length(raw.len())?;
    Ok(wrap(STORED, raw.len(), raw))
}

fn check_length(length: usize) -> Result<()> {
    if length > MAX_LENGTH {
        return Err(Error::TooLarge {
            what: "a value of more than a gigabyte",
        });
    }
    Ok(())
}

/// Makes a frame. The caller has checked the length.
fn wrap(codec: u8, length: usize, payload: &[u8]) -> Vec<u8> {
    #[expect(clippy::cast_possible_truncation, reason = "lengths are up to MAX_LENGTH")]
    let length = length as u32;
    let mut out = Vec::with_capacity(HEADER + payload.len());
    out.extend_from_slice(&[0, 0, 0, 0, codec]);
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(payload);
    let checksum = crc32fast::hash(&out[4..]);
    out[..4].copy_from_slice(&checksum.to_le_bytes());
    out
}

/// Checks a frame whose payload is not compressed, and returns the payload.
pub(crate) fn stored(sealed: &[u8]) -> Result<&[u8], Damage> {
    check(sealed)?;
    match sealed.split_at_checked(HEADER) {
        Some((header, payload)) if header[4] == STORED && length(sealed) == payload.len() => Ok(payload),
        Some(_) => Err(Damage::Invalid("a value is not stored as it should be")),
        None => Err(Damage::Truncated),
    }
}

/// The unpacked length that the header of a frame says; 0 if the header is cut short.
pub(crate) fn length(sealed: &[u8]) -> usize {
    let field = sealed.get(5..HEADER).and_then(|bytes| bytes.first_chunk());
    field.map_or(0, |bytes| u32::from_le_bytes(*bytes) as usize)
}

/// Checks a frame and unpacks its payload.
pub(crate) fn open(sealed: &[u8]) -> Result<Vec<u8>, Damage> {
    let mut raw = Vec::new();
    open_into(sealed, &mut raw)?;
    Ok(raw)
}

/// Checks a frame without unpacking its payload.
pub(crate) fn check(sealed: &[u8]) -> Result<(), Damage> {
    let (checksum, checked) = sealed.split_first_chunk().ok_or(Damage::Truncated)?;
    if crc32fast::hash(checked) == u32::from_le_bytes(*checksum) {
        Ok(())
    } else {
        Err(Damage::Checksum)
    }
}

/// Checks a frame and unpacks its payload into `raw`, whose memory is used again.
pub(crate) fn open_into(sealed: &[u8], raw: &mut Vec<u8>) -> Result<(), Damage> {
    thread_local! {
        static DECOMPRESSOR: RefCell<Option<zstd::bulk::Decompressor<'static>>> = const { RefCell::new(None) };
    }
    raw.clear();
    check(sealed)?;
    let (header, payload) = sealed.split_at_checked(HEADER).ok_or(Damage::Truncated)?;
    let (codec, length) = (header[4], length(sealed));
    if length > MAX_LENGTH {
        return Err(Damage::Invalid("a value of more than a gigabyte"));
    }
    match codec {
        STORED => raw.extend_from_slice(payload),
        ZSTD => DECOMPRESSOR
            .with_borrow_mut(|slot| {
                if slot.is_none() {
                    *slot = zstd::bulk::Decompressor::new().ok();
                }
                let decompressor = slot.as_mut().ok_or(Damage::Compression)?;
                // The length is what the value says.
                raw.try_reserve(length)
                    .map_err(|_| Damage::Invalid("there is no memory to unpack the value"))?;
                decompressor
                    .decompress_to_buffer(payload, raw)
                    .map_err(|_| Damage::Compression)
            })
            .map(drop)?,
        _ => return Err(Damage::Invalid("an unknown compression")),
    }
    if raw.len() == length {
        alter(raw);
        Ok(())
    } else {
        Err(Damage::Compression)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn values_come_back_and_damage_is_found(raw: Vec<u8>, repeat in 1usize..50, at: usize, flip in 1u8..) {
            let raw = raw.repeat(repeat);
            let plain = store(&raw).unwrap();
            prop_assert_eq!(stored(&plain), Ok(raw.as_slice()));
            let mut sealed = Sealer::new(3).seal(&raw).unwrap();
            prop_assert_eq!(open(&sealed), Ok(raw));
            let at = at % sealed.len();
            sealed[at] ^= flip;
            prop_assert!(open(&sealed).is_err());
            prop_assert!(open(&sealed[..at]).is_err());
            prop_assert!(stored(&sealed).is_err());
        }
    }
}
