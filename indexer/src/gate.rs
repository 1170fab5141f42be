//! How much text is on its way between the threads of an indexing run.

use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// Limits how many bytes of text are on their way.
pub(crate) struct Gate {
    limit: usize,
    state: Mutex<GateState>,
    changed: Condvar,
}

#[derive(Default)]
struct GateState {
    inside: usize,
    is_stopped: bool,
}

impl Gate {
    /// Room for so many bytes.
    pub(crate) fn new(limit: usize) -> Gate {
        Gate {
            limit,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there is room, or nobody else is inside; false if the run is to end.
    pub(crate) fn enter(&self, bytes: usize) -> bool {
        let mut state = self.state();
        while !state.is_stopped && state.inside > 0 && state.inside + bytes > self.limit {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.inside += bytes;
        !state.is_stopped
    }

    /// Makes room again.
    pub(crate) fn leave(&self, bytes: usize) {
        self.state().inside -= bytes;
        self.changed.notify_all();
    }

    /// Lets nobody in any more.
    pub(crate) fn stop(&self) {
        self.state().is_stopped = true;
        self.changed.notify_all();
    }
}

/// Ends the run when a thread panics, so that no other waits for it.
pub(crate) struct StopOnPanic<'a>(pub(crate) &'a Gate);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}
