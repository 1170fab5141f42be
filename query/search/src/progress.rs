//! How far a search is, readable from other threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use storage::Snapshot;

/// How far a search is. Clones share the same counts, so that another thread can read them while the search runs; reading
/// costs a few nanoseconds. The next search with the same value starts it again from zero.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    games_total: AtomicU64,
    games_done: AtomicU64,
    headers_asked: AtomicU64,
    games: AtomicU64,
    positions: AtomicU64,
    is_done: AtomicBool,
}

impl Progress {
    /// How much of the search is done: from 0.0 to 1.0. It is 1.0 when the search has ended, and only then: also when it was
    /// cancelled, dropped, or stopped with an error. Where headers are asked about before the games are searched, that is
    /// half of the work.
    pub fn fraction(&self) -> f64 {
        if self.counts.is_done.load(Ordering::Acquire) {
            return 1.0;
        }
        match self.games_total() {
            0 => 0.0,
            total => {
                let done = self.games_done();
                let asked = self.counts.headers_asked.load(Ordering::Relaxed).max(done);
                ((done + asked) as f64 / (2 * total) as f64).min(0.999)
            }
        }
    }

    /// How many games the database has.
    pub fn games_total(&self) -> u64 {
        self.counts.games_total.load(Ordering::Relaxed)
    }

    /// How many of them are searched.
    pub fn games_done(&self) -> u64 {
        self.counts.games_done.load(Ordering::Relaxed)
    }

    /// How many games were found to match so far. Threads search ahead, so that this may be more than were handed over.
    pub fn matching_games(&self) -> u64 {
        self.counts.games.load(Ordering::Relaxed)
    }

    /// How many positions were found to match so far.
    pub fn matching_positions(&self) -> u64 {
        self.counts.positions.load(Ordering::Relaxed)
    }

    /// A search begins.
    pub(super) fn begin(&self, snapshot: &Snapshot) {
        let Counts {
            games_total,
            games_done,
            headers_asked,
            games,
            positions,
            is_done,
        } = &*self.counts;
        is_done.store(false, Ordering::Relaxed);
        [games_done, headers_asked, games, positions]
            .into_iter()
            .for_each(|count| count.store(0, Ordering::Relaxed));
        games_total.store(snapshot.last_number(), Ordering::Relaxed);
    }

    /// Counts the work of a number of filters on the headers of a segment with this number of games.
    pub(super) fn headers(&self, games: u32, filters: usize) -> HeaderProgress {
        HeaderProgress {
            progress: self.clone(),
            games,
            of_a_filter: f64::from(games) / filters as f64,
            asked: 0.0,
            told: 0,
        }
    }

    /// Some more games are searched.
    pub(super) fn add(&self, games_done: u64, games: u64, positions: u64) {
        self.counts.games_done.fetch_add(games_done, Ordering::Relaxed);
        self.counts.games.fetch_add(games, Ordering::Relaxed);
        self.counts.positions.fetch_add(positions, Ordering::Relaxed);
    }

    /// The search has ended, whether it succeeded, failed or was stopped. Only the caller of a search knows that: what it
    /// does before and after the search can fail, too.
    #[doc(hidden)]
    pub fn end(&self) {
        self.counts.is_done.store(true, Ordering::Release);
    }
}

/// How far the filters on the headers of a segment are.
pub(super) struct HeaderProgress {
    progress: Progress,
    /// How many games the segment has.
    games: u32,
    /// As how many of them the work of one filter counts.
    of_a_filter: f64,
    /// As how many games the work counts that is done.
    asked: f64,
    /// How many of them are in the progress that other threads read.
    told: u32,
}

impl HeaderProgress {
    /// How many games are counted at a time.
    const STEP: u32 = 256;

    /// A share of the work of a filter is done, from 0.0 to 1.0.
    pub(super) fn add(&mut self, share: f64) {
        self.asked += share * self.of_a_filter;
        while self.asked >= f64::from(self.told.saturating_add(HeaderProgress::STEP)) && self.told < self.games {
            self.tell(self.told + HeaderProgress::STEP);
        }
    }

    /// All filters are done, whatever was not asked in the end.
    pub(super) fn end(mut self) {
        self.tell(self.games);
    }

    fn tell(&mut self, asked: u32) {
        let more = asked.min(self.games).saturating_sub(self.told);
        self.progress
            .counts
            .headers_asked
            .fetch_add(u64::from(more), Ordering::Relaxed);
        self.told += more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(games: u64) -> Progress {
        let progress = Progress::default();
        progress.counts.games_total.store(games, Ordering::Relaxed);
        progress
    }

    #[test]
    fn headers_are_half_of_the_work() {
        let progress = of(4000);
        let mut first = progress.headers(2000, 2);
        (0..1000).for_each(|_| first.add(1.0 / 1000.0));
        assert!((0.09..=0.125).contains(&progress.fraction()), "{}", progress.fraction());
        // Half of the second filter is not asked.
        (0..500).for_each(|_| first.add(1.0 / 1000.0));
        first.end();
        assert_eq!(progress.fraction(), 0.25);
        progress.add(2000, 0, 0);
        assert_eq!(progress.fraction(), 0.5);
        // More than there is does not count.
        let mut second = progress.headers(2000, 1);
        (0..3000).for_each(|_| second.add(1.0 / 1000.0));
        second.end();
        assert_eq!(progress.fraction(), 0.75);
    }

    #[test]
    fn without_headers_the_games_are_all() {
        let progress = of(4000);
        progress.add(1000, 0, 0);
        assert_eq!(progress.fraction(), 0.25);
        progress.end();
        assert_eq!(progress.fraction(), 1.0);
    }
}
