//! The node of a plan that asks shards.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cqldex::{Cancel, Query};
use datafusion::arrow::array::{Array, RecordBatch, StringArray};
use datafusion::arrow::compute::SortOptions;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::error::{DataFusionError, Result as EngineResult};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr, PhysicalSortExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties, PlanProperties, ReplaceChildrenOptions,
};
use futures::{StreamExt, stream};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::ask::{Ask, RANK};
use super::search::{ShardSearch, totals_batch};
use crate::error::{Error, Result};
use crate::manifest::Shard;
use crate::place::Place;
use crate::shards::Shards;
use crate::tasks::unwanted;
use crate::totals::{Missing, Totals};

/// How many batches may wait to be taken.
const WAITING: usize = 4;

/// How long an error that may pass is kept back.
const PAUSE: Duration = Duration::from_millis(500);

/// Asks the shards that its input names.
///
/// Which shards these are comes as rows of a table in memory, one partition for each shard. The engine cuts such a table so
/// that every task has its own partitions, and moves them to another executor when one is lost. It would not cut a leaf
/// that it does not know, and every task would ask all shards.
#[derive(Debug)]
pub(crate) struct CqlExec {
    ask: Arc<Ask>,
    query: Query,
    /// Where shards are opened; nothing where a plan is only passed on.
    shards: Option<Arc<Shards>>,
    input: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
}

/// A table with a partition for each of some shards.
///
/// # Errors
///
/// When the engine does not take it.
pub(crate) fn shard_rows(shards: &[Shard]) -> Result<Arc<dyn ExecutionPlan>> {
    let schema = Arc::new(Schema::new(vec![Field::new("shard", DataType::Utf8, false)]));
    let mut partitions = Vec::new();
    for shard in shards {
        let text = serde_json::to_string(shard).unwrap_or_default();
        let column = Arc::new(StringArray::from(vec![text]));
        let batch = RecordBatch::try_new(Arc::clone(&schema), vec![column]).map_err(DataFusionError::from)?;
        partitions.push(vec![batch]);
    }
    Ok(MemorySourceConfig::try_new_exec(&partitions, schema, None)?)
}

/// The shards that a batch of such a table names.
pub(crate) fn shards_of(batch: &RecordBatch) -> Result<Vec<Shard>> {
    let column = batch
        .columns()
        .first()
        .and_then(|column| column.as_any().downcast_ref::<StringArray>());
    let Some(column) = column else {
        return Err(Error::Engine("the list of shards has no texts".to_owned()));
    };
    let shards = column.iter().flatten().map(serde_json::from_str);
    let shards = shards.collect::<Result<Vec<Shard>, _>>();
    shards.map_err(|error| Error::Engine(format!("the list of shards can't be read: {error}")))
}

impl CqlExec {
    /// Asks the shards that the input names.
    ///
    /// # Errors
    ///
    /// When the query is none, or there is no such column.
    pub(crate) fn new(ask: Arc<Ask>, shards: Option<Arc<Shards>>, input: Arc<dyn ExecutionPlan>) -> Result<CqlExec> {
        let query = ask.compile()?;
        let schema = ask.schema(&query)?;
        let mut equal = EquivalenceProperties::new(Arc::clone(&schema));
        if ask.shape.has_order() {
            equal.add_ordering(order(&schema)?);
        }
        let partitioning = input.output_partitioning().partition_count();
        let properties = PlanProperties::new(
            equal,
            datafusion::physical_plan::Partitioning::UnknownPartitioning(partitioning),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Ok(CqlExec {
            ask,
            query,
            shards,
            input,
            properties: Arc::new(properties),
        })
    }

    /// What is asked.
    pub(crate) fn ask(&self) -> &Ask {
        &self.ask
    }
}

/// The order of rows by their ranks; the totals come last.
pub(crate) fn order(schema: &SchemaRef) -> Result<Vec<PhysicalSortExpr>> {
    let place = schema.index_of(RANK).map_err(DataFusionError::from)?;
    let column: Arc<dyn PhysicalExpr> = Arc::new(Column::new(RANK, place));
    let options = SortOptions {
        descending: false,
        nulls_first: false,
    };
    Ok(vec![PhysicalSortExpr::new(column, options)])
}

impl DisplayAs for CqlExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ask {
            query,
            game_filters,
            columns,
            shape,
            limit,
            ..
        } = &*self.ask;
        write!(
            f,
            "CqlExec: query={query:?}, shape={shape:?}, columns=[{}]",
            columns.join(", ")
        )?;
        if !game_filters.is_empty() {
            write!(f, ", games=[{}]", game_filters.join(", "))?;
        }
        match limit {
            Some(limit) => write!(f, ", limit={limit}"),
            None => Ok(()),
        }
    }
}

impl ExecutionPlan for CqlExec {
    fn name(&self) -> &'static str {
        "CqlExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    /// Each shard is one piece of work; cutting the list of them anew gains nothing.
    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> EngineResult<TreeNodeRecursion>,
    ) -> EngineResult<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> EngineResult<Arc<dyn ExecutionPlan>> {
        let (Some(input), true) = (children.pop(), children.is_empty()) else {
            return Err(DataFusionError::Internal("CqlExec has one input".to_owned()));
        };
        let exec = CqlExec::new(Arc::clone(&self.ask), self.shards.clone(), input);
        Ok(Arc::new(exec.map_err(|error| error.for_engine())?))
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> EngineResult<Arc<dyn ExecutionPlan>> {
        let mode = datafusion::physical_plan::ChildrenPropertiesMode::Recompute;
        self.replace_children(children, ReplaceChildrenOptions::new(mode))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> EngineResult<SendableRecordBatchStream> {
        let Some(shards) = &self.shards else {
            return Err(DataFusionError::Internal(
                "shards are searched by executors only".to_owned(),
            ));
        };
        let input = self.input.execute(partition, Arc::clone(&context))?;
        let task = Task {
            ask: Arc::clone(&self.ask),
            query: self.query.clone(),
            schema: self.schema(),
            shards: Arc::clone(shards),
            cancel: Cancel::default(),
        };
        let (sender, receiver) = mpsc::channel(WAITING);
        // Whoever drops the stream ends the search.
        let guard = CancelOnDrop(task.cancel.clone());
        tokio::spawn(async move {
            tokio::select! {
                done = task.run(input, &sender) => if let Err(error) = done {
                    let _ = sender.send(Err(error)).await;
                },
                // Nobody waits for the answer: no shard is waited for or copied any more.
                () = sender.closed() => {}
                () = unwanted(&context) => {
                    task.cancel.cancel();
                    let error = DataFusionError::Execution("nobody waits for the answer".to_owned());
                    let _ = sender.send(Err(error)).await;
                }
            }
        });
        let batches = stream::unfold((receiver, guard), |(mut receiver, guard)| async move {
            let batch = receiver.recv().await?;
            Some((batch, (receiver, guard)))
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(self.schema(), batches)))
    }
}

/// Ends a search whose answer nobody waits for.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The searches of a partition.
struct Task {
    ask: Arc<Ask>,
    query: Query,
    schema: SchemaRef,
    shards: Arc<Shards>,
    cancel: Cancel,
}

type Sender = mpsc::Sender<EngineResult<RecordBatch>>;

impl Task {
    /// Asks the shards one after the other.
    async fn run(&self, mut input: SendableRecordBatchStream, sender: &Sender) -> EngineResult<()> {
        let own = |error: Error| error.for_engine();
        let place = Place::open(&self.ask.place).map_err(own)?;
        while let Some(batch) = input.next().await {
            for shard in shards_of(&batch?).map_err(own)? {
                let found = self.ask_shard(&place, &shard, sender).await;
                match found {
                    Err(error) if self.ask.partial && is_loss(&error) => {
                        let totals = Totals {
                            missing: vec![Missing {
                                first: shard.before + 1,
                                games: shard.games,
                                reason: error.to_string(),
                            }],
                            ..Totals::default()
                        };
                        let batch = totals_batch(&self.schema, &totals).map_err(own)?;
                        let _ = sender.send(Ok(batch)).await;
                    }
                    Err(error) => {
                        // What may pass is not tried again at once.
                        if error.is_passing() {
                            tokio::time::sleep(PAUSE).await;
                        }
                        return Err(error.for_engine());
                    }
                    Ok(()) => {}
                }
            }
        }
        Ok(())
    }

    /// Asks a shard. If its copy is damaged it is fetched anew, as long as nothing of the answer was given away.
    async fn ask_shard(&self, place: &Place, shard: &Shard, sender: &Sender) -> Result<()> {
        if sender.is_closed() {
            return Ok(());
        }
        let mut given = 0;
        match self.search(place, shard, sender, &mut given).await {
            Err(Error::Library(error)) if error.is_damage() && given == 0 && self.shards.forget(shard) => {
                self.search(place, shard, sender, &mut given).await
            }
            // The engine asks again, and then it is fetched anew.
            Err(Error::Library(error)) if error.is_damage() && given > 0 && self.shards.forget(shard) => {
                Err(Error::file(place.name())(io::Error::other(error)))
            }
            // Whoever does not take batches does not want more.
            Err(Error::Library(cqldex::Error::Output(error))) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Err(Error::Library(cqldex::Error::Cancelled)) if sender.is_closed() => Ok(()),
            found => found,
        }
    }

    async fn search(&self, place: &Place, shard: &Shard, sender: &Sender, given: &mut u64) -> Result<()> {
        let mut turn = Turn::new(self.shards.searches()).await;
        let database = self.shards.open(place, shard).await?;
        let (ask, query) = (Arc::clone(&self.ask), self.query.clone());
        let (schema, cancel) = (Arc::clone(&self.schema), self.cancel.clone());
        let sender = sender.clone();
        let started = Instant::now();
        let searched = tokio::task::spawn_blocking(move || {
            let mut sent = 0;
            let search = ShardSearch {
                ask: &ask,
                query: &query,
                schema: &schema,
                database: &database,
                cancel: &cancel,
            };
            let found = search.run(&mut |batch| {
                sent += 1;
                turn.send(&sender, batch)
            });
            (found, sent)
        });
        let (found, sent) = searched.await.map_err(|error| Error::Engine(error.to_string()))?;
        *given += sent;
        log::debug!(
            "shard {} took {:.3} ms",
            shard.id,
            1000.0 * started.elapsed().as_secs_f64()
        );
        found
    }
}

/// The right to search, which as many have at a time as there are threads.
struct Turn {
    searches: Arc<Semaphore>,
    permit: Option<OwnedSemaphorePermit>,
}

impl Turn {
    async fn new(searches: Arc<Semaphore>) -> Turn {
        let permit = Arc::clone(&searches).acquire_owned().await.ok();
        Turn { searches, permit }
    }

    /// Passes a batch on. Who has to wait for a reader lets others search in the meantime: the reader may be waiting for them.
    fn send(&mut self, sender: &Sender, batch: RecordBatch) -> io::Result<()> {
        let nobody = || io::Error::from(io::ErrorKind::BrokenPipe);
        match sender.try_send(Ok(batch)) {
            Ok(()) => Ok(()),
            Err(mpsc::error::TrySendError::Closed(_)) => Err(nobody()),
            Err(mpsc::error::TrySendError::Full(batch)) => {
                self.permit = None;
                sender.blocking_send(batch).map_err(|_| nobody())?;
                let searches = Arc::clone(&self.searches);
                self.permit = Handle::current().block_on(searches.acquire_owned()).ok();
                Ok(())
            }
        }
    }
}

/// Whether a shard is lost, and not only out of reach for now.
fn is_loss(error: &Error) -> bool {
    match error {
        Error::MissingShard { .. } | Error::DamagedShard { .. } => true,
        Error::Library(error) => error.is_damage(),
        _ => false,
    }
}
