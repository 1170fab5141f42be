//! Games whose stored moves or words are damaged, when the user wants all the others.

use std::io::Write;

use search::{GameMatch, Summary};

use super::Sink;
use crate::exit::Failure;

/// Leaves out games that can't be read for the sink, and tells so. Sinks write nothing of a game before they have read
/// all of it.
#[derive(Debug)]
pub(crate) struct Spared<S, W> {
    sink: S,
    /// Where it is told; nothing if damage is an error.
    told: Option<W>,
}

impl<S, W> Spared<S, W> {
    /// Gives games to a sink, and tells of those that it can't write.
    pub(crate) fn new(sink: S, told: Option<W>) -> Spared<S, W> {
        Spared { sink, told }
    }
}

impl<S: Sink, W: Write> Sink for Spared<S, W> {
    fn game(&mut self, game: GameMatch) -> Result<(), Failure> {
        let number = game.number;
        match (self.sink.game(game), &mut self.told) {
            (Err(Failure::Damage(damage)), Some(told)) => {
                // When nobody reads it, the games that are there are wanted all the same.
                let _ = writeln!(
                    told,
                    "warning: game {number} matches, but could not be written: {damage}"
                );
                Ok(())
            }
            (result, _) => result,
        }
    }

    fn finish(&mut self, summary: &Summary) -> Result<(), Failure> {
        self.sink.finish(summary)
    }

    fn flush(&mut self) -> Result<(), Failure> {
        self.sink.flush()
    }
}
