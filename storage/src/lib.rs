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
//! The feature `testing` adds what only tests of other crates and fuzzers call: `watch_steps`, `Database::segment_files`,
//! `alter_values` and `values`. It changes neither the format nor a result, and costs a branch at each step of a commit and
//! each value that is read.

mod altered;
mod annotations;
mod background;
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
mod kept;
mod key;
mod lists;
mod record;
mod removed;
mod replace;
mod segment;
mod segment_files;
mod segment_key;
mod segment_meta;
mod snapshot;
mod source;
mod stats;
mod steps;
mod store;
mod tags;
mod text_block;
mod texts;
mod threads;
mod trees;
mod unpack;
#[cfg(feature = "testing")]
pub mod values;
mod verify;

pub use crate::{
    background::end_background_threads,
    batch::{BatchBuilder, GameBatch, SegmentBuilder},
    database::Database,
    error::{Damage, Error, NotADatabase, Result},
    grow::{Addition, Compaction, Moved, Rebuilt},
    header::Header,
    id::SegmentId,
    identity::identity,
    kept::{
        Answer, Answers, AnswersUsage, Fingerprint, NamedSet, PackedAnswer, Section, SectionCounts, Sections, SetInfo,
        Sets, SetsUsage,
    },
    segment::Segment,
    segment_key::SegmentKey,
    segment_meta::{RemovedCounts, SegmentMeta},
    snapshot::Snapshot,
    source::{Source, SourceHasher},
    stats::Stats,
    tags::{TagColumn, TagValues},
    text_block::TextBlock,
    trees::TreeBlock,
    verify::{Progress, Report},
};

#[cfg(feature = "testing")]
pub use crate::{altered::alter_values, steps::watch_steps};
