//! What one thread keeps from task to task.

use std::sync::Mutex;

use chess::{MoveTree, Start};
use evaluator::{Evaluator, GameView, Limits, Value};
use planner::Scratch;
use storage::TreeBlock;

use super::Search;

/// An evaluator and its buffers.
#[derive(Debug)]
pub(super) struct Worker<'q> {
    pub(super) evaluator: Evaluator<'q>,
    pub(super) view: GameView,
    pub(super) tree: MoveTree,
    pub(super) scratch: Scratch,
    /// Words for a sweep, all zeros.
    pub(super) memory: Vec<u64>,
    /// The block of trees that was read last, with segment and number.
    pub(super) block: Option<(storage::SegmentId, u32, TreeBlock)>,
    /// How many bytes of such blocks were read that nobody has counted yet.
    pub(super) boards_read: u64,
}

/// The workers of a search; each is used by one thread at a time.
#[derive(Debug)]
pub(super) struct Workers<'s, 'q> {
    search: &'s Search<'q>,
    limits: &'s Limits,
    idle: Mutex<Vec<Worker<'q>>>,
}

impl<'s, 'q> Workers<'s, 'q> {
    pub(super) fn new(search: &'s Search<'q>, limits: &'s Limits) -> Workers<'s, 'q> {
        Workers {
            search,
            limits,
            idle: Mutex::new(Vec::new()),
        }
    }

    /// Lends a worker.
    pub(super) fn with<T>(&self, work: impl FnOnce(&mut Worker<'q>) -> T) -> T {
        let idle = || self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let spare = idle().pop();
        let mut worker = spare.unwrap_or_else(|| Worker {
            evaluator: Evaluator::new(self.search.query, self.limits.clone()),
            view: GameView::default(),
            tree: MoveTree {
                start: Start::Standard,
                moves: Vec::new(),
                branches: Vec::new(),
            },
            scratch: Scratch::default(),
            memory: Vec::new(),
            block: None,
            boards_read: 0,
        });
        let result = work(&mut worker);
        idle().push(worker);
        result
    }

    /// The persistent variables after the run; they force a single worker.
    pub(super) fn persistent(&self) -> Vec<(String, Value)> {
        self.with(|worker| {
            worker
                .evaluator
                .persistent()
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect()
        })
    }
}
