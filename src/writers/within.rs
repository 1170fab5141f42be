//! Some of the positions that a search finds.

use search::{GameMatch, Summary};

use super::MatchWriter;
use crate::error::Result;
use crate::sets::PositionSet;

/// Gives only those matching positions to another writer that a set has, and counts only these. For what a query leaves in
/// the games (comments, sort keys): the query is asked as a whole, and the set says what is wanted of its answer.
///
/// ```
/// use cqldex::{Database, Detail, Dialect, JsonWriter, MatchWriter, Options, Query, SearchOptions, Within};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let query = Query::parse("btm", Dialect::Auto)?;
/// let wanted = database.sets().of([(1, 3)])?;
/// let options = SearchOptions { detail: Detail::Results, ..SearchOptions::default() };
/// let mut lines = Vec::new();
/// let mut writer = Within::new(JsonWriter::new(&mut lines, None), &wanted, None);
/// writer.write_matches(database.search(&query, options))?;
/// assert!(lines.starts_with(br#"{"type":"match","game":1,"position":3,"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Within<'s, W> {
    writer: W,
    wanted: &'s PositionSet,
    /// How many more positions are passed on.
    left: u64,
    games: u64,
    positions: u64,
}

impl<'s, W: MatchWriter> Within<'s, W> {
    /// Passes the positions of a set on, at most `limit` of them. The search must have no limit itself.
    pub fn new(writer: W, wanted: &'s PositionSet, limit: Option<u64>) -> Within<'s, W> {
        Within {
            writer,
            wanted,
            left: limit.unwrap_or(u64::MAX),
            games: 0,
            positions: 0,
        }
    }

    /// What was found, given what the search has found: only what is wanted counts.
    pub fn counted(&self, summary: &Summary) -> Summary {
        Summary {
            games: self.games,
            positions: self.positions,
            ..summary.clone()
        }
    }
}

impl<W: MatchWriter> MatchWriter for Within<'_, W> {
    fn game(&mut self, mut game: GameMatch) -> Result<()> {
        let wanted = self.wanted.of_game(game.number);
        game.positions
            .retain(|position| wanted.binary_search(&position.node).is_ok());
        if game.positions.is_empty() {
            return Ok(());
        }
        self.games += 1;
        self.positions += game.positions.len() as u64;
        game.positions
            .truncate(usize::try_from(self.left).unwrap_or(usize::MAX));
        self.left -= game.positions.len() as u64;
        match game.positions.is_empty() {
            true => Ok(()),
            false => self.writer.game(game),
        }
    }

    fn finish(&mut self, summary: &Summary) -> Result<()> {
        let counted = self.counted(summary);
        self.writer.finish(&counted)
    }

    fn flush(&mut self) -> Result<()> {
        self.writer.flush()
    }
}
