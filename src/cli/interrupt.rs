//! Ctrl-C asks a command to stop; a second one ends the program at once.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
