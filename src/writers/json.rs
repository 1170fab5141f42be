//! One JSON object a line, for programs. The fields are a contract: fields may be added, but never changed or removed.

use std::io::Write;

use search::{GameMatch, Summary};

use super::MatchWriter;
use crate::error::Result;
use crate::format::milliseconds;

/// Writes a `match` line for each position and a `summary` line at the end: see [`MatchWriter`] for an example.
#[derive(Debug)]
pub struct JsonWriter<W> {
    out: W,
    limit: Option<u64>,
}

impl<W: Write> JsonWriter<W> {
    /// Writes to `out`; `limit` is [`SearchOptions::limit`](crate::SearchOptions::limit) of the search.
    pub fn new(out: W, limit: Option<u64>) -> JsonWriter<W> {
        JsonWriter { out, limit }
    }
}

impl<W: Write> MatchWriter for JsonWriter<W> {
    fn game(&mut self, game: GameMatch) -> Result<()> {
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

    fn finish(&mut self, summary: &Summary) -> Result<()> {
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
        let incomplete = match summary.incomplete_sets.as_slice() {
            [] => String::new(),
            sets => {
                // Nothing in the name of a set has to be escaped.
                let names: Vec<String> = sets.iter().map(|(name, _)| format!("\"{name}\"")).collect();
                format!(r#","incompleteSets":[{}]"#, names.join(","))
            }
        };
        writeln!(
            self.out,
            r#"{{"type":"summary","games":{},"positions":{},"gamesSearched":{},"positionsSearched":{},"candidates":{},"elapsedMs":{}{missing}{incomplete}{truncated}{stopped}}}"#,
            summary.games,
            summary.positions,
            summary.games_searched,
            summary.positions_searched,
            summary.candidates,
            milliseconds(summary.elapsed),
        )?;
        self.flush()
    }

    fn flush(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }
}
