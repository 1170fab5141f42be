//! Who may search when.
//!
//! There are two lanes. A search begins in the lane for quick ones, and most end there. One that takes longer moves to the
//! lane for slow ones, so that others can begin. If that is full and somebody waits, it stops and waits itself: when its
//! turn comes it begins again, and has its place until the end. So a quick question waits for other quick ones only.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{oneshot, watch};

use super::problem::Problem;
use axum::http::StatusCode;

/// How long a search is quick.
pub(crate) const QUICK: Duration = Duration::from_millis(300);

/// How many searches are in each lane, and who waits.
#[derive(Debug)]
pub(crate) struct Queue {
    lanes: [Mutex<Lane>; 2],
    /// Changes when a place becomes free.
    moved: watch::Sender<u64>,
    /// How many may wait in each lane.
    waiting: usize,
}

/// The lane of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Quick,
    Slow,
}

#[derive(Debug)]
struct Lane {
    free: usize,
    waiting: VecDeque<(u64, oneshot::Sender<Permit>)>,
    next: u64,
}

/// The right to search; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    queue: Arc<Queue>,
    pub(crate) kind: Kind,
}

/// A place in the queue.
#[derive(Debug)]
pub(crate) struct Ticket {
    queue: Arc<Queue>,
    kind: Kind,
    number: u64,
    permit: oneshot::Receiver<Permit>,
    moved: watch::Receiver<u64>,
}

impl Queue {
    /// At most `searches` at a time, and `waiting` more that wait.
    pub(crate) fn new(searches: usize, waiting: usize) -> Arc<Queue> {
        let lane = |free: usize| {
            Mutex::new(Lane {
                free,
                waiting: VecDeque::new(),
                next: 0,
            })
        };
        // One at least is left for each.
        let slow = (searches / 2).max(1);
        Arc::new(Queue {
            lanes: [lane((searches - searches.min(slow)).max(1)), lane(slow)],
            moved: watch::Sender::new(0),
            waiting,
        })
    }

    fn lane(&self, kind: Kind) -> MutexGuard<'_, Lane> {
        self.lanes[kind as usize].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place in a lane.
    pub(crate) fn enter(self: &Arc<Queue>, kind: Kind) -> Result<Ticket, Problem> {
        let (sender, permit) = oneshot::channel();
        let mut lane = self.lane(kind);
        // Who has gone does not count.
        lane.waiting.retain(|(_, sender)| !sender.is_closed());
        if lane.free == 0 && lane.waiting.len() >= self.waiting {
            let message = "too many questions are waiting; ask again in a moment";
            return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "busy", message));
        }
        let number = lane.next;
        lane.next += 1;
        lane.waiting.push_back((number, sender));
        drop(lane);
        let ticket = Ticket {
            queue: Arc::clone(self),
            kind,
            number,
            permit,
            moved: self.moved.subscribe(),
        };
        self.call(kind);
        Ok(ticket)
    }

    /// Calls those who wait, as long as there is room.
    fn call(self: &Arc<Queue>, kind: Kind) {
        loop {
            let next = {
                let mut lane = self.lane(kind);
                if lane.free == 0 {
                    break;
                }
                let Some((_, next)) = lane.waiting.pop_front() else {
                    break;
                };
                lane.free -= 1;
                next
            };
            // Who has gone gives the permit back by dropping it.
            let _ = next.send(Permit {
                queue: Arc::clone(self),
                kind,
            });
        }
        self.moved.send_modify(|moved| *moved += 1);
    }

    /// Whether somebody waits in the lane for quick searches.
    pub(crate) fn is_wanted(&self) -> bool {
        let lane = self.lane(Kind::Quick);
        lane.waiting.iter().any(|(_, sender)| !sender.is_closed())
    }

    /// A permit for the lane of slow searches, if it has room.
    pub(crate) fn try_slow(self: &Arc<Queue>) -> Option<Permit> {
        let mut lane = self.lane(Kind::Slow);
        let is_free = lane.free > 0 && lane.waiting.iter().all(|(_, sender)| sender.is_closed());
        is_free.then(|| {
            lane.free -= 1;
            Permit {
                queue: Arc::clone(self),
                kind: Kind::Slow,
            }
        })
    }
}

impl Ticket {
    /// Waits for the permit. `tell` is given the place whenever it changes, 1 for the next.
    pub(crate) async fn permit(mut self, mut tell: impl FnMut(usize)) -> Permit {
        let mut told = 0;
        loop {
            tokio::select! {
                biased;
                permit = &mut self.permit => match permit {
                    Ok(permit) => return permit,
                    // The sender stays in the queue until it sends.
                    Err(_) => std::future::pending().await,
                },
                _ = self.moved.changed() => {}
                () = tokio::time::sleep(Duration::from_millis(100)) => {}
            }
            let place = self.place();
            if let Some(place) = place.filter(|&place| place != told) {
                told = place;
                tell(place);
            }
        }
    }

    fn place(&self) -> Option<usize> {
        let lane = self.queue.lane(self.kind);
        let waiting = lane.waiting.iter().filter(|(_, sender)| !sender.is_closed());
        let before = waiting.take_while(|(number, _)| *number <= self.number);
        Some(before.count()).filter(|&place| place > 0)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.queue.lane(self.kind).free += 1;
        self.queue.call(self.kind);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_time().build();
        runtime.unwrap().block_on(test);
    }

    #[test]
    fn places_are_told_and_kept_in_order() {
        run(async {
            let queue = Queue::new(2, 3);
            let first = queue.enter(Kind::Quick).unwrap().permit(|_| ()).await;
            let mut waiting = Vec::new();
            for number in 0..3 {
                let ticket = queue.enter(Kind::Quick).unwrap();
                waiting.push(tokio::spawn(async move {
                    let mut places = Vec::new();
                    let permit = ticket.permit(|place| places.push(place)).await;
                    (number, places, permit)
                }));
            }
            assert!(queue.enter(Kind::Quick).is_err(), "three may wait");
            assert!(queue.is_wanted());
            tokio::time::sleep(Duration::from_millis(150)).await;
            drop(first);
            for (index, task) in waiting.into_iter().enumerate() {
                let (number, places, _permit) = task.await.unwrap();
                assert_eq!(number, index);
                assert!(
                    places.is_sorted_by(|a, b| a > b),
                    "the place only gets better: {places:?}"
                );
                assert!(places.first().is_some_and(|&place| place <= index + 1));
            }
            assert!(!queue.is_wanted());
        });
    }

    #[test]
    fn who_goes_away_holds_nobody_up() {
        run(async {
            let queue = Queue::new(2, 10);
            let first = queue.enter(Kind::Quick).unwrap().permit(|_| ()).await;
            drop(queue.enter(Kind::Quick).unwrap());
            let third = queue.enter(Kind::Quick).unwrap();
            drop(first);
            drop(third.permit(|_| ()).await);
            let slow = queue.try_slow().unwrap();
            assert!(queue.try_slow().is_none(), "one slow search of two");
            drop(slow);
            assert!(queue.try_slow().is_some());
        });
    }
}
