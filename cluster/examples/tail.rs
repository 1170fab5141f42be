//! How long a question over many shards takes, by simulation from measured times: `tail < times`, with the milliseconds of one
//! shard a line, such as a log of many searches has them.
//!
//! Every run draws a time for each shard from those that were measured. Executors take shards from a queue, one at a time.
//! Some executors are slow, some die and are missed after a while, and the end of the question is the end of its last shard. With
//! speculative runs, an idle executor starts a shard that another one has not finished; the answer that comes first counts.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::io::{self, BufRead, Write};

/// How many questions are simulated.
const RUNS: usize = 2_000;

/// Numbers that look random, the same in every run (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap_or(0)
    }

    /// Draws whether an event happens; its probability is in millionths.
    fn happens(&mut self, millionths: u64) -> bool {
        self.next() % 1_000_000 < millionths
    }
}

/// What may go wrong.
#[derive(Clone, Copy)]
struct Trouble {
    name: &'static str,
    /// How many executors of a million are slow, and how many times as long they take.
    slow: (u64, u64),
    /// How many executors of a million die within a question, and after how many microseconds that is noticed.
    dying: (u64, u64),
    /// Whether idle executors run shards once more.
    speculative: bool,
}

const TROUBLES: [Trouble; 6] = [
    Trouble {
        name: "nothing",
        slow: (0, 1),
        dying: (0, 0),
        speculative: false,
    },
    Trouble {
        name: "2 % of the executors 5 times as slow",
        slow: (20_000, 5),
        dying: (0, 0),
        speculative: false,
    },
    Trouble {
        name: "the same, with speculative runs",
        slow: (20_000, 5),
        dying: (0, 0),
        speculative: true,
    },
    Trouble {
        name: "one of 1,000 executors dies in a question, missed after 10 s",
        slow: (0, 1),
        dying: (1_000, 10_000_000),
        speculative: false,
    },
    Trouble {
        name: "the same, with speculative runs",
        slow: (0, 1),
        dying: (1_000, 10_000_000),
        speculative: true,
    },
    Trouble {
        name: "both, with speculative runs",
        slow: (20_000, 5),
        dying: (1_000, 10_000_000),
        speculative: true,
    },
];

/// Something that happens at a time, in microseconds: an executor ends a shard, or is missed with it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Done { executor: usize, shard: usize },
    Missed { shard: usize },
}

/// The time of one question, in microseconds.
fn question(times: &[u64], shards: usize, executors: usize, trouble: Trouble, random: &mut Random) -> u64 {
    let work: Vec<u64> = (0..shards).map(|_| times[random.below(times.len())]).collect();
    let slow: Vec<bool> = (0..executors).map(|_| random.happens(trouble.slow.0)).collect();
    // A dying executor dies with its first shard.
    let mut dying: Vec<bool> = (0..executors).map(|_| random.happens(trouble.dying.0)).collect();
    let mut waiting: VecDeque<usize> = (0..shards).collect();
    let mut copies = vec![0_u32; shards];
    let mut done = vec![false; shards];
    let mut left = shards;
    let mut idle: Vec<usize> = (0..executors).rev().collect();
    let mut events: BinaryHeap<Reverse<(u64, Event)>> = BinaryHeap::new();
    let mut now = 0;
    loop {
        while let Some(&executor) = idle.last() {
            let next = waiting.pop_front().or_else(|| {
                let running = (0..shards).filter(|&shard| !done[shard] && copies[shard] == 1);
                running.max_by_key(|&shard| work[shard]).filter(|_| trouble.speculative)
            });
            let Some(shard) = next else { break };
            idle.pop();
            copies[shard] += 1;
            if std::mem::take(&mut dying[executor]) {
                events.push(Reverse((now + trouble.dying.1, Event::Missed { shard })));
                continue;
            }
            let factor = if slow[executor] { trouble.slow.1 } else { 1 };
            events.push(Reverse((now + work[shard] * factor, Event::Done { executor, shard })));
        }
        let Some(Reverse((time, event))) = events.pop() else {
            return now;
        };
        now = time;
        match event {
            Event::Done { executor, shard } => {
                left -= usize::from(!std::mem::replace(&mut done[shard], true));
                idle.push(executor);
            }
            Event::Missed { shard } if !done[shard] => {
                copies[shard] -= 1;
                if copies[shard] == 0 {
                    waiting.push_back(shard);
                }
            }
            Event::Missed { .. } => {}
        }
        if left == 0 {
            return now;
        }
    }
}

fn main() -> io::Result<()> {
    let mut times = Vec::new();
    for line in io::stdin().lock().lines() {
        let milliseconds: f64 = line?.trim().parse().map_err(io::Error::other)?;
        times.push(std::time::Duration::from_secs_f64(milliseconds / 1000.0));
    }
    let times: Vec<u64> = times
        .iter()
        .filter_map(|time| u64::try_from(time.as_micros()).ok())
        .collect();
    if times.is_empty() {
        return Err(io::Error::other("there are no times"));
    }
    let mut out = io::stdout().lock();
    writeln!(out, "| shards | executors | what goes wrong | median | 95 % | 99 % |")?;
    writeln!(out, "|---|---|---|---|---|---|")?;
    for (shards, executors) in [(1_000, 100), (1_000, 1_000)] {
        for trouble in TROUBLES {
            let mut random = Random(7);
            let runs = (0..RUNS).map(|_| question(&times, shards, executors, trouble, &mut random));
            let mut runs: Vec<u64> = runs.collect();
            runs.sort_unstable();
            let at = |percent: usize| {
                let millis = runs[(RUNS * percent / 100).min(RUNS - 1)] / 1000;
                format!("{millis} ms")
            };
            let name = trouble.name;
            writeln!(
                out,
                "| {shards} | {executors} | {name} | {} | {} | {} |",
                at(50),
                at(95),
                at(99)
            )?;
        }
    }
    Ok(())
}
