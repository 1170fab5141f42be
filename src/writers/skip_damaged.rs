//! Games whose stored moves or texts are damaged, when all the others are wanted.

use search::{GameMatch, Summary};

use super::MatchWriter;
use crate::error::{Error, Result};

/// Leaves out games that another writer can't read from the database, and reports each.
///
/// Writers write nothing of a game before they have read all of it, so that the output stays whole.
#[derive(Debug)]
pub struct SkipDamaged<W, F> {
    writer: W,
    report: Option<F>,
}

impl<W, F: FnMut(u64, &Error)> SkipDamaged<W, F> {
    /// Gives games to `writer`; `report` gets the number of each game that can't be read, and the reason. Without it,
    /// damage is an error as usual.
    pub fn new(writer: W, report: Option<F>) -> SkipDamaged<W, F> {
        SkipDamaged { writer, report }
    }
}

impl<W: MatchWriter, F: FnMut(u64, &Error)> MatchWriter for SkipDamaged<W, F> {
    fn game(&mut self, game: GameMatch) -> Result<()> {
        let number = game.number;
        match (self.writer.game(game), &mut self.report) {
            (Err(error), Some(report)) if error.is_damage() => {
                report(number, &error);
                Ok(())
            }
            (result, _) => result,
        }
    }

    fn finish(&mut self, summary: &Summary) -> Result<()> {
        self.writer.finish(summary)
    }

    fn flush(&mut self) -> Result<()> {
        self.writer.flush()
    }
}
