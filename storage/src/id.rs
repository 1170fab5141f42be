//! Numbers of segments.

use std::fmt;

/// The number of a segment, given once and never again in a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SegmentId {
    number: u32,
    layout: Layout,
}

/// How the values of a segment are laid out on the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Layout {
    /// One file for each column.
    Columns,
    /// One file for all columns: what a small segment has since format 9.
    OneFile,
}

impl SegmentId {
    /// The segment with this number and layout.
    pub(crate) const fn new(number: u32, layout: Layout) -> SegmentId {
        SegmentId { number, layout }
    }

    /// The number.
    pub const fn get(self) -> u32 {
        self.number
    }

    pub(crate) const fn layout(self) -> Layout {
        self.layout
    }
}

impl fmt::Display for SegmentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number)
    }
}
