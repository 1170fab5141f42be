//! Terms, and the lists of the positions where they hold.
//!
//! A [`Term`] is a fact about one position, such as a white knight on f5. [`Extractor`] replays games and notes from
//! where to where each term holds ([`runs`]); [`Postings`] is the list of one term in one segment, read 4,096 positions
//! at a time from its bytes. Nothing here knows where the bytes are kept, and nothing above this crate knows what they
//! mean: how a list is stored can change without a change anywhere else.
//!
//! | A list can | by |
//! |---|---|
//! | be made of runs or positions, and give them back | [`Postings::from_runs`], [`Postings::decode_into`], [`Postings::iter`] |
//! | be kept as bytes | [`Postings::as_bytes`], [`Postings::from_bytes`] |
//! | say how many positions it has, and whether a segment is large enough for them | [`Postings::cardinality`], [`Postings::fits`] |
//! | say of a chunk whether it has none, some or all of it | [`Postings::chunk_kind`] |
//! | be read as a bitmap, block by block | [`Postings::cursor`], [`Cursor::read_block`], [`Cursor::add_block`] |
//! | be put together with others that have none of its positions, chunk by chunk | [`DisjointUnion::read`] |
//! | be read at selected positions only, side by side | [`Selection`], [`Cursor::read_selected`] |
//!
//! [`varint`] and [`Damage`] are here, and not in the storage that uses them most, because this is the lowest crate
//! with a format of its own, and each value on disk is checked in the same way.
//!
//! ```
//! use postings::{BLOCK_WORDS, Postings};
//!
//! let list: Postings = [3, 4, 5, 100_000].into_iter().collect();
//! assert_eq!(list.cardinality(), 4);
//! assert_eq!(Postings::from_bytes(list.as_bytes().to_vec(), 4)?, list);
//! let mut block = [0; BLOCK_WORDS];
//! assert!(list.cursor().read_block(0, &mut block));
//! assert_eq!(block[0], 0b11_1000);
//! # Ok::<(), postings::Damage>(())
//! ```

mod term;

mod extract;
pub mod runs;

mod list;

mod damage;
pub mod varint;

pub use crate::{
    damage::{Damage, TooManyPositions},
    extract::Extractor,
    list::{
        BLOCK_SIZE, BLOCK_WORDS, Block, CHUNK_SIZE, CHUNK_WORDS, Chunk, ChunkKind, Cursor, DisjointUnion, Postings,
        Selection,
    },
    runs::{MAX_POSITIONS, PackedRuns, Run, TermRuns, TermStats},
    term::{Term, counted_men},
};
