//! What can be asked of positions in any order, where a query remembers something from game to game.
//!
//! Most such queries first ask for something that has nothing to do with what they remember. A position where that fails does not
//! match and changes nothing. So all threads look for those, and only the others are evaluated in order.

use std::sync::atomic::{AtomicU64, Ordering};

use evaluator::{Evaluator, Limits};
use language::hir::Query;

use super::candidates::Candidates;
use super::evaluation::{Asked, Source};
use super::segment_search::SegmentSearch;
use super::worker::Worker;
use super::{Route, Search, SearchError};

/// For fewer candidates than this, the conditions are not compiled.
const WORTH_COMPILING: u64 = 1 << 7;

/// Nothing is asked any more if more than one position in this many is left, because they are evaluated twice.
const MOST_LEFT: u64 = 2;

/// Conditions that can be asked in any order.
#[derive(Debug)]
pub(super) struct Sift {
    query: Query,
    limits: Limits,
    /// How many positions were asked, and how many were left.
    asked: AtomicU64,
    left: AtomicU64,
}

impl Sift {
    /// The conditions of a query, if there are any.
    pub(super) fn of(search: &Search<'_>, limits: &Limits) -> Option<Sift> {
        let options = &search.options;
        if search.whole_games || options.route != Route::Plan || options.rules.unbound_moves {
            return None;
        }
        Some(Sift {
            query: planner::in_any_order(search.query)?,
            limits: Limits {
                results: false,
                ..limits.clone()
            },
            asked: AtomicU64::new(0),
            left: AtomicU64::new(0),
        })
    }

    /// Whether it takes less time to ask them.
    fn is_worth_it(&self) -> bool {
        self.left.load(Ordering::Relaxed) * MOST_LEFT <= self.asked.load(Ordering::Relaxed)
    }

    fn count(&self, asked: usize, left: usize) {
        self.asked.fetch_add(asked as u64, Ordering::Relaxed);
        self.left.fetch_add(left as u64, Ordering::Relaxed);
    }
}

impl SegmentSearch<'_, '_> {
    /// Leaves out the candidates in some games, which begin at `starts`, where a condition fails that can be asked in any order.
    /// Where one raises an error, and behind that, all are left. Returns how many are left out.
    ///
    /// # Errors
    ///
    /// When a game can't be read, or the search is stopped.
    pub(super) fn sift(
        &self,
        sift: &Sift,
        worker: &mut Worker<'_>,
        source: Source<'_>,
        (first, starts): (u32, &[u32]),
        candidates: &mut Candidates,
    ) -> Result<u64, SearchError> {
        if candidates.positions() < WORTH_COMPILING || !sift.is_worth_it() {
            return Ok(0);
        }
        let mut evaluator = Evaluator::new(&sift.query, sift.limits.clone());
        let (mut nodes, mut holds) = (Vec::new(), Vec::new());
        let mut left_out = 0;
        for (game, range) in (first..).zip(starts.windows(2)) {
            let positions = range[0]..range[1];
            nodes.clear();
            holds.clear();
            candidates.within(positions.clone(), &mut nodes);
            if nodes.is_empty() || self.segment.is_removed(game) {
                continue;
            }
            let header = self.header(game);
            let asked = Asked {
                game,
                positions,
                candidates: &nodes,
                header: &header,
                is_whole: false,
                always: false,
            };
            match self.evaluate(&mut evaluator, &mut worker.game, source, &asked, &mut holds) {
                // It is raised again where it comes first.
                Err(SearchError::Runtime(_)) => break,
                evaluated => evaluated?,
            };
            sift.count(nodes.len(), holds.len());
            left_out += (nodes.len() - holds.len()) as u64;
            for node in &nodes {
                if holds.binary_search(node).is_err() {
                    candidates.remove(range[0] + node);
                }
            }
        }
        Ok(left_out)
    }
}
