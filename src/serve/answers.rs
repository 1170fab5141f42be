//! Answers that are held: for pages, pictures and files.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use cqldex::{GameReader, PositionSet, Query};

use super::databases::Open;
use super::order::{Order, Ordered};
use super::problem::Problem;
use super::work::{Result as Found, SortedGame, Work};

/// What was asked of which database.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) open: Arc<Open>,
    pub(crate) query: Query,
    pub(crate) work: Work,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) asked: Asked,
    pub(crate) positions: PositionSet,
    /// The games in the order of the query, if it sorts.
    pub(crate) sorted: Option<Vec<SortedGame>>,
    /// How many games match.
    pub(crate) games: u64,
    /// How many positions match; those that are held can be fewer.
    matching: u64,
    /// About how many bytes it takes.
    bytes: u64,
    /// The orders that were asked for.
    orders: Mutex<HashMap<Order, Arc<Ordered>>>,
    /// Where the games are in the order of the query, by their numbers.
    places: OnceLock<HashMap<u64, usize>>,
}

/// The answers that are held.
#[derive(Debug)]
pub(crate) struct Answers {
    held: Mutex<HashMap<String, (Arc<Answer>, Instant)>>,
    count: usize,
    bytes: u64,
}

impl Answer {
    pub(crate) fn new(asked: Asked, found: Found) -> Answer {
        let Found {
            positions,
            sorted,
            summary,
        } = found;
        let list = sorted.as_ref().map_or(0, Vec::len) as u64;
        let games = summary["games"].as_u64().unwrap_or_default();
        Answer {
            asked,
            games,
            matching: summary["positions"].as_u64().unwrap_or_default(),
            // A sorted game has a number and some short texts, a game in another order two numbers.
            bytes: positions.bytes() + 100 * list + 16 * games,
            positions,
            sorted,
            orders: Mutex::default(),
            places: OnceLock::new(),
        }
    }

    /// Whether all matching positions are held.
    pub(crate) fn is_whole(&self) -> bool {
        self.positions.len() == self.matching
    }

    /// The values of the sort keys in a game; none if the query sorts nothing.
    pub(crate) fn sort_values(&self, game: u64) -> &[Option<String>] {
        let Some(sorted) = &self.sorted else { return &[] };
        let places = self.places.get_or_init(|| {
            let games = sorted.iter().enumerate();
            games.map(|(place, game)| (game.number, place)).collect()
        });
        places.get(&game).map_or(&[], |&place| sorted[place].values.as_slice())
    }

    /// Reads the games of the answer.
    pub(crate) fn reader(&self) -> GameReader {
        self.positions.reader()
    }

    /// The games in an order.
    ///
    /// This may read the headers of all games of the answer.
    pub(crate) fn ordered(&self, order: Order) -> Result<Arc<Ordered>, Problem> {
        let known = self.orders().get(&order).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let made = Arc::new(Ordered::new(order, &self.positions, self.sorted.as_deref())?);
        let mut orders = self.orders();
        // One beside that of the query is enough: it takes as much as it took to make.
        orders.retain(|&order, _| order == Order::Found);
        orders.insert(order, Arc::clone(&made));
        Ok(made)
    }

    fn orders(&self) -> MutexGuard<'_, HashMap<Order, Arc<Ordered>>> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Answers {
    /// At most `count` answers that take `bytes` together; the largest alone may take more.
    pub(crate) fn new(count: usize, bytes: u64) -> Answers {
        Answers {
            held: Mutex::default(),
            count: count.max(1),
            bytes,
        }
    }

    /// Holds an answer; those go that were not used for the longest time.
    pub(crate) fn hold(&self, id: String, answer: Answer) {
        let mut held = self.lock();
        held.insert(id, (Arc::new(answer), Instant::now()));
        loop {
            let bytes: u64 = held.values().map(|(answer, _)| answer.bytes).sum();
            if held.len() <= 1 || held.len() <= self.count && bytes <= self.bytes {
                break;
            }
            let oldest = held.iter().min_by_key(|(_, (_, used))| *used);
            let Some(oldest) = oldest.map(|(id, _)| id.clone()) else {
                break;
            };
            held.remove(&oldest);
        }
    }

    /// An answer by its id.
    pub(crate) fn get(&self, id: &str) -> Result<Arc<Answer>, Problem> {
        let mut held = self.lock();
        let (answer, used) = held.get_mut(id).ok_or_else(|| {
            let message = "this answer is not held, or no longer: ask again";
            Problem::not_found("answer-gone", message)
        })?;
        *used = Instant::now();
        Ok(Arc::clone(answer))
    }

    /// Drops an answer.
    pub(crate) fn forget(&self, id: &str) -> bool {
        self.lock().remove(id).is_some()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, (Arc<Answer>, Instant)>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
