//! Commands where memory is short. Who gets no more memory is ended by the system or its libraries in the middle of a step,
//! and has no chance to say why. So where the system sets a limit, the program starts itself, waits, and says it.

use std::process::{Command, ExitCode};

use crate::exit::Failure;
use crate::memory::Limit;

/// Set for the process that is watched.
const VARIABLE: &str = "CQLDEX_WATCHED";

/// With more memory than this, nothing is watched.
const ENOUGH: u64 = 4 << 30;

/// The limit that this process has to be watched for.
pub(super) fn limit() -> Option<Limit> {
    if std::env::var_os(VARIABLE).is_some() {
        ends_with_parent();
        return None;
    }
    crate::memory::limit().filter(|limit| limit.bytes < ENOUGH)
}

/// Runs the same command in a process of its own. Returns its exit code, or `failed` where memory was short; `None` if it can't
/// be started, and nothing was done.
pub(super) fn run(limit: Limit, failed: u8) -> Option<ExitCode> {
    let program = std::env::current_exe().ok()?;
    let mut child = Command::new(program)
        .args(std::env::args_os().skip(1))
        .env(VARIABLE, "1")
        .spawn()
        .ok()?;
    pass_signals_on(child.id());
    let status = match child.wait() {
        Ok(status) => status,
        Err(error) => return Some(crate::exit::report(Err(error.into()), failed)),
    };
    if let Some(code) = status.code() {
        return Some(ExitCode::from(u8::try_from(code).unwrap_or(failed)));
    }
    Some(match ended_by(status) {
        Some(signal) if is_lack_of_memory(signal) => {
            let failure = Failure::message(format!(
                "ended by signal {signal}; most likely there is not enough memory: this process may take {} MB, which {} \
                 sets; what was committed is kept",
                limit.bytes >> 20,
                limit.set_by
            ));
            crate::exit::report(Err(failure), failed)
        }
        // As shells say it.
        Some(signal) => ExitCode::from(128 + u8::try_from(signal).unwrap_or_default()),
        None => ExitCode::from(failed),
    })
}

#[cfg(unix)]
fn ended_by(status: std::process::ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn ended_by(_: std::process::ExitStatus) -> Option<i32> {
    None
}

/// Whether a process that was ended by this signal had no memory: Rust and C++ abort, the system kills, and code that does not
/// look whether it got memory writes to where there is none.
#[cfg(unix)]
fn is_lack_of_memory(signal: i32) -> bool {
    use rustix::process::Signal;
    [Signal::ABORT, Signal::KILL, Signal::SEGV, Signal::BUS]
        .iter()
        .any(|known| known.as_raw() == signal)
}

#[cfg(not(unix))]
fn is_lack_of_memory(_: i32) -> bool {
    false
}

/// Passes on what asks this process to end. Ctrl-C in a terminal reaches both, and the other one counts it once.
#[cfg(unix)]
fn pass_signals_on(child: u32) {
    use rustix::process::{Pid, Signal, kill_process};
    let Some(pid) = i32::try_from(child).ok().and_then(Pid::from_raw) else {
        return;
    };
    let _ = ctrlc::set_handler(move || {
        // It may have ended already.
        let _ = kill_process(pid, Signal::INT);
    });
}

#[cfg(not(unix))]
fn pass_signals_on(_: u32) {}

/// Asks the system to end this process in order when the one that watches it is killed.
#[cfg(target_os = "linux")]
fn ends_with_parent() {
    use rustix::process::{Signal, set_parent_process_death_signal};
    // Where that is not possible, it goes on to its end.
    let _ = set_parent_process_death_signal(Some(Signal::TERM));
}

#[cfg(not(target_os = "linux"))]
fn ends_with_parent() {}
