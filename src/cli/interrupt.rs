//! Ctrl-C asks a command to stop, and so does the end of its time; a second Ctrl-C ends the program at once.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// After how many seconds the command was stopped, if it was.
static TIMED_OUT: AtomicU64 = AtomicU64::new(0);

/// A flag that is set when the user asks the program to stop.
pub(super) fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let inside = Arc::clone(&flag);
    // Without a handler Ctrl-C ends the program, which is no disaster: what was committed stays.
    let _ = ctrlc::set_handler(move || {
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

/// The same flag, which is also set after so many seconds; 0 for never.
pub(super) fn flag_within(seconds: u64) -> Arc<AtomicBool> {
    let flag = flag();
    if seconds > 0 {
        let inside = Arc::clone(&flag);
        // Nobody waits for it: the program may end before.
        thread::spawn(move || {
            thread::sleep(Duration::from_secs(seconds));
            TIMED_OUT.store(seconds, Ordering::Relaxed);
            inside.store(true, Ordering::Relaxed);
        });
    }
    flag
}

/// Why a command was stopped, for the user.
pub(super) fn reason() -> String {
    match TIMED_OUT.load(Ordering::Relaxed) {
        0 => "the search was stopped".to_owned(),
        seconds => format!("the search was stopped after {seconds} s; --timeout SECONDS gives it more, 0 all it needs"),
    }
}
