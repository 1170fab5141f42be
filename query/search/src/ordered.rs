//! Runs tasks on all threads and delivers their results in the order of the tasks, with a limit on how many results wait.
//!
//! The calling thread is the leader: it runs tasks like the helpers, and delivers results between its tasks and within
//! them. A short search is therefore finished by the leader alone, without a wake-up of another thread.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::task_result::{Outlet, TaskResult};
use super::threads::Threads;
use super::{GameMatch, SearchError};

/// How many batches of a task may wait.
const BATCHES: usize = 2;

/// How many results may wait for each thread before no further task is begun.
const AHEAD: usize = 2;

/// What comes from a task.
#[derive(Debug)]
pub(super) enum Find {
    /// Some games, in order.
    Games(Vec<GameMatch>),
    /// The last games, and what the task has counted.
    End(Box<TaskResult>),
}

/// Why a task failed.
#[derive(Debug)]
pub(super) enum TaskError {
    /// The error of this task.
    Own(SearchError),
    /// Something that several tasks share could not be opened; the receiver of the results knows the error.
    Shared,
}

impl From<SearchError> for TaskError {
    fn from(error: SearchError) -> TaskError {
        TaskError::Own(error)
    }
}

/// Receives a result with the number of its task. It may end the run.
pub(super) type Take<'a> = dyn FnMut(usize, Result<Find, TaskError>) -> Result<ControlFlow<()>, SearchError> + 'a;

/// Runs tasks on at most `threads` threads, this one included, and passes their results to `take` in order.
///
/// # Errors
///
/// The first error of `take`; tasks that have not begun are then left out.
pub(super) fn run(
    tasks: usize,
    threads: usize,
    pool: &Threads,
    run: impl Fn(usize, &mut dyn Outlet) -> Result<TaskResult, TaskError> + Sync,
    take: &mut Take<'_>,
) -> Result<(), SearchError> {
    let queue = Queue {
        tasks,
        threads,
        pool,
        state: Mutex::default(),
        ready: Condvar::new(),
        space: Condvar::new(),
        is_ready: AtomicBool::new(false),
        is_over: AtomicBool::new(false),
    };
    let (queue, run) = (&queue, &run);
    let helpers = threads.min(tasks).saturating_sub(1);
    if helpers == 0 {
        return queue.lead(run, take, &|| ());
    }
    pool.pool()?.in_place_scope(|scope| {
        let call_help = || {
            let pending = queue.pool.wait();
            scope.spawn(move |_| {
                drop(pending);
                queue.help(run);
            });
        };
        (0..helpers).for_each(|_| call_help());
        queue.lead(run, take, &call_help)
    })
}

/// The tasks in order, with the results that wait for delivery.
#[derive(Debug)]
struct Queue<'a> {
    tasks: usize,
    threads: usize,
    pool: &'a Threads,
    state: Mutex<State>,
    /// Signals that the first task has a result.
    ready: Condvar,
    /// Signals that results were delivered.
    space: Condvar,
    /// The same as `ready`, cheap to read.
    is_ready: AtomicBool,
    /// The run has ended.
    is_over: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    /// The first task that is not delivered completely.
    front: usize,
    /// The tasks that were begun, from the first on.
    begun: VecDeque<Slot>,
    /// How many batches are waiting.
    waiting: usize,
    /// Whether the leader sleeps until something is ready.
    leader_sleeps: bool,
    /// How many others sleep until there is space.
    helpers_sleep: usize,
    /// How many helpers made room for other searches and are to be called again.
    helpers_gone: usize,
    is_stopped: bool,
}

/// The results of a task that wait for delivery.
#[derive(Debug, Default)]
struct Slot {
    finds: VecDeque<Find>,
    /// How the task ended, once it has.
    end: Option<Result<Box<TaskResult>, TaskError>>,
}

impl State {
    /// The next result in order, with its task; `None` if it is not there yet.
    fn pop(&mut self) -> Option<(usize, Result<Find, TaskError>)> {
        let (task, slot) = (self.front, self.begun.front_mut()?);
        if let Some(find) = slot.finds.pop_front() {
            self.waiting -= 1;
            return Some((task, Ok(find)));
        }
        let end = slot.end.take()?;
        if counts(&end) {
            self.waiting -= 1;
        }
        self.begun.pop_front();
        self.front += 1;
        Some((task, end.map(Find::End)))
    }

    fn slot(&mut self, task: usize) -> Option<&mut Slot> {
        task.checked_sub(self.front).and_then(|index| self.begun.get_mut(index))
    }

    /// Whether the first task has a result.
    fn is_ready(&self) -> bool {
        self.begun
            .front()
            .is_some_and(|slot| !slot.finds.is_empty() || slot.end.is_some())
    }
}

/// Whether the end of a task counts as a waiting result: games need memory, and after an error no task may be needed.
fn counts(end: &Result<Box<TaskResult>, TaskError>) -> bool {
    end.as_ref().map_or(true, |found| !found.games.is_empty())
}

impl Queue<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something was delivered.
    fn wait_for_space<'s>(&self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        state.helpers_sleep += 1;
        let mut state = self.space.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.helpers_sleep -= 1;
        state
    }

    /// Waits until there may be something to deliver.
    fn wait_for_finds(&self, mut state: MutexGuard<'_, State>) {
        state.leader_sleeps = true;
        let mut state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.leader_sleeps = false;
    }

    /// Ends the run and releases all waiting threads.
    fn stop(&self) {
        self.lock().is_stopped = true;
        self.is_over.store(true, Ordering::Relaxed);
        self.ready.notify_all();
        self.space.notify_all();
    }

    /// The next task, if there is room for what it may find.
    fn begin(&self, state: &mut State) -> Option<usize> {
        let task = state.front + state.begun.len();
        let is_free = state.begun.is_empty() || state.waiting <= AHEAD * self.threads;
        (task < self.tasks && is_free).then(|| {
            state.begun.push_back(Slot::default());
            task
        })
    }

    /// Notes the end of a task.
    fn end(&self, task: usize, end: Result<TaskResult, TaskError>) {
        let mut state = self.lock();
        let end = end.map(Box::new);
        state.waiting += usize::from(counts(&end));
        if let Some(slot) = state.slot(task) {
            slot.end = Some(end);
        }
        self.notify(&state, task);
    }

    /// Wakes the leader if it waits for this task.
    fn notify(&self, state: &State, task: usize) {
        if task == state.front {
            self.is_ready.store(true, Ordering::Relaxed);
            if state.leader_sleeps {
                self.ready.notify_one();
            }
        }
    }

    /// Runs tasks as long as there are any.
    fn help(&self, run: &(impl Fn(usize, &mut dyn Outlet) -> Result<TaskResult, TaskError> + Sync)) {
        let _guard = Guard {
            queue: self,
            leads: false,
        };
        loop {
            let mut state = self.lock();
            let task = loop {
                if state.is_stopped || state.front + state.begun.len() >= self.tasks {
                    return;
                }
                match self.begin(&mut state) {
                    Some(task) => break task,
                    None => state = self.wait_for_space(state),
                }
            };
            drop(state);
            let end = run(task, &mut Helper { queue: self, task });
            self.end(task, end);
            if self.pool.are_wanted() {
                let mut state = self.lock();
                state.helpers_gone += 1;
                let front = state.front;
                self.notify(&state, front);
                return;
            }
        }
    }

    /// Runs tasks, and delivers all results.
    fn lead(
        &self,
        run: &(impl Fn(usize, &mut dyn Outlet) -> Result<TaskResult, TaskError> + Sync),
        take: &mut Take<'_>,
        call_help: &dyn Fn(),
    ) -> Result<(), SearchError> {
        // The helpers must not wait for a leader that is gone, even after a panic.
        let _guard = Guard {
            queue: self,
            leads: true,
        };
        let mut leader = Leader {
            queue: self,
            task: 0,
            take,
            call_help,
            verdict: None,
        };
        loop {
            leader.deliver();
            if let Some(verdict) = leader.verdict {
                return verdict;
            }
            let mut state = self.lock();
            if state.front == self.tasks {
                return Ok(());
            }
            if state.is_stopped {
                return Err(SearchError::Stopped);
            }
            if state.is_ready() || state.helpers_gone > 0 {
                continue;
            }
            let Some(task) = self.begin(&mut state) else {
                self.wait_for_finds(state);
                continue;
            };
            drop(state);
            leader.task = task;
            let end = run(task, &mut leader);
            if let Some(verdict) = leader.verdict {
                return verdict;
            }
            self.end(task, end);
        }
    }
}

/// Ends the run when the leader returns or any thread panics.
struct Guard<'a> {
    queue: &'a Queue<'a>,
    leads: bool,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if self.leads || std::thread::panicking() {
            self.queue.stop();
        }
    }
}

/// The outlet of a task on a helper.
struct Helper<'a> {
    queue: &'a Queue<'a>,
    task: usize,
}

impl Outlet for Helper<'_> {
    fn give(&mut self, games: Vec<GameMatch>) -> Result<(), SearchError> {
        let mut state = self.queue.lock();
        loop {
            if state.is_stopped {
                return Err(SearchError::Stopped);
            }
            match state.slot(self.task) {
                Some(slot) if slot.finds.len() < BATCHES => {
                    slot.finds.push_back(Find::Games(games));
                    break;
                }
                _ => state = self.queue.wait_for_space(state),
            }
        }
        state.waiting += 1;
        self.queue.notify(&state, self.task);
        Ok(())
    }

    fn tick(&mut self) -> Result<(), SearchError> {
        if self.queue.is_over.load(Ordering::Relaxed) {
            return Err(SearchError::Stopped);
        }
        Ok(())
    }
}

/// The leader and its current task.
struct Leader<'a, 'b> {
    queue: &'a Queue<'a>,
    task: usize,
    take: &'a mut Take<'b>,
    call_help: &'a dyn Fn(),
    /// How the run ended.
    verdict: Option<Result<(), SearchError>>,
}

impl Leader<'_, '_> {
    fn take(&mut self, task: usize, find: Result<Find, TaskError>) {
        if self.verdict.is_none() {
            match (self.take)(task, find) {
                Ok(ControlFlow::Continue(())) => return,
                Ok(ControlFlow::Break(())) => self.verdict = Some(Ok(())),
                Err(error) => self.verdict = Some(Err(error)),
            }
            self.queue.stop();
        }
    }

    /// Delivers all results that are ready.
    fn deliver(&mut self) {
        self.queue.is_ready.store(false, Ordering::Relaxed);
        loop {
            let mut state = self.queue.lock();
            let gone = std::mem::take(&mut state.helpers_gone);
            if gone > 0 {
                drop(state);
                (0..gone).for_each(|_| (self.call_help)());
                continue;
            }
            let Some((task, find)) = state.pop() else { return };
            let is_waited_for = state.helpers_sleep > 0;
            drop(state);
            if is_waited_for {
                self.queue.space.notify_all();
            }
            self.take(task, find);
            if self.verdict.is_some() {
                return;
            }
        }
    }

    /// Fails once the run has ended.
    fn check(&self) -> Result<(), SearchError> {
        // The caller of the run gets the verdict instead of this error.
        if self.verdict.is_some() {
            Err(SearchError::Stopped)
        } else {
            Ok(())
        }
    }
}

impl Outlet for Leader<'_, '_> {
    fn give(&mut self, games: Vec<GameMatch>) -> Result<(), SearchError> {
        let mut games = Some(games);
        loop {
            self.deliver();
            self.check()?;
            let mut state = self.queue.lock();
            if state.is_stopped {
                return Err(SearchError::Stopped);
            }
            if state.front == self.task {
                drop(state);
                self.take(self.task, Ok(Find::Games(games.take().unwrap_or_default())));
                return self.check();
            }
            if state.is_ready() || state.helpers_gone > 0 {
                continue;
            }
            let (task, waits) = (self.task, &mut games);
            match state.slot(task) {
                Some(slot) if slot.finds.len() < BATCHES => {
                    slot.finds.push_back(Find::Games(waits.take().unwrap_or_default()));
                    state.waiting += 1;
                    return Ok(());
                }
                _ => self.queue.wait_for_finds(state),
            }
        }
    }

    fn tick(&mut self) -> Result<(), SearchError> {
        if self.queue.is_ready.load(Ordering::Relaxed) {
            self.deliver();
        }
        self.check()
    }
}

#[cfg(test)]
mod tests;
