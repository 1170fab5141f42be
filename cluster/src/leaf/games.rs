//! How a shard answers with the texts of games.

use std::io::{self, Write};
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use cqldex::{Detail, GameMatch, MatchWriter, PgnWriter, Query, Sorted, Summary};
use datafusion::arrow::array::{BinaryArray, RecordBatch, new_null_array};
use datafusion::arrow::datatypes::{DataType, SchemaRef};

use super::search::{ShardSearch, Take};
use crate::error::Result;

/// A batch is passed on when its texts have this number of bytes.
const BATCH: usize = 1 << 20;

impl ShardSearch<'_> {
    /// The texts of the matching games, in the order of the query.
    pub(super) fn games(&self, take: &mut Take<'_>) -> Result<Summary> {
        let text = Text::default();
        let mut games = Games {
            query: self.query,
            schema: self.schema,
            pgn: PgnWriter::new(text.clone(), self.database, self.query, self.ask.pgn(self.query)),
            text,
            waiting: Vec::new(),
            bytes: 0,
            take,
        };
        let matches = self.database.search(self.query, self.options(Detail::Results));
        Ok(match self.query.is_sorted() {
            true => Sorted::new(games, self.query, None).write_matches(matches)?,
            false => games.write_matches(matches)?,
        })
    }
}

/// What is written, until it is taken.
#[derive(Clone, Debug, Default)]
struct Text(Arc<Mutex<Vec<u8>>>);

impl Text {
    fn take(&self) -> Vec<u8> {
        mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Makes batches of games and passes them on.
struct Games<'t> {
    query: &'t Query,
    schema: &'t SchemaRef,
    pgn: PgnWriter<Text>,
    text: Text,
    /// The ranks and texts of games that were not yet passed on.
    waiting: Vec<(Vec<u8>, Vec<u8>)>,
    bytes: usize,
    take: &'t mut (dyn FnMut(RecordBatch) -> io::Result<()> + Send),
}

impl Games<'_> {
    fn pass_on(&mut self) -> cqldex::Result<()> {
        self.bytes = 0;
        let (ranks, texts): (Vec<_>, Vec<_>) = mem::take(&mut self.waiting).into_iter().unzip();
        if ranks.is_empty() {
            return Ok(());
        }
        let columns = vec![
            Arc::new(BinaryArray::from_iter_values(&ranks)) as _,
            Arc::new(BinaryArray::from_iter_values(&texts)) as _,
            new_null_array(&DataType::Utf8, ranks.len()),
        ];
        let batch = RecordBatch::try_new(Arc::clone(self.schema), columns).map_err(io::Error::other);
        batch
            .and_then(|batch| (self.take)(batch))
            .map_err(cqldex::Error::Output)
    }
}

impl MatchWriter for Games<'_> {
    fn game(&mut self, game: GameMatch) -> cqldex::Result<()> {
        let rank = self.query.order_key(&self.query.rank(&game));
        self.pgn.game(game)?;
        let text = self.text.take();
        self.bytes += text.len();
        self.waiting.push((rank, text));
        match self.bytes >= BATCH {
            true => self.pass_on(),
            false => Ok(()),
        }
    }

    fn finish(&mut self, _: &Summary) -> cqldex::Result<()> {
        self.pass_on()
    }

    fn flush(&mut self) -> cqldex::Result<()> {
        Ok(())
    }
}
