//! Who may search when.
//!
//! A search begins in the lane of quick ones, and most end there. One that takes longer moves to a free place of a slower
//! lane. If there is none, it stops, and waits in the lane where it belongs; when its turn comes, it begins again. A search in
//! the middle lane does the same for one that waits there. So a search waits only for searches that are about as long as
//! itself, and for the short time in which a longer one turns out to be longer. Nor does a longer search begin while quick
//! ones wait, unless it has waited for a second itself.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio::time::Instant;

use super::lane::Lane;
use super::problem::Problem;
use axum::http::StatusCode;

/// How long a longer search waits at most for quick ones.
const PATIENCE: Duration = Duration::from_millis(400);

/// How many searches are in each lane, and which wait.
#[derive(Debug)]
pub(crate) struct Queue {
    lanes: [Mutex<Places>; Lane::ALL.len()],
    /// How many searches run, in all lanes.
    running: AtomicU32,
    /// Changes when a place becomes free.
    moved: watch::Sender<u64>,
    /// How many may wait in each lane.
    waiting: usize,
}

/// The places of a lane.
#[derive(Debug)]
struct Places {
    free: usize,
    /// How many searches are about to give up their place for one that waits.
    leaving: usize,
    waiting: VecDeque<Waiting>,
    next: u64,
}

/// A search that waits.
#[derive(Debug)]
struct Waiting {
    number: u64,
    since: Instant,
    permit: oneshot::Sender<Permit>,
}

/// The right to search; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    queue: Arc<Queue>,
    lane: Lane,
    /// How much time of the machine the search has used: of the time in which several run, each has its part.
    used: Duration,
    /// Until when that is counted.
    counted: Instant,
    leaves: bool,
}

/// A place in the queue.
#[derive(Debug)]
pub(crate) struct Ticket {
    queue: Arc<Queue>,
    lane: Lane,
    number: u64,
    permit: oneshot::Receiver<Permit>,
    moved: watch::Receiver<u64>,
}

impl Queue {
    /// At most `searches` at a time, but at least one in each lane, and `waiting` more that wait in each lane.
    pub(crate) fn new(searches: usize, waiting: usize) -> Arc<Queue> {
        let places = |lane: Lane| {
            Mutex::new(Places {
                free: lane.places(searches),
                leaving: 0,
                waiting: VecDeque::new(),
                next: 0,
            })
        };
        Arc::new(Queue {
            lanes: Lane::ALL.map(places),
            running: AtomicU32::new(0),
            moved: watch::Sender::new(0),
            waiting,
        })
    }

    fn places(&self, lane: Lane) -> MutexGuard<'_, Places> {
        self.lanes[lane as usize].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits in a lane.
    pub(crate) fn enter(self: &Arc<Queue>, lane: Lane) -> Result<Ticket, Problem> {
        let (sender, permit) = oneshot::channel();
        let mut places = self.places(lane);
        places.forget_closed();
        if places.free == 0 && places.waiting.len() >= self.waiting {
            let message = "too many questions are waiting; ask again in a moment";
            return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "busy", message));
        }
        let number = places.next;
        places.next += 1;
        places.waiting.push_back(Waiting {
            number,
            since: Instant::now(),
            permit: sender,
        });
        drop(places);
        let ticket = Ticket {
            queue: Arc::clone(self),
            lane,
            number,
            permit,
            moved: self.moved.subscribe(),
        };
        self.call(lane);
        Ok(ticket)
    }

    /// Gives free places to searches that wait.
    fn call(self: &Arc<Queue>, lane: Lane) {
        while let Some((next, place)) = self.next(lane) {
            // A request that has ended gives the permit back by dropping it.
            let _ = next.permit.send(self.permit(place));
            self.moved.send_modify(|moved| *moved += 1);
        }
    }

    /// Takes a free place for the next search that may begin, and says in which lane the place is.
    fn next(&self, lane: Lane) -> Option<(Waiting, Lane)> {
        let yields = lane != Lane::Quick && self.is_quick_wanted();
        // A search of the middle lane may take the place of a slow one, if none waits for it.
        let lent = (lane == Lane::Middle).then(|| self.places(Lane::Slow));
        let lent = lent.filter(|slow| slow.free > 0 && slow.waiting.is_empty());
        let mut places = self.places(lane);
        let may_begin = |next: &&Waiting| !yields || next.permit.is_closed() || next.since.elapsed() >= PATIENCE;
        places.waiting.front().filter(may_begin)?;
        let place = match (places.free, lent) {
            (0, None) => return None,
            (0, Some(mut slow)) => {
                slow.free -= 1;
                Lane::Slow
            }
            _ => {
                places.free -= 1;
                lane
            }
        };
        Some((places.waiting.pop_front()?, place))
    }

    /// Whether quick searches wait for a place.
    fn is_quick_wanted(&self) -> bool {
        let mut quick = self.places(Lane::Quick);
        quick.forget_closed();
        quick.free == 0 && !quick.waiting.is_empty()
    }

    fn permit(self: &Arc<Queue>, lane: Lane) -> Permit {
        self.running.fetch_add(1, Ordering::Relaxed);
        Permit {
            queue: Arc::clone(self),
            lane,
            used: Duration::ZERO,
            counted: Instant::now(),
            leaves: false,
        }
    }

    /// A permit for a longer lane, if it has room and no search waits for it, nor a quick one.
    fn try_enter(self: &Arc<Queue>, lane: Lane) -> Option<Permit> {
        if self.is_quick_wanted() {
            return None;
        }
        let mut places = self.places(lane);
        places.forget_closed();
        let is_free = places.free > 0 && places.waiting.is_empty();
        is_free.then(|| {
            places.free -= 1;
            self.permit(lane)
        })
    }
}

impl Places {
    /// Requests that have ended wait no longer.
    fn forget_closed(&mut self) {
        self.waiting.retain(|waiting| !waiting.permit.is_closed());
    }
}

impl Ticket {
    /// Waits for the permit. `report` is given the place whenever it changes, 1 for the next.
    pub(crate) async fn permit(mut self, mut report: impl FnMut(usize)) -> Permit {
        let mut last = 0;
        loop {
            tokio::select! {
                biased;
                permit = &mut self.permit => match permit {
                    Ok(permit) => return permit,
                    // The sender stays in the queue until it sends.
                    Err(_) => std::future::pending().await,
                },
                _ = self.moved.changed() => {}
                // It may have waited long enough.
                () = tokio::time::sleep(Duration::from_millis(100)) => self.queue.call(self.lane),
            }
            if let Some(place) = self.place().filter(|&place| place != last) {
                last = place;
                report(place);
            }
        }
    }

    fn place(&self) -> Option<usize> {
        let places = self.queue.places(self.lane);
        let waiting = places.waiting.iter().filter(|waiting| !waiting.permit.is_closed());
        let before = waiting.take_while(|waiting| waiting.number <= self.number);
        Some(before.count()).filter(|&place| place > 0)
    }
}

impl Permit {
    /// Asks whether a search may go on that has done a fraction of its work. It may move to a free place of a slower lane.
    ///
    /// If it has to give up its place, returns the lane in which it is to wait. The caller drops the permit as soon as it has
    /// stopped the search. This is to be asked every few milliseconds.
    pub(crate) fn renew(&mut self, fraction: f64) -> Option<Lane> {
        let now = Instant::now();
        self.used += now.duration_since(self.counted) / self.queue.running.load(Ordering::Relaxed).max(1);
        self.counted = now;
        let longer = self.lane.longer(self.used, fraction)?;
        // The lane where it belongs is tried first, but any place is better than to begin again.
        let slower = Lane::ALL.into_iter().filter(|&lane| lane > self.lane && lane != longer);
        let queue = Arc::clone(&self.queue);
        if let Some(mut permit) = [longer]
            .into_iter()
            .chain(slower)
            .find_map(|lane| queue.try_enter(lane))
        {
            permit.used = self.used;
            *self = permit;
            return None;
        }
        let mut places = queue.places(self.lane);
        places.forget_closed();
        // A search that has used seconds goes on unless another one waits, and one place for each that waits is enough.
        self.leaves = self.lane == Lane::Quick || places.waiting.len() > places.leaving;
        places.leaving += usize::from(self.leaves);
        self.leaves.then_some(longer)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.queue.running.fetch_sub(1, Ordering::Relaxed);
        let mut places = self.queue.places(self.lane);
        places.free += 1;
        places.leaving -= usize::from(self.leaves);
        drop(places);
        // A search of a longer lane may have waited for quick ones.
        Lane::ALL.into_iter().for_each(|lane| self.queue.call(lane));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a test whose clock moves on when all wait.
    fn run(test: impl Future<Output = ()>) {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().start_paused(true).build();
        runtime.unwrap().block_on(test);
    }

    /// Lets a search run for a time, and asks whether it may go on.
    async fn later(permit: &mut Permit, seconds: u64) -> Option<Lane> {
        tokio::time::advance(Duration::from_secs(seconds)).await;
        permit.renew(0.01)
    }

    #[test]
    fn places_are_reported_and_kept_in_order() {
        run(async {
            let queue = Queue::new(3, 3);
            let first = queue.enter(Lane::Quick).unwrap().permit(|_| ()).await;
            let mut waiting = Vec::new();
            for number in 0..3 {
                let ticket = queue.enter(Lane::Quick).unwrap();
                waiting.push(tokio::spawn(async move {
                    let mut places = Vec::new();
                    let permit = ticket.permit(|place| places.push(place)).await;
                    (number, places, permit)
                }));
            }
            assert!(queue.enter(Lane::Quick).is_err(), "three may wait");
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
        });
    }

    #[test]
    fn a_request_that_has_ended_does_not_wait() {
        run(async {
            let queue = Queue::new(3, 10);
            let first = queue.enter(Lane::Quick).unwrap().permit(|_| ()).await;
            drop(queue.enter(Lane::Quick).unwrap());
            let third = queue.enter(Lane::Quick).unwrap();
            drop(first);
            drop(third.permit(|_| ()).await);
        });
    }

    #[test]
    fn a_long_search_moves_to_a_free_place_and_then_makes_room() {
        run(async {
            let queue = Queue::new(3, 10);
            let begin = || async { queue.enter(Lane::Quick).unwrap().permit(|_| ()).await };
            let mut first = begin().await;
            assert_eq!((later(&mut first, 1).await, first.lane), (None, Lane::Slow));
            // Where it belongs is no place; the next best is taken.
            let mut second = begin().await;
            assert_eq!((later(&mut second, 1).await, second.lane), (None, Lane::Middle));
            let mut third = begin().await;
            assert_eq!(later(&mut third, 1).await, Some(Lane::Slow));
            // In the middle lane a search stays until another one waits.
            assert_eq!((later(&mut second, 1).await, second.lane), (None, Lane::Middle));
            let waits = queue.enter(Lane::Middle).unwrap();
            assert_eq!(second.renew(0.01), Some(Lane::Slow));
            drop(second);
            assert_eq!(waits.permit(|_| ()).await.lane, Lane::Middle);
        });
    }

    #[test]
    fn no_more_searches_leave_than_wait() {
        run(async {
            let queue = Queue::new(8, 10);
            let mut all = Vec::new();
            for _ in 0..4 {
                let mut permit = queue.enter(Lane::Quick).unwrap().permit(|_| ()).await;
                assert_eq!(later(&mut permit, 10).await, None);
                all.push(permit);
            }
            let waits = queue.enter(Lane::Middle).unwrap();
            let leaving: Vec<_> = all.iter_mut().filter_map(|permit| permit.renew(0.01)).collect();
            assert_eq!(leaving, [Lane::Slow], "one of the two in the middle lane");
            all.retain(|permit| !permit.leaves);
            drop(waits.permit(|_| ()).await);
            assert_eq!(all.iter_mut().filter_map(|permit| permit.renew(0.01)).count(), 0);
        });
    }

    #[test]
    fn a_longer_search_lets_quick_ones_begin_for_a_while() {
        run(async {
            let queue = Queue::new(4, 10);
            let quick = [
                queue.enter(Lane::Quick).unwrap().permit(|_| ()).await,
                queue.enter(Lane::Quick).unwrap().permit(|_| ()).await,
            ];
            let waits = queue.enter(Lane::Quick).unwrap();
            let started = Instant::now();
            let longer = queue.enter(Lane::Middle).unwrap().permit(|_| ()).await;
            assert!(
                (PATIENCE..PATIENCE + PATIENCE / 4).contains(&started.elapsed()),
                "{:?}",
                started.elapsed()
            );
            drop((quick, longer, waits));
            let started = Instant::now();
            drop(queue.enter(Lane::Middle).unwrap().permit(|_| ()).await);
            assert!(started.elapsed().is_zero(), "no quick one waits");
        });
    }

    #[test]
    fn a_search_of_seconds_takes_the_place_of_a_slow_one_that_no_slow_one_wants() {
        run(async {
            let queue = Queue::new(4, 10);
            let middle = queue.enter(Lane::Middle).unwrap().permit(|_| ()).await;
            let lent = queue.enter(Lane::Middle).unwrap().permit(|_| ()).await;
            assert_eq!((middle.lane, lent.lane), (Lane::Middle, Lane::Slow));
            let mut waits = queue.enter(Lane::Middle).unwrap();
            let slow = queue.enter(Lane::Slow).unwrap();
            // The slow one gets its place back.
            drop(lent);
            let slow = slow.permit(|_| ()).await;
            assert_eq!(slow.lane, Lane::Slow);
            assert!(waits.permit.try_recv().is_err());
            drop(middle);
            assert_eq!(waits.permit(|_| ()).await.lane, Lane::Middle);
        });
    }

    #[test]
    fn searches_that_run_together_use_the_time_together() {
        run(async {
            let queue = Queue::new(10, 10);
            let mut all = Vec::new();
            for _ in 0..4 {
                all.push(queue.enter(Lane::Quick).unwrap().permit(|_| ()).await);
            }
            tokio::time::advance(Duration::from_millis(76)).await;
            assert!(
                all.iter_mut()
                    .all(|permit| permit.renew(0.01).is_none() && permit.lane == Lane::Quick)
            );
            tokio::time::advance(Duration::from_millis(8)).await;
            assert_eq!((all[0].renew(0.01), all[0].lane), (None, Lane::Middle));
        });
    }
}
