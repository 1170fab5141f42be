//! The scheduler of a cluster.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::serde::protobuf::scheduler_grpc_server::SchedulerGrpcServer;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::{SchedulerConfig, TaskDistributionPolicy};
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use futures::stream;
use tokio::net::TcpListener;
use tonic::transport::Server;

use crate::error::{Error, Result};
use crate::leaf::CqlCodec;
use crate::nearest::Nearest;
use crate::security::Security;
use crate::session::{MESSAGE, config};

/// How often a task is tried, and a stage whose input was lost.
const ATTEMPTS: usize = 20;

/// How a scheduler runs.
#[derive(Clone, Debug)]
pub struct SchedulerOptions {
    /// The address that it listens on; port 0 for any that is free.
    pub host: String,
    /// The port.
    pub port: u16,
    /// Who may talk to it.
    pub security: Security,
    /// Whether it may listen for other machines without TLS.
    pub insecure: bool,
    /// After this long without a sign of life an executor is taken for lost, and others do its work.
    pub patience: Duration,
}

/// Runs a scheduler for ever. `listening` is called with its address.
///
/// # Errors
///
/// When it can't listen, or must not.
pub async fn run_scheduler(options: SchedulerOptions, listening: impl FnOnce(SocketAddr)) -> Result<()> {
    let SchedulerOptions {
        host,
        port,
        security,
        insecure,
        patience,
    } = options;
    security.check_listening(&host, insecure)?;
    let failed = |error: &dyn std::fmt::Display| Error::Cluster(format!("{host}:{port}: {error}"));
    let listener = TcpListener::bind((host.as_str(), port))
        .await
        .map_err(|error| failed(&error))?;
    let address = listener.local_addr().map_err(|error| failed(&error))?;
    let seconds = patience.as_secs().max(3);
    let message = u32::try_from(MESSAGE).unwrap_or(u32::MAX);
    let config = SchedulerConfig {
        bind_host: host.clone(),
        external_host: host.clone(),
        bind_port: address.port(),
        scheduling_policy: policy(&security),
        task_distribution: TaskDistributionPolicy::Custom(Arc::new(Nearest::default())),
        grpc_server_max_decoding_message_size: message,
        grpc_server_max_encoding_message_size: message,
        grpc_client_max_message_size: message,
        executor_timeout_seconds: seconds,
        expire_dead_executor_interval_seconds: (seconds / 4).max(1),
        no_executors_grace_period_seconds: seconds,
        // What is left of a job that is done goes soon.
        finished_job_data_clean_up_interval_seconds: 60,
        finished_job_state_clean_up_interval_seconds: 300,
        task_max_failures: ATTEMPTS,
        stage_max_failures: ATTEMPTS,
        override_config_producer: Some(Arc::new(config)),
        override_physical_codec: Some(Arc::new(CqlCodec::new(None))),
        override_create_grpc_client_endpoint: security.endpoints(),
        use_tls: security.uses_tls(),
        ..SchedulerConfig::default()
    };
    let engine = |error: ballista_core::error::BallistaError| Error::Cluster(error.to_string());
    config.validate().map_err(engine)?;
    let cluster = BallistaCluster::new_from_config(&config).await.map_err(engine)?;
    let scheduler = create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, Arc::new(config));
    let scheduler = scheduler.await.map_err(engine)?;
    listening(address);
    let Some(tls) = security.server() else {
        return start_grpc_service_with_listener(listener, scheduler)
            .await
            .map_err(engine);
    };
    let service = SchedulerGrpcServer::new(scheduler)
        .max_decoding_message_size(MESSAGE)
        .max_encoding_message_size(MESSAGE);
    let incoming = stream::unfold(listener, |listener| async move {
        let connection = listener.accept().await.map(|(connection, _)| connection);
        Some((connection, listener))
    });
    let mut server = Server::builder().tls_config(tls).map_err(|error| failed(&error))?;
    let served = server.add_service(service).serve_with_incoming(incoming).await;
    served.map_err(|error| failed(&error))
}

/// Who begins: without TLS the scheduler hands tasks out; with TLS the executors ask for them, because the engine's executors
/// have no server for tasks with TLS.
pub(crate) fn policy(security: &Security) -> TaskSchedulingPolicy {
    match security.uses_tls() {
        true => TaskSchedulingPolicy::PullStaged,
        false => TaskSchedulingPolicy::PushStaged,
    }
}
