//! Games in the order that the query asks for.

use search::{GameMatch, GameOrder, Summary};

use super::Sink;
use crate::exit::Failure;

/// Keeps the games until all are known, then gives them to another sink in order.
#[derive(Debug)]
pub(crate) struct Sorted<'q, S> {
    sink: S,
    order: GameOrder<'q>,
    /// No more than so many positions are wanted of the first games.
    limit: Option<u64>,
    games: Vec<GameMatch>,
}

impl<'q, S: Sink> Sorted<'q, S> {
    /// Sorts what `sink` is to get; the search must not be limited then, but what is listed can be.
    pub(crate) fn new(sink: S, order: GameOrder<'q>, limit: Option<u64>) -> Sorted<'q, S> {
        Sorted {
            sink,
            order,
            limit,
            games: Vec::new(),
        }
    }

    fn sort(&mut self) {
        self.games.sort_unstable_by(|a, b| self.order.compare(a, b));
    }

    /// Cuts the sorted games to the limit.
    fn cut(&mut self) {
        let Some(mut left) = self.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX)) else {
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

impl<S: Sink> Sink for Sorted<'_, S> {
    fn game(&mut self, game: GameMatch) -> Result<(), Failure> {
        if self.limit.is_some() && game.positions.is_empty() {
            return Ok(());
        }
        self.games.push(game);
        // With a limit no more is kept than may be listed, and some.
        if self
            .limit
            .is_some_and(|limit| self.games.len() as u64 > 2 * limit.max(1 << 10))
        {
            self.sort();
            self.games
                .truncate(usize::try_from(self.limit.unwrap_or(0)).unwrap_or(usize::MAX));
        }
        Ok(())
    }

    fn finish(&mut self, summary: &Summary) -> Result<(), Failure> {
        self.sort();
        self.cut();
        for game in std::mem::take(&mut self.games) {
            self.sink.game(game)?;
        }
        self.sink.finish(summary)
    }

    fn flush(&mut self) -> Result<(), Failure> {
        self.sink.flush()
    }
}
