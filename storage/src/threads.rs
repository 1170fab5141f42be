//! Waiting for threads.

use std::thread::ScopedJoinHandle;

/// Waits for a thread and returns its result. If it panicked, so does the caller.
pub(crate) fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    match thread.join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}
