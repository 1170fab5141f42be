//! The segments of a search in order. Each is opened by the first thread that needs it, and closed after its last task.

#![expect(
    clippy::cast_possible_truncation,
    reason = "positions, games and tasks of a segment have 32-bit numbers"
)]

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use storage::Snapshot;

use super::kept::KeptAnswers;
use super::segment_search::{self, SegmentSearch};
use super::sets::QuerySets;
use super::worker::Workers;
use super::{Search, SearchError};

/// The segments of a search.
#[derive(Debug)]
pub(super) struct Segments<'s, 'q> {
    search: &'s Search<'q>,
    snapshot: &'s Snapshot,
    workers: &'s Workers<'s, 'q>,
    answers: &'s KeptAnswers,
    sets: &'s QuerySets,
    /// How many segments after the current one may be opened ahead of time.
    ahead: usize,
    /// The number of the first task of each segment, and the number of tasks.
    first_tasks: Vec<usize>,
    slots: Mutex<Vec<Slot<'s, 'q>>>,
    opened: Condvar,
}

#[derive(Debug)]
enum Slot<'s, 'q> {
    Closed,
    Opening,
    Open(Arc<SegmentSearch<'s, 'q>>),
    Failed(SearchError),
    Over,
}

/// A task, by segment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The segment.
    pub(super) segment: usize,
    /// The number of the task in it.
    pub(super) task: u32,
    /// Whether it is the last one in it.
    pub(super) is_last: bool,
}

impl<'s, 'q> Segments<'s, 'q> {
    pub(super) fn new(
        search: &'s Search<'q>,
        snapshot: &'s Snapshot,
        workers: &'s Workers<'s, 'q>,
        (answers, sets): (&'s KeptAnswers, &'s QuerySets),
        threads: usize,
    ) -> Segments<'s, 'q> {
        let mut first_tasks = vec![0];
        for meta in snapshot.segments() {
            let tasks = segment_search::tasks(meta, search, answers);
            first_tasks.push(first_tasks[first_tasks.len() - 1] + tasks);
        }
        Segments {
            search,
            snapshot,
            workers,
            answers,
            sets,
            ahead: threads,
            first_tasks,
            slots: Mutex::new(snapshot.segments().iter().map(|_| Slot::Closed).collect()),
            opened: Condvar::new(),
        }
    }

    /// How many tasks there are.
    pub(super) fn tasks(&self) -> usize {
        self.first_tasks[self.first_tasks.len() - 1]
    }

    /// Where a task is.
    pub(super) fn place(&self, task: usize) -> Place {
        let segment = self.first_tasks.partition_point(|&first| first <= task) - 1;
        Place {
            segment,
            task: (task - self.first_tasks[segment]) as u32,
            is_last: task + 1 == self.first_tasks[segment + 1],
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Slot<'s, 'q>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The open segment; `None` if it could not be opened. A thread that would have to wait for it opens one of the next
    /// segments meanwhile.
    pub(super) fn open(&self, segment: usize) -> Option<Arc<SegmentSearch<'s, 'q>>> {
        let mut slots = self.lock();
        loop {
            let next = match &slots[segment] {
                Slot::Open(part) => return Some(Arc::clone(part)),
                Slot::Failed(_) | Slot::Over => return None,
                Slot::Closed => Some(segment),
                Slot::Opening => {
                    let end = slots.len().min(segment + self.ahead);
                    (segment + 1..end).find(|&other| matches!(slots[other], Slot::Closed))
                }
            };
            match next {
                Some(next) => {
                    slots[next] = Slot::Opening;
                    drop(slots);
                    self.fill(next);
                    slots = self.lock();
                }
                None => slots = self.opened.wait(slots).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Opens a segment.
    fn fill(&self, segment: usize) {
        let mut opening = Opening {
            parts: self,
            segment,
            slot: Slot::Over,
        };
        let stored = self.snapshot.segment(segment);
        opening.slot = match SegmentSearch::open(self.search, stored, self.workers, (self.answers, self.sets)) {
            Ok(part) => Slot::Open(Arc::new(part)),
            Err(error) => Slot::Failed(error),
        };
    }

    /// Why a segment could not be opened.
    pub(super) fn failure(&self, segment: usize) -> SearchError {
        match std::mem::replace(&mut self.lock()[segment], Slot::Over) {
            Slot::Failed(error) => error,
            _ => SearchError::Stopped,
        }
    }

    /// Closes a segment and returns it if it was open.
    pub(super) fn close(&self, segment: usize) -> Option<Arc<SegmentSearch<'s, 'q>>> {
        match std::mem::replace(&mut self.lock()[segment], Slot::Over) {
            Slot::Open(part) => Some(part),
            _ => None,
        }
    }
}

/// A segment that is being opened. Waiting threads are released even if opening it panics.
struct Opening<'a, 's, 'q> {
    parts: &'a Segments<'s, 'q>,
    segment: usize,
    /// The result.
    slot: Slot<'s, 'q>,
}

impl Drop for Opening<'_, '_, '_> {
    fn drop(&mut self) {
        self.parts.lock()[self.segment] = std::mem::replace(&mut self.slot, Slot::Over);
        self.parts.opened.notify_all();
    }
}
