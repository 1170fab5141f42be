//! Matches as the page shows them.

use cqldex::{Color, Game, GameHeader, GameReader, MoveKind, PackedMove, Position, Query, Square, Squares};
use serde_json::{Value, json};

use super::problem::Problem;

/// Reads matching positions of a database.
#[derive(Debug)]
pub(crate) struct MatchReader<'q> {
    reader: GameReader,
    query: Option<(&'q Query, Option<bool>)>,
    /// Made when the first match is read.
    squares: Option<Squares<'q>>,
    marks_reader: Option<GameReader>,
}

impl<'q> MatchReader<'q> {
    /// `query` is the one whose squares are marked, and whether variations are searched.
    pub(crate) fn new(reader: GameReader, query: Option<(&'q Query, Option<bool>)>) -> MatchReader<'q> {
        MatchReader {
            marks_reader: query.map(|_| reader.again()),
            reader,
            query,
            squares: None,
        }
    }

    /// Matches of one game; `index` is the number of the first in the answer, `sort` what the game is sorted by.
    pub(crate) fn read(
        &mut self,
        index: usize,
        number: u64,
        nodes: &[u32],
        sort: &[Option<String>],
    ) -> Result<Vec<Value>, Problem> {
        let Some(game) = self.reader.game(number)? else {
            return Ok(Vec::new());
        };
        let marks = self.marks(number, nodes)?;
        let about = header(game.header());
        let matched = (index..).zip(nodes).enumerate().filter_map(|(place, (index, &node))| {
            let mut value = position(&game, game.position(node)?);
            let object = value.as_object_mut()?;
            object.insert("index".to_owned(), json!(index));
            object.insert("game".to_owned(), json!(number));
            object.extend(about.as_object().cloned().unwrap_or_default());
            if let Some(marks) = &marks {
                object.insert("marks".to_owned(), json!(squares(marks[place])));
            }
            if !sort.is_empty() {
                object.insert("sort".to_owned(), json!(sort));
            }
            Some(value)
        });
        Ok(matched.collect())
    }

    /// The marked squares of positions of a game, if they are wanted.
    pub(crate) fn marks(&mut self, number: u64, nodes: &[u32]) -> Result<Option<Vec<u64>>, Problem> {
        if let (Some((query, variations)), Some(reader)) = (self.query, self.marks_reader.take()) {
            self.squares = Some(Squares::new(query, reader, variations));
        }
        match &mut self.squares {
            Some(squares) => Ok(Some(squares.marks(number, nodes)?)),
            None => Ok(None),
        }
    }
}

fn position(game: &Game, position: Position<'_>) -> Value {
    let (from, to) = squares_of(position.last_move());
    debug_assert!(position.id() < u32::try_from(game.positions().len()).unwrap_or(u32::MAX));
    json!({
        "position": position.id(),
        "ply": position.ply(),
        "fen": position.fen(),
        "move": position.numbered_san(),
        "from": from,
        "to": to,
        "variation": position.depth() > 0,
    })
}

/// What is shown of a game's header.
pub(crate) fn header(header: &GameHeader) -> Value {
    json!({
        "white": header.white,
        "black": header.black,
        "whiteRating": header.white_rating,
        "blackRating": header.black_rating,
        "event": header.event,
        "year": header.date.year,
        "result": header.outcome.result(),
        "eco": header.eco,
    })
}

/// From where to where a move goes; of castling, how the king goes.
pub(crate) fn squares_of(played: Option<PackedMove>) -> (Option<String>, Option<String>) {
    let Some(played) = played else { return (None, None) };
    let (from, to) = (played.from(), played.to());
    match played.kind() {
        MoveKind::Null => (None, None),
        MoveKind::Castle => {
            let file = if to > from { 'g' } else { 'c' };
            let rank = from.to_string().pop().unwrap_or('1');
            (Some(from.to_string()), Some(format!("{file}{rank}")))
        }
        _ => (Some(from.to_string()), Some(to.to_string())),
    }
}

/// The names of squares, a bit for each.
pub(crate) fn squares(bits: u64) -> Vec<String> {
    let all = Square::ALL.into_iter();
    all.filter(|&square| bits >> u32::from(square) & 1 != 0)
        .map(|square| square.to_string())
        .collect()
}

/// `white` or `black`.
pub(crate) fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
