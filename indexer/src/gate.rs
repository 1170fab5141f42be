//! Limits the text in flight between the threads of an indexing run.

use std::{
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// Limits the number of bytes in flight.
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
    /// Allows `limit` bytes in flight.
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

    /// Waits until there is room for `bytes`, or until nothing is in flight. Returns false if the run was stopped.
    pub(crate) fn enter(&self, bytes: usize) -> bool {
        let mut state = self.state();
        while !state.is_stopped && state.inside > 0 && state.inside + bytes > self.limit {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.inside += bytes;
        !state.is_stopped
    }

    /// Gives back the room of `bytes`.
    pub(crate) fn leave(&self, bytes: usize) {
        self.state().inside -= bytes;
        self.changed.notify_all();
    }

    /// Stops the run: waiting threads are released, and [`Gate::enter`] returns false.
    pub(crate) fn stop(&self) {
        self.state().is_stopped = true;
        self.changed.notify_all();
    }
}

/// Stops the run when a thread panics, so that no other thread waits for it.
pub(crate) struct StopOnPanic<'a>(pub(crate) &'a Gate);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}
