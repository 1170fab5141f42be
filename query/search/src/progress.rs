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
    games: AtomicU64,
    positions: AtomicU64,
    is_done: AtomicBool,
}

impl Progress {
    /// How much of the search is done: from 0.0 to 1.0. It is 1.0 when the search has ended, and only then: also when it was
    /// cancelled, dropped, or stopped with an error.
    pub fn fraction(&self) -> f64 {
        if self.counts.is_done.load(Ordering::Acquire) {
            return 1.0;
        }
        match self.games_total() {
            0 => 0.0,
            total => (self.games_done() as f64 / total as f64).min(0.999),
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
            games,
            positions,
            is_done,
        } = &*self.counts;
        is_done.store(false, Ordering::Relaxed);
        [games_done, games, positions]
            .into_iter()
            .for_each(|count| count.store(0, Ordering::Relaxed));
        games_total.store(snapshot.last_number(), Ordering::Relaxed);
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
