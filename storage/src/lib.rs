//! How cqldex keeps games: boards as move trees, posting lists of terms, tags and texts, in RocksDB.
//!
//! A database is a directory. Games come in *segments*, immutable batches of a few million positions; a [`Snapshot`]
//! is a list of segments, and a [`Segment`] is what a query runs on. Inside a segment a position has a 32-bit id, the
//! first position of its game plus CQL's `positionid`, so that each game and each subtree of it is an interval.
//!
//! Nothing above this crate sees a byte of the disk or a type of RocksDB. `docs/format.md` describes every byte.

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
mod trees;
mod unpack;
mod varint;
mod verify;

#[cfg(test)]
mod testing;

pub use crate::{
    batch::{BatchBuilder, GameBatch, SegmentBuilder, SegmentData},
    board::{Board, Man, castling_targets, en_passant_square},
    database::Database,
    error::{Damage, Error, Result},
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
    steps::watch_steps,
    tags::{TagColumn, TagValues},
    term::{Term, counted_men},
    trees::TreeBlock,
    verify::{Progress, Report},
};
