//! Posting lists that were read lately, unpacked.

use std::{collections::HashMap, sync::Arc};

use crate::{id::SegmentId, postings::Postings, term::Term};

/// How many bytes of posting lists are kept in memory.
const CACHE_BYTES: usize = 512 << 20;

pub(super) type CacheKey = (SegmentId, Term);

/// Lists that were read lately. When the young ones are half of what may be kept, they become the old ones and the
/// old ones go: every list that was used since survives.
#[derive(Debug, Default)]
pub(super) struct Cache {
    young: HashMap<CacheKey, Arc<Postings>>,
    old: HashMap<CacheKey, Arc<Postings>>,
    young_bytes: usize,
}

impl Cache {
    pub(super) fn get(&mut self, key: CacheKey) -> Option<Arc<Postings>> {
        if let Some(postings) = self.young.get(&key) {
            return Some(Arc::clone(postings));
        }
        let postings = self.old.remove(&key)?;
        self.put(key, Arc::clone(&postings));
        Some(postings)
    }

    pub(super) fn put(&mut self, key: CacheKey, postings: Arc<Postings>) {
        let size = postings.as_bytes().len() + 256;
        if self.young_bytes + size > CACHE_BYTES / 2 {
            self.old = std::mem::take(&mut self.young);
            self.young_bytes = 0;
        }
        self.young_bytes += size;
        self.young.insert(key, postings);
    }
}
