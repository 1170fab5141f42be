//! Games on their way into the database.

/// A segment in memory, encoded and complete, ready to be committed.
#[derive(Debug)]
pub struct SegmentData {}
