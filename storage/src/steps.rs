//! Failpoints: the steps of a change of a database, by name. A crash can fall between any two of them.
//!
//! With the feature `testing`, a test can watch the steps and end the process at one. Without it, [`reached`] does
//! nothing. The crate `fail` offers more, but a test has to list the names of its failpoints; ours records the steps of
//! a whole run first and then crashes at each of them, so that no new step is forgotten.

/// A step was reached.
#[inline]
pub(crate) fn reached(step: &'static str) {
    #[cfg(feature = "testing")]
    watched::reached(step);
    #[cfg(not(feature = "testing"))]
    let _ = step;
}

#[cfg(feature = "testing")]
pub use watched::watch_steps;

#[cfg(feature = "testing")]
mod watched {
    use std::sync::OnceLock;

    type Watcher = Box<dyn Fn(&'static str) + Send + Sync>;

    static WATCHER: OnceLock<Watcher> = OnceLock::new();

    /// Calls a function at every step of a change of a database, in the thread that reaches it. Only the first call in
    /// a process has an effect. Needs the feature `testing`.
    pub fn watch_steps(watcher: impl Fn(&'static str) + Send + Sync + 'static) {
        let _ = WATCHER.set(Box::new(watcher));
    }

    pub(super) fn reached(step: &'static str) {
        if let Some(watcher) = WATCHER.get() {
            watcher(step);
        }
    }
}
