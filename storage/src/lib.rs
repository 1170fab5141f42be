//! How cqldex keeps games: boards as move trees, posting lists of terms, tags and texts, in RocksDB.
//!
//! A database is a directory. Games come in *segments*, immutable batches of a few million positions; a [`Snapshot`]
//! is a list of segments, and a [`Segment`] is what a query runs on. Inside a segment a position has a 32-bit id, the
//! first position of its game plus CQL's `positionid`, so that each game and each subtree of it is an interval.
//!
//! Nothing above this crate sees a byte of the disk or a type of RocksDB. `docs/format.md` describes every byte.

mod batch;
mod column;
mod database;
mod directory;
mod error;
mod frame;
mod grow;
mod header;
mod id;
mod identity;
mod key;
mod lists;
mod record;
mod removed;
mod replace;
mod segment;
mod snapshot;
mod source;
mod stats;
mod steps;
mod store;
mod tags;
mod texts;
mod trees;
mod unpack;
mod verify;

pub use crate::{
    batch::{BatchBuilder, GameBatch, SegmentBuilder, SegmentData},
    database::Database,
    error::{Damage, Error, Result},
    grow::{Addition, Compaction, Moved, Rebuilt},
    header::Header,
    id::SegmentId,
    identity::identity,
    segment::Segment,
    snapshot::{RemovedCounts, SegmentMeta, Snapshot},
    source::{Source, SourceHasher},
    stats::Stats,
    steps::watch_steps,
    tags::{TagColumn, TagValues},
    trees::TreeBlock,
    verify::{Progress, Report},
};
