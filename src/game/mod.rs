//! Games: header, tree of positions, notation.

mod header;
mod names;
mod pgn;
mod position;
mod reader;
mod squares;
mod stored;

use std::fmt;

use chess::{GameText, MoveTree, Outcome};
use evaluator::GameView;

use crate::database::Database;
use crate::error::Result;
use crate::writers;

pub use header::{Date, GameHeader};
pub use names::NameField;
pub use pgn::{PgnFiles, PgnItem, read_pgn};
pub use position::Position;
pub use reader::GameReader;
pub use squares::Squares;
pub(crate) use stored::{Place, StoredGames, next_move};

/// A game with all its variations: header, positions, comments.
///
/// It comes from a database ([`Database::game`]) or straight from a file ([`read_pgn`]).
///
/// ```
/// use cqldex::{Database, Options};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[White \"Foe, A\"]\n[Date \"1851.06.??\"]\n[WhiteElo \"1200\"]\n\n1. f3 e5 (1... d5 {better?}) 2. g4 $2 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let game = database.game(1)?.expect("the database has a game");
/// assert_eq!(game.header().white, "Foe, A");
/// assert_eq!(game.header().date.year, Some(1851));
/// assert_eq!(game.header().white_rating, Some(1200));
/// assert_eq!(game.outcome().to_string(), "0-1");
///
/// let moves: Vec<String> = game.mainline().filter_map(|position| position.numbered_san()).collect();
/// assert_eq!(moves, ["1.f3", "1...e5", "2.g4", "2...Qh4#"]);
///
/// let mate = game.mainline().last().expect("a game has a position");
/// assert_eq!(mate.fen(), "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 0 1");
/// assert!(mate.parent().expect("Black mated").nags().eq([2]));
///
/// let first = game.root().next().expect("White moved");
/// let variation = first.variations().next().expect("there is one");
/// assert_eq!((variation.san().as_deref(), variation.comment()), (Some("d5"), Some("better?")));
///
/// assert!(game.pgn().ends_with("1.f3 e5 ( 1...d5 {better?} ) 2.g4 $2 Qh4# 0-1\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Game {
    number: Option<u64>,
    text: GameText,
    header: GameHeader,
    view: GameView,
}

impl Game {
    fn new(number: Option<u64>, tree: &MoveTree, text: GameText) -> Game {
        let mut view = GameView::default();
        view.load(tree, true);
        Game {
            number,
            header: GameHeader::of(&text),
            text,
            view,
        }
    }

    /// The number in the database, from 1; `None` for a game that comes from no database.
    pub fn number(&self) -> Option<u64> {
        self.number
    }

    /// What the tags say, by type.
    pub fn header(&self) -> &GameHeader {
        &self.header
    }

    /// How the game ended.
    pub fn outcome(&self) -> Outcome {
        self.text.outcome
    }

    /// The value of a tag as it stands in the PGN, by its name; the last one if there are several.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.text, name)
    }

    /// Names and values of all tags as they stand in the PGN.
    pub fn tags(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> {
        self.text
            .tags
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The position that the game starts from.
    pub fn root(&self) -> Position<'_> {
        Position::new(self, 0)
    }

    /// A position by its `positionid`; `None` if the game has no such position.
    pub fn position(&self, id: u32) -> Option<Position<'_>> {
        (id < self.positions_len()).then(|| Position::new(self, id))
    }

    /// All positions, variations included, in the order of their `positionid`.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = Position<'_>> + DoubleEndedIterator {
        (0..self.positions_len()).map(|id| Position::new(self, id))
    }

    /// The positions of the main line, the start first.
    pub fn mainline(&self) -> impl Iterator<Item = Position<'_>> {
        std::iter::successors(Some(self.root()), |position| position.next())
    }

    /// The game as PGN in UTF-8, with lines of at most 80 characters and an end of line after the result.
    pub fn pgn(&self) -> String {
        writers::game_text(&self.view, &self.text)
    }

    fn positions_len(&self) -> u32 {
        u32::try_from(self.view.len()).unwrap_or(u32::MAX)
    }

    fn text(&self) -> &GameText {
        &self.text
    }
}

/// The value of a tag as it stands in the PGN, by its name; the last one if there are several.
pub(crate) fn tag<'t>(text: &'t GameText, name: &str) -> Option<&'t str> {
    let mut tags = text.tags.iter().rev();
    let tag = tags.find(|(other, _)| other.eq_ignore_ascii_case(name));
    tag.map(|(_, value)| value.as_str())
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game")
            .field("number", &self.number)
            .field("header", &self.header)
            .field("positions", &self.view.len())
            .finish_non_exhaustive()
    }
}

impl Database {
    /// Reads a game by its number, from 1; `None` if there is no such game, or it was removed.
    ///
    /// # Errors
    ///
    /// When the database can't be read.
    pub fn game(&self, number: u64) -> Result<Option<Game>> {
        self.reader().game(number)
    }
}
