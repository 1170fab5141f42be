//! The command line: one file for each group of commands.

mod daemons;
mod groups;
mod output;
mod query;
mod shards;
mod sql;

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Parser, Subcommand};
use cqldex_cluster::{Cluster, Error, Result, Runner, Security, ShardOptions, Shards};
use tokio::signal::unix::{SignalKind, signal};

/// Ask databases of chess games on many machines with CQL 6.2 and SQL.
#[derive(Debug, Parser)]
#[command(
    name = "cqldex-cluster",
    version,
    about,
    max_term_width = 100,
    after_help = "\
Examples:
  cqldex-cluster split games.db shards --shards 8
  cqldex-cluster add s3://bucket/games games.pgn.zst
  cqldex-cluster query shards 'mate' --limit 5
  cqldex-cluster sql \"SELECT eco, count(*) FROM cql('shards', 'mate N attacks k') GROUP BY eco\"
  cqldex-cluster scheduler --port 50050
  cqldex-cluster executor --scheduler localhost:50050 --cache cache
  cqldex-cluster query s3://bucket/games 'mate' --cluster localhost:50050

Exit codes: 0 matched or done, 1 nothing matched, 2 an error."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Cut a database into shards
    Split(shards::SplitArgs),
    /// Make shards of PGN files
    Index(shards::IndexArgs),
    /// Add the games of PGN files or of a database as new shards; questions that run do not see them
    Add(shards::IndexArgs),
    /// List the shards of a place
    Shards(shards::ListArgs),
    /// Remove old manifests, and shards that no manifest names
    Prune(shards::PruneArgs),
    /// Search all shards of a place
    Query(query::Args),
    /// Ask with SQL, in which cql('place', 'query') is a table
    Sql(sql::Args),
    /// Run the scheduler of a cluster
    Scheduler(daemons::SchedulerArgs),
    /// Run an executor of a cluster
    Executor(daemons::ExecutorArgs),
}

impl Cli {
    /// Runs the command. Returns whether something matched, or it is done.
    pub(crate) fn run(&self) -> Result<bool> {
        env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
        let runtime = tokio::runtime::Runtime::new().map_err(|error| Error::Engine(error.to_string()))?;
        let done = runtime.block_on(async {
            match &self.command {
                Command::Split(args) => shards::split(args).await,
                Command::Index(args) => shards::index(args).await,
                Command::Add(args) => shards::add_to(args).await,
                Command::Shards(args) => shards::list(args).await,
                Command::Prune(args) => shards::prune_old(args).await,
                Command::Query(args) => interruptible(query::run(args)).await,
                Command::Sql(args) => interruptible(sql::run(args)).await,
                Command::Scheduler(args) => daemons::scheduler(args).await,
                Command::Executor(args) => daemons::executor(args).await,
            }
        });
        // A search that was left goes on for a moment; nobody waits for it.
        runtime.shutdown_timeout(Duration::from_millis(300));
        done
    }
}

/// How long a cluster is given to be told that nobody waits any more.
const GOODBYE: Duration = Duration::from_millis(300);

/// Ends a question when the user wants that. What is dropped with it tells the cluster.
async fn interruptible(question: impl Future<Output = Result<bool>>) -> Result<bool> {
    let done = tokio::select! {
        done = question => Some(done),
        () = told_to_end() => None,
    };
    match done {
        Some(done) => done,
        None => {
            tokio::time::sleep(GOODBYE).await;
            Err(Error::Library(cqldex::Error::Cancelled))
        }
    }
}

/// Waits until somebody wants the process to end.
pub(crate) async fn told_to_end() {
    let terminate = async {
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        () = terminate => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}

/// Whether the reader of the output has gone.
pub(crate) fn is_closed_pipe(error: &Error) -> bool {
    let (Error::Library(cqldex::Error::Output(error)) | Error::File { error, .. }) = error else {
        return false;
    };
    error.kind() == io::ErrorKind::BrokenPipe
}

/// Who answers, and how shards are read.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Let a cluster answer, by the address of its scheduler; without it, this process does
    #[arg(long, value_name = "HOST:PORT", conflicts_with_all = ["cache", "cache_size", "threads"])]
    cluster: Option<String>,
    #[command(flatten)]
    shards: ShardArgs,
}

/// How shards are read.
#[derive(Debug, clap::Args)]
pub(crate) struct ShardArgs {
    /// Copy shards to this folder; needed if they are in an object store
    #[arg(long, value_name = "FOLDER")]
    cache: Option<PathBuf>,
    /// How many megabytes the copies may take; those that were not used for the longest time go first
    #[arg(long, value_name = "MB", requires = "cache", default_value_t = 100_000)]
    cache_size: u64,
    /// How many megabytes of lists are kept in memory, all shards together
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    memory: u64,
    /// How many shards are searched at a time; one for each core unless told otherwise
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

impl ShardArgs {
    fn open(&self) -> Result<Arc<Shards>> {
        let usual = ShardOptions::default();
        let shards = Shards::new(ShardOptions {
            cache: self.cache.clone(),
            cache_bytes: self.cache_size << 20,
            threads: self.threads.unwrap_or(usual.threads),
            memory: self.memory << 20,
        });
        Ok(Arc::new(shards?))
    }
}

impl RunArgs {
    fn runner(&self) -> Result<Runner> {
        match &self.cluster {
            Some(address) => Ok(Runner::Cluster(Cluster::new(address, Security::of_environment()?))),
            None => Ok(Runner::Here(self.shards.open()?)),
        }
    }
}
