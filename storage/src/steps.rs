//! The steps of a change that a crash can come between, by name, for tests that crash there.

use std::sync::OnceLock;

type Watcher = Box<dyn Fn(&'static str) + Send + Sync>;

static WATCHER: OnceLock<Watcher> = OnceLock::new();

/// Calls a function at every step of a change of a database, in the thread that takes it. The first call counts.
#[doc(hidden)]
pub fn watch_steps(watcher: impl Fn(&'static str) + Send + Sync + 'static) {
    // Whoever comes second does not watch.
    let _ = WATCHER.set(Box::new(watcher));
}

/// A step was reached.
#[inline]
pub(crate) fn reached(step: &'static str) {
    if let Some(watcher) = WATCHER.get() {
        watcher(step);
    }
}
