//! Posting lists that were read lately.

use std::sync::Arc;

use postings::{Postings, Term};
use quick_cache::{Weighter, sync};

use crate::id::SegmentId;

/// How many bytes of posting lists are kept in memory: all lists of two million games, or nearly.
const CACHE_BYTES: u64 = 768 << 20;

/// About how many lists that is.
const LISTS: usize = 1 << 15;

/// Lists that were read lately, or often. Where all that a query needs is more than may be kept, a part of it stays: what
/// was read last does not drive out what comes next.
pub(super) type Cache = sync::Cache<(SegmentId, Term), Arc<Postings>, Bytes>;

/// An empty cache.
pub(super) fn new() -> Cache {
    Cache::with_weighter(LISTS, CACHE_BYTES, Bytes)
}

/// Weighs a list by the memory that it takes.
#[derive(Clone, Debug)]
pub(super) struct Bytes;

impl Weighter<(SegmentId, Term), Arc<Postings>> for Bytes {
    fn weight(&self, _: &(SegmentId, Term), postings: &Arc<Postings>) -> u64 {
        postings.as_bytes().len() as u64 + 256
    }
}
