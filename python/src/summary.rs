//! Counts and sizes, as plain values.

use cqldex::format;
use pyo3::prelude::*;

/// What a search did.
///
/// `games` and `positions` match; `games_searched` and `positions_searched` were asked about, and `candidates` of them could
/// not be decided by the index alone. `elapsed` is in seconds. `messages` are those of the query, `variables` the last values of
/// its persistent variables.
#[pyclass(frozen, get_all, module = "cqldex")]
#[derive(Clone, Debug)]
pub(crate) struct Summary {
    /// Matching games.
    games: u64,
    /// Matching positions.
    positions: u64,
    /// Games that were asked about.
    games_searched: u64,
    /// Positions that were asked about.
    positions_searched: u64,
    /// Positions that the index alone could not exclude.
    candidates: u64,
    /// How long it took, in seconds.
    elapsed: f64,
    /// The messages of the query, in order.
    messages: Vec<String>,
    /// Names and last values of its persistent variables.
    variables: Vec<(String, String)>,
}

impl From<&cqldex::Summary> for Summary {
    fn from(summary: &cqldex::Summary) -> Summary {
        let messages = summary.messages.iter();
        let variables = summary.persistent.iter();
        Summary {
            games: summary.games,
            positions: summary.positions,
            games_searched: summary.games_searched,
            positions_searched: summary.positions_searched,
            candidates: summary.candidates,
            elapsed: summary.elapsed.as_secs_f64(),
            messages: messages
                .map(|text| String::from_utf8_lossy(text).into_owned())
                .collect(),
            variables: variables
                .map(|(name, value)| (name.clone(), value.to_string()))
                .collect(),
        }
    }
}

impl Summary {
    pub(crate) fn positions(&self) -> u64 {
        self.positions
    }
}

#[pymethods]
impl Summary {
    fn __repr__(&self) -> String {
        let Summary {
            games,
            positions,
            elapsed,
            ..
        } = self;
        format!("Summary(games={games}, positions={positions}, elapsed={elapsed:.6})")
    }
}

/// How much a database has: `games`, `removed` ones that are still stored, `positions`, `segments`, `bytes` on disk, and the
/// `pgn_bytes` that it was made of.
#[pyclass(frozen, get_all, module = "cqldex")]
#[derive(Clone, Debug)]
pub(crate) struct Stats {
    /// How many games.
    games: u64,
    /// How many are removed, but still stored.
    removed: u64,
    /// How many positions, those of variations included.
    positions: u64,
    /// How many segments.
    segments: u64,
    /// How many bytes the directory has.
    bytes: u64,
    /// How many bytes the games had as PGN.
    pgn_bytes: u64,
}

impl From<cqldex::Stats> for Stats {
    fn from(stats: cqldex::Stats) -> Stats {
        Stats {
            games: stats.games,
            removed: stats.removed,
            positions: stats.positions,
            segments: stats.segments,
            bytes: stats.bytes,
            pgn_bytes: stats.pgn_bytes,
        }
    }
}

#[pymethods]
impl Stats {
    fn __repr__(&self) -> String {
        let Stats {
            games,
            removed,
            positions,
            segments,
            bytes,
            pgn_bytes,
        } = self;
        format!(
            "Stats(games={games}, removed={removed}, positions={positions}, segments={segments}, bytes={bytes}, \
             pgn_bytes={pgn_bytes})"
        )
    }

    fn __str__(&self) -> String {
        let (games, positions) = (
            format::count(self.games, "game"),
            format::count(self.positions, "position"),
        );
        format!("{games}, {positions}, {}", format::bytes(self.bytes))
    }
}

/// A named set: how many `games` and `positions`, the query of a `live` one, and what is wrong if there is `damage`.
#[pyclass(frozen, get_all, module = "cqldex")]
#[derive(Clone, Debug)]
pub(crate) struct SetInfo {
    /// Its name.
    name: String,
    /// How many games have a position in it.
    games: u64,
    /// How many positions.
    positions: u64,
    /// The query of a live set.
    live: Option<String>,
    /// Why it can't be read, if it is damaged.
    damage: Option<String>,
}

impl From<cqldex::SetInfo> for SetInfo {
    fn from(info: cqldex::SetInfo) -> SetInfo {
        SetInfo {
            name: info.name,
            games: info.games,
            positions: info.positions,
            live: info.live,
            damage: info.damage,
        }
    }
}

#[pymethods]
impl SetInfo {
    fn __repr__(&self) -> String {
        let SetInfo {
            name, games, positions, ..
        } = self;
        format!("SetInfo(name='{name}', games={games}, positions={positions})")
    }
}
