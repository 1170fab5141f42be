//! How much matches, in one line.

use std::io::Write;

use search::{GameMatch, Summary};

use super::{Sink, count};
use crate::exit::Failure;

/// Writes `2,204 positions in 87 games`.
#[derive(Debug)]
pub(crate) struct Count<W> {
    out: W,
}

impl<W: Write> Count<W> {
    /// Writes to `out`.
    pub(crate) fn new(out: W) -> Count<W> {
        Count { out }
    }
}

impl<W: Write> Sink for Count<W> {
    fn game(&mut self, _: GameMatch) -> Result<(), Failure> {
        Ok(())
    }

    fn finish(&mut self, summary: &Summary) -> Result<(), Failure> {
        let (positions, games) = (count(summary.positions, "position"), count(summary.games, "game"));
        writeln!(self.out, "{positions} in {games}")?;
        self.flush()
    }

    fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }
}
