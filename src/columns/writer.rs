//! Writes matching positions as rows.

use chess::{MoveTree, Quantities, QuantitySet};
use search::{GameMatch, Match, Summary};
use storage::Snapshot;
use table::{Cell, RowWriter, Rows};

use super::field::{Field, side};
use super::list::Columns;
use super::questions::Questions;
use super::segment::Headers;
use crate::database::Database;
use crate::error::{Error, Result};
use crate::game::{Place, StoredGames, next_move, tag};
use crate::sets::PositionSet;
use crate::writers::MatchWriter;

/// Writes a row for each matching position.
///
/// ```
/// use cqldex::{Columns, Database, Dialect, Format, MatchWriter, Options, Query, RowsWriter, SearchOptions};
///
/// # let folder = tempfile::tempdir()?;
/// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
/// # std::fs::write(&pgn, "[White \"Foe\"]\n[Date \"1851.06.21\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
/// # let mut database = Database::create(&path, Options::default())?;
/// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
/// let query = Query::parse("ply == 3", Dialect::Auto)?;
/// let columns = Columns::named(["game", "white", "date", "move", "next"], &query)?;
/// let options = SearchOptions { detail: columns.detail(), ..SearchOptions::default() };
/// let mut text = Vec::new();
/// let mut writer = RowsWriter::new(Format::Csv, &mut text, &columns, &database)?;
/// writer.write_matches(database.search(&query, options))?;
/// drop(writer);
/// assert_eq!(String::from_utf8(text)?, "game,white,date,move,next\r\n1,Foe,1851-06-21,2.g4,Qh4#\r\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct RowsWriter<'o> {
    out: Box<dyn RowWriter + 'o>,
    fields: Vec<Field>,
    rows: Rows,
    snapshot: Snapshot,
    /// The segment of the last game, and the headers of its games.
    headers: Option<(usize, Headers)>,
    games: StoredGames,
    needs_tree: bool,
    needs_text: bool,
    tree: MoveTree,
    /// The clocks and evaluations that are needed, and those of the last game.
    quantities: (QuantitySet, Quantities),
    /// The questions that have found the positions, where there are several.
    questions: Option<Questions<'o>>,
}

impl<'o> RowsWriter<'o> {
    /// Writes to `out`; what belongs to the games comes from the database that is searched. The search has to give
    /// [`Columns::detail`].
    ///
    /// # Errors
    ///
    /// When the beginning of the table can't be written.
    pub fn new(
        format: table::Format,
        out: impl std::io::Write + Send + 'o,
        columns: &Columns,
        database: &Database,
    ) -> Result<RowsWriter<'o>> {
        Ok(RowsWriter::begun(
            format.writer(columns.columns(), out)?,
            columns,
            database,
        ))
    }

    /// Gives the rows to anything that takes rows, a batch at a time. Otherwise as [`RowsWriter::new`].
    pub fn to(out: Box<dyn RowWriter + 'o>, columns: &Columns, database: &Database) -> RowsWriter<'o> {
        RowsWriter::begun(out, columns, database)
    }

    /// Writes to a table that others write to, too, with the questions that have found the positions.
    pub(crate) fn labelled(
        out: &'o mut (dyn RowWriter + '_),
        columns: &Columns,
        database: &Database,
        questions: Questions<'o>,
    ) -> RowsWriter<'o> {
        RowsWriter {
            questions: Some(questions),
            ..RowsWriter::begun(Box::new(out), columns, database)
        }
    }

    fn begun(out: Box<dyn RowWriter + 'o>, columns: &Columns, database: &Database) -> RowsWriter<'o> {
        let needs = |test: fn(&Field) -> bool| columns.fields.iter().any(test);
        let snapshot = database.snapshot();
        let quantities = columns.fields.iter().filter_map(|field| match field {
            Field::Quantity(quantity) => Some(*quantity),
            _ => None,
        });
        let quantities = QuantitySet::of(quantities);
        RowsWriter {
            out,
            fields: columns.fields.clone(),
            rows: Rows::new(&columns.columns),
            headers: None,
            games: StoredGames::new(snapshot.clone()),
            snapshot,
            needs_tree: needs(|field| matches!(field, Field::Next | Field::Length | Field::Quantity(_))),
            needs_text: needs(|field| matches!(field, Field::Tag(_))),
            tree: MoveTree::default(),
            quantities: (quantities, Quantities::default()),
            questions: None,
        }
    }

    /// Writes the positions of a set, at most `limit` of them, where the columns [need no boards](Columns::need_boards):
    /// then no game has to be opened for them. Returns how many rows were written. Games that are damaged are an error, or
    /// `report` gets their numbers, and they are left out.
    ///
    /// ```
    /// use cqldex::{Columns, Database, Dialect, Format, MatchWriter, Options, Query, RowsWriter, Summary};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "[White \"Foe\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// # let mut database = Database::create(&path, Options::default())?;
    /// # database.index(&[&pgn], &cqldex::IndexOptions::default(), &())?;
    /// let columns = Columns::named(["position", "white"], &Query::parse("true", Dialect::Auto)?)?;
    /// assert!(!columns.need_boards());
    /// let mut text = Vec::new();
    /// let mut writer = RowsWriter::new(Format::Csv, &mut text, &columns, &database)?;
    /// writer.positions(&database.sets().of([(1, 2), (1, 4)])?, None, None)?;
    /// writer.finish(&Summary::default())?;
    /// drop(writer);
    /// assert_eq!(String::from_utf8(text)?, "position,white\r\n2,Foe\r\n4,Foe\r\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When something can't be read or written.
    pub fn positions(
        &mut self,
        positions: &PositionSet,
        limit: Option<u64>,
        report: Option<fn(u64, &Error)>,
    ) -> Result<u64> {
        let mut left = limit.unwrap_or(u64::MAX);
        let mut all = positions.iter().peekable();
        let mut nodes = Vec::new();
        while let Some((number, first)) = all.next().filter(|_| left > 0) {
            nodes.clear();
            nodes.push(first);
            while let Some((_, node)) = all.next_if(|(other, _)| *other == number) {
                nodes.push(node);
            }
            nodes.truncate(usize::try_from(left).unwrap_or(usize::MAX));
            match (
                self.rows_of(number, nodes.iter().map(|node| (*node, None)), None),
                report,
            ) {
                (Err(error), Some(report)) if error.is_damage() => report(number, &error),
                (result, _) => {
                    result?;
                    left -= nodes.len() as u64;
                }
            }
        }
        Ok(limit.unwrap_or(u64::MAX) - left)
    }

    fn write_rows(&mut self) -> Result<()> {
        if !self.rows.is_empty() {
            self.out.write(&self.rows)?;
            self.rows.clear();
        }
        Ok(())
    }

    /// Adds the rows of some positions of a game, with what a search has found there.
    fn rows_of<'m>(
        &mut self,
        number: u64,
        positions: impl Iterator<Item = (u32, Option<&'m Match>)>,
        found: Option<&GameMatch>,
    ) -> Result<()> {
        let Some((segment, local)) = self.snapshot.locate(number - 1) else {
            return Ok(());
        };
        // All that can fail comes before the first value of a row.
        let headers = match self.headers.take() {
            Some((index, headers)) if index == segment => headers,
            _ => Headers::read(&self.snapshot.segment(segment), &self.fields)?,
        };
        let (_, headers) = self.headers.insert((segment, headers));
        let place = Place { segment, game: local };
        if self.needs_tree {
            self.games.tree(place, &mut self.tree)?;
        }
        let (wanted, quantities) = &mut self.quantities;
        if !wanted.is_empty() {
            quantities.load(&self.tree, self.games.annotations(place)?, *wanted);
        }
        let text = match self.needs_text {
            true => Some(self.games.text(place)?),
            false => None,
        };
        let start = match self.questions {
            Some(_) => self.snapshot.segment(segment).starts()?[local as usize],
            None => 0,
        };
        for (node, position) in positions {
            let mut owned = String::new();
            for field in &self.fields {
                owned.clear();
                let cell = match field {
                    Field::Game => number.into(),
                    Field::Position => node.into(),
                    Field::Length => Cell::from(self.tree.mainline_len() as u64 - 1),
                    Field::Quantity(quantity) => match quantities.get(*quantity, node) {
                        Some(value) => Cell::Integer(value.into()),
                        None => Cell::Missing,
                    },
                    Field::Sort(key, _) => found.map_or(Cell::Missing, |game| sort_value(game, *key, &mut owned)),
                    Field::Comment => found.map_or(Cell::Missing, |game| comments(game, node, &mut owned)),
                    Field::Database => self.questions.as_ref().map(|questions| questions.database).into(),
                    Field::Questions => match &mut self.questions {
                        Some(questions) => {
                            questions.names_of(segment, start + node, &mut owned);
                            Cell::Text(&owned)
                        }
                        None => Cell::Missing,
                    },
                    Field::Tag(name) => text.as_ref().and_then(|text| tag(text, name)).into(),
                    Field::Next => next_move(&self.tree, node)
                        .zip(position)
                        .map(|(next, position)| {
                            owned = position.board.san(next);
                            owned.as_str()
                        })
                        .into(),
                    field => match position.and_then(|position| of_position(field, position, &mut owned)) {
                        Some(cell) => cell,
                        None => headers.cell(field, local),
                    },
                };
                self.rows.push(cell);
            }
            if self.rows.is_full() {
                self.out.write(&self.rows)?;
                self.rows.clear();
            }
        }
        Ok(())
    }
}

impl MatchWriter for RowsWriter<'_> {
    fn game(&mut self, game: GameMatch) -> Result<()> {
        let positions = game.positions.iter().map(|position| (position.node, Some(position)));
        self.rows_of(game.number, positions, Some(&game))
    }

    fn finish(&mut self, _: &Summary) -> Result<()> {
        self.write_rows()?;
        Ok(self.out.finish()?)
    }

    fn flush(&mut self) -> Result<()> {
        self.write_rows()
    }
}

/// What a position says by itself; `None` if the field is about something else.
fn of_position<'a>(field: &Field, position: &Match, owned: &'a mut String) -> Option<Cell<'a>> {
    Some(match field {
        Field::Ply => position.ply.into(),
        Field::Side => side(position.board.turn()).into(),
        Field::Fen => {
            *owned = position.fen();
            Cell::Text(owned)
        }
        Field::Move => match position.last_move {
            Some(last) => {
                *owned = last.numbered_san(&position.board);
                Cell::Text(owned)
            }
            None => Cell::Missing,
        },
        _ => return None,
    })
}

/// The value of a sort key in a game.
fn sort_value<'a>(game: &GameMatch, key: usize, owned: &'a mut String) -> Cell<'a> {
    use evaluator::Value;
    let value = game.result.sorts.get(key).and_then(Option::as_ref);
    match value.map(|sort| &sort.value) {
        None => Cell::Missing,
        Some(Value::Number(number)) => Cell::Integer((*number).into()),
        Some(Value::Text(text)) => {
            owned.push_str(&String::from_utf8_lossy(text));
            Cell::Text(owned)
        }
        Some(other) => {
            *owned = other.to_string();
            Cell::Text(owned)
        }
    }
}

/// What the query says of a position in comments; its own words, not the marks that it leaves in a PGN.
fn comments<'a>(game: &GameMatch, node: u32, owned: &'a mut String) -> Cell<'a> {
    let of_node = game.result.comments.iter().filter(|comment| comment.node == node);
    let mut is_there = false;
    for comment in of_node.filter(|comment| comment.source == evaluator::CommentSource::User) {
        if is_there {
            owned.push(' ');
        }
        owned.push_str(&String::from_utf8_lossy(&comment.text));
        is_there = true;
    }
    match is_there {
        true => Cell::Text(owned),
        false => Cell::Missing,
    }
}

impl std::fmt::Debug for RowsWriter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RowsWriter")
            .field("fields", &self.fields)
            .finish_non_exhaustive()
    }
}
