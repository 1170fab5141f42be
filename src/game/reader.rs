//! Many games of a database, read one after the other.

use storage::{Snapshot, TagColumn};

use super::header::{Date, GameHeader};
use super::{Game, StoredGames};
use crate::database::Database;
use crate::error::Result;
use crate::sets::PositionSet;

use chess::MoveTree;
use shakmaty::Color;

/// Reads games of a database as it was at one moment. Neighbours are stored together, and the last ones stay unpacked, so
/// that reading many games takes less time than [`Database::game`] for each.
///
/// ```
/// use cqldex::{Database, Options};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[White \"Foe, A\"]\n[Date \"1851.06.??\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let mut reader = database.reader();
/// let game = reader.game(1)?.expect("the database has a game");
/// let header = reader.header(1)?.expect("the same game");
/// assert_eq!(game.header(), &header);
/// assert!(reader.header(2)?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameReader {
    pub(crate) games: StoredGames,
    pub(super) snapshot: Snapshot,
}

impl Database {
    /// Reads its games, as they are now.
    pub fn reader(&self) -> GameReader {
        GameReader::new(self.snapshot())
    }
}

impl PositionSet {
    /// Reads the games of the database as it was when the positions were found: games have the numbers of that time.
    pub fn reader(&self) -> GameReader {
        GameReader::new(self.snapshot().clone())
    }
}

impl GameReader {
    fn new(snapshot: Snapshot) -> GameReader {
        GameReader {
            games: StoredGames::new(snapshot.clone()),
            snapshot,
        }
    }

    /// Another reader of the same state of the database.
    #[must_use]
    pub fn again(&self) -> GameReader {
        GameReader::new(self.snapshot.clone())
    }

    /// Reads a game by its number, from 1; `None` if there is no such game, or it was removed.
    ///
    /// # Errors
    ///
    /// When the database can't be read.
    pub fn game(&mut self, number: u64) -> Result<Option<Game>> {
        let Some(place) = self.games.locate(number) else {
            return Ok(None);
        };
        let mut tree = MoveTree::default();
        self.games.tree(place, &mut tree)?;
        let text = self.games.text(place)?;
        Ok(Some(Game::new(Some(number), &tree, text)))
    }

    /// Reads the header of a game alone, from columns that stay in memory: of many games, this takes about a microsecond
    /// each.
    ///
    /// # Errors
    ///
    /// When the database can't be read.
    pub fn header(&self, number: u64) -> Result<Option<GameHeader>> {
        let Some((segment, game)) = number.checked_sub(1).and_then(|game| self.snapshot.locate(game)) else {
            return Ok(None);
        };
        let segment = self.snapshot.segment(segment);
        let value = |column| -> Result<String> {
            let values = segment.tag_values(column)?;
            Ok(values.get(game).unwrap_or_default().to_owned())
        };
        let rating = |color| -> Result<Option<u16>> {
            let rating = segment.ratings(color)?[game as usize];
            Ok(Some(rating).filter(|&rating| rating > 0))
        };
        Ok(Some(GameHeader {
            white: value(TagColumn::White)?,
            black: value(TagColumn::Black)?,
            event: value(TagColumn::Event)?,
            site: value(TagColumn::Site)?,
            date: Date::of(&value(TagColumn::Date)?),
            event_date: Date::of(&value(TagColumn::EventDate)?),
            eco: Some(value(TagColumn::Eco)?).filter(|eco| !eco.is_empty()),
            white_rating: rating(Color::White)?,
            black_rating: rating(Color::Black)?,
            outcome: segment.outcomes()?[game as usize],
        }))
    }
}
