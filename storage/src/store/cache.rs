//! The cache of posting lists and move trees.

use std::sync::Arc;

use postings::{Postings, Term};
use quick_cache::{Weighter, sync};

use crate::{id::SegmentId, trees::TreeBlock};

/// How many bytes of posting lists are kept in memory by default: nearly all lists of two million games.
const DEFAULT_BYTES: u64 = 768 << 20;

/// About how many lists and blocks that is.
const ITEMS: usize = 1 << 15;

/// What is kept of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// The posting list of a term.
    List(SegmentId, Term),
    /// A block of move trees, unpacked.
    Trees(SegmentId, u32),
}

/// What was read recently or often. When a query needs more than fits, part of it stays: a scan over many lists does not
/// evict all others.
#[derive(Debug)]
pub(super) struct Cache(sync::Cache<Key, Value, Bytes>);

/// A value of the cache; the key says which of the two.
#[derive(Clone, Debug)]
enum Value {
    List(Arc<Postings>),
    Trees(Arc<TreeBlock>),
}

impl Cache {
    /// An empty cache.
    pub(super) fn new() -> Cache {
        Cache(sync::Cache::with_weighter(ITEMS, DEFAULT_BYTES, Bytes))
    }

    pub(super) fn set_capacity(&self, bytes: u64) {
        self.0.set_capacity(bytes);
    }

    pub(super) fn has(&self, key: Key) -> bool {
        self.0.contains_key(&key)
    }

    pub(super) fn list(&self, segment: SegmentId, term: Term) -> Option<Arc<Postings>> {
        match self.0.get(&Key::List(segment, term))? {
            Value::List(list) => Some(list),
            Value::Trees(_) => None,
        }
    }

    pub(super) fn keep_list(&self, segment: SegmentId, term: Term, list: &Arc<Postings>) {
        self.0.insert(Key::List(segment, term), Value::List(Arc::clone(list)));
    }

    pub(super) fn trees(&self, segment: SegmentId, block: u32) -> Option<Arc<TreeBlock>> {
        match self.0.get(&Key::Trees(segment, block))? {
            Value::Trees(trees) => Some(trees),
            Value::List(_) => None,
        }
    }

    pub(super) fn keep_trees(&self, segment: SegmentId, block: u32, trees: &Arc<TreeBlock>) {
        self.0
            .insert(Key::Trees(segment, block), Value::Trees(Arc::clone(trees)));
    }
}

/// Weighs a value by the memory that it takes.
#[derive(Clone, Debug)]
struct Bytes;

impl Weighter<Key, Value> for Bytes {
    fn weight(&self, _: &Key, value: &Value) -> u64 {
        let bytes = match value {
            Value::List(list) => list.memory(),
            Value::Trees(trees) => trees.memory(),
        };
        bytes as u64 + 256
    }
}
