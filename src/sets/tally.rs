//! Counts over positions that the index gives without a game being opened.

use shakmaty::Color;

use super::positions::PositionSet;
use crate::error::Result;
use crate::query::Query;

/// What the index knows of a position; see [`PositionSet::turns`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Turn {
    /// The number of the game.
    pub game: u64,
    /// CQL's `positionid`.
    pub position: u32,
    /// CQL's `movenumber`; `None` in a variation, where only the game can tell ([`Squares::moves`](crate::Squares::moves)).
    pub move_number: Option<u32>,
    /// Who is to move.
    pub side: Color,
}

impl PositionSet {
    /// For each square, a1, b1, ... h8, in how many of the positions it is in the set of a query such as `N`, `[Qq]` or
    /// `_d4`: men, or none, anywhere or on some squares. `None` for all other queries: there only the boards can tell
    /// ([`Squares::sets`](crate::Squares::sets)).
    ///
    /// ```
    /// use cqldex::{Database, Dialect, Options, Query};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let positions = database.sets().of((0..5).map(|position| (1, position)))?;
    /// let counts = positions.squares(&Query::parse("q", Dialect::Auto)?)?.expect("men on squares");
    /// assert_eq!((counts[59], counts[31], counts.iter().sum::<u64>()), (4, 1, 5));
    /// assert!(positions.squares(&Query::parse("q attacks K", Dialect::Auto)?)?.is_none());
    /// # Ok::<(), cqldex::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the database can't be read.
    pub fn squares(&self, query: &Query) -> Result<Option<[u64; 64]>> {
        let Some((men, squares)) = query.men_on_squares() else {
            return Ok(None);
        };
        let mut counts = [0; 64];
        for (index, section) in self.bitmaps() {
            let segment = self.snapshot().segment(index);
            let of_segment = search::Tally::new(&segment, section).placements(&men, squares)?;
            counts
                .iter_mut()
                .zip(of_segment)
                .for_each(|(count, more)| *count += more);
        }
        Ok(Some(counts))
    }

    /// Visits the positions in ascending order, until `visit` returns false. Returns whether it has seen all of them.
    ///
    /// ```
    /// use cqldex::{Color, Database, Options};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let mut seen = Vec::new();
    /// database.sets().of([(1, 1), (1, 4)])?.turns(&mut |turn| {
    ///     seen.push((turn.move_number, turn.side));
    ///     true
    /// })?;
    /// assert_eq!(seen, [(Some(1), Color::Black), (Some(3), Color::White)]);
    /// # Ok::<(), cqldex::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the database can't be read.
    pub fn turns(&self, visit: &mut dyn FnMut(Turn) -> bool) -> Result<bool> {
        for (index, section) in self.bitmaps() {
            let segment = self.snapshot().segment(index);
            // Users count from 1.
            let first = segment.meta().first_game + 1;
            let all = search::Tally::new(&segment, section).turns(&mut |turn| {
                visit(Turn {
                    game: first + u64::from(turn.game),
                    position: turn.node,
                    move_number: turn.move_number,
                    side: turn.side,
                })
            })?;
            if !all {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
