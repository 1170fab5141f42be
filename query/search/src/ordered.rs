//! Tasks on all threads, whose finds come in the order of the tasks, with a limit on how much waits for its turn.
//!
//! The calling thread takes tasks as the others do, and hands over between them, and within them whenever it is asked
//! to: a search that is soon through wakes nobody up.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::task::TaskResult;
use super::{GameMatch, SearchError};

/// How many batches of a task may wait.
const BATCHES: usize = 2;

/// How many tasks may be begun before the first of all is through, for each thread, if their finds are waiting.
const AHEAD: usize = 2;

/// How many helpers of all searches no thread has begun with: as long as there are any, the others go behind them after
/// each task, so that a short search does not wait for a long one.
static PENDING: AtomicUsize = AtomicUsize::new(0);

/// What comes from a task.
#[derive(Debug)]
pub(super) enum Find {
    /// Some games, in order.
    Games(Vec<GameMatch>),
    /// The last games, and what the task has counted.
    End(Box<TaskResult>),
}

/// Why a task has failed.
#[derive(Debug)]
pub(super) enum TaskError {
    /// For a reason of its own.
    Own(SearchError),
    /// What several tasks need is not there: whoever takes the finds knows why.
    Shared,
}

impl From<SearchError> for TaskError {
    fn from(error: SearchError) -> TaskError {
        TaskError::Own(error)
    }
}

/// Takes what is found: the number of the task, and what comes from it. It may end everything.
pub(super) type Take<'a> = dyn FnMut(usize, Result<Find, TaskError>) -> Result<ControlFlow<()>, SearchError> + 'a;

/// Where a task puts its games before it is through.
pub(super) trait Outlet {
    /// Hands games over; waits while too many wait already.
    ///
    /// # Errors
    ///
    /// When nobody wants them any more.
    fn give(&mut self, games: Vec<GameMatch>) -> Result<(), SearchError>;

    /// Called now and then by a task that takes long.
    ///
    /// # Errors
    ///
    /// When nobody wants anything any more.
    fn tick(&mut self) -> Result<(), SearchError>;
}

/// Runs so many tasks on so many threads at most, and hands over what they find in their order.
///
/// # Errors
///
/// The first error of `take`; then tasks that have not begun are left out.
pub(super) fn run(
    tasks: usize,
    threads: usize,
    run: impl Fn(usize, &mut dyn Outlet) -> Result<TaskResult, TaskError> + Sync,
    take: &mut Take<'_>,
) -> Result<(), SearchError> {
    let line = Line {
        tasks,
        threads,
        state: Mutex::default(),
        ready: Condvar::new(),
        space: Condvar::new(),
        is_ready: AtomicBool::new(false),
        is_over: AtomicBool::new(false),
    };
    let (line, run) = (&line, &run);
    rayon::in_place_scope(|scope| {
        let call_help = || {
            PENDING.fetch_add(1, Ordering::Relaxed);
            scope.spawn(move |_| {
                PENDING.fetch_sub(1, Ordering::Relaxed);
                line.help(run);
            });
        };
        (1..threads.min(tasks)).for_each(|_| call_help());
        line.lead(run, take, &call_help)
    })
}

/// The tasks in a row.
#[derive(Debug)]
struct Line {
    tasks: usize,
    threads: usize,
    state: Mutex<State>,
    /// The first task has something to hand over.
    ready: Condvar,
    /// Something was handed over.
    space: Condvar,
    /// The same as `ready`, to be looked at often.
    is_ready: AtomicBool,
    /// Nobody wants anything any more.
    is_over: AtomicBool,
}

#[derive(Debug, Default)]
struct State {
    /// The first task that was not handed over whole.
    front: usize,
    /// The tasks that were begun, from the first on.
    begun: VecDeque<Slot>,
    /// How many batches are waiting.
    waiting: usize,
    /// Whether the leader sleeps until something is ready.
    leader_sleeps: bool,
    /// How many others sleep until there is space.
    helpers_sleep: usize,
    /// How many helpers have made room for those of other searches, and are to be called again.
    helpers_gone: usize,
    is_stopped: bool,
}

/// What waits of a task.
#[derive(Debug, Default)]
struct Slot {
    finds: VecDeque<Find>,
    /// Whether there is nothing to come after that.
    end: Option<Result<Box<TaskResult>, TaskError>>,
}

impl State {
    /// The first thing to be handed over, if there is anything, with its task.
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

    /// Whether the first task has something to hand over.
    fn is_ready(&self) -> bool {
        self.begun
            .front()
            .is_some_and(|slot| !slot.finds.is_empty() || slot.end.is_some())
    }
}

/// Whether the end of a task counts among what waits: games need memory, and behind an error there may be nothing to do.
fn counts(end: &Result<Box<TaskResult>, TaskError>) -> bool {
    end.as_ref().map_or(true, |found| !found.games.is_empty())
}

impl Line {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until something was handed over.
    fn wait_for_space<'s>(&self, mut state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        state.helpers_sleep += 1;
        let mut state = self.space.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.helpers_sleep -= 1;
        state
    }

    /// Waits until there may be something to hand over.
    fn wait_for_finds(&self, mut state: MutexGuard<'_, State>) {
        state.leader_sleeps = true;
        let mut state = self.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.leader_sleeps = false;
    }

    /// Lets everybody go home.
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

    /// Notes that a task is through.
    fn end(&self, task: usize, end: Result<TaskResult, TaskError>) {
        let mut state = self.lock();
        let end = end.map(Box::new);
        state.waiting += usize::from(counts(&end));
        if let Some(slot) = state.slot(task) {
            slot.end = Some(end);
        }
        self.tell(&state, task);
    }

    /// Tells the leader if it is this task that it is waiting for.
    fn tell(&self, state: &State, task: usize) {
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
            line: self,
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
            let end = run(task, &mut Helper { line: self, task });
            self.end(task, end);
            if PENDING.load(Ordering::Relaxed) > 0 {
                let mut state = self.lock();
                state.helpers_gone += 1;
                let front = state.front;
                self.tell(&state, front);
                return;
            }
        }
    }

    /// Runs tasks, and hands over what is found.
    fn lead(
        &self,
        run: &(impl Fn(usize, &mut dyn Outlet) -> Result<TaskResult, TaskError> + Sync),
        take: &mut Take<'_>,
        call_help: &dyn Fn(),
    ) -> Result<(), SearchError> {
        // The others are not to wait for somebody who is gone, however that came.
        let _guard = Guard {
            line: self,
            leads: true,
        };
        let mut leader = Leader {
            line: self,
            task: 0,
            take,
            call_help,
            verdict: None,
        };
        loop {
            leader.hand_over();
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

/// Stops everything when the leader goes, or anybody in a panic.
struct Guard<'a> {
    line: &'a Line,
    leads: bool,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if self.leads || std::thread::panicking() {
            self.line.stop();
        }
    }
}

/// A task on another thread than the one that hands over.
struct Helper<'a> {
    line: &'a Line,
    task: usize,
}

impl Outlet for Helper<'_> {
    fn give(&mut self, games: Vec<GameMatch>) -> Result<(), SearchError> {
        let mut state = self.line.lock();
        loop {
            if state.is_stopped {
                return Err(SearchError::Stopped);
            }
            match state.slot(self.task) {
                Some(slot) if slot.finds.len() < BATCHES => {
                    slot.finds.push_back(Find::Games(games));
                    break;
                }
                _ => state = self.line.wait_for_space(state),
            }
        }
        state.waiting += 1;
        self.line.tell(&state, self.task);
        Ok(())
    }

    fn tick(&mut self) -> Result<(), SearchError> {
        if self.line.is_over.load(Ordering::Relaxed) {
            return Err(SearchError::Stopped);
        }
        Ok(())
    }
}

/// The thread that hands over, and its task.
struct Leader<'a, 'b> {
    line: &'a Line,
    task: usize,
    take: &'a mut Take<'b>,
    call_help: &'a dyn Fn(),
    /// How everything has ended.
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
            self.line.stop();
        }
    }

    /// Hands over all that is ready.
    fn hand_over(&mut self) {
        self.line.is_ready.store(false, Ordering::Relaxed);
        loop {
            let mut state = self.line.lock();
            let gone = std::mem::take(&mut state.helpers_gone);
            if gone > 0 {
                drop(state);
                (0..gone).for_each(|_| (self.call_help)());
                continue;
            }
            let Some((task, find)) = state.pop() else { return };
            let somebody_sleeps = state.helpers_sleep > 0;
            drop(state);
            if somebody_sleeps {
                self.line.space.notify_all();
            }
            self.take(task, find);
            if self.verdict.is_some() {
                return;
            }
        }
    }

    fn go_on(&self) -> Result<(), SearchError> {
        // It is not this error that is told.
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
            self.hand_over();
            self.go_on()?;
            let mut state = self.line.lock();
            if state.is_stopped {
                return Err(SearchError::Stopped);
            }
            if state.front == self.task {
                drop(state);
                self.take(self.task, Ok(Find::Games(games.take().unwrap_or_default())));
                return self.go_on();
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
                _ => self.line.wait_for_finds(state),
            }
        }
    }

    fn tick(&mut self) -> Result<(), SearchError> {
        if self.line.is_ready.load(Ordering::Relaxed) {
            self.hand_over();
        }
        self.go_on()
    }
}

#[cfg(test)]
mod tests;
