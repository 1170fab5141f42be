//! An executor of a cluster: it has shards, and asks them.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use arrow_flight::flight_service_server::FlightServiceServer;
use ballista_core::error::BallistaError;
use ballista_core::extension::SessionConfigExt;
use ballista_executor::execution_engine::DefaultExecutionEngine;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_executor::flight_service::BallistaFlightService;
use ballista_executor::{ArrowFlightServerProvider, shutdown::Shutdown};
use tonic::transport::Server;

use crate::error::{Error, Result};
use crate::leaf::CqlCodec;
use crate::scheduler::policy;
use crate::security::Security;
use crate::session::{MESSAGE, config};
use crate::shards::Shards;
use crate::tasks::Tasks;

/// How an executor runs.
#[derive(Clone, Debug)]
pub struct ExecutorOptions {
    /// The address that it listens on.
    pub host: String,
    /// What others call it, if that is another name.
    pub name: Option<String>,
    /// The port for answers; the next one is for tasks. 0 for any that are free.
    pub port: u16,
    /// The scheduler.
    pub scheduler: (String, u16),
    /// Who may talk to it.
    pub security: Security,
    /// Whether it may listen for other machines without TLS.
    pub insecure: bool,
    /// How often it gives a sign of life.
    pub heartbeat: Duration,
    /// How many tasks it runs at a time.
    pub tasks: NonZeroUsize,
    /// The folder for answers on their way.
    pub work: PathBuf,
    /// How long it waits for the scheduler when it starts.
    pub patience: Duration,
}

/// Runs an executor until it is told to end.
///
/// # Errors
///
/// When it can't listen, or must not, or there is no scheduler.
pub async fn run_executor(options: ExecutorOptions, shards: Arc<Shards>) -> Result<()> {
    let ExecutorOptions {
        host,
        name,
        port,
        scheduler: (scheduler_host, scheduler_port),
        security,
        insecure,
        heartbeat,
        tasks,
        work,
        patience,
    } = options;
    security.check_listening(&host, insecure)?;
    std::fs::create_dir_all(&work).map_err(Error::file(&work))?;
    let message = u32::try_from(MESSAGE).unwrap_or(u32::MAX);
    let [port, grpc_port] = match port {
        0 => free_ports(&host)?,
        port => [port, port.saturating_add(1)],
    };
    let connections = security.clone();
    let sessions = Arc::new(move || match connections.endpoints() {
        Some(endpoints) => config()
            .with_ballista_use_tls(true)
            .with_ballista_override_create_grpc_client_endpoint(endpoints),
        None => config(),
    });
    let endpoint = security.endpoint(&format!("{scheduler_host}:{scheduler_port}"));
    let endpoint = endpoint.map_err(|error| Error::Unreachable(error.to_string()))?;
    let engine = Tasks::new(DefaultExecutionEngine::new(), &endpoint);
    let name = name.unwrap_or_else(|| host.clone());
    let process = ExecutorProcessConfig {
        // The name stays, the rest is new each time: what an executor had that is gone does not come back.
        executor_id: format!("{name}-{port}-{}", std::process::id()),
        external_host: Some(name),
        bind_host: host,
        port,
        grpc_port,
        scheduler_host,
        scheduler_port,
        scheduler_connect_timeout_seconds: u16::try_from(patience.as_secs()).unwrap_or(u16::MAX),
        vcores: tasks.get(),
        task_scheduling_policy: policy(&security),
        work_dir: Some(work.to_string_lossy().into_owned()),
        job_data_ttl_seconds: 3600,
        job_data_clean_up_interval_seconds: 300,
        grpc_max_decoding_message_size: message,
        grpc_max_encoding_message_size: message,
        executor_heartbeat_interval_seconds: heartbeat.as_secs().max(1),
        override_execution_engine: Some(Arc::new(engine)),
        override_config_producer: Some(sessions),
        override_physical_codec: Some(Arc::new(CqlCodec::new(Some(shards)))),
        override_create_grpc_client_endpoint: security.endpoints(),
        override_arrow_flight_service: flight(&security),
        ..ExecutorProcessConfig::default()
    };
    let ended = start_executor_process(Arc::new(process)).await;
    ended.map_err(|error| Error::Cluster(error.to_string()))
}

/// Two ports that are free now.
fn free_ports(host: &str) -> Result<[u16; 2]> {
    let bound = || {
        let listener = std::net::TcpListener::bind((host, 0))?;
        let port = listener.local_addr()?.port();
        Ok((listener, port))
    };
    // Both are held until both are known.
    let (first, second) = (bound().map_err(Error::file(host))?, bound().map_err(Error::file(host))?);
    Ok([first.1, second.1])
}

/// The server for answers, with TLS; nothing where the engine's own does.
fn flight(security: &Security) -> Option<Arc<ArrowFlightServerProvider>> {
    let tls = security.server()?;
    Some(Arc::new(move |work, address, mut shutdown: Shutdown, _| {
        let tls = tls.clone();
        tokio::spawn(async move {
            let service = FlightServiceServer::new(BallistaFlightService::new(work))
                .max_decoding_message_size(MESSAGE)
                .max_encoding_message_size(MESSAGE);
            let served = async {
                let mut server = Server::builder().tls_config(tls)?;
                server
                    .add_service(service)
                    .serve_with_shutdown(address, shutdown.recv())
                    .await
            };
            served.await.map_err(BallistaError::TonicError)
        })
    }))
}
