//! Matches as batches of Arrow, made while the search goes on, on a thread beside it.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use cqldex::{
    Cancel, Columns, Database, Error, MatchWriter, Progress, Query, RowWriter, Rows, RowsWriter, SearchOptions, Sorted,
};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use pyo3::prelude::*;

use crate::arrow::Reader;
use crate::errors::OrRaise;
use crate::local::Local;
use crate::waiting;
use crate::watch::Watch;

/// How many batches may wait to be taken.
pub(crate) const WAITING: usize = 64;

/// How long signals may wait to be seen.
const TICK: Duration = Duration::from_millis(20);

/// What a search is about to write.
pub(crate) struct Writing {
    pub(crate) database: Arc<Local<Database>>,
    pub(crate) query: Query,
    pub(crate) columns: Columns,
    pub(crate) options: SearchOptions,
}

/// Batches that a search makes.
pub(crate) struct Batches {
    schema: SchemaRef,
    receiver: Receiver<cqldex::Result<RecordBatch>>,
    /// Those that were taken before somebody reads them.
    first: VecDeque<RecordBatch>,
    cancel: Cancel,
    is_over: bool,
}

impl Batches {
    /// Starts a search.
    pub(crate) fn started(py: Python<'_>, writing: Writing) -> PyResult<Batches> {
        let schema = cqldex::schema(writing.columns.columns());
        let (sender, receiver) = crossbeam_channel::bounded(WAITING);
        let cancel = writing.options.cancel.clone();
        let sink = Sink {
            schema: Arc::clone(&schema),
            sender: sender.clone(),
        };
        let work = move || {
            if let Err(error) = write(&writing, sink) {
                // Who has gone away does not need it.
                let _ = sender.send(Err(error));
            }
        };
        let spawned = thread::Builder::new().name("cqldex-rows".to_owned()).spawn(work);
        spawned.map_err(Error::Output).or_raise(py)?;
        Ok(Batches {
            schema,
            receiver,
            first: VecDeque::new(),
            cancel,
            is_over: false,
        })
    }

    /// Takes the first batches: at most so many, if there is a bound. Here an error is an exception, and Ctrl-C ends the
    /// search; whoever reads a stream of Arrow sees no more than a text, and may not look for signals.
    pub(crate) fn gather(
        mut self,
        py: Python<'_>,
        most: Option<usize>,
        (watch, progress): (&Watch, &Progress),
    ) -> PyResult<Reader> {
        while !self.is_over && most.is_none_or(|most| self.first.len() < most) {
            match py.detach(|| self.receiver.recv_timeout(TICK)) {
                Ok(batch) => self.first.push_back(batch.or_raise(py)?),
                Err(RecvTimeoutError::Disconnected) => self.is_over = true,
                Err(RecvTimeoutError::Timeout) => {
                    py.check_signals()?;
                    waiting::tell(py, watch, progress)?;
                }
            }
        }
        Ok(Box::new(self))
    }
}

/// Searches and writes all rows.
fn write(writing: &Writing, sink: Sink) -> cqldex::Result<()> {
    let Writing {
        database,
        query,
        columns,
        options,
    } = writing;
    let Ok(database) = database.get() else { return Ok(()) };
    let limit = options.limit;
    let mut rows = RowsWriter::to(Box::new(sink), columns, database);
    if columns.need_boards() || query.is_sorted() {
        let is_sorted = query.is_sorted();
        let options = SearchOptions {
            detail: if is_sorted {
                cqldex::Detail::Results
            } else {
                columns.detail()
            },
            // The order is known only at the end.
            limit: limit.filter(|_| !is_sorted),
            stop_at_limit: !is_sorted && limit.is_some(),
            ..options.clone()
        };
        let matches = database.search(query, options);
        Sorted::new(rows, query, limit).write_matches(matches)?;
        return Ok(());
    }
    // The numbers of games and positions are enough: no game has to be opened.
    let options = SearchOptions {
        detail: cqldex::Detail::Count,
        collect: true,
        limit: None,
        ..options.clone()
    };
    let found = database.search(query, options).found()?;
    if let Some(positions) = &found.positions {
        rows.positions(positions, limit, None)?;
    }
    rows.finish(&found.summary)
}

/// Passes batches on.
struct Sink {
    schema: SchemaRef,
    sender: Sender<cqldex::Result<RecordBatch>>,
}

impl RowWriter for Sink {
    fn write(&mut self, rows: &Rows) -> io::Result<()> {
        let batch = cqldex::record_batch(&self.schema, rows)?;
        let sent = self.sender.send(Ok(batch));
        sent.map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))
    }

    fn finish(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// It runs in the thread of whoever reads, which may have the interpreter or not: nothing of Python can be used here.
impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        if let Some(batch) = self.first.pop_front() {
            return Some(Ok(batch));
        }
        if self.is_over {
            return None;
        }
        let next = self.receiver.recv().ok();
        self.is_over = !matches!(next, Some(Ok(_)));
        Some(next?.map_err(|error| ArrowError::ExternalError(error.to_string().into())))
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl Drop for Batches {
    /// Nobody wants the rest.
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}
