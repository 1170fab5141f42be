//! What is known of a whole chunk without unpacking anything.

use postings::ChunkKind;

use super::Sweep;
use crate::expr::Truth;

impl Sweep<'_> {
    /// What is known of an expression in this chunk, `offset` ids later, without unpacking anything.
    pub(super) fn kind(&self, truth: &Truth, offset: i32) -> ChunkKind {
        match truth {
            Truth::Always => ChunkKind::Full,
            Truth::Never => ChunkKind::Empty,
            Truth::Term(term) => match self.postings.list(*term) {
                Some(postings) if offset == 0 => postings.chunk_kind(self.chunk),
                Some(postings) => {
                    let beside = self.chunk.checked_add_signed(offset.signum());
                    let empty = |chunk: u32| postings.chunk_kind(chunk) == ChunkKind::Empty;
                    if empty(self.chunk) && beside.is_none_or(empty) {
                        ChunkKind::Empty
                    } else {
                        ChunkKind::Some
                    }
                }
                None => ChunkKind::Empty,
            },
            Truth::After(ids, inner) => self.kind(inner, offset + ids),
            Truth::Not(inner) => match self.kind(inner, offset) {
                ChunkKind::Empty => ChunkKind::Full,
                // The last chunk of a segment is full before its end.
                ChunkKind::Full => ChunkKind::Empty,
                ChunkKind::Some => ChunkKind::Some,
            },
            Truth::And(parts) => {
                let kinds = || parts.iter().map(|part| self.kind(part, offset));
                if kinds().any(|kind| kind == ChunkKind::Empty) {
                    ChunkKind::Empty
                } else if kinds().all(|kind| kind == ChunkKind::Full) {
                    ChunkKind::Full
                } else {
                    ChunkKind::Some
                }
            }
            Truth::Or(parts) => {
                let kinds = || parts.iter().map(|part| self.kind(part, offset));
                if kinds().all(|kind| kind == ChunkKind::Empty) {
                    ChunkKind::Empty
                } else if kinds().any(|kind| kind == ChunkKind::Full) {
                    ChunkKind::Full
                } else {
                    ChunkKind::Some
                }
            }
            Truth::Games(index) => {
                let start = self.chunk * postings::CHUNK_SIZE;
                let end = start.saturating_add(postings::CHUNK_SIZE);
                if self.ranges_within(*index, start, end).next().is_none() {
                    ChunkKind::Empty
                } else {
                    ChunkKind::Some
                }
            }
            Truth::PlyAtLeast(_) | Truth::Any(_) | Truth::Compare(..) | Truth::Single(_) | Truth::Temporal(_) => {
                ChunkKind::Some
            }
        }
    }
}
