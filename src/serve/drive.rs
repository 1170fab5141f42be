//! Takes a search through the queue to its end: it waits, runs, makes room for others, and stops when its time is over or
//! its request has ended.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::answers::Asked;
use super::app::App;
use super::lane::Lane;
use super::problem::Problem;
use super::queue::{Permit, Queue, Ticket};
use super::running::{Running, Search};
use super::work::{Step, request_ended};

/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(10);

/// How often progress is reported.
const REPORT: Duration = Duration::from_millis(50);

/// How many events may wait to be taken.
const WAITING: usize = 16;

/// What happens to a search.
#[derive(Debug)]
pub(crate) enum Event {
    /// It waits in this place.
    Queued(usize),
    /// It begins; it may begin a second time.
    Started,
    /// How far it is.
    Progress(Value, Duration),
    /// What it gives. When it begins again, it gives the same again.
    Step(Step),
}

/// A search on its way. Dropping it stops it.
#[derive(Debug)]
pub(crate) struct Driving {
    events: mpsc::Receiver<Result<Event, Problem>>,
    task: JoinHandle<()>,
}

/// How a turn of a search ended.
enum Turn {
    Over,
    /// Others wait: it takes too long for its lane, and waits in this one.
    MakeRoom(Lane),
}

/// Takes what happens; the end of the channel stops the search.
type Events = mpsc::Sender<Result<Event, Problem>>;

/// Starts a search.
pub(crate) fn drive(app: &Arc<App>, asked: &Asked, ticket: Ticket) -> Driving {
    let (sender, events) = mpsc::channel(WAITING);
    let (app, asked) = (Arc::clone(app), asked.clone());
    let task = tokio::spawn(async move {
        let limits = app.config.limits;
        let start = || Running::start(&asked.open, &asked.query, &asked.work, limits.memory);
        if let Err(problem) = run(&app.queue, limits.time, start, ticket, &sender).await {
            let _ = sender.send(Err(problem)).await;
        }
    });
    Driving { events, task }
}

impl Driving {
    /// What happens next; nothing when the search is over. After a problem nothing comes.
    pub(crate) async fn next(&mut self) -> Option<Result<Event, Problem>> {
        self.events.recv().await
    }
}

impl Drop for Driving {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Runs a search, perhaps several times from its beginning, at most `limit` each time.
async fn run<S: Search>(
    queue: &Arc<Queue>,
    limit: Duration,
    start: impl Fn() -> S,
    ticket: Ticket,
    events: &Events,
) -> Result<(), Problem> {
    let mut permit = wait(ticket, events).await?;
    loop {
        send(events, Event::Started).await?;
        let mut search = start();
        let turn = turn(&mut search, &mut permit, limit, events).await;
        search.stop().await;
        drop(permit);
        match turn? {
            Turn::Over => return Ok(()),
            Turn::MakeRoom(lane) => permit = wait(queue.enter(lane)?, events).await?,
        }
    }
}

/// Sends an event.
async fn send(events: &Events, event: Event) -> Result<(), Problem> {
    events.send(Ok(event)).await.map_err(|_| request_ended())
}

/// Waits for a permit.
async fn wait(ticket: Ticket, events: &Events) -> Result<Permit, Problem> {
    let (sender, mut places) = mpsc::unbounded_channel();
    let permit = ticket.permit(|place| {
        let _ = sender.send(place);
    });
    tokio::pin!(permit);
    loop {
        tokio::select! {
            biased;
            permit = &mut permit => return Ok(permit),
            Some(place) = places.recv() => send(events, Event::Queued(place)).await?,
        }
    }
}

/// Runs a search until it is over or has to make room.
async fn turn(
    search: &mut impl Search,
    permit: &mut Permit,
    limit: Duration,
    events: &Events,
) -> Result<Turn, Problem> {
    let started = Instant::now();
    let mut reported = started;
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            step = search.next() => match step {
                None => return Ok(Turn::Over),
                Some(step) => {
                    let step = step?;
                    // What comes after it, such as the end of a process, does not matter: no progress is reported any
                    // longer, and the search does not begin again.
                    let is_last = step.is_last();
                    send(events, Event::Step(step)).await?;
                    if is_last {
                        return Ok(Turn::Over);
                    }
                }
            },
            _ = tick.tick() => {
                let elapsed = started.elapsed();
                if elapsed >= limit {
                    return Err(Problem::time_limit(limit.as_secs_f64()));
                }
                if let Some(lane) = permit.renew(search.fraction()) {
                    return Ok(Turn::MakeRoom(lane));
                }
                if reported.elapsed() >= REPORT {
                    reported = Instant::now();
                    send(events, Event::Progress(search.progress(), elapsed)).await?;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
