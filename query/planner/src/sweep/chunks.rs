//! The truth of expressions in a whole chunk, as far as it is known without unpacking blocks.

use postings::{ChunkKind, Postings};

use super::Sweep;
use crate::expr::Truth;

impl Sweep<'_> {
    /// Whether an expression holds everywhere or nowhere in this chunk, `offset` ids later, as far as it is known
    /// without unpacking blocks.
    pub(super) fn kind(&self, truth: &Truth, offset: i32) -> ChunkKind {
        match truth {
            Truth::Always => ChunkKind::Full,
            Truth::Never => ChunkKind::Empty,
            Truth::Term(term) => self.kind_of_list(self.postings.list(*term), offset),
            Truth::PositionSet(set) => self.kind_of_list(self.postings.set(set), offset),
            Truth::Given(quantity) => self.kind_of_list(self.postings.given(*quantity), offset),
            Truth::After(ids, inner) => self.kind(inner, offset + ids),
            Truth::Not(inner) => match self.kind(inner, offset) {
                ChunkKind::Empty => ChunkKind::Full,
                // The last chunk of a segment is full before its end.
                ChunkKind::Full => ChunkKind::Empty,
                ChunkKind::Some => ChunkKind::Some,
            },
            Truth::And(parts) => self.kind_of_parts(parts, offset, ChunkKind::Full, ChunkKind::Empty),
            Truth::Or(parts) => self.kind_of_parts(parts, offset, ChunkKind::Empty, ChunkKind::Full),
            Truth::Games(index) => {
                let start = self.chunk * postings::CHUNK_SIZE;
                let end = start.saturating_add(postings::CHUNK_SIZE);
                if self.ranges_within(*index, start, end).next().is_none() {
                    ChunkKind::Empty
                } else {
                    ChunkKind::Some
                }
            }
            Truth::Move(next) => match next.place() {
                Some(_) => ChunkKind::Some,
                None => self.kind(next.listed(), offset),
            },
            Truth::PlyAtLeast(_) | Truth::Any(_) | Truth::Compare(..) | Truth::Single(_) | Truth::Temporal(_) => {
                ChunkKind::Some
            }
        }
    }

    /// Several expressions together: one of a kind decides, and without any of them all have to be of the other kind. Each is
    /// asked once, so that expressions inside each other take no longer than they are large.
    fn kind_of_parts(&self, parts: &[Truth], offset: i32, all: ChunkKind, decides: ChunkKind) -> ChunkKind {
        let mut together = all;
        for part in parts {
            let kind = self.kind(part, offset);
            if kind == decides {
                return decides;
            }
            if kind != all {
                together = ChunkKind::Some;
            }
        }
        together
    }

    /// What is known of a list in this chunk; without a list, it has no positions.
    fn kind_of_list(&self, list: Option<&Postings>, offset: i32) -> ChunkKind {
        let Some(list) = list else { return ChunkKind::Empty };
        if offset == 0 {
            return list.chunk_kind(self.chunk);
        }
        let beside = self.chunk.checked_add_signed(offset.signum());
        let empty = |chunk: u32| list.chunk_kind(chunk) == ChunkKind::Empty;
        if empty(self.chunk) && beside.is_none_or(empty) {
            ChunkKind::Empty
        } else {
            ChunkKind::Some
        }
    }
}
