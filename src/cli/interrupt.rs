//! Ctrl-C asks a command to stop, and so does the end of its time; a second Ctrl-C ends the program at once.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Whether the user has asked to stop.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// After how many seconds the command was stopped, if it was.
static TIMED_OUT: AtomicU64 = AtomicU64::new(0);

/// How often it is looked whether to stop, and how long a command that is asked to has for it.
const LOOK: Duration = Duration::from_millis(10);
const GRACE: Duration = Duration::from_millis(150);

/// A flag that is set when the user asks the program to stop.
pub(super) fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let inside = Arc::clone(&flag);
    // Without a handler Ctrl-C ends the program, which is no disaster: what was committed stays.
    let _ = ctrlc::set_handler(move || {
        INTERRUPTED.store(true, Ordering::Relaxed);
        if inside.swap(true, Ordering::Relaxed) {
            std::process::exit(2);
        }
        let _ = writeln!(
            std::io::stderr(),
            "interrupted: ending in order; once more to end at once"
        );
    });
    flag
}

/// The same flag for commands that only read, which is also set after so many seconds; 0 for never. What has not ended
/// soon after that is ended: a regular expression, say, that goes back and forth for hours.
pub(super) fn flag_within(seconds: u64) -> Arc<AtomicBool> {
    let flag = flag();
    let inside = Arc::clone(&flag);
    let limit = (seconds > 0).then(|| Duration::from_secs(seconds));
    // Nobody waits for it: the program may end before.
    thread::spawn(move || {
        let started = Instant::now();
        while !INTERRUPTED.load(Ordering::Relaxed) && limit.is_none_or(|limit| started.elapsed() < limit) {
            thread::sleep(LOOK);
        }
        if !INTERRUPTED.load(Ordering::Relaxed) {
            TIMED_OUT.store(seconds, Ordering::Relaxed);
        }
        inside.store(true, Ordering::Relaxed);
        thread::sleep(GRACE);
        let _ = writeln!(std::io::stderr(), "error: {}", reason());
        std::process::exit(2);
    });
    flag
}

/// Why a command was stopped, for the user.
pub(super) fn reason() -> String {
    match TIMED_OUT.load(Ordering::Relaxed) {
        0 => "the search was stopped".to_owned(),
        seconds => format!("the search was stopped after {seconds} s; --timeout SECONDS gives it more, 0 all it needs"),
    }
}
