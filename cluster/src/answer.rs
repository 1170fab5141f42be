//! Runs plans, here or on a cluster, and gives the rows of a query in its order, each once, whatever fails on the way.

use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion::arrow::array::{Array, BinaryArray, RecordBatch, StringArray};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::{ExecutionPlan, execute_stream};
use futures::StreamExt;

use crate::error::{Error, Result};
use crate::leaf::{Ask, RANK, SUMMARY};
use crate::manifest::Manifest;
use crate::place::Place;
use crate::remote::Cluster;
use crate::session::{config, merged, plan_query, plan_sql, session};
use crate::shards::Shards;
use crate::totals::Totals;

/// How long a cluster that has lost a process is asked again and again.
const PATIENCE: Duration = Duration::from_secs(60);

/// The time between.
const PAUSE: Duration = Duration::from_millis(250);

/// Who does the work.
#[derive(Clone, Debug)]
pub enum Runner {
    /// This process.
    Here(Arc<Shards>),
    /// A cluster.
    Cluster(Cluster),
}

impl Runner {
    fn shards(&self) -> Option<Arc<Shards>> {
        match self {
            Runner::Here(shards) => Some(Arc::clone(shards)),
            Runner::Cluster(_) => None,
        }
    }

    /// Runs a plan with a partition for each part of the answer. In a cluster the parts are fetched when all are complete.
    async fn run(&self, plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
        match self {
            Runner::Here(_) => Ok(plan),
            Runner::Cluster(cluster) => cluster.run(plan).await,
        }
    }

    /// What went wrong while an answer was read. Of a cluster the answer is complete by then, and only a process that has it
    /// can be gone.
    fn reading(&self, error: &datafusion::error::DataFusionError) -> Error {
        match self {
            Runner::Here(_) => Error::of_engine(error),
            Runner::Cluster(_) => Error::Lost(error.to_string()),
        }
    }

    /// Asks the shards that a place has now, and gives rows to `write`, without the columns that say where they stand.
    ///
    /// # Errors
    ///
    /// When a shard can't be asked, or `write` fails.
    pub async fn ask(&self, ask: Ask, write: &mut dyn FnMut(&RecordBatch) -> Result<()>) -> Result<Totals> {
        let manifest = Place::open(&ask.place)?.manifest().await?;
        self.ask_of(ask, &manifest, write).await
    }

    /// The same of the shards of a manifest.
    ///
    /// # Errors
    ///
    /// As [`Runner::ask`].
    pub async fn ask_of(
        &self,
        mut ask: Ask,
        manifest: &Manifest,
        write: &mut dyn FnMut(&RecordBatch) -> Result<()>,
    ) -> Result<Totals> {
        if ask.shape.has_order() {
            ask.columns.insert(0, RANK.to_owned());
        }
        let shape = ask.shape;
        let mut left = ask.limit.unwrap_or(u64::MAX);
        // The rank of the last row that was written: whatever is asked again, rows up to it are not written again.
        let mut last: Vec<u8> = Vec::new();
        let mut patience = Patience::default();
        loop {
            let plan = plan_query(ask.clone(), manifest, self.shards())?;
            let mut totals = Totals::default();
            let read = async {
                let mut batches = read(merged(self.run(plan).await?, shape)?)?;
                while let Some(batch) = batches.next().await {
                    let batch = batch.map_err(|error| self.reading(&error))?;
                    let rows = Parts::of(&batch)?.rows(&mut totals, &mut last, &mut left)?;
                    if let Some(rows) = rows {
                        write(&rows)?;
                    }
                }
                Ok(())
            };
            match read.await {
                Ok(()) => {
                    totals.missing.sort_by_key(|missing| missing.first);
                    return Ok(totals);
                }
                Err(error) if patience.bears(&error) => tokio::time::sleep(PAUSE).await,
                Err(error) => return Err(error),
            }
        }
    }

    /// The whole answer to a statement of SQL.
    ///
    /// # Errors
    ///
    /// When it is none, or a shard can't be asked.
    pub async fn sql(&self, statement: &str) -> Result<(datafusion::arrow::datatypes::SchemaRef, Vec<RecordBatch>)> {
        let context = session(self.shards());
        let mut patience = Patience::default();
        loop {
            let plan = plan_sql(&context, statement).await?;
            let schema = plan.schema();
            let read = async {
                let mut batches = read(self.run(plan).await?)?;
                let mut all = Vec::new();
                while let Some(batch) = batches.next().await {
                    all.push(batch.map_err(|error| self.reading(&error))?);
                }
                Ok(all)
            };
            match read.await {
                Ok(all) => return Ok((schema, all)),
                Err(error) if patience.bears(&error) => tokio::time::sleep(PAUSE).await,
                Err(error) => return Err(error),
            }
        }
    }

    /// How a statement of SQL is run.
    ///
    /// # Errors
    ///
    /// When it is none.
    pub async fn explain(&self, statement: &str) -> Result<String> {
        let plan = plan_sql(&session(self.shards()), statement).await?;
        Ok(datafusion::physical_plan::displayable(plan.as_ref())
            .indent(false)
            .to_string())
    }
}

/// Runs a plan in this process.
fn read(plan: Arc<dyn ExecutionPlan>) -> Result<SendableRecordBatchStream> {
    let context = TaskContext::default().with_session_config(config());
    Ok(execute_stream(plan, Arc::new(context))?)
}

/// How long something that has failed is tried again.
#[derive(Debug, Default)]
struct Patience {
    /// When something was first lost.
    first: Option<Instant>,
}

impl Patience {
    /// Whether the same should be asked again. A scheduler that was never there is not waited for.
    fn bears(&mut self, error: &Error) -> bool {
        match error {
            Error::Lost(_) => self.first.get_or_insert_with(Instant::now).elapsed() < PATIENCE,
            Error::Unreachable(_) => self.first.is_some_and(|first| first.elapsed() < PATIENCE),
            _ => false,
        }
    }
}

/// The columns of a batch that say where its rows stand, and the others.
struct Parts<'b> {
    batch: &'b RecordBatch,
    ranks: Option<&'b BinaryArray>,
    summaries: &'b StringArray,
}

impl<'b> Parts<'b> {
    fn of(batch: &'b RecordBatch) -> Result<Parts<'b>> {
        let ranks = batch
            .column_by_name(RANK)
            .and_then(|column| column.as_any().downcast_ref());
        let summaries = batch
            .column_by_name(SUMMARY)
            .and_then(|column| column.as_any().downcast_ref());
        Ok(Parts {
            batch,
            ranks,
            summaries: summaries.ok_or_else(|| Error::Engine("the answer has no totals".to_owned()))?,
        })
    }

    /// The rows that are new, up to the limit; totals are added up.
    fn rows(&self, totals: &mut Totals, last: &mut Vec<u8>, left: &mut u64) -> Result<Option<RecordBatch>> {
        for text in self.summaries.iter().flatten() {
            let more: Totals = serde_json::from_str(text)
                .map_err(|error| Error::Engine(format!("the totals of a shard can't be read: {error}")))?;
            totals.add(more);
        }
        let Some(ranks) = self.ranks else { return Ok(None) };
        // Rows come in their order, totals behind them.
        let known = ranks
            .iter()
            .take_while(|rank| rank.is_some_and(|rank| rank <= last.as_slice()))
            .count();
        let known_or_new = ranks.iter().take_while(Option::is_some).count();
        let new = (known_or_new - known).min(usize::try_from(*left).unwrap_or(usize::MAX));
        if new == 0 {
            return Ok(None);
        }
        last.clear();
        last.extend(ranks.value(known + new - 1));
        *left -= new as u64;
        let schema = self.batch.schema();
        let kept = schema.fields().iter().enumerate().filter_map(|(place, field)| {
            let is_own = field.name() != RANK && field.name() != SUMMARY;
            is_own.then_some(place)
        });
        let kept: Vec<usize> = kept.collect();
        let rows = self
            .batch
            .project(&kept)
            .map_err(datafusion::error::DataFusionError::from)?;
        Ok(Some(rows.slice(known, new)))
    }
}
