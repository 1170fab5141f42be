//! Terms, and the lists of the positions where they hold.
//!
//! A [`Term`] is a fact about one position, such as a white knight on f5. [`Extractor`] replays games and notes from
//! where to where each term holds; [`Postings`] is the list of one term in one segment, read 4,096 positions at a time
//! from its bytes. Nothing here knows where the bytes are kept.

mod damage;
mod extract;
mod list;
pub mod runs;
mod term;
pub mod varint;

pub use crate::{
    damage::{Damage, TooManyPositions},
    extract::Extractor,
    list::{BLOCK_SIZE, BLOCK_WORDS, Block, CHUNK_SIZE, ChunkKind, Cursor, Postings, Selection},
    runs::{MAX_POSITIONS, PackedRuns, Run, TermRuns, TermStats},
    term::{Term, counted_men},
};
