//! How long the files of a segment stay when the database does not need the segment any more.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use crate::{id::SegmentId, store::Store};

/// The files of a segment, held by all that may read them in this process. (Other processes have them open.)
#[derive(Debug)]
pub(crate) struct SegmentFiles {
    store: Arc<Store>,
    id: SegmentId,
    /// Whether the files go when nobody holds them any more.
    is_retired: AtomicBool,
}

impl SegmentFiles {
    pub(crate) fn new(store: Arc<Store>, id: SegmentId) -> Arc<SegmentFiles> {
        Arc::new(SegmentFiles {
            store,
            id,
            is_retired: AtomicBool::new(false),
        })
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn id(&self) -> SegmentId {
        self.id
    }

    /// Gives up files that the database does not need any more. They are the caller's to remove if this returns true.
    /// Otherwise snapshots of this process may still read them, and the last one removes them.
    pub(crate) fn retire(self: Arc<Self>) -> bool {
        self.is_retired.store(true, Ordering::Relaxed);
        // Of all that hold the files, exactly one is the last.
        match Arc::into_inner(self) {
            Some(mut files) => {
                *files.is_retired.get_mut() = false;
                true
            }
            None => false,
        }
    }
}

impl Drop for SegmentFiles {
    fn drop(&mut self) {
        if *self.is_retired.get_mut() {
            // What can't be removed now is removed when the database is next opened for writing.
            let _ = self.store.drop_segments(&[self.id.get()], |_| true);
        }
    }
}
