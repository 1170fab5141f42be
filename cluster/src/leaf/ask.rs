//! The question for one shard, as it is sent to the executor that has the shard.

use std::sync::Arc;

use cqldex::{By, Columns, Dialect, PgnOptions, Query, QueryOptions};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The column with the place of a row in the order of the query: bytes, the least first.
pub(crate) const RANK: &str = "rank";

/// The column with the totals of a shard: one more row for each shard has them, as JSON, and nothing else.
pub(crate) const SUMMARY: &str = "summary";

/// The column with the text of a game.
pub(crate) const TEXT: &str = "text";

/// What a shard is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// The name of the place with the shards.
    pub place: String,
    /// The text of the query.
    pub query: String,
    /// The dialect of the text.
    #[serde(with = "dialect")]
    pub dialect: Dialect,
    /// Filters on headers that games have to match as well.
    pub game_filters: Vec<String>,
    /// Whether variations are searched, if not as the query says.
    pub variations: Option<bool>,
    /// The columns that are wanted, in this order; [`RANK`] among them, too.
    pub columns: Vec<String>,
    /// How much is wanted.
    pub shape: Shape,
    /// By what games and positions are counted, with the totals: names, as the library has them, `square` among them.
    pub by: Vec<String>,
    /// The set whose squares are counted, as a query.
    pub by_square: Option<String>,
    /// Whether games are written in UTF-8 and as a whole, and not as CQL 6.2 does.
    pub utf8: bool,
    /// At most this many rows of each shard are wanted.
    pub limit: Option<u64>,
    /// Whether a shard that can't be searched is told in its totals, instead of being an error.
    pub partial: bool,
}

/// How much of an answer is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// A row for each matching position, in any order.
    Rows,
    /// The rows in the order of the query, then a row with the totals of the shard.
    Report,
    /// The text of each matching game as PGN, in the order of the query, then a row with the totals of the shard.
    Games,
    /// The totals alone.
    Totals,
}

impl Shape {
    /// Whether rows come in the order of the query.
    pub(crate) fn has_order(self) -> bool {
        matches!(self, Shape::Report | Shape::Games)
    }
}

/// Dialects travel by their names.
mod dialect {
    use cqldex::Dialect;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde calls it like this")]
    pub(super) fn serialize<S: Serializer>(dialect: &Dialect, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(dialect.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Dialect, D::Error> {
        let name = String::deserialize(deserializer)?;
        let dialect = Dialect::ALL.into_iter().find(|dialect| dialect.name() == name);
        dialect.ok_or_else(|| D::Error::custom(format!("there is no dialect {name}")))
    }
}

impl Ask {
    /// Asks all that a place has.
    pub fn new(place: &str, query: &str, shape: Shape) -> Ask {
        Ask {
            place: place.to_owned(),
            query: query.to_owned(),
            dialect: Dialect::Auto,
            by: Vec::new(),
            by_square: None,
            utf8: false,
            game_filters: Vec::new(),
            variations: None,
            columns: Vec::new(),
            shape,
            limit: None,
            partial: false,
        }
    }

    /// The query.
    ///
    /// # Errors
    ///
    /// When the text is none, or it can't be asked of shards.
    pub fn compile(&self) -> Result<Query> {
        let options = QueryOptions {
            dialect: self.dialect,
            game_filters: self.game_filters.clone(),
            ..QueryOptions::default()
        };
        let query = Query::parse_with(&self.query, &options)?;
        let refused = |why: &str| Err(Error::Unsupported(format!("the query can't be asked of shards: {why}")));
        if query.uses_files() {
            return refused("it reads or writes files");
        }
        if query.depends_on_earlier_games() {
            return refused("what it finds in a game depends on the games before it (persistent variables, messages)");
        }
        Ok(query)
    }

    /// By what games and positions are counted.
    ///
    /// # Errors
    ///
    /// When something is not known, or the set is none.
    pub fn groups(&self) -> Result<Vec<By>> {
        let mut squares = match &self.by_square {
            Some(text) => Some(By::squares(&Query::parse(text, Dialect::Auto)?)?),
            None => None,
        };
        let mut all = Vec::new();
        for name in &self.by {
            all.push(match (name.as_str(), squares.take()) {
                ("square", Some(squares)) => squares,
                (name, others) => {
                    squares = others;
                    By::named(name)?
                }
            });
        }
        all.extend(squares);
        Ok(all)
    }

    /// How games are written.
    pub(crate) fn pgn(&self, query: &Query) -> PgnOptions {
        let options = PgnOptions::of(query);
        match self.utf8 {
            true => PgnOptions {
                encoding: cqldex::Encoding::Utf8,
                buffer: None,
                ..options
            },
            false => options,
        }
    }

    /// The columns that come from the library.
    pub(crate) fn own_columns(&self, query: &Query) -> Result<Columns> {
        let names = self.columns.iter().map(String::as_str).filter(|name| *name != RANK);
        let mut names: Vec<&str> = names.collect();
        if names.is_empty() {
            // A table has at least one column.
            names.push("game");
        }
        Ok(Columns::named(names, query)?)
    }

    /// The columns of the answer.
    ///
    /// # Errors
    ///
    /// When there is no such column.
    pub fn schema(&self, query: &Query) -> Result<SchemaRef> {
        let mut fields = Vec::new();
        if self.shape == Shape::Games {
            let field = |name, kind| Arc::new(Field::new(name, kind, true));
            fields.extend([field(RANK, DataType::Binary), field(TEXT, DataType::Binary)]);
            fields.push(field(SUMMARY, DataType::Utf8));
            return Ok(Arc::new(Schema::new(fields)));
        }
        let own = cqldex::schema(self.own_columns(query)?.columns());
        let mut own = own.fields().iter().cloned();
        for name in &self.columns {
            match name.as_str() {
                RANK => fields.push(Arc::new(Field::new(RANK, DataType::Binary, true))),
                _ => fields.extend(own.next()),
            }
        }
        if self.shape != Shape::Rows {
            fields.push(Arc::new(Field::new(SUMMARY, DataType::Utf8, true)));
        }
        Ok(Arc::new(Schema::new(fields)))
    }
}
