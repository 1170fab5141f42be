//! Stores games in RocksDB: move trees, posting lists of terms, tags and texts.
//!
//! A database is a directory. It consists of *segments*, immutable batches of a few million positions. A [`Snapshot`]
//! is a list of segments; a query runs on one [`Segment`] after the other. Inside a segment each position has a 32-bit
//! id: the first position of its game plus CQL's `positionid`. So each game, and each subtree of a game, is an interval
//! of ids.
//!
//! The crates above this one see neither the bytes on disk nor the types of RocksDB. `docs/format.md` describes every
//! byte.
//!
//! The feature `testing` adds what only tests of other crates call: `watch_steps` and `Database::segment_files`. It
//! changes neither the format nor a result, and costs a branch at each step of a commit.

mod batch;
mod board;
mod column;
mod database;
mod directory;
mod error;
mod extract;
mod frame;
mod game;
mod grow;
mod header;
mod id;
mod identity;
mod key;
mod lists;
mod postings;
mod record;
mod removed;
mod replace;
mod rules;
mod runs;
mod segment;
mod snapshot;
mod source;
mod stats;
mod steps;
mod store;
mod tags;
mod term;
mod texts;
mod threads;
mod trees;
mod unpack;
mod varint;
mod verify;

#[cfg(test)]
mod testing;

pub use crate::{
    batch::{BatchBuilder, GameBatch, SegmentBuilder},
    board::{Board, Man, castling_targets, en_passant_square},
    database::Database,
    error::{Damage, Error, NotADatabase, Result},
    game::{Branch, EmptyVariation, Game, GameText, MoveKind, MoveTree, Outcome, PackedMove, Start, TextEncoding},
    grow::{Addition, Compaction, Moved, Rebuilt},
    header::Header,
    id::{CHUNK_SIZE, SegmentId},
    identity::identity,
    postings::{BLOCK_SIZE, BLOCK_WORDS, Block, ChunkKind, Cursor, Postings, Selection, set_run},
    segment::Segment,
    snapshot::{RemovedCounts, SegmentMeta, Snapshot, TermStats},
    source::{Source, SourceHasher},
    stats::Stats,
    tags::{TagColumn, TagValues},
    term::{Term, counted_men},
    trees::TreeBlock,
    verify::{Progress, Report},
};

#[cfg(feature = "testing")]
pub use crate::steps::watch_steps;
