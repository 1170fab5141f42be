//! Games in the order that the query asks for.

use search::{GameMatch, Summary};

use super::MatchWriter;
use crate::error::Result;
use crate::query::Query;

/// With a limit, at least this many games are kept before the rest is dropped.
const KEPT: usize = 1 << 11;

/// Gives games to another writer in the order that a query asks for with `sort`.
///
/// The games are kept until all are known. The search must not have a limit then, and it has to give
/// [`Detail::Results`](crate::Detail::Results). Of a query without an order, games are passed on as they come.
#[derive(Debug)]
pub struct Sorted<W> {
    writer: W,
    query: Query,
    /// At most this many positions of the first games are written.
    limit: Option<usize>,
    games: Vec<GameMatch>,
}

impl<W: MatchWriter> Sorted<W> {
    /// Sorts the games for `writer`; at most `limit` positions are passed on.
    pub fn new(writer: W, query: &Query, limit: Option<u64>) -> Sorted<W> {
        Sorted {
            writer,
            query: query.clone(),
            limit: limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)),
            games: Vec::new(),
        }
    }

    /// The writer that the games were given to.
    pub fn into_inner(self) -> W {
        self.writer
    }

    fn sort(&mut self) {
        if let Some(order) = self.query.order() {
            self.games.sort_unstable_by(|a, b| order.compare(a, b));
        }
    }

    /// Cuts the sorted games to the limit.
    fn cut(&mut self) {
        let Some(mut left) = self.limit else {
            return;
        };
        let mut kept = 0;
        for game in &mut self.games {
            if left == 0 {
                break;
            }
            game.positions.truncate(left);
            left -= game.positions.len();
            kept += 1;
        }
        self.games.truncate(kept);
    }
}

impl<W: MatchWriter> MatchWriter for Sorted<W> {
    fn game(&mut self, game: GameMatch) -> Result<()> {
        if self.query.order().is_none() {
            return self.writer.game(game);
        }
        let Some(limit) = self.limit else {
            self.games.push(game);
            return Ok(());
        };
        if game.positions.is_empty() {
            return Ok(());
        }
        self.games.push(game);
        // Each game has a position, so that no more games than the limit can be written.
        if self.games.len() > limit.saturating_mul(2).max(KEPT) {
            self.sort();
            self.games.truncate(limit);
        }
        Ok(())
    }

    fn finish(&mut self, summary: &Summary) -> Result<()> {
        self.sort();
        self.cut();
        for game in std::mem::take(&mut self.games) {
            self.writer.game(game)?;
        }
        self.writer.finish(summary)
    }

    fn flush(&mut self) -> Result<()> {
        self.writer.flush()
    }
}
