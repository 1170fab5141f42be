//! Plans that a cluster runs: they are handed to its scheduler, and what the executors have found is fetched from them.

use std::error::Error as _;
use std::sync::Arc;
use std::time::Duration;

use ballista_core::client::BallistaClient;
use ballista_core::serde::protobuf::execute_query_params::Query;
use ballista_core::serde::protobuf::job_status::Status;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{CancelJobParams, ExecuteQueryParams, KeyValuePair, PartitionLocation};
use ballista_core::version::insert_version_header;
use datafusion::error::DataFusionError;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion_proto::physical_plan::AsExecutionPlan;
use datafusion_proto::protobuf::PhysicalPlanNode;
use futures::{StreamExt, TryStreamExt, stream};
use tonic::transport::Channel;

use crate::error::{Error, Result};
use crate::leaf::CqlCodec;
use crate::security::Security;
use crate::session::config;

/// The largest message: a batch, or a plan with a long list of shards.
pub(crate) const MESSAGE: usize = 256 << 20;

/// How often a batch is fetched again when the connection breaks, and the time between.
const FETCHES: u8 = 3;
const BETWEEN_FETCHES: u64 = 200;

/// How long a job that nobody wants any more is given to be told so.
const GOODBYE: Duration = Duration::from_millis(500);

/// A cluster, by its scheduler.
#[derive(Clone, Debug)]
pub struct Cluster {
    address: String,
    security: Security,
}

type Scheduler = SchedulerGrpcClient<Channel>;

impl Cluster {
    /// A cluster whose scheduler is at `host:port`.
    pub fn new(address: &str, security: Security) -> Cluster {
        Cluster {
            address: address.to_owned(),
            security,
        }
    }

    async fn scheduler(&self) -> Result<Scheduler> {
        let unreachable = |error: &dyn std::error::Error| {
            let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
            Error::Unreachable(format!(
                "the scheduler at {} can't be reached: {error}{cause}",
                self.address
            ))
        };
        let endpoint = self
            .security
            .endpoint(&self.address)
            .map_err(|error| unreachable(&error))?;
        let channel = endpoint.connect().await.map_err(|error| unreachable(&error))?;
        Ok(SchedulerGrpcClient::new(channel)
            .max_decoding_message_size(MESSAGE)
            .max_encoding_message_size(MESSAGE))
    }

    /// Runs a plan, and gives its rows when all of it is done. When this is dropped before, the cluster is told, if the scheduler
    /// has told the number of the job by then: it often does so only at the end.
    ///
    /// # Errors
    ///
    /// When the cluster can't be reached, or an executor can't run its part.
    pub async fn run(&self, plan: Arc<dyn ExecutionPlan>) -> Result<SendableRecordBatchStream> {
        let codec = CqlCodec::new(None);
        let message = PhysicalPlanNode::try_from_physical_plan(Arc::clone(&plan), &codec)?;
        let mut bytes = Vec::new();
        message.try_encode(&mut bytes)?;
        let settings = config().options().entries().into_iter();
        let settings = settings.map(|entry| KeyValuePair {
            key: entry.key,
            value: entry.value,
        });
        let id = format!("{}-{:?}", std::process::id(), std::time::SystemTime::now());
        let mut request = tonic::Request::new(ExecuteQueryParams {
            query: Some(Query::PhysicalPlan(bytes)),
            settings: settings.collect(),
            // All questions have one session: nothing of it is changed by them.
            session_id: "cqldex".to_owned(),
            operation_id: crate::manifest::hexadecimal(id.as_bytes()),
        });
        insert_version_header(request.metadata_mut());
        let mut scheduler = self.scheduler().await?;
        let told = scheduler.execute_query_push(request).await;
        let mut told = told
            .map_err(|status| self.refused(&status, Error::Unreachable))?
            .into_inner();
        let mut job = Job {
            scheduler: scheduler.clone(),
            id: None,
        };
        while let Some(status) = told.next().await {
            let status = status.map_err(|status| self.refused(&status, Error::Lost))?.status;
            let Some(status) = status else { continue };
            job.id = Some(status.job_id);
            match status.status {
                Some(Status::Successful(done)) => {
                    job.id = None;
                    return Ok(self.fetched(&plan, done.partition_location));
                }
                Some(Status::Failed(failed)) => {
                    job.id = None;
                    return Err(Error::of_engine(&DataFusionError::Execution(failed.error)));
                }
                Some(Status::Queued(_) | Status::Running(_)) | None => {}
            }
        }
        job.id = None;
        Err(Error::Lost(format!(
            "the scheduler at {} has gone away before the answer was there",
            self.address
        )))
    }

    /// What the scheduler says, or that it is gone.
    fn refused(&self, status: &tonic::Status, gone: fn(String) -> Error) -> Error {
        let message = format!("the scheduler at {}: {}", self.address, status.message());
        // What comes from the connection has a cause.
        match status.code() == tonic::Code::Unavailable || status.source().is_some() {
            true => gone(message),
            false => Error::Cluster(message),
        }
    }

    /// The rows that the executors have written for the client, one part after the other.
    fn fetched(&self, plan: &Arc<dyn ExecutionPlan>, parts: Vec<PartitionLocation>) -> SendableRecordBatchStream {
        let cluster = self.clone();
        let rows = stream::iter(parts).then(move |part| {
            let cluster = cluster.clone();
            async move { cluster.fetch(part).await }
        });
        Box::pin(RecordBatchStreamAdapter::new(plan.schema(), rows.try_flatten()))
    }

    async fn fetch(&self, part: PartitionLocation) -> Result<SendableRecordBatchStream, DataFusionError> {
        let layout = part.layout();
        let lost = |what: &str| DataFusionError::Internal(format!("the scheduler does not say {what}"));
        let executor = part
            .executor_meta
            .ok_or_else(|| lost("where a part of the answer is"))?;
        let id = part
            .partition_id
            .ok_or_else(|| lost("which part of the answer it is"))?;
        let port = u16::try_from(executor.port).map_err(|_| lost("the port of an executor"))?;
        let failed = |error: ballista_core::error::BallistaError| {
            DataFusionError::Execution(format!(
                "the executor at {}:{port} can't be reached: {error}",
                executor.host
            ))
        };
        let mut client = BallistaClient::try_new(
            &executor.host,
            port,
            MESSAGE,
            self.security.uses_tls(),
            self.security.customized().map(Arc::new),
            FETCHES,
            BETWEEN_FETCHES,
            0,
            0,
        )
        .await
        .map_err(failed)?;
        let id = id.into();
        let fetched =
            client.fetch_partition_proxied(&executor.id, &id, part.file_id, layout, &executor.host, port, true);
        fetched.await.map_err(failed)
    }
}

/// A job that runs. When it is dropped, the cluster is told that nobody wants it.
struct Job {
    scheduler: Scheduler,
    id: Option<String>,
}

impl Drop for Job {
    fn drop(&mut self) {
        let Some(job_id) = self.id.take() else { return };
        let mut scheduler = self.scheduler.clone();
        tokio::spawn(async move {
            let cancelled = scheduler.cancel_job(CancelJobParams { job_id });
            // The cluster may be gone, too.
            let _ = tokio::time::timeout(GOODBYE, cancelled).await;
        });
    }
}
