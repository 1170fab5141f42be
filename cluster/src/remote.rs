//! Plans that a cluster runs: they are handed to its scheduler, which is asked for the end.

use std::error::Error as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ballista_core::serde::protobuf::execute_query_params::Query;
use ballista_core::serde::protobuf::execute_query_result::Result as Submitted;
use ballista_core::serde::protobuf::job_status::Status;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{CancelJobParams, ExecuteQueryParams, GetJobStatusParams, KeyValuePair};
use ballista_core::version::insert_version_header;
use datafusion::error::DataFusionError;
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::physical_plan::AsExecutionPlan;
use datafusion_proto::protobuf::PhysicalPlanNode;
use tonic::transport::Channel;

use crate::error::{Error, Result};
use crate::fetch::fetched;
use crate::leaf::CqlCodec;
use crate::security::Security;
use crate::session::{MESSAGE, config};

/// How long the client waits before it asks again how far a job is: a tenth of the time since it began, within these bounds.
const WAITS: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(100)];

/// How long a scheduler may not know a job that it was given.
const UNKNOWN: Duration = Duration::from_secs(2);

/// How long a job that nobody wants any more is told so, and the time between.
const GOODBYE: Duration = Duration::from_millis(500);
const BETWEEN_GOODBYES: Duration = Duration::from_millis(20);

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

    /// Runs a plan, and when all of it is done gives another one, which fetches what the executors have found: it has the same
    /// partitions, without those that have no rows. When this is dropped before, the cluster is told to stop.
    ///
    /// # Errors
    ///
    /// When the cluster can't be reached, or an executor can't run its part.
    pub async fn run(&self, plan: Arc<dyn ExecutionPlan>) -> Result<Arc<dyn ExecutionPlan>> {
        let mut job = self.submit(&plan).await?;
        let started = Instant::now();
        let mut known = started;
        loop {
            let status = job.status().await;
            let status = status.map_err(|status| self.refused(&status, Error::Lost))?;
            match status {
                Some(Status::Successful(done)) => {
                    job.is_over = true;
                    return fetched(plan.schema(), done.partition_location, &self.security);
                }
                Some(Status::Failed(failed)) => {
                    job.is_over = true;
                    return Err(Error::of_engine(&DataFusionError::Execution(failed.error)));
                }
                Some(Status::Queued(_) | Status::Running(_)) => known = Instant::now(),
                None if known.elapsed() > UNKNOWN => {
                    job.is_over = true;
                    return Err(Error::Lost(format!(
                        "the scheduler at {} does not know the question any more",
                        self.address
                    )));
                }
                None => {}
            }
            tokio::time::sleep((started.elapsed() / 10).clamp(WAITS[0], WAITS[1])).await;
        }
    }

    /// Hands a plan to the scheduler.
    async fn submit(&self, plan: &Arc<dyn ExecutionPlan>) -> Result<Job> {
        let codec = CqlCodec::new(None);
        let message = PhysicalPlanNode::try_from_physical_plan(Arc::clone(plan), &codec)?;
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
        // It goes on when nobody waits for it: the scheduler may have the plan by then, and only its answer says how to stop it.
        let submitted = tokio::spawn(async move {
            let told = scheduler.execute_query(request).await?.into_inner();
            Ok::<_, tonic::Status>(match told.result {
                Some(Submitted::Success(success)) => Ok(Job {
                    scheduler,
                    id: success.job_id,
                    is_over: false,
                }),
                Some(Submitted::Failure(failure)) => Err(format!("{:?}", failure.failure)),
                None => Err("it does not say whether it runs the question".to_owned()),
            })
        });
        let submitted = submitted.await.map_err(|error| Error::Engine(error.to_string()))?;
        let submitted = submitted.map_err(|status| self.refused(&status, Error::Unreachable))?;
        submitted.map_err(|message| Error::Cluster(format!("the scheduler at {}: {message}", self.address)))
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
}

/// A job that runs. When it is dropped before its end, the cluster is told that nobody wants it.
struct Job {
    scheduler: Scheduler,
    id: String,
    is_over: bool,
}

impl Job {
    /// How far it is; nothing if the scheduler does not know it.
    async fn status(&mut self) -> Result<Option<Status>, tonic::Status> {
        let job_id = self.id.clone();
        let told = self.scheduler.get_job_status(GetJobStatusParams { job_id }).await?;
        Ok(told.into_inner().status.and_then(|status| status.status))
    }

    /// Tells the scheduler to end it, until it has ended. A job that is only queued can't be ended yet.
    async fn cancel(&mut self) -> Result<(), tonic::Status> {
        loop {
            let job_id = self.id.clone();
            self.scheduler.cancel_job(CancelJobParams { job_id }).await?;
            if let Some(Status::Failed(_) | Status::Successful(_)) = self.status().await? {
                return Ok(());
            }
            tokio::time::sleep(BETWEEN_GOODBYES).await;
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let mut job = Job {
            scheduler: self.scheduler.clone(),
            id: std::mem::take(&mut self.id),
            is_over: true,
        };
        tokio::spawn(async move {
            // The cluster may be gone, too.
            let _ = tokio::time::timeout(GOODBYE, job.cancel()).await;
        });
    }
}
