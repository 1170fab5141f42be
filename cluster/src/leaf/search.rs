//! How a shard answers: batches of Arrow, one after the other.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use cqldex::{
    Cancel, Columns, CountOptions, Database, Detail, GameMatch, MatchWriter, Query, RowWriter, Rows, RowsWriter,
    SearchOptions, Sorted, Summary,
};
use datafusion::arrow::array::{ArrayRef, BinaryArray, RecordBatch, RecordBatchOptions, StringArray, new_null_array};
use datafusion::arrow::datatypes::SchemaRef;

use super::ask::{Ask, RANK, SUMMARY, Shape};
use crate::error::Result;
use crate::totals::{Totals, groups_of};

/// Takes batches; an error says that nobody wants more.
pub(super) type Take<'t> = dyn FnMut(RecordBatch) -> io::Result<()> + Send + 't;

/// A batch of rows without columns has at most this many.
const MOST: u64 = 1 << 30;

/// A search of one shard.
#[derive(Debug)]
pub(super) struct ShardSearch<'s> {
    pub(super) ask: &'s Ask,
    pub(super) query: &'s Query,
    pub(super) schema: &'s SchemaRef,
    pub(super) database: &'s Database,
    pub(super) cancel: &'s Cancel,
}

impl ShardSearch<'_> {
    /// Gives what the shard has to say.
    pub(super) fn run(&self, take: &mut Take<'_>) -> Result<()> {
        match self.ask.shape {
            Shape::Totals => {
                let totals = self.totals()?;
                self.tell(&totals, take)
            }
            Shape::Games => {
                let summary = self.games(take)?;
                self.tell(&Totals::of(&summary), take)
            }
            Shape::Report => {
                let summary = self.report(take)?;
                self.tell(&Totals::of(&summary), take)
            }
            Shape::Rows if self.ask.columns.is_empty() => self.number(take),
            Shape::Rows => self.rows(take),
        }
    }

    pub(super) fn options(&self, detail: Detail) -> SearchOptions {
        SearchOptions {
            variations: self.ask.variations,
            detail,
            cancel: self.cancel.clone(),
            // Shards are not changed, and what is kept beside them would not be counted in the cache.
            kept_answers: None,
            ..SearchOptions::default()
        }
    }

    fn count(&self) -> Result<Summary> {
        Ok(self
            .database
            .search(self.query, self.options(Detail::Count))
            .summary()?)
    }

    /// The totals, with the groups that are asked for.
    fn totals(&self) -> Result<Totals> {
        let by = self.ask.groups()?;
        if by.is_empty() {
            return Ok(Totals::of(&self.count()?));
        }
        let options = SearchOptions {
            collect: true,
            ..self.options(Detail::Count)
        };
        let found = self.database.search(self.query, options).found()?;
        let mut totals = Totals::of(&found.summary);
        if let Some(positions) = &found.positions {
            let options = CountOptions {
                variations: self.ask.variations.unwrap_or(self.query.header().variations),
                cancel: self.cancel.clone(),
                ..CountOptions::default()
            };
            totals.groups = groups_of(&self.database.counts(positions, &by, &options)?);
        }
        Ok(totals)
    }

    /// A row with the totals.
    fn tell(&self, totals: &Totals, take: &mut Take<'_>) -> Result<()> {
        Ok(take(totals_batch(self.schema, totals)?).map_err(cqldex::Error::Output)?)
    }

    /// As many rows without columns as positions match: nothing but their number travels.
    fn number(&self, take: &mut Take<'_>) -> Result<()> {
        let positions = self.count()?.positions;
        let mut left = self.ask.limit.unwrap_or(u64::MAX).min(positions);
        while left > 0 {
            let rows = left.min(MOST);
            let options = RecordBatchOptions::new().with_row_count(usize::try_from(rows).ok());
            let batch = RecordBatch::try_new_with_options(Arc::clone(self.schema), Vec::new(), &options);
            let batch = batch.map_err(|error| cqldex::Error::Output(io::Error::other(error)))?;
            take(batch).map_err(cqldex::Error::Output)?;
            left -= rows;
        }
        Ok(())
    }

    /// All rows, in the order of the shard.
    fn rows(&self, take: &mut Take<'_>) -> Result<()> {
        let columns = self.ask.own_columns(self.query)?;
        if self.ask.columns.iter().any(|name| name == RANK) || columns.need_boards() {
            self.write(&columns, self.ask.limit, self.ask.limit.is_some(), take)?;
            return Ok(());
        }
        // The numbers of games and positions are enough: no game has to be opened.
        let options = SearchOptions {
            collect: true,
            ..self.options(Detail::Count)
        };
        let found = self.database.search(self.query, options).found()?;
        let Some(positions) = &found.positions else {
            return Ok(());
        };
        let ranks = Ranks::default();
        let mut rows = RowsWriter::to(Box::new(self.sink(&columns, &ranks, take)), &columns, self.database);
        rows.positions(positions, self.ask.limit, None)?;
        Ok(rows.finish(&found.summary)?)
    }

    /// All rows in the order of the query, up to the limit. All matches are counted.
    fn report(&self, take: &mut Take<'_>) -> Result<Summary> {
        let columns = self.ask.own_columns(self.query)?;
        self.write(&columns, self.ask.limit, false, take)
    }

    fn write(&self, columns: &Columns, limit: Option<u64>, stops: bool, take: &mut Take<'_>) -> Result<Summary> {
        let has_rank = self.ask.columns.iter().any(|name| name == RANK);
        let is_sorted = self.query.is_sorted();
        let detail = match is_sorted && has_rank {
            true => Detail::Results,
            false => columns.detail(),
        };
        // The order is known only at the end.
        let waits = is_sorted && self.ask.shape == Shape::Report;
        let options = SearchOptions {
            limit: limit.filter(|_| !waits),
            stop_at_limit: stops && !waits,
            ..self.options(detail)
        };
        let ranks = Ranks::default();
        let rows = RowsWriter::to(Box::new(self.sink(columns, &ranks, take)), columns, self.database);
        let ranked = Ranked {
            query: self.query,
            ranks: has_rank.then_some(&ranks),
            left: limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX)),
            inner: rows,
        };
        let matches = self.database.search(self.query, options);
        Ok(match waits {
            true => Sorted::new(ranked, self.query, None).write_matches(matches)?,
            false => { ranked }.write_matches(matches)?,
        })
    }

    fn sink<'t>(
        &'t self,
        columns: &Columns,
        ranks: &Ranks,
        take: &'t mut (dyn FnMut(RecordBatch) -> io::Result<()> + Send),
    ) -> Sink<'t> {
        Sink {
            own: cqldex::schema(columns.columns()),
            search: Wanted {
                columns: &self.ask.columns,
                schema: self.schema,
            },
            ranks: ranks.clone(),
            take,
        }
    }
}

/// A row with totals.
pub(super) fn totals_batch(schema: &SchemaRef, totals: &Totals) -> Result<RecordBatch> {
    let text = serde_json::to_string(totals).unwrap_or_default();
    let columns = schema.fields().iter().map(|field| -> ArrayRef {
        match field.name() == SUMMARY {
            true => Arc::new(StringArray::from(vec![text.as_str()])),
            false => new_null_array(field.data_type(), 1),
        }
    });
    let batch = RecordBatch::try_new(Arc::clone(schema), columns.collect());
    Ok(batch.map_err(|error| cqldex::Error::Output(io::Error::other(error)))?)
}

/// The ranks of rows that are about to be written.
#[derive(Clone, Debug, Default)]
struct Ranks(Arc<Mutex<VecDeque<Vec<u8>>>>);

impl Ranks {
    fn push(&self, ranks: impl Iterator<Item = Vec<u8>>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(ranks);
    }

    fn take(&self, rows: usize) -> Vec<Vec<u8>> {
        let mut ranks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = rows.min(ranks.len());
        ranks.drain(..rows).collect()
    }
}

/// Notes the rank of each row before it is written.
struct Ranked<'q, W> {
    query: &'q Query,
    ranks: Option<&'q Ranks>,
    /// How many rows are still wanted.
    left: usize,
    inner: W,
}

impl<W: MatchWriter> MatchWriter for Ranked<'_, W> {
    fn game(&mut self, mut game: GameMatch) -> cqldex::Result<()> {
        if self.left == 0 {
            return Ok(());
        }
        // The number of matches is a part of the rank.
        let rank = self.query.rank(&game);
        game.positions.truncate(self.left);
        self.left -= game.positions.len();
        if let Some(ranks) = self.ranks {
            let key = self.query.order_key(&rank);
            // Positions of a game come in their order.
            ranks.push((0..).take(game.positions.len()).map(|place: u32| {
                let mut rank = key.clone();
                rank.extend(place.to_be_bytes());
                rank
            }));
        }
        self.inner.game(game)
    }

    fn finish(&mut self, summary: &Summary) -> cqldex::Result<()> {
        self.inner.finish(summary)
    }

    fn flush(&mut self) -> cqldex::Result<()> {
        self.inner.flush()
    }
}

/// What is wanted of each row.
struct Wanted<'t> {
    columns: &'t [String],
    schema: &'t SchemaRef,
}

/// Makes batches of rows and passes them on.
struct Sink<'t> {
    own: SchemaRef,
    search: Wanted<'t>,
    ranks: Ranks,
    take: &'t mut (dyn FnMut(RecordBatch) -> io::Result<()> + Send),
}

impl RowWriter for Sink<'_> {
    fn write(&mut self, rows: &Rows) -> io::Result<()> {
        let own = cqldex::record_batch(&self.own, rows)?;
        let mut own_columns = own.columns().iter();
        let ranks = self.ranks.take(rows.len());
        let mut columns: Vec<ArrayRef> = Vec::new();
        for name in self.search.columns {
            match name.as_str() {
                RANK => columns.push(Arc::new(BinaryArray::from_iter_values(&ranks))),
                _ => columns.extend(own_columns.next().cloned()),
            }
        }
        let fields = self.search.schema.fields();
        for field in &fields[columns.len()..] {
            columns.push(new_null_array(field.data_type(), rows.len()));
        }
        let batch = RecordBatch::try_new(Arc::clone(self.search.schema), columns).map_err(io::Error::other)?;
        (self.take)(batch)
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}
