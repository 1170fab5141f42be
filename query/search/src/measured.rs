//! How long stages and the evaluator take while a search runs: a stage that takes longer than it saves is left out of the
//! rest. What is found does not depend on it, only how long that takes.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use planner::Truth;

/// Before so much time was measured, in nanoseconds, nothing is concluded from it.
const LEAST_TIME: u64 = 10_000_000;

/// The same for the number of positions.
const LEAST_POSITIONS: u64 = 2_000;

/// A stage is left out if it takes this number of times what it saves.
const MARGIN: f64 = 1.3;

/// This share of the positions is much to leave.
const MUCH: f64 = 0.25;

/// A stage that has taken so long, in nanoseconds, is left out once to see how long the evaluator takes instead.
const LONG: u64 = 60_000_000;

/// The same for a stage that is expected to take so long for a task.
const VERY_LONG: f64 = 500e6;

/// How long a thread has worked so far. What it waited for files, or for other programs, does not count: a first search, which
/// reads a database from disk, would leave out stages that take less time than the evaluator.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work(Duration);

impl Work {
    /// What the current thread has worked.
    pub(super) fn so_far() -> Work {
        Work(worked())
    }

    /// What the current thread has worked since then. It has to be the same thread.
    pub(super) fn elapsed(self) -> Duration {
        worked().saturating_sub(self.0)
    }
}

#[cfg(unix)]
fn worked() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    // The system counts from 0.
    Duration::try_from(time).unwrap_or_default()
}

/// Where the system has no clock for a thread, waiting counts.
#[cfg(not(unix))]
fn worked() -> Duration {
    static BEGIN: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    BEGIN.elapsed()
}

/// What was measured of a stage, or of the evaluator, in all threads together.
#[derive(Debug, Default)]
pub(super) struct Measured {
    nanoseconds: AtomicU64,
    /// How many positions it looked at.
    seen: AtomicU64,
    /// How many of them it left.
    left: AtomicU64,
}

impl Measured {
    /// Adds the work that it took for some positions, of which it left some.
    pub(super) fn add(&self, time: Duration, seen: u64, left: u64) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
        self.seen.fetch_add(seen, Ordering::Relaxed);
        self.left.fetch_add(left, Ordering::Relaxed);
    }

    /// Nanoseconds for a position, and the share of positions that it left; `None` if too little was measured.
    fn rates(&self) -> Option<(f64, f64)> {
        let [time, seen, left] =
            [&self.nanoseconds, &self.seen, &self.left].map(|number| number.load(Ordering::Relaxed));
        (time >= LEAST_TIME && seen > 0).then(|| (time as f64 / seen as f64, left as f64 / seen as f64))
    }

    /// Nanoseconds for a position; `None` if too little was measured.
    pub(super) fn time_for_a_position(&self) -> Option<f64> {
        self.rates().map(|(time, _)| time)
    }

    /// Whether enough was measured to know how long a stage takes for some positions. Of few positions, it looks at more for each.
    pub(super) fn tells_of(&self, positions: u64) -> bool {
        positions >= LEAST_POSITIONS && self.rates().is_some()
    }

    /// Whether a stage has left so many positions that the next stage takes as long behind it as without it.
    pub(super) fn leaves_much(&self) -> bool {
        self.rates().is_some_and(|(_, left)| left > MUCH)
    }

    /// Whether nothing was measured yet.
    pub(super) fn is_new(&self) -> bool {
        self.seen.load(Ordering::Relaxed) == 0
    }

    /// How many nanoseconds a stage is expected to take for some positions, if that is very long, or it has taken long so far.
    pub(super) fn long_for(&self, positions: f64) -> Option<f64> {
        let has_taken_long = self.nanoseconds.load(Ordering::Relaxed) >= LONG;
        self.time_for_a_position()
            .map(|time| time * positions)
            .filter(|&expected| has_taken_long || expected >= VERY_LONG)
    }

    /// Whether a stage has taken longer than the evaluator would for all that it looked at.
    pub(super) fn is_slower(&self, evaluation: f64) -> bool {
        let seen = self.seen.load(Ordering::Relaxed);
        self.time_for_a_position()
            .is_some_and(|time| seen >= LEAST_POSITIONS && time > MARGIN * evaluation)
    }

    /// Whether a stage has taken longer than the evaluator would for what it excludes. Of few positions it may by chance have
    /// excluded fewer than usual.
    pub(super) fn is_wasted(&self, evaluation: f64) -> bool {
        let seen = self.seen.load(Ordering::Relaxed);
        self.rates().is_some_and(|(time, left)| {
            let excluded = (1.0 - left) * seen as f64;
            let likely_at_most = excluded + 3.0 * excluded.sqrt() + 3.0;
            seen >= LEAST_POSITIONS && time * seen as f64 > MARGIN * likely_at_most * evaluation
        })
    }
}

/// Hashes what a condition consists of, in any order: each segment puts alternatives in an order of its own.
#[derive(Default)]
struct PartsHasher(u64);

impl Hasher for PartsHasher {
    fn write(&mut self, bytes: &[u8]) {
        let mut hasher = DefaultHasher::new();
        hasher.write(bytes);
        self.0 = self.0.wrapping_add(hasher.finish());
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// What is measured of all stages of a search. Those of different segments that ask the same are one.
#[derive(Debug, Default)]
pub(super) struct Measurements {
    stages: Mutex<HashMap<u64, Arc<Measured>>>,
    /// The evaluator, whatever stages have left to it.
    evaluator: Measured,
    /// The evaluator where it had the positions of a stage that was left out. Those that a stage leaves may take longer than
    /// those that it excludes.
    instead: Measured,
}

impl Measurements {
    /// Adds the work that the evaluator took for some positions; `instead` says that a stage was left out.
    pub(super) fn add_evaluation(&self, time: Duration, positions: u64, instead: bool) {
        self.evaluator.add(time, positions, positions);
        // Of few positions, most of the time is that of the games they are in.
        if instead && positions >= LEAST_POSITIONS {
            self.instead.add(time, positions, positions);
        }
    }

    /// Nanoseconds that the evaluator takes for a position; `None` if too little was measured.
    pub(super) fn evaluation(&self) -> Option<f64> {
        self.instead
            .time_for_a_position()
            .or_else(|| self.evaluator.time_for_a_position())
    }

    /// Whether the evaluator may be tried on this many positions in the place of a stage, because it is not known yet how long
    /// it takes there.
    pub(super) fn is_worth_a_trial(&self, positions: u64) -> bool {
        match positions >= LEAST_POSITIONS {
            true => self.instead.time_for_a_position().is_none(),
            false => self.evaluation().is_none(),
        }
    }

    /// Where a stage is measured.
    pub(super) fn of_stage(&self, truth: &Truth) -> Arc<Measured> {
        let mut hasher = PartsHasher::default();
        truth.hash(&mut hasher);
        let mut stages = self.stages.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(stages.entry(hasher.finish()).or_default())
    }
}

#[cfg(test)]
mod tests {
    use postings::Term;

    use super::*;

    #[test]
    fn a_stage_is_left_out_that_takes_longer_than_it_saves() {
        let stage = |milliseconds: u64, seen: u64, left: u64| {
            let measured = Measured::default();
            measured.add(Duration::from_millis(milliseconds), seen, left);
            measured
        };
        // Of a million positions it excludes none, a hundredth, most.
        assert!(stage(1_000, 1_000_000, 1_000_000).is_wasted(5_000.0));
        assert!(stage(1_000, 1_000_000, 990_000).is_wasted(5_000.0));
        assert!(!stage(1_000, 1_000_000, 100_000).is_wasted(5_000.0));
        // A cheap evaluator is quicker than that.
        assert!(stage(1_000, 1_000_000, 100_000).is_wasted(100.0));
        assert_eq!(stage(1_000, 1_000_000, 0).long_for(2_000.0), Some(2_000_000.0));
        assert!(stage(1_000, 1_000_000, 0).tells_of(10_000) && !stage(1_000, 1_000_000, 0).tells_of(100));
        assert!(!stage(1, 1_000_000, 0).tells_of(10_000));
        assert_eq!(stage(30, 1_000_000, 0).long_for(2_000.0), None);
        assert_eq!(stage(30, 1_000_000, 0).long_for(20_000_000.0), Some(600_000_000.0));
        // All that it looked at is more than what it excludes.
        assert!(stage(1_000, 1_000_000, 1_000_000).is_slower(700.0));
        assert!(!stage(1_000, 1_000_000, 1_000_000).is_slower(900.0));
        assert!(stage(1_000, 1_000_000, 300_000).leaves_much() && !stage(1_000, 1_000_000, 200_000).leaves_much());
        // Too little to tell.
        assert!(!stage(1, 1_000_000, 1_000_000).leaves_much());
        assert!(!stage(1_000, 1_000, 1_000).is_slower(700.0));
        assert!(!stage(1, 1_000_000, 1_000_000).is_wasted(5_000.0));
        assert!(!stage(1_000, 1_000, 1_000).is_wasted(5_000.0));
    }

    #[test]
    fn a_stage_is_the_same_whatever_the_order_of_its_parts() {
        let measurements = Measurements::default();
        let [check, mate, mainline] = [Term::Check, Term::Mate, Term::Mainline].map(Truth::Term);
        let stage = |a: &Truth, b: &Truth, c: &Truth| {
            let either = Truth::any([b.clone(), c.clone()]);
            measurements.of_stage(&Truth::all([a.clone(), either]))
        };
        let one = stage(&check, &mate, &mainline);
        assert!(Arc::ptr_eq(&one, &stage(&check, &mainline, &mate)));
        assert!(!Arc::ptr_eq(&one, &stage(&check, &mate, &mate)));
        assert!(!Arc::ptr_eq(&one, &measurements.of_stage(&check)));
    }

    #[test]
    fn waiting_is_no_work() {
        let (work, time) = (Work::so_far(), std::time::Instant::now());
        std::thread::sleep(Duration::from_millis(50));
        let waited = time.elapsed();
        assert!(cfg!(not(unix)) || work.elapsed() < waited / 2);
        let work = Work::so_far();
        let sum = (0..3_000_000u64).fold(0, |sum: u64, number| std::hint::black_box(sum ^ (number * number)));
        assert!(work.elapsed() > Duration::ZERO, "{sum}");
    }

    #[test]
    fn the_evaluator_is_measured_by_itself_where_a_stage_is_left_out() {
        let measurements = Measurements::default();
        assert!(measurements.is_worth_a_trial(100) && measurements.is_worth_a_trial(10_000));
        // What a stage has left takes 3,000 ns for a position.
        measurements.add_evaluation(Duration::from_millis(30), 10_000, false);
        assert_eq!(measurements.evaluation(), Some(3_000.0));
        assert!(measurements.is_worth_a_trial(10_000) && !measurements.is_worth_a_trial(100));
        // Few positions say nothing.
        measurements.add_evaluation(Duration::from_millis(20), 100, true);
        assert!(measurements.is_worth_a_trial(10_000));
        // All that it had left and excluded takes 200.
        measurements.add_evaluation(Duration::from_millis(20), 100_000, true);
        assert_eq!(measurements.evaluation(), Some(200.0));
        assert!(!measurements.is_worth_a_trial(10_000));
    }
}
