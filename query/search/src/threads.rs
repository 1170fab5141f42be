//! The threads that searches share.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::SearchError;

/// Threads for searches, one for each core by default. They are started by the first search that has work for several;
/// clones share them.
#[derive(Clone, Debug)]
pub struct Threads {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    count: usize,
    pool: Mutex<Option<Arc<ThreadPool>>>,
    /// How many helpers of all searches are waiting for a thread.
    pending: AtomicUsize,
}

impl Default for Threads {
    fn default() -> Threads {
        Threads::new(std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))
    }
}

impl Threads {
    /// At most `count` threads for each search, the one that runs it included.
    pub fn new(count: NonZeroUsize) -> Threads {
        Threads {
            shared: Arc::new(Shared {
                count: count.get(),
                pool: Mutex::new(None),
                pending: AtomicUsize::new(0),
            }),
        }
    }

    /// How many threads a search may have.
    pub fn count(&self) -> usize {
        self.shared.count
    }

    /// Does something for each number below `count`, on all threads, and gives the results in order.
    ///
    /// # Errors
    ///
    /// The first error in the order of the numbers, or that there are no threads.
    pub fn map<T: Send, E: Send + From<SearchError>>(
        &self,
        count: usize,
        work: impl Fn(usize) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, E> {
        if count <= 1 || self.count() <= 1 || self.is_one_of_them() {
            return (0..count).map(work).collect();
        }
        let pool = self.pool()?;
        let done: Vec<Result<T, E>> = pool.install(|| (0..count).into_par_iter().with_max_len(1).map(&work).collect());
        done.into_iter().collect()
    }

    /// Leaves the threads that work now to what they do: later searches get others. For searches that can't be interrupted
    /// and would keep all threads from them.
    pub fn renew(&self) {
        self.shared.pool.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Whether the current thread belongs to the pool.
    pub(super) fn is_one_of_them(&self) -> bool {
        let pool = self.shared.pool.lock().unwrap_or_else(PoisonError::into_inner);
        pool.as_ref().is_some_and(|pool| pool.current_thread_index().is_some())
    }

    /// The pool, started if it was not.
    pub(super) fn pool(&self) -> Result<Arc<ThreadPool>, SearchError> {
        let mut pool = self.shared.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pool) = &*pool {
            return Ok(Arc::clone(pool));
        }
        let count = self.shared.count;
        let builder = ThreadPoolBuilder::new()
            .num_threads(count)
            .thread_name(|index| format!("cqldex-{index}"));
        let built = builder.build().map_err(|error| SearchError::Threads {
            count,
            reason: error.to_string(),
        })?;
        Ok(Arc::clone(pool.insert(Arc::new(built))))
    }

    /// Counts a helper that waits for a thread, until the returned value is dropped.
    pub(super) fn wait(&self) -> Pending {
        self.shared.pending.fetch_add(1, Ordering::Relaxed);
        Pending {
            shared: Arc::clone(&self.shared),
        }
    }

    /// Whether helpers of any search wait for a thread. Running helpers then make room after their task, so that a short
    /// search does not wait for a long one.
    pub(super) fn are_wanted(&self) -> bool {
        self.shared.pending.load(Ordering::Relaxed) > 0
    }
}

/// A helper that waits for a thread.
#[derive(Debug)]
pub(super) struct Pending {
    shared: Arc<Shared>,
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.shared.pending.fetch_sub(1, Ordering::Relaxed);
    }
}
