//! What matches, written for people or for programs, to anything that takes bytes.

mod count;
mod json;
mod pgn;
mod skip_damaged;
mod sorted;
mod table;
mod within;

use search::{GameMatch, Summary};

use crate::error::Result;
use crate::matches::Matches;

pub use count::CountWriter;
pub use json::JsonWriter;
pub(crate) use pgn::game_text;
pub use pgn::{Encoding, PgnOptions, PgnWriter};
pub use skip_damaged::SkipDamaged;
pub use sorted::Sorted;
pub(crate) use table::short_players;
pub use table::{TableWriter, totals};
pub use within::Within;

/// Takes the matches of a search, one game after the other, and the summary at the end.
///
/// ```
/// use cqldex::{Database, Dialect, JsonWriter, MatchWriter, Options, Query, SearchOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let query = Query::parse("mate", Dialect::Auto)?;
/// let matches = database.search(&query, SearchOptions::default());
/// let mut lines = Vec::new();
/// let summary = JsonWriter::new(&mut lines, None).write_matches(matches)?;
/// assert_eq!(summary.games, 1);
/// assert!(lines.starts_with(br#"{"type":"match","game":1,"position":4,"ply":4,"fen":""#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait MatchWriter {
    /// Takes a matching game.
    ///
    /// # Errors
    ///
    /// When it can't be written, or the database can't be read for what belongs to it.
    fn game(&mut self, game: GameMatch) -> Result<()>;

    /// Writes the rest: what was kept back, and the totals.
    ///
    /// # Errors
    ///
    /// When it can't be written, or the database can't be read for what belongs to it.
    fn finish(&mut self, summary: &Summary) -> Result<()>;

    /// Flushes the output.
    ///
    /// # Errors
    ///
    /// When it can't be written.
    fn flush(&mut self) -> Result<()>;

    /// Writes a whole search. When the search fails, the games before the error have been written.
    ///
    /// # Errors
    ///
    /// When the search fails, or something can't be written.
    fn write_matches(&mut self, mut matches: Matches) -> Result<Summary> {
        for game in matches.by_ref() {
            match game {
                Ok(game) => self.game(game)?,
                Err(error) => {
                    self.flush()?;
                    return Err(error);
                }
            }
        }
        let summary = matches.summary()?;
        self.finish(&summary)?;
        Ok(summary)
    }
}

impl<W: MatchWriter + ?Sized> MatchWriter for &mut W {
    fn game(&mut self, game: GameMatch) -> Result<()> {
        (**self).game(game)
    }

    fn finish(&mut self, summary: &Summary) -> Result<()> {
        (**self).finish(summary)
    }

    fn flush(&mut self) -> Result<()> {
        (**self).flush()
    }
}

impl<W: MatchWriter + ?Sized> MatchWriter for Box<W> {
    fn game(&mut self, game: GameMatch) -> Result<()> {
        (**self).game(game)
    }

    fn finish(&mut self, summary: &Summary) -> Result<()> {
        (**self).finish(summary)
    }

    fn flush(&mut self) -> Result<()> {
        (**self).flush()
    }
}
