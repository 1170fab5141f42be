//! What is kept beside the games: answers of queries, and sets of positions with names.
//!
//! Both are positions of segments, one bitmap a segment ([`Section`]), in files of one format ([`mod@file`]). They
//! are not in RocksDB, because processes that only read the database write them. Segments never change, and a section names its
//! segment by a [`SegmentKey`](crate::SegmentKey), so additions leave sections valid.
//!
//! - [`Answers`] is a cache: it may lose anything at any time. What is damaged is deleted, and the least used files go
//!   when there are too many.
//! - [`Sets`] belong to users: nothing is lost, and damage is reported.
//!
//! A writer that makes a new segment of old ones carries their sections over ([`Transfer`]). It writes the sections of
//! the new segment before its commit. If the commit never comes, nobody asks for them, and the next write of the file
//! drops them.

mod answer;
mod answers;
mod carry;
mod file;
mod fingerprint;
mod folder;
mod lock;
mod portable;
mod section;
mod sets;
mod transfer;

pub(crate) use lock::Lock;
pub(crate) use transfer::{Part, Span, Transfer, push_span};

pub use answer::{Answer, SectionCounts};
pub use answers::{Answers, AnswersUsage, PackedAnswer};
pub use fingerprint::Fingerprint;
pub use section::{Section, Sections};
pub use sets::{NamedSet, SetInfo, Sets, SetsUsage};

/// Decodes a file of sections of segments with `positions` positions, and compares it with what is written of it.
#[cfg(feature = "testing")]
pub(crate) fn check_file(bytes: &[u8], positions: u32) -> Result<(), postings::Damage> {
    let file = file::KeptFile::decode(bytes)?;
    for packed in file.packed.values() {
        let _ = packed.open(positions);
    }
    assert!(file.encode().is_ok_and(|written| written == bytes));
    Ok(())
}

/// Decodes what a set notes in its file, for a set with the name `a`.
#[cfg(feature = "testing")]
pub(crate) fn check_note(bytes: &[u8]) -> Result<(), postings::Damage> {
    sets::check_note(bytes)
}
