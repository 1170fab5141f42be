//! Tasks on all threads, whose finds come in the order of the tasks, with a limit on how much waits for its turn.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::part::TaskResult;
use super::{GameMatch, SearchError};

/// How many batches of a task may wait.
const BATCHES: usize = 2;

/// What comes from a task.
#[derive(Debug)]
pub(super) enum Find {
    /// Some games, in order.
    Games(Vec<GameMatch>),
    /// The last games, and what the task has counted.
    End(Box<TaskResult>),
}

/// Where a task puts its games before it is through.
#[derive(Debug)]
pub(super) struct Outlet(SyncSender<Result<Find, SearchError>>);

impl Outlet {
    /// Hands games over; waits while too many wait already. Fails when nobody wants them any more.
    pub(super) fn give(&self, games: Vec<GameMatch>) -> Result<(), SearchError> {
        self.0.send(Ok(Find::Games(games))).map_err(|_| SearchError::Stopped)
    }
}

/// Runs tasks, and hands over what they find in their order. It is the calling thread that hands over, so that it should
/// be none of those that run tasks.
///
/// # Errors
///
/// The first error of a task in their order, or of `take`; then tasks that have not begun are left out.
pub(super) fn run<T: Send>(
    tasks: Vec<T>,
    run: impl Fn(T, &Outlet) -> Result<TaskResult, SearchError> + Sync,
    take: &mut dyn FnMut(Find) -> Result<(), SearchError>,
) -> Result<(), SearchError> {
    let ahead = rayon::current_num_threads() + 1;
    let run = &run;
    rayon::in_place_scope(|scope| {
        let mut waiting: VecDeque<Receiver<Result<Find, SearchError>>> = VecDeque::new();
        for task in tasks {
            if waiting.len() > ahead
                && let Some(first) = waiting.pop_front()
            {
                drain(&first, take)?;
            }
            let (sender, receiver) = sync_channel(BATCHES);
            waiting.push_back(receiver);
            scope.spawn(move |_| {
                let outlet = Outlet(sender);
                let end = run(task, &outlet).map(|found| Find::End(Box::new(found)));
                // Nobody listens any more when there was an error before.
                let _ = outlet.0.send(end);
            });
        }
        waiting.iter().try_for_each(|receiver| drain(receiver, take))
    })
}

/// Takes what comes from one task.
fn drain(
    receiver: &Receiver<Result<Find, SearchError>>,
    take: &mut dyn FnMut(Find) -> Result<(), SearchError>,
) -> Result<(), SearchError> {
    receiver.iter().try_for_each(|find| take(find?))
}
