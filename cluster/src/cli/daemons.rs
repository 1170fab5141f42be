//! `scheduler` and `executor`: the processes of a cluster.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use cqldex_cluster::{Error, ExecutorOptions, Result, SchedulerOptions, Security, run_executor, run_scheduler};

use super::{ShardArgs, told_to_end};

/// Arguments of `scheduler`.
#[derive(Debug, clap::Args)]
pub(crate) struct SchedulerArgs {
    /// The address to listen on; only this machine can reach it unless told otherwise
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// The port; 0 for any that is free
    #[arg(long, default_value_t = 50050)]
    port: u16,
    /// An executor counts as lost after this number of seconds without a heartbeat
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    patience: u64,
    /// Listen for other machines without TLS: anybody who can connect can ask any question
    #[arg(long)]
    insecure: bool,
}

/// Arguments of `executor`.
#[derive(Debug, clap::Args)]
pub(crate) struct ExecutorArgs {
    /// The scheduler
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50050")]
    scheduler: String,
    /// The address to listen on; only this machine can reach it unless told otherwise
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// What other machines call this one, if that is not the address
    #[arg(long)]
    name: Option<String>,
    /// The port for answers; tasks come by the next one. 0 for any that are free
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// The folder for answers on their way
    #[arg(long, value_name = "FOLDER")]
    work: Option<PathBuf>,
    /// Seconds between two heartbeats
    #[arg(long, value_name = "SECONDS", default_value_t = 2)]
    heartbeat: u64,
    /// How many seconds it waits for the scheduler when it starts
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    patience: u64,
    /// Listen for other machines without TLS: anybody who can connect can read all answers
    #[arg(long)]
    insecure: bool,
    #[command(flatten)]
    shards: ShardArgs,
}

/// Runs a scheduler until it is told to end.
pub(crate) async fn scheduler(args: &SchedulerArgs) -> Result<bool> {
    let options = SchedulerOptions {
        host: args.host.clone(),
        port: args.port,
        security: Security::of_environment()?,
        insecure: args.insecure,
        patience: Duration::from_secs(args.patience),
    };
    let tell = |address| {
        let mut out = io::stdout().lock();
        let _ = writeln!(out, "listening on {address}").and_then(|()| out.flush());
    };
    tokio::select! {
        ended = run_scheduler(options, tell) => ended.map(|()| true),
        () = told_to_end() => Ok(true),
    }
}

/// Runs an executor until it is told to end.
pub(crate) async fn executor(args: &ExecutorArgs) -> Result<bool> {
    let address = args.scheduler.rsplit_once(':');
    let address = address.and_then(|(host, port)| Some((host.to_owned(), port.parse().ok()?)));
    let scheduler = address.ok_or_else(|| Error::Unsupported(format!("{}: this is no host:port", args.scheduler)))?;
    let shards = args.shards.open()?;
    let scratch = match &args.work {
        Some(_) => None,
        None => Some(tempfile::tempdir().map_err(|error| Error::File {
            path: std::env::temp_dir(),
            error,
        })?),
    };
    let work = args.work.clone().or_else(|| Some(scratch.as_ref()?.path().to_owned()));
    let options = ExecutorOptions {
        host: args.host.clone(),
        name: args.name.clone(),
        port: args.port,
        scheduler,
        security: Security::of_environment()?,
        insecure: args.insecure,
        heartbeat: Duration::from_secs(args.heartbeat),
        tasks: shards.threads(),
        work: work.unwrap_or_default(),
        patience: Duration::from_secs(args.patience),
    };
    // The engine itself waits for a signal to end, and gives its tasks a moment then.
    run_executor(options, shards).await?;
    Ok(true)
}
