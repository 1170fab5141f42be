//! Takes a search through the queue to its end: it waits, runs, makes room for others, and stops when its time is over or
//! nobody wants it any longer.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::answers::Asked;
use super::app::App;
use super::problem::Problem;
use super::queue::{Kind, Permit, QUICK, Ticket};
use super::running::Running;
use super::work::{Step, nobody};

/// How often progress is told, and clocks are looked at.
const TICK: Duration = Duration::from_millis(50);

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
    /// Others wait: it takes too long for this lane.
    MakeRoom,
}

/// Tells what happens; the end of the channel stops the search.
type Tell = mpsc::Sender<Result<Event, Problem>>;

/// Starts a search.
pub(crate) fn drive(app: &Arc<App>, asked: &Asked, ticket: Ticket) -> Driving {
    let (tell, events) = mpsc::channel(WAITING);
    let (app, asked) = (Arc::clone(app), asked.clone());
    let task = tokio::spawn(async move {
        if let Err(problem) = run(&app, &asked, ticket, &tell).await {
            let _ = tell.send(Err(problem)).await;
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

async fn run(app: &App, asked: &Asked, ticket: Ticket, tell: &Tell) -> Result<(), Problem> {
    let mut permit = wait(ticket, tell).await?;
    loop {
        say(tell, Event::Started).await?;
        let mut running = Running::start(&asked.open, &asked.query, &asked.work, app.config.limits.memory);
        let turn = turn(app, &mut running, &mut permit, tell).await;
        running.stop().await;
        drop(permit);
        match turn? {
            Turn::Over => return Ok(()),
            Turn::MakeRoom => permit = wait(app.queue.enter(Kind::Slow)?, tell).await?,
        }
    }
}

/// Tells an event, if anybody listens.
async fn say(tell: &Tell, event: Event) -> Result<(), Problem> {
    tell.send(Ok(event)).await.map_err(|_| nobody())
}

/// Waits for a permit.
async fn wait(ticket: Ticket, tell: &Tell) -> Result<Permit, Problem> {
    let (sender, mut places) = mpsc::unbounded_channel();
    let permit = ticket.permit(|place| {
        let _ = sender.send(place);
    });
    tokio::pin!(permit);
    loop {
        tokio::select! {
            biased;
            permit = &mut permit => return Ok(permit),
            Some(place) = places.recv() => say(tell, Event::Queued(place)).await?,
        }
    }
}

/// Runs a search until it is over or has to make room.
async fn turn(app: &App, running: &mut Running, permit: &mut Permit, tell: &Tell) -> Result<Turn, Problem> {
    let started = Instant::now();
    let limit = app.config.limits.time;
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            step = running.next() => match step {
                None => return Ok(Turn::Over),
                Some(step) => {
                    let step = step?;
                    // What comes after it, such as the end of a process, is nobody's concern: no progress is told any
                    // longer, and the search does not begin again.
                    let is_last = step.is_last();
                    say(tell, Event::Step(step)).await?;
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
                if permit.kind == Kind::Quick && elapsed >= QUICK {
                    match app.queue.try_slow() {
                        Some(slow) => *permit = slow,
                        // What is half done ends sooner than it would begin again.
                        None if running.fraction() < 0.5 && app.queue.is_wanted() => return Ok(Turn::MakeRoom),
                        None => {}
                    }
                }
                if elapsed >= TICK {
                    say(tell, Event::Progress(running.progress(), elapsed)).await?;
                }
            }
        }
    }
}
