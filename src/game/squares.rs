//! What a query is about on the boards of a game.

use chess::{MoveTree, Quantities};
use evaluator::{Evaluator, GameHeader, GameInfo, GameView, Limits};
use shakmaty::Color;
use storage::{Header, TagColumn};

use super::reader::GameReader;
use super::stored::Place;
use crate::error::Result;
use crate::query::{Kind, Query};

/// Squares that a query is about, or that are in its set, in positions of stored games: for boards with marks, and for
/// counts of squares. Squares are bits: the lowest is a1, the next b1, the highest h8.
///
/// ```
/// use cqldex::{Database, Dialect, Options, Query, Squares};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let query = Query::parse("q attacks K", Dialect::Auto)?;
/// let mut squares = Squares::new(&query, database.reader(), None);
/// let (h4, e1) = (1 << 31, 1 << 4);
/// assert_eq!(squares.marks(1, &[4])?, [h4 | e1]);
/// assert_eq!(squares.sets(1, &[3, 4])?, [0, h4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Squares<'q> {
    query: &'q Query,
    evaluator: Evaluator<'q>,
    reader: GameReader,
    variations: bool,
    reads_header: bool,
    view: GameView,
    tree: MoveTree,
    last: Option<u64>,
}

impl<'q> Squares<'q> {
    /// Looks at games of a database. `variations` says whether variations are searched; `None` leaves it to the query.
    pub fn new(query: &'q Query, reader: GameReader, variations: Option<bool>) -> Squares<'q> {
        let variations = variations.unwrap_or(query.header().variations);
        let limits = Limits {
            variations,
            ..Limits::default()
        };
        Squares {
            evaluator: Evaluator::new(query.expanded(), limits),
            reads_header: query.reads_header(),
            query,
            reader,
            variations,
            view: GameView::default(),
            tree: MoveTree::default(),
            last: None,
        }
    }

    /// For each of these positions of a game, the squares that the query is about: those of its sets that have to hold
    /// there, and of its transforms the first variant that matches. What it says about other positions does not count.
    ///
    /// # Errors
    ///
    /// When the database can't be read.
    pub fn marks(&mut self, game: u64, positions: &[u32]) -> Result<Vec<u64>> {
        self.look(game, positions, |evaluator, view, info, nodes| {
            Ok(evaluator.marks(view, info, nodes).into_iter().map(u64::from).collect())
        })
    }

    /// For each of these positions of a game, the squares of the query's set. A query of another kind has none.
    ///
    /// # Errors
    ///
    /// When the database can't be read, or the query stops with an error.
    pub fn sets(&mut self, game: u64, positions: &[u32]) -> Result<Vec<u64>> {
        let query = self.query;
        if query.kind() != Kind::Set {
            return Ok(vec![0; positions.len()]);
        }
        self.look(game, positions, |evaluator, view, info, nodes| {
            let sets = evaluator.sets(view, info, nodes);
            let sets = sets.map_err(|error| query.search_error(error.into()))?;
            Ok(sets.into_iter().map(u64::from).collect())
        })
    }

    /// For each of these positions of a game that it has, the number of the move that is to be played (CQL's `movenumber`),
    /// and the side to move. On main lines the index knows it: see [`PositionSet::turns`](crate::PositionSet::turns).
    ///
    /// # Errors
    ///
    /// When the database can't be read.
    pub fn moves(&mut self, game: u64, positions: &[u32]) -> Result<Vec<(u32, Color)>> {
        let Some(place) = self.reader.games.locate(game) else {
            return Ok(Vec::new());
        };
        self.load(game, place)?;
        let end = u32::try_from(self.view.len()).unwrap_or(u32::MAX);
        let there = positions.iter().filter(|&&node| node < end);
        let about = |&node: &u32| (self.view.move_number(node), self.view.board(node).turn());
        Ok(there.map(about).collect())
    }

    /// Makes a game the one that is looked at.
    fn load(&mut self, number: u64, place: Place) -> Result<()> {
        if self.last != Some(number) {
            self.last = None;
            self.reader.games.tree(place, &mut self.tree)?;
            self.view.load(&self.tree, self.variations);
            self.view.number = u32::try_from(number).unwrap_or(u32::MAX);
            self.last = Some(number);
        }
        Ok(())
    }

    /// Calls the evaluator with a game and those of the positions that it has; the others have no squares.
    fn look(
        &mut self,
        number: u64,
        positions: &[u32],
        look: impl FnOnce(&mut Evaluator<'q>, &mut GameView, GameInfo<'_>, &[u32]) -> Result<Vec<u64>>,
    ) -> Result<Vec<u64>> {
        let Some(place) = self.reader.games.locate(number) else {
            return Ok(vec![0; positions.len()]);
        };
        self.load(number, place)?;
        let text = match self.reads_header || self.evaluator.needs().text {
            true => Some(self.reader.games.text(place)?),
            false => None,
        };
        let wanted = self.evaluator.needs().quantities;
        let mut quantities = Quantities::default();
        if !wanted.is_empty() {
            quantities.load(&self.tree, self.reader.games.annotations(place)?, wanted);
        }
        let read = text.as_ref().map(Header::from_text);
        let value = |column| {
            let value = read.as_ref().map(|header| header.get(column));
            value.filter(|value| !value.is_empty())
        };
        let header = GameHeader {
            white: value(TagColumn::White),
            black: value(TagColumn::Black),
            event: value(TagColumn::Event),
            site: value(TagColumn::Site),
            date: value(TagColumn::Date),
            event_date: value(TagColumn::EventDate),
            eco: value(TagColumn::Eco),
            ratings: read.as_ref().map(Header::ratings).unwrap_or_default(),
            outcome: read.as_ref().map(Header::outcome).unwrap_or_default(),
        };
        let info = GameInfo {
            header: &header,
            text: text.as_ref(),
            sets: &(),
            quantities: Some(&quantities),
        };
        let end = u32::try_from(self.view.len()).unwrap_or(u32::MAX);
        let nodes: Vec<u32> = positions.iter().filter(|&&node| node < end).copied().collect();
        let mut found = look(&mut self.evaluator, &mut self.view, info, &nodes)?.into_iter();
        let squares = positions.iter().map(|&node| match node < end {
            true => found.next().unwrap_or_default(),
            false => 0,
        });
        Ok(squares.collect())
    }
}
