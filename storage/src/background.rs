//! The threads that RocksDB keeps for all databases of a process.

use std::time::{Duration, Instant};
use std::{fs, thread};

use rocksdb::Env;

/// The beginning of the names of these threads.
const NAME: &str = "rocksdb:";

/// How long their end is waited for; it takes microseconds.
const PATIENCE: Duration = Duration::from_millis(200);

/// Ends the threads that RocksDB keeps in the background for all databases of this process; the next database that is opened
/// starts them again. A program calls it before it copies its process with `fork`: the copy has no threads, and would wait
/// for them when it ends.
///
/// Databases that are read don't need them. While one is open for writing, this must not be called: its work would wait for
/// these threads.
pub fn end_background_threads() {
    // Without an environment there are no threads.
    let Ok(mut shared) = Env::new() else { return };
    shared.set_background_threads(0);
    shared.set_high_priority_background_threads(0);
    shared.set_bottom_priority_background_threads(0);
    let started = Instant::now();
    while is_one_there() && started.elapsed() < PATIENCE {
        thread::sleep(Duration::from_micros(100));
    }
}

/// Whether there is still one of them. RocksDB does not tell, but Linux does.
fn is_one_there() -> bool {
    let Ok(threads) = fs::read_dir("/proc/self/task") else {
        return false;
    };
    let mut names = threads
        .flatten()
        .map(|thread| fs::read_to_string(thread.path().join("comm")));
    names.any(|name| name.is_ok_and(|name| name.starts_with(NAME)))
}
