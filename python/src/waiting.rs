//! Waits for work without holding the interpreter, and looks for Ctrl-C in the meantime.

use std::thread;
use std::time::{Duration, Instant};

use cqldex::{Cancel, Error, Found, GameMatch, Matches, Progress};
use crossbeam_channel::RecvTimeoutError;
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::watch::{Step, Watch};

/// How long signals may wait to be seen.
const TICK: Duration = Duration::from_millis(20);

/// Runs something on a thread of its own. If a signal or `tick` raises an exception, the work is cancelled, and the
/// exception is raised when it has ended. So it is if it takes too long.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    (cancel, timeout): (&Cancel, Option<Duration>),
    tick: &mut dyn FnMut(Python<'_>) -> PyResult<()>,
    work: impl FnOnce() -> cqldex::Result<T> + Send,
) -> PyResult<T> {
    let started = Instant::now();
    let (sender, receiver) = crossbeam_channel::bounded(1);
    thread::scope(|scope| {
        scope.spawn(move || {
            // The receiver waits for it.
            let _ = sender.send(work());
        });
        loop {
            let stopped = match py.detach(|| receiver.recv_timeout(TICK)) {
                Ok(outcome) => return outcome.or_raise(py),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::Internal("a thread has ended without a result".to_owned())).or_raise(py);
                }
                Err(RecvTimeoutError::Timeout) => match timeout.filter(|timeout| started.elapsed() > *timeout) {
                    Some(timeout) => Err(Error::TimedOut(timeout)).or_raise(py),
                    None => py.check_signals().and_then(|()| tick(py)),
                },
            };
            if let Err(exception) = stopped {
                cancel.cancel();
                let _ = py.detach(|| receiver.recv());
                return Err(exception);
            }
        }
    })
}

/// The next game of a search.
pub(crate) fn next_game(py: Python<'_>, matches: &mut Matches, watch: &Watch) -> PyResult<Option<GameMatch>> {
    if !matches.wait(Duration::ZERO) {
        while !py.detach(|| matches.wait(TICK)) {
            py.check_signals()?;
            tell(py, watch, matches.progress())?;
        }
    }
    matches.next().transpose().or_raise(py)
}

/// Gives all games of a search to `take`, and says what the search did.
pub(crate) fn drain(
    py: Python<'_>,
    mut matches: Matches,
    watch: &Watch,
    take: &mut (dyn FnMut(GameMatch) -> cqldex::Result<()> + Send),
) -> PyResult<Found> {
    loop {
        let is_over = py.detach(|| some(&mut matches, take)).or_raise(py)?;
        if is_over {
            return py.detach(|| matches.found()).or_raise(py);
        }
        py.check_signals()?;
        tell(py, watch, matches.progress())?;
    }
}

/// Takes games for a moment. Returns whether there are no more.
fn some(matches: &mut Matches, take: &mut (dyn FnMut(GameMatch) -> cqldex::Result<()> + Send)) -> cqldex::Result<bool> {
    let until = Instant::now() + TICK;
    while matches.wait(until.saturating_duration_since(Instant::now())) {
        match matches.next() {
            None => return Ok(true),
            Some(game) => take(game?)?,
        }
        if Instant::now() > until {
            break;
        }
    }
    Ok(false)
}

/// Tells how far a search is.
pub(crate) fn tell(py: Python<'_>, watch: &Watch, progress: &Progress) -> PyResult<()> {
    watch.tell(
        py,
        &Step {
            done: progress.games_done(),
            total: Some(progress.games_total()),
            games: progress.matching_games(),
            positions: progress.matching_positions(),
        },
    )
}
