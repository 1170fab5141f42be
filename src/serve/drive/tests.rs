//! Searches that share a machine whose clock the tests move: all searches that run are equally fast.

use std::sync::atomic::{AtomicU32, Ordering};

use tokio::time::sleep;

use super::*;

/// How often a search moves on.
const STEP: Duration = Duration::from_millis(5);

/// How long a search takes to stop.
const STOPPING: Duration = Duration::from_millis(10);

/// As on two cores.
const SEARCHES: usize = 4;

/// What all searches of a test share.
#[derive(Clone)]
struct Machine {
    queue: Arc<Queue>,
    running: Arc<AtomicU32>,
}

/// What is asked of the machine.
#[derive(Clone, Copy)]
struct Question {
    /// How long it takes alone.
    work: Duration,
    /// Whether its search knows how far it is.
    is_measured: bool,
}

/// A search of one question.
struct Pretended {
    question: Question,
    running: Arc<AtomicU32>,
    done: Duration,
    moved: Instant,
}

/// How a question went.
#[derive(Clone, Copy, Debug)]
struct Answered {
    /// How long it waited until it ran for the first time.
    waited: Duration,
    took: Duration,
    /// How often it began.
    turns: u32,
}

impl Search for Pretended {
    async fn next(&mut self) -> Option<Result<Step, Problem>> {
        while self.done < self.question.work {
            sleep(STEP).await;
            let now = Instant::now();
            self.done += now.duration_since(self.moved) / self.running.load(Ordering::Relaxed);
            self.moved = now;
        }
        Some(Ok(Step::Explanation(Value::Null)))
    }

    fn progress(&self) -> Value {
        Value::Null
    }

    fn fraction(&self) -> f64 {
        let fraction = self.done.div_duration_f64(self.question.work).min(0.999);
        if self.question.is_measured { fraction } else { 0.0 }
    }

    async fn stop(self) {
        sleep(STOPPING).await;
    }
}

impl Drop for Pretended {
    fn drop(&mut self) {
        self.running.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Machine {
    fn new() -> Machine {
        Machine {
            queue: Queue::new(SEARCHES, 200),
            running: Arc::default(),
        }
    }

    /// Asks a question, and returns when it is answered.
    fn ask(&self, question: Question) -> JoinHandle<Answered> {
        let asked = Instant::now();
        let ticket = self.queue.enter(Lane::Quick).unwrap();
        let (sender, mut events): (Events, _) = mpsc::channel(WAITING);
        let Machine { queue, running } = self.clone();
        tokio::spawn(async move {
            let start = || {
                running.fetch_add(1, Ordering::Relaxed);
                Pretended {
                    question,
                    running: Arc::clone(&running),
                    done: Duration::ZERO,
                    moved: Instant::now(),
                }
            };
            let hear = async {
                let (mut waited, mut turns) = (None, 0);
                while let Some(event) = events.recv().await {
                    match event.unwrap() {
                        Event::Started => {
                            waited.get_or_insert(asked.elapsed());
                            turns += 1;
                        }
                        Event::Step(_) => break,
                        _ => {}
                    }
                }
                Answered {
                    waited: waited.unwrap(),
                    took: asked.elapsed(),
                    turns,
                }
            };
            let forever = Duration::from_secs(1 << 20);
            let (ended, answered) = tokio::join!(run(&queue, forever, start, ticket, &sender), hear);
            ended.unwrap();
            answered
        })
    }
}

fn lasting(work: Duration) -> Question {
    Question {
        work,
        is_measured: true,
    }
}

fn unmeasured(work: Duration) -> Question {
    Question {
        work,
        is_measured: false,
    }
}

const QUICK: Duration = Duration::from_millis(100);
const MIDDLE: Duration = Duration::from_secs(3);
const SLOW: Duration = Duration::from_secs(60);

/// Runs a test whose clock moves on when all wait.
fn simulate<T>(test: impl Future<Output = T>) -> T {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_time().start_paused(true).build().unwrap().block_on(test)
}

#[test]
fn a_quick_search_waits_less_than_a_second_behind_nineteen_that_were_asked_before_it() {
    for long in [lasting(SLOW), unmeasured(SLOW), lasting(MIDDLE), unmeasured(MIDDLE)] {
        let answered = simulate(async {
            let machine = Machine::new();
            for _ in 0..19 {
                machine.ask(long);
            }
            machine.ask(lasting(QUICK)).await.unwrap()
        });
        assert!(answered.waited < Duration::from_secs(1), "{answered:?}");
        assert!(answered.took < Duration::from_secs(2), "{answered:?}");
        assert_eq!(answered.turns, 1);
    }
}

#[test]
fn a_search_of_seconds_waits_for_none_of_a_minute() {
    for long in [lasting(SLOW), unmeasured(SLOW)] {
        let answered = simulate(async {
            let machine = Machine::new();
            for _ in 0..12 {
                machine.ask(long);
            }
            sleep(Duration::from_secs(20)).await;
            machine.ask(lasting(MIDDLE)).await.unwrap()
        });
        // It shares the machine with one of them.
        assert!(answered.took < 3 * MIDDLE, "{answered:?}");
    }
}

#[test]
fn twenty_users_ask_for_a_minute() {
    let mut quick = Vec::new();
    let mut middle = Vec::new();
    simulate(async {
        let machine = Machine::new();
        let end = Instant::now() + Duration::from_secs(60);
        let users: Vec<_> = (0..20_usize)
            .map(|user| {
                let machine = machine.clone();
                tokio::spawn(async move {
                    let mut answers = Vec::new();
                    for turn in user.. {
                        // Half of the users ask something long now and then; all else takes 2 to 20 ms.
                        let question = match (turn % 40, user % 4) {
                            (39, 0) => unmeasured(SLOW),
                            (39, 1) => lasting(MIDDLE),
                            (n, _) => lasting(Duration::from_millis(2 + 2 * (n as u64 % 10))),
                        };
                        // A user who gets no answer in ten seconds asks something else.
                        let asked = machine.ask(question);
                        let stop = asked.abort_handle();
                        match tokio::time::timeout(Duration::from_secs(10), asked).await {
                            Ok(answered) => answers.push((question, answered.unwrap())),
                            Err(_) => stop.abort(),
                        }
                        if Instant::now() > end {
                            break;
                        }
                    }
                    answers
                })
            })
            .collect();
        for user in users {
            for (question, answered) in user.await.unwrap() {
                match question.work {
                    MIDDLE => middle.push(answered),
                    SLOW => {}
                    _ => quick.push(answered),
                }
            }
        }
    });
    let longest = quick.iter().map(|answered| answered.waited).max().unwrap();
    assert!(
        quick.len() > 500 && longest < Duration::from_secs(1),
        "{longest:?} of {}",
        quick.len()
    );
    assert!(quick.iter().all(|answered| answered.turns == 1));
    let longest = middle.iter().map(|answered| answered.took).max().unwrap();
    assert!(longest < 10 * MIDDLE, "{longest:?} of {}", middle.len());
}

#[test]
fn every_search_ends() {
    let longest = simulate(async {
        let machine = Machine::new();
        let all: Vec<_> = (0..30)
            .map(|number| {
                let work = [QUICK, MIDDLE, SLOW][number % 3];
                machine.ask(if number % 2 == 0 {
                    lasting(work)
                } else {
                    unmeasured(work)
                })
            })
            .collect();
        let mut turns = 0;
        for asked in all {
            turns = turns.max(asked.await.unwrap().turns);
        }
        turns
    });
    // At most once in each lane.
    assert!(longest <= 3, "{longest}");
}
