//! The cache of posting lists.

use std::sync::Arc;

use postings::{Postings, Term};
use quick_cache::{Weighter, sync};

use crate::id::SegmentId;

/// How many bytes of posting lists are kept in memory by default: nearly all lists of two million games.
const DEFAULT_BYTES: u64 = 768 << 20;

/// About how many lists that is.
const LISTS: usize = 1 << 15;

/// Lists that were read recently or often. When a query needs more lists than fit, part of them stays: a scan over many
/// lists does not evict all others.
pub(super) type Cache = sync::Cache<(SegmentId, Term), Arc<Postings>, Bytes>;

/// An empty cache.
pub(super) fn new() -> Cache {
    Cache::with_weighter(LISTS, DEFAULT_BYTES, Bytes)
}

/// Weighs a list by the memory that it takes.
#[derive(Clone, Debug)]
pub(super) struct Bytes;

impl Weighter<(SegmentId, Term), Arc<Postings>> for Bytes {
    fn weight(&self, _: &(SegmentId, Term), postings: &Arc<Postings>) -> u64 {
        postings.memory() as u64 + 256
    }
}
