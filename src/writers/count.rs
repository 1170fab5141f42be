//! How much matches, in one line.

use std::io::Write;

use search::{GameMatch, Summary};

use super::MatchWriter;
use crate::error::Result;
use crate::format::count;

/// Writes `2,204 positions in 87 games`.
///
/// ```
/// use cqldex::{CountWriter, MatchWriter, Summary};
///
/// let mut text = Vec::new();
/// let summary = Summary { games: 87, positions: 2204, ..Summary::default() };
/// CountWriter::new(&mut text).finish(&summary)?;
/// assert_eq!(text, b"2,204 positions in 87 games\n");
/// # Ok::<(), cqldex::Error>(())
/// ```
#[derive(Debug)]
pub struct CountWriter<W> {
    out: W,
}

impl<W: Write> CountWriter<W> {
    /// Writes to `out`.
    pub fn new(out: W) -> CountWriter<W> {
        CountWriter { out }
    }
}

impl<W: Write> MatchWriter for CountWriter<W> {
    fn game(&mut self, _: GameMatch) -> Result<()> {
        Ok(())
    }

    fn finish(&mut self, summary: &Summary) -> Result<()> {
        let (positions, games) = (count(summary.positions, "position"), count(summary.games, "game"));
        writeln!(self.out, "{positions} in {games}")?;
        self.flush()
    }

    fn flush(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }
}
