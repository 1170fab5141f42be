//! The one codec for integers of any size: seven bits a byte, lowest first, the top bit set on all but the last.

use crate::damage::Damage;

/// Appends a number.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    reason = "the lowest seven bits, one byte after the other"
)]
pub fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a text with its length in bytes.
pub fn put_str(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// A decoder of bytes; every step is checked.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A decoder at the first of these bytes.
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { rest: bytes }
    }

    /// How many bytes are left.
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    /// Whether all bytes were read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next `count` bytes.
    #[inline]
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], Damage> {
        let (head, rest) = self.rest.split_at_checked(count).ok_or(Damage::Truncated)?;
        self.rest = rest;
        Ok(head)
    }

    /// The next bytes, as many as the array has.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Damage> {
        let (head, rest) = self.rest.split_first_chunk().ok_or(Damage::Truncated)?;
        self.rest = rest;
        Ok(*head)
    }

    /// The next byte.
    #[inline]
    pub fn u8(&mut self) -> Result<u8, Damage> {
        Ok(u8::from_le_bytes(self.array()?))
    }

    /// The next two bytes, the lowest first.
    #[inline]
    pub fn u16(&mut self) -> Result<u16, Damage> {
        Ok(u16::from_le_bytes(self.array()?))
    }

    /// The next four bytes, the lowest first.
    #[inline]
    pub fn u32(&mut self) -> Result<u32, Damage> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// A varint.
    #[inline]
    pub fn varint(&mut self) -> Result<u64, Damage> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            if shift == 63 && byte > 1 {
                break;
            }
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Damage::Invalid("a number is too large"))
    }

    /// A varint that must fit 32 bits.
    #[inline]
    pub fn varint32(&mut self) -> Result<u32, Damage> {
        u32::try_from(self.varint()?).map_err(|_| Damage::Invalid("a number is too large"))
    }

    /// A varint that counts things of at least a byte each, so that damage never makes the caller reserve much memory.
    #[inline]
    pub fn count(&mut self) -> Result<usize, Damage> {
        let count = usize::try_from(self.varint()?).map_err(|_| Damage::Truncated)?;
        if count > self.rest.len() {
            Err(Damage::Truncated)
        } else {
            Ok(count)
        }
    }

    /// A text with its length before it.
    pub fn str(&mut self) -> Result<&'a str, Damage> {
        let length = self.count()?;
        std::str::from_utf8(self.bytes(length)?).map_err(|_| Damage::Invalid("a text is not UTF-8"))
    }

    /// Fails unless everything was read.
    pub fn finish(self) -> Result<(), Damage> {
        if self.is_empty() {
            Ok(())
        } else {
            Err(Damage::TrailingBytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_and_texts_come_back(numbers: Vec<u64>, text: String) {
            let mut bytes = Vec::new();
            for &number in &numbers {
                put(&mut bytes, number);
            }
            put_str(&mut bytes, &text);
            let mut reader = Reader::new(&bytes);
            for &number in &numbers {
                prop_assert_eq!(reader.varint(), Ok(number));
            }
            prop_assert_eq!(reader.str(), Ok(text.as_str()));
            prop_assert_eq!(reader.finish(), Ok(()));
        }

        #[test]
        fn garbage_is_refused_or_read(bytes: Vec<u8>) {
            let mut reader = Reader::new(&bytes);
            while reader.varint().is_ok() {}
            let _ = reader.str();
        }
    }
}
