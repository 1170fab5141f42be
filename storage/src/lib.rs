//! How cqldex keeps games: boards as move trees, posting lists of terms, tags and texts, in RocksDB.
//!
//! A database is a directory. Games come in *segments*, immutable batches of a few million positions; a [`Snapshot`]
//! is a list of segments, and a [`Segment`] is what a query runs on. Inside a segment a position has a 32-bit id, the
//! first position of its game plus CQL's `positionid`, so that each game and each subtree of it is an interval.
//!
//! Nothing above this crate sees a byte of the disk or a type of RocksDB. `docs/format.md` describes every byte.

mod batch;
mod board;
mod chunk;
mod database;
mod error;
mod game;
mod id;
mod postings;
mod snapshot;
mod stats;
mod tags;
mod term;
mod trees;
mod verify;

pub use crate::{
    batch::SegmentData,
    board::{Board, Man, castling_targets, en_passant_square},
    chunk::{Chunk, Positions},
    database::Database,
    error::{Damage, Error, Result},
    game::{Branch, Game, GameText, MoveKind, MoveTree, Outcome, PackedMove, Start},
    id::{CHUNK_SIZE, SegmentId},
    postings::{ChunkKind, Postings},
    snapshot::{Segment, SegmentMeta, Snapshot, TermStats},
    stats::Stats,
    tags::{TagColumn, TagValues},
    term::{Term, counted_men},
    trees::TreeBlock,
    verify::{Progress, Report},
};
