//! Stops searches and indexing from other threads.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crossbeam_channel::{Receiver, Sender};

/// Stops a search or an indexing run from another thread. Clones stop the same runs; a value may be given to several runs,
/// and then it stops all of them, those that begin later included.
///
/// ```
/// use cqldex::Cancel;
///
/// let cancel = Cancel::default();
/// let clone = cancel.clone();
/// std::thread::spawn(move || clone.cancel()).join().unwrap();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    is_cancelled: bool,
    runs: Vec<Weak<Run>>,
}

/// Something that can be stopped: by its caller, or through a [`Cancel`].
#[derive(Debug)]
pub(crate) struct Run {
    /// What the threads of the run look at.
    pub(crate) stop: Arc<AtomicBool>,
    /// Disconnected when the run is stopped: who waits for it wakes up.
    pub(crate) stopped: Receiver<Infallible>,
    wake: Mutex<Option<Sender<Infallible>>>,
}

impl Cancel {
    /// Asks every run that has this value to stop. Returns at once.
    pub fn cancel(&self) {
        let runs = {
            let mut state = self.lock();
            state.is_cancelled = true;
            std::mem::take(&mut state.runs)
        };
        runs.iter().filter_map(Weak::upgrade).for_each(|run| run.stop());
    }

    /// Whether [`Cancel::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.lock().is_cancelled
    }

    /// Something that this value stops from now on.
    pub(crate) fn run(&self) -> Arc<Run> {
        let (wake, stopped) = crossbeam_channel::bounded(0);
        let run = Arc::new(Run {
            stop: Arc::default(),
            stopped,
            wake: Mutex::new(Some(wake)),
        });
        let mut state = self.lock();
        if state.is_cancelled {
            run.stop();
        } else {
            state.runs.retain(|run| run.strong_count() > 0);
            state.runs.push(Arc::downgrade(&run));
        }
        drop(state);
        run
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Run {
    /// Asks the threads of the run to stop, and wakes up who waits for them.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.wake.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
