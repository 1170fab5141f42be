//! Ends the server from outside.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Ends the server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop {
    said: Arc<AtomicBool>,
    notify: Arc<Notify>,
}

impl Stop {
    /// Asks the server to end; returns whether it was asked before.
    pub(crate) fn stop(&self) -> bool {
        let before = self.said.swap(true, Ordering::Relaxed);
        self.notify.notify_one();
        before
    }
}

/// What ends the server, and what waits for that.
pub(crate) fn stop() -> (Stop, impl Future<Output = ()> + Send + 'static) {
    let stop = Stop::default();
    let notify = Arc::clone(&stop.notify);
    (stop, async move { notify.notified().await })
}
