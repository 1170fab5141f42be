//! One JSON object a line, for programs. The fields are a contract: they may become more, never other ones.

use std::io::Write;

use search::{GameMatch, Summary};

use super::{Sink, milliseconds};
use crate::exit::Failure;

/// Writes a `match` line for each position and a `summary` line at the end.
#[derive(Debug)]
pub(crate) struct Json<W> {
    out: W,
    limit: Option<u64>,
}

impl<W: Write> Json<W> {
    /// Writes to `out`; `limit` is how many positions the search was told to list.
    pub(crate) fn new(out: W, limit: Option<u64>) -> Json<W> {
        Json { out, limit }
    }
}

impl<W: Write> Sink for Json<W> {
    fn game(&mut self, game: GameMatch) -> Result<(), Failure> {
        for position in &game.positions {
            // Nothing in a FEN has to be escaped.
            writeln!(
                self.out,
                r#"{{"type":"match","game":{},"position":{},"ply":{},"fen":"{}"}}"#,
                game.number,
                position.node,
                position.ply,
                position.fen()
            )?;
        }
        Ok(())
    }

    fn finish(&mut self, summary: &Summary) -> Result<(), Failure> {
        let truncated = if self.limit.is_some_and(|limit| limit < summary.positions) {
            r#","truncated":true"#
        } else {
            ""
        };
        let stopped = if summary.stopped_at_limit {
            r#","stopped":true"#
        } else {
            ""
        };
        // Only with --skip-damaged, and only when something was skipped.
        let missing: u64 = summary
            .skipped
            .iter()
            .map(|skipped| skipped.games.end - skipped.games.start)
            .sum();
        let missing = match missing {
            0 => String::new(),
            games => format!(r#","gamesMissing":{games}"#),
        };
        writeln!(
            self.out,
            r#"{{"type":"summary","games":{},"positions":{},"gamesSearched":{},"positionsSearched":{},"candidates":{},"elapsedMs":{}{missing}{truncated}{stopped}}}"#,
            summary.games,
            summary.positions,
            summary.games_searched,
            summary.positions_searched,
            summary.candidates,
            milliseconds(summary.elapsed),
        )?;
        self.flush()
    }

    fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }
}
