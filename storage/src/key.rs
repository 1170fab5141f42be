//! Keys of the values of segments. All begin with the segment, big-endian, so a segment is one range of keys in every
//! column.

use chess::AnnotationKind;
use postings::{Damage, Term};

use crate::{
    column::Column,
    error::Error,
    id::{Layout, SegmentId},
};

/// The most bytes that a key has.
const LONGEST: usize = 10;

/// The key of a value that belongs to a segment, and the column that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    column: Column,
    layout: Layout,
    bytes: [u8; LONGEST],
    length: u8,
}

impl Key {
    /// `segment | block`: the move trees of a block of games.
    pub(crate) fn trees(segment: SegmentId, block: u32) -> Key {
        Key::segment(segment, Column::Boards).and(&block.to_be_bytes())
    }

    /// `segment | block`: the texts of a block of games.
    pub(crate) fn texts(segment: SegmentId, block: u32) -> Key {
        Key::segment(segment, Column::Games).and(&block.to_be_bytes())
    }

    /// `segment | code`: the posting list of a term.
    pub(crate) fn term(segment: SegmentId, term: Term) -> Key {
        Key::segment(segment, Column::Postings).and(&term.code().to_be_bytes())
    }

    /// `segment | 0xffff`: the directory of the posting lists of a segment. It sorts after all of them.
    pub(crate) fn directory(segment: SegmentId) -> Key {
        Key::segment(segment, Column::Postings).and(&u16::MAX.to_be_bytes())
    }

    /// `segment | number`: an array over all games of the segment.
    pub(crate) fn array(segment: SegmentId, number: u8) -> Key {
        Key::segment(segment, Column::Tags).and(&[number])
    }

    /// `segment | 16 + kind | block`: the annotations of a kind in a block of games. They sort after all arrays.
    pub(crate) fn annotations(segment: SegmentId, kind: AnnotationKind, block: u32) -> Key {
        Key::array(segment, 16 + kind as u8).and(&block.to_be_bytes())
    }

    /// `segment`, and `| column` in a segment of one file: sorts before all keys of the segment in a column.
    pub(crate) fn segment(segment: SegmentId, column: Column) -> Key {
        let key = Key {
            column,
            layout: segment.layout(),
            bytes: [0; LONGEST],
            length: 0,
        }
        .and(&segment.get().to_be_bytes());
        match segment.layout() {
            Layout::Columns => key,
            Layout::OneFile => key.and(&[column.number()]),
        }
    }

    /// The key with more bytes at its end.
    fn and(mut self, more: &[u8]) -> Key {
        let (from, to) = (usize::from(self.length), usize::from(self.length) + more.len());
        self.bytes[from..to].copy_from_slice(more);
        #[expect(clippy::cast_possible_truncation, reason = "a key has up to ten bytes")]
        let length = to as u8;
        self.length = length;
        self
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }

    /// The column that the value belongs to.
    pub(crate) fn column(&self) -> Column {
        self.column
    }

    /// The column whose file the value is in.
    pub(crate) fn host(&self) -> Column {
        match self.layout {
            Layout::Columns => self.column,
            Layout::OneFile => Column::Small,
        }
    }

    /// The error for damage of the value.
    pub(crate) fn corrupt(&self, reason: Damage) -> Error {
        Error::corrupt(self.column, self.as_bytes(), reason)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::error::hex;

    const LAYOUTS: [Layout; 2] = [Layout::Columns, Layout::OneFile];

    proptest! {
        #[test]
        fn keys_sort_as_their_numbers(a: (u32, u32), b: (u32, u32)) {
            for layout in LAYOUTS {
                let key = |(segment, block)| Key::trees(SegmentId::new(segment, layout), block);
                prop_assert_eq!(key(a).as_bytes().cmp(key(b).as_bytes()), a.cmp(&b));
            }
        }
    }

    #[test]
    fn the_directory_follows_the_lists() {
        for layout in LAYOUTS {
            let segment = SegmentId::new(7, layout);
            for term in Term::all() {
                let key = Key::term(segment, term);
                assert!(key.as_bytes() < Key::directory(segment).as_bytes());
                assert!(key.as_bytes() > Key::segment(segment, Column::Postings).as_bytes());
            }
        }
        let directory = |layout| hex(Key::directory(SegmentId::new(7, layout)).as_bytes());
        assert_eq!(directory(Layout::Columns), "00000007ffff");
        assert_eq!(directory(Layout::OneFile), "0000000703ffff");
    }

    /// In one file, the values of a segment are written column by column.
    #[test]
    fn columns_sort_as_they_are_written() {
        let segment = SegmentId::new(7, Layout::OneFile);
        let first = Column::OF_SEGMENTS.map(|column| Key::segment(segment, column));
        assert!(first.is_sorted_by(|one, next| one.as_bytes() < next.as_bytes()));
        assert!(Key::annotations(segment, AnnotationKind::ALL[0], 3).as_bytes() > first[3].as_bytes());
    }
}
