//! Keys. All begin with the segment, big-endian, so a segment is one range of keys in every column.

use std::fmt::Write;

use chess::AnnotationKind;
use postings::Term;

use crate::id::SegmentId;

/// The key of a value that belongs to a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    bytes: [u8; 9],
    length: usize,
}

impl Key {
    /// `segment | block`: a block of games, in the columns `boards` and `games`.
    pub(crate) fn block(segment: SegmentId, block: u32) -> Key {
        let mut key = Key::segment(segment);
        key.bytes[4..8].copy_from_slice(&block.to_be_bytes());
        key.length = 8;
        key
    }

    /// `segment | code`: the posting list of a term.
    pub(crate) fn term(segment: SegmentId, term: Term) -> Key {
        Key::code(segment, term.code())
    }

    /// `segment | 0xffff`: the directory of the posting lists of a segment. It sorts after all of them.
    pub(crate) fn directory(segment: SegmentId) -> Key {
        Key::code(segment, u16::MAX)
    }

    fn code(segment: SegmentId, code: u16) -> Key {
        let mut key = Key::segment(segment);
        key.bytes[4..6].copy_from_slice(&code.to_be_bytes());
        key.length = 6;
        key
    }

    /// `segment | number`: an array over all games of the segment.
    pub(crate) fn array(segment: SegmentId, number: u8) -> Key {
        let mut key = Key::segment(segment);
        key.bytes[4] = number;
        key.length = 5;
        key
    }

    /// `segment | 16 + kind | block`: the annotations of a kind in a block of games, in the column `tags`. They sort after
    /// all arrays.
    pub(crate) fn annotations(segment: SegmentId, kind: AnnotationKind, block: u32) -> Key {
        let mut key = Key::segment(segment);
        key.bytes[4] = 16 + kind as u8;
        key.bytes[5..].copy_from_slice(&block.to_be_bytes());
        key.length = 9;
        key
    }

    /// `segment`: sorts before all keys of the segment.
    pub(crate) fn segment(segment: SegmentId) -> Key {
        let mut bytes = [0; 9];
        bytes[..4].copy_from_slice(&segment.get().to_be_bytes());
        Key { bytes, length: 4 }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// Bytes in hexadecimal, for messages.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn keys_sort_as_their_numbers(a: (u32, u32), b: (u32, u32)) {
            let key = |(segment, block)| Key::block(SegmentId::new(segment), block);
            prop_assert_eq!(key(a).as_bytes().cmp(key(b).as_bytes()), a.cmp(&b));
        }
    }

    #[test]
    fn the_directory_follows_the_lists() {
        let segment = SegmentId::new(7);
        for term in Term::all() {
            assert!(Key::term(segment, term).as_bytes() < Key::directory(segment).as_bytes());
            assert!(Key::term(segment, term).as_bytes() > Key::segment(segment).as_bytes());
        }
        assert_eq!(hex(Key::directory(segment).as_bytes()), "00000007ffff");
    }
}
