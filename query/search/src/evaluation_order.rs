//! Evaluation in the order of the games, where a query remembers something from game to game.
//!
//! The tasks of such a query run on all threads, like those of any other one: what the index says of their games is worked out
//! side by side. But they share one evaluator, which goes from task to task.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use evaluator::{Evaluator, Limits, Value};
use planner::Effects;

use super::sift::Sift;
use super::task_result::Outlet;
use super::worker::{Worker, Workers};
use super::{Search, SearchError};

/// A task that waits for its place looks this often whether results are to be delivered, or the run is over.
const LOOK: Duration = Duration::from_millis(1);

/// The order in which tasks evaluate.
#[derive(Debug)]
pub(super) struct EvaluationOrder<'q> {
    /// What is asked of positions before their task's place comes.
    sift: Option<Sift>,
    state: Mutex<State<'q>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<'q> {
    /// The first task that is not over.
    first: usize,
    /// Later ones that are over.
    over: BTreeSet<usize>,
    /// The evaluator that remembers what earlier games left, unless a task has it.
    evaluator: Option<Evaluator<'q>>,
}

impl<'q> EvaluationOrder<'q> {
    /// The order for a search before its first task, if it needs one.
    pub(super) fn of(search: &Search<'q>, limits: &Limits) -> Option<EvaluationOrder<'q>> {
        (search.effects == Effects::Database).then(|| EvaluationOrder {
            sift: Sift::of(search, limits),
            state: Mutex::new(State {
                first: 0,
                over: BTreeSet::new(),
                evaluator: Some(Evaluator::new(search.query, limits.clone())),
            }),
            changed: Condvar::new(),
        })
    }

    /// The place of a task. The task is over when it is dropped.
    pub(super) fn place_of(&self, task: usize) -> Place<'_, 'q> {
        Place { order: self, task }
    }

    fn lock(&self) -> MutexGuard<'_, State<'q>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all tasks before one are over, and takes the evaluator.
    fn evaluator_for(&self, task: usize, outlet: &mut dyn Outlet) -> Result<Evaluator<'q>, SearchError> {
        let mut state = self.lock();
        loop {
            if state.first == task
                && let Some(evaluator) = state.evaluator.take()
            {
                return Ok(evaluator);
            }
            let waited = self.changed.wait_timeout(state, LOOK);
            drop(waited.unwrap_or_else(PoisonError::into_inner));
            outlet.tick()?;
            state = self.lock();
        }
    }
}

/// The persistent variables behind all tasks. Without an order, nothing has changed them.
pub(super) fn persistent(order: Option<EvaluationOrder<'_>>, workers: &Workers<'_, '_>) -> Vec<(String, Value)> {
    let of = |evaluator: &Evaluator<'_>| {
        let values = evaluator.persistent().into_iter();
        values.map(|(name, value)| (name.to_owned(), value)).collect()
    };
    match order {
        Some(order) => {
            let state = order.state.into_inner().unwrap_or_else(PoisonError::into_inner);
            state.evaluator.as_ref().map_or_else(Vec::new, of)
        }
        None => workers.with(|worker| of(&worker.evaluator)),
    }
}

/// The place of a task in the order.
#[derive(Debug)]
pub(super) struct Place<'o, 'q> {
    order: &'o EvaluationOrder<'q>,
    task: usize,
}

impl<'q> Place<'_, 'q> {
    /// What is asked of positions before, if there is something.
    pub(super) fn sift(&self) -> Option<&Sift> {
        self.order.sift.as_ref()
    }

    /// Lets a worker evaluate with the evaluator that remembers, as soon as all earlier tasks are over.
    ///
    /// # Errors
    ///
    /// When the run is over, or `evaluate` fails.
    pub(super) fn evaluate<T>(
        &self,
        worker: &mut Worker<'q>,
        outlet: &mut dyn Outlet,
        evaluate: impl FnOnce(&mut Worker<'q>, &mut dyn Outlet) -> Result<T, SearchError>,
    ) -> Result<T, SearchError> {
        let remembering = self.order.evaluator_for(self.task, outlet)?;
        let own = std::mem::replace(&mut worker.evaluator, remembering);
        let result = evaluate(worker, outlet);
        let remembering = std::mem::replace(&mut worker.evaluator, own);
        self.order.lock().evaluator = Some(remembering);
        result
    }
}

impl Drop for Place<'_, '_> {
    fn drop(&mut self) {
        let mut state = self.order.lock();
        state.over.insert(self.task);
        loop {
            let first = state.first;
            if !state.over.remove(&first) {
                break;
            }
            state.first += 1;
        }
        drop(state);
        self.order.changed.notify_all();
    }
}
