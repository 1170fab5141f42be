//! The tasks of an executor, which end when nobody waits for their answer any more.
//!
//! The scheduler tells executors to stop the tasks of a job that was cancelled. That is not enough: the message may come before
//! the task does, an executor that asks for its tasks gets no messages, and a scheduler that was started again knows nothing of
//! the job. So a task that lasts longer than a moment asks the scheduler whether its job still runs.
//!
//! The engine drops a task that is to stop, but what the task has spawned goes on. So searches are told by way of their context.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use ballista_core::JobId;
use ballista_core::serde::protobuf::job_status::Status;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{
    GetJobStatusParams, RuntimeStatsReport, ShuffleWritePartition, TaskColumnStats, WindowStateReport,
};
use ballista_executor::execution_engine::{DefaultExecutionEngine, ExecutionEngine, QueryStageExecutor};
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::metrics::MetricsSet;
use datafusion::prelude::SessionConfig;
use tokio::sync::{Mutex, watch};
use tonic::transport::{Channel, Endpoint};

/// How often a task asks.
const EVERY: Duration = Duration::from_millis(400);

/// What was asked this long ago is not asked again: tasks of one job share the answer.
const FRESH: Duration = Duration::from_millis(200);

/// The engine of an executor.
pub(crate) struct Tasks {
    engine: DefaultExecutionEngine,
    jobs: Arc<Jobs>,
}

impl Tasks {
    /// Tasks that are run by an engine, and watched by the scheduler at an address.
    pub(crate) fn new(engine: DefaultExecutionEngine, scheduler: &Endpoint) -> Tasks {
        Tasks {
            engine,
            jobs: Arc::new(Jobs {
                scheduler: SchedulerGrpcClient::new(scheduler.connect_lazy()),
                asked: Mutex::default(),
            }),
        }
    }
}

impl ExecutionEngine for Tasks {
    fn create_query_stage_exec(
        &self,
        job_id: JobId,
        stage_id: usize,
        task_id: usize,
        global_output_partition_ids: Vec<usize>,
        plan: Arc<dyn ExecutionPlan>,
        work_dir: &str,
        config: &SessionConfig,
    ) -> Result<Arc<dyn QueryStageExecutor>> {
        let job = job_id.to_string();
        let partitions = global_output_partition_ids;
        let stage = self
            .engine
            .create_query_stage_exec(job_id, stage_id, task_id, partitions, plan, work_dir, config)?;
        let jobs = Arc::clone(&self.jobs);
        Ok(Arc::new(Task { stage, job, jobs }))
    }
}

/// A task that ends with its job.
#[derive(Debug)]
struct Task {
    stage: Arc<dyn QueryStageExecutor>,
    job: String,
    jobs: Arc<Jobs>,
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stage.fmt(f)
    }
}

#[async_trait]
impl QueryStageExecutor for Task {
    async fn execute_query_stage(
        &self,
        task_id: usize,
        context: Arc<TaskContext>,
    ) -> Result<Vec<ShuffleWritePartition>> {
        // Dropped with this future, whoever drops it.
        let (_wanted, wanted) = watch::channel(());
        let context = Arc::new(with_extension(&context, Wanted(wanted)));
        tokio::select! {
            done = self.stage.execute_query_stage(task_id, context) => done,
            () = self.jobs.ended(&self.job) => {
                Err(DataFusionError::Execution("nobody waits for the answer any more".to_owned()))
            }
        }
    }

    fn collect_plan_metrics(&self) -> Vec<MetricsSet> {
        self.stage.collect_plan_metrics()
    }

    fn collect_runtime_stats_reports(&self) -> Vec<RuntimeStatsReport> {
        self.stage.collect_runtime_stats_reports()
    }

    fn collect_window_state_reports(&self) -> Result<Vec<WindowStateReport>> {
        self.stage.collect_window_state_reports()
    }

    fn collect_column_stats(&self) -> Vec<TaskColumnStats> {
        self.stage.collect_column_stats()
    }
}

/// Whether somebody waits for a task: as long as there is a sender.
struct Wanted(watch::Receiver<()>);

/// The same context with something more in it.
fn with_extension(context: &TaskContext, extension: impl Send + Sync + 'static) -> TaskContext {
    TaskContext::new(
        context.task_id(),
        context.session_id(),
        context.session_config().clone().with_extension(Arc::new(extension)),
        context.scalar_functions().clone(),
        context.higher_order_functions().clone(),
        context.aggregate_functions().clone(),
        context.window_functions().clone(),
        context.runtime_env(),
    )
}

/// Waits until nobody waits for the task with this context. That never happens outside of executors.
pub(crate) async fn unwanted(context: &TaskContext) {
    match context.session_config().get_extension::<Wanted>() {
        Some(wanted) => while wanted.0.clone().changed().await.is_ok() {},
        None => std::future::pending().await,
    }
}

/// What the scheduler says of jobs.
#[derive(Debug)]
struct Jobs {
    scheduler: SchedulerGrpcClient<Channel>,
    /// When it was asked, and what it said.
    asked: Mutex<HashMap<String, (Instant, Said)>>,
}

/// What the scheduler says of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Runs,
    Ended,
    /// It does not know the job. For a moment that may be said of a new one.
    Unknown,
    /// Nothing: it can't be reached.
    Nothing,
}

impl Jobs {
    /// Waits until a job has ended.
    async fn ended(&self, job: &str) {
        let mut unknown = 0;
        loop {
            tokio::time::sleep(EVERY).await;
            match self.ask(job).await {
                Said::Ended => return,
                Said::Unknown if unknown > 0 => return,
                Said::Unknown => unknown += 1,
                Said::Runs | Said::Nothing => unknown = 0,
            }
        }
    }

    async fn ask(&self, job: &str) -> Said {
        let mut asked = self.asked.lock().await;
        asked.retain(|_, (when, _)| when.elapsed() < FRESH);
        if let Some((_, said)) = asked.get(job) {
            return *said;
        }
        let job_id = job.to_owned();
        let mut scheduler = self.scheduler.clone();
        let told = scheduler.get_job_status(GetJobStatusParams { job_id });
        let said = match told.await.map(|told| told.into_inner().status) {
            Ok(status) => match status.and_then(|status| status.status) {
                Some(Status::Queued(_) | Status::Running(_)) => Said::Runs,
                Some(Status::Failed(_) | Status::Successful(_)) => Said::Ended,
                None => Said::Unknown,
            },
            Err(_) => Said::Nothing,
        };
        asked.insert(job.to_owned(), (Instant::now(), said));
        said
    }
}
