//! Ctrl-C and the time limit ask a command to stop; a second Ctrl-C ends the program at once.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use cqldex::Cancel;

/// After how many seconds the command was stopped, if it was.
static TIMED_OUT: AtomicU64 = AtomicU64::new(0);

/// How often the time limit is checked, and how long a cancelled command may take to end.
const LOOK: Duration = Duration::from_millis(10);
const GRACE: Duration = Duration::from_secs(2);

/// Nobody asks twice in a shorter time.
const TWICE: Duration = Duration::from_millis(50);

/// Counts who asks this process to end. Ctrl-C in a terminal reaches it twice where another process watches it and passes it on:
/// that counts once.
#[derive(Debug, Default)]
pub(super) struct Asked {
    first: Option<Instant>,
}

impl Asked {
    /// Whether this is the first time; `None` if it is the first time once more.
    pub(super) fn is_first(&mut self) -> Option<bool> {
        match self.first {
            Some(first) if first.elapsed() < TWICE => None,
            Some(_) => Some(false),
            None => {
                self.first = Some(Instant::now());
                Some(true)
            }
        }
    }
}

/// The value that Ctrl-C cancels.
pub(super) fn cancel() -> Cancel {
    let cancel = Cancel::default();
    let inside = cancel.clone();
    let mut asked = Asked::default();
    // Without a handler Ctrl-C ends the program: what was committed stays.
    let _ = ctrlc::set_handler(move || {
        match asked.is_first() {
            None => return,
            Some(false) => std::process::exit(2),
            // Its time is over, and it has not ended yet.
            Some(true) if inside.is_cancelled() => std::process::exit(2),
            Some(true) => {}
        }
        let _ = writeln!(
            std::io::stderr(),
            "interrupted: ending in order; once more to end at once"
        );
        inside.cancel();
    });
    cancel
}

/// The same for commands that only read, also cancelled after some seconds; 0 for never. The program ends if a
/// cancelled command has not ended after a while, perhaps because nothing reads its output.
pub(super) fn cancel_within(seconds: u64) -> Cancel {
    let cancel = cancel();
    let inside = cancel.clone();
    let limit = (seconds > 0).then(|| Duration::from_secs(seconds));
    // The program does not wait for this thread.
    thread::spawn(move || {
        let started = Instant::now();
        while !inside.is_cancelled() && limit.is_none_or(|limit| started.elapsed() < limit) {
            thread::sleep(LOOK);
        }
        if !inside.is_cancelled() {
            TIMED_OUT.store(seconds, Ordering::Relaxed);
            inside.cancel();
        }
        thread::sleep(GRACE);
        let _ = writeln!(std::io::stderr(), "error: {}", reason());
        std::process::exit(2);
    });
    cancel
}

/// Why a command was stopped, for the user.
pub(super) fn reason() -> String {
    match TIMED_OUT.load(Ordering::Relaxed) {
        0 => "the search was stopped".to_owned(),
        seconds => format!("the search was stopped after {seconds} s; --timeout SECONDS gives it more, 0 all it needs"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_twice_at_once_has_asked_once() {
        let mut asked = Asked::default();
        assert_eq!(asked.is_first(), Some(true));
        asked.first = Some(Instant::now());
        assert_eq!(asked.is_first(), None);
        asked.first = Instant::now().checked_sub(2 * TWICE);
        assert_eq!(asked.is_first(), Some(false));
    }
}
