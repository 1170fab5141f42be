//! What executors have found: the parts of an answer, fetched from the executors that have them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ballista_core::client::BallistaClient;
use ballista_core::error::BallistaError;
use ballista_core::serde::protobuf::{ExecutorMetadata, PartitionLocation};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::error::{DataFusionError, Result as EngineResult};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use futures::{TryStreamExt, stream};
use tokio::sync::OnceCell;

use crate::error::Result;
use crate::security::Security;
use crate::session::MESSAGE;

/// How often a batch is fetched again when the connection breaks, and the time between.
const FETCHES: u8 = 3;
const BETWEEN_FETCHES: u64 = 200;

/// A part of at most this many bytes is fetched at once, over a connection that it shares with others. A larger one has a
/// connection of its own: its reader may have to wait for others, and nothing must wait behind it.
const SMALL: i64 = 1 << 20;

/// A plan that fetches parts of an answer: a partition for each part that has rows.
///
/// # Errors
///
/// When the engine does not take it.
pub(crate) fn fetched(
    schema: SchemaRef,
    parts: Vec<PartitionLocation>,
    security: &Security,
) -> Result<Arc<dyn ExecutionPlan>> {
    let executors = Arc::new(Executors {
        security: security.clone(),
        connections: Mutex::default(),
    });
    let parts = parts.into_iter().filter(|part| {
        let stats = part.partition_stats.as_ref();
        stats.is_none_or(|stats| stats.num_rows != 0)
    });
    let parts = parts.map(|location| -> Arc<dyn PartitionStream> {
        Arc::new(Part {
            schema: Arc::clone(&schema),
            location,
            executors: Arc::clone(&executors),
        })
    });
    let parts = parts.collect();
    let exec = StreamingTableExec::try_new(Arc::clone(&schema), parts, None, [], false, None)?;
    Ok(Arc::new(exec))
}

/// A part of an answer.
#[derive(Debug)]
struct Part {
    schema: SchemaRef,
    location: PartitionLocation,
    executors: Arc<Executors>,
}

impl PartitionStream for Part {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let (executors, location) = (Arc::clone(&self.executors), self.location.clone());
        let rows = stream::once(async move { executors.fetch(location).await });
        Box::pin(RecordBatchStreamAdapter::new(
            Arc::clone(&self.schema),
            rows.try_flatten(),
        ))
    }
}

/// The executors that have parts, and the connections to them.
#[derive(Debug)]
struct Executors {
    security: Security,
    connections: Mutex<HashMap<String, Arc<OnceCell<Connection>>>>,
}

/// A connection to an executor.
#[derive(Clone)]
struct Connection(BallistaClient);

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Connection")
    }
}

impl Executors {
    async fn fetch(&self, part: PartitionLocation) -> EngineResult<SendableRecordBatchStream> {
        let layout = part.layout();
        let lost = |what: &str| DataFusionError::Internal(format!("the scheduler does not say {what}"));
        let executor = part
            .executor_meta
            .ok_or_else(|| lost("where a part of the answer is"))?;
        let id = part
            .partition_id
            .ok_or_else(|| lost("which part of the answer it is"))?
            .into();
        let port = u16::try_from(executor.port).map_err(|_| lost("the port of an executor"))?;
        let is_small = part
            .partition_stats
            .is_some_and(|stats| (0..=SMALL).contains(&stats.num_bytes));
        let failed = |error: BallistaError| {
            DataFusionError::Execution(format!(
                "the executor at {}:{port} can't be reached: {error}",
                executor.host
            ))
        };
        let connection = match is_small {
            true => self.shared(&executor, port).await,
            false => self.connect(&executor, port).await,
        };
        let Connection(mut client) = connection.map_err(failed)?;
        let rows = client.fetch_partition(&executor.id, &id, part.file_id, layout, false);
        let rows = rows.await.map_err(failed)?;
        if !is_small {
            return Ok(rows);
        }
        let schema = rows.schema();
        let batches: Vec<RecordBatch> = rows.try_collect().await?;
        let batches = stream::iter(batches.into_iter().map(Ok));
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, batches)))
    }

    /// The connection to an executor that all small parts share.
    async fn shared(&self, executor: &ExecutorMetadata, port: u16) -> Result<Connection, BallistaError> {
        let connection = {
            let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(connections.entry(executor.id.clone()).or_default())
        };
        let connected = connection.get_or_try_init(|| self.connect(executor, port)).await;
        connected.cloned()
    }

    async fn connect(&self, executor: &ExecutorMetadata, port: u16) -> Result<Connection, BallistaError> {
        let client = BallistaClient::try_new(
            &executor.host,
            port,
            MESSAGE,
            self.security.uses_tls(),
            self.security.customized().map(Arc::new),
            FETCHES,
            BETWEEN_FETCHES,
            0,
            0,
        );
        client.await.map(Connection)
    }
}
