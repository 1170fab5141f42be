//! What has to be done before a process is forked.

use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::prelude::*;

/// How many databases are open for writing.
static WRITING: AtomicUsize = AtomicUsize::new(0);

/// A database is open for writing as long as this is there.
pub(crate) struct Writing;

impl Writing {
    pub(crate) fn begin() -> Writing {
        WRITING.fetch_add(1, Ordering::SeqCst);
        Writing
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        WRITING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Ends the threads of RocksDB that no reader needs: the copy of the process would wait for them when it ends.
#[pyfunction]
pub(crate) fn before_fork(py: Python<'_>) {
    if WRITING.load(Ordering::SeqCst) == 0 {
        py.detach(cqldex::end_background_threads);
    }
}
