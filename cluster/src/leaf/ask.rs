//! The question for one shard, as it is sent to the executor that has the shard.

use std::sync::Arc;

use cqldex::{Columns, Query, QueryOptions};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The column with the place of a row in the order of the query: bytes, the least first.
pub(crate) const RANK: &str = "rank";

/// The column with the totals of a shard: one more row for each shard has them, as JSON, and nothing else.
pub(crate) const SUMMARY: &str = "summary";

/// What a shard is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ask {
    /// The name of the place with the shards.
    pub place: String,
    /// The text of the query.
    pub query: String,
    /// Filters on headers that games have to match as well.
    pub game_filters: Vec<String>,
    /// Whether variations are searched, if not as the query says.
    pub variations: Option<bool>,
    /// The columns that are wanted, in this order; [`RANK`] among them, too.
    pub columns: Vec<String>,
    /// How much is wanted.
    pub shape: Shape,
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
    /// The totals alone.
    Totals,
}

impl Ask {
    /// Asks all that a place has.
    pub fn new(place: &str, query: &str, shape: Shape) -> Ask {
        Ask {
            place: place.to_owned(),
            query: query.to_owned(),
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
        let own = cqldex::schema(self.own_columns(query)?.columns());
        let mut own = own.fields().iter().cloned();
        let mut fields = Vec::new();
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
