//! The threads that searches run on, beside the threads that help them.
//!
//! A thread that has finished a search waits for the next one: to start a thread, and to touch fresh memory from it, costs
//! a short search a tenth of a millisecond or more.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;

use crossbeam_channel::Sender;

use crate::error::{Cause, Error, Result};

/// How many threads wait for a search.
const IDLE: usize = 2;

type Work = Box<dyn FnOnce() + Send>;

/// Threads that wait for a search; they end with the last clone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leaders {
    idle: Arc<Mutex<Vec<Sender<Work>>>>,
}

impl Leaders {
    /// Runs something on a waiting thread, or on a new one.
    ///
    /// # Errors
    ///
    /// When the system gives no more threads.
    pub(crate) fn run(&self, work: impl FnOnce() + Send + 'static) -> Result<()> {
        let work: Work = Box::new(work);
        let waiting = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let work = match waiting {
            Some(thread) => match thread.send(work) {
                Ok(()) => return Ok(()),
                Err(refused) => refused.into_inner(),
            },
            None => work,
        };
        let idle = Arc::downgrade(&self.idle);
        let builder = thread::Builder::new().name("cqldex-search".to_owned());
        let spawned = builder.spawn(move || lead(work, &idle));
        spawned.map(|_| ()).map_err(|error| Error::Resources(Cause::new(error)))
    }
}

/// What such a thread does.
fn lead(first: Work, idle: &Weak<Mutex<Vec<Sender<Work>>>>) {
    let mut next = Some(first);
    while let Some(work) = next {
        work();
        let Some(idle) = idle.upgrade() else { return };
        let mut waiting = idle.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.len() >= IDLE {
            return;
        }
        // Only the list has the sender: when it goes with its database, the thread ends.
        let (sender, receiver) = crossbeam_channel::bounded(1);
        waiting.push(sender);
        drop(waiting);
        drop(idle);
        next = receiver.recv().ok();
    }
}
