//! CQL queries, and SQL over what they find, on one machine or many, from databases in a folder or an object store.
//!
//! A database is cut into shards: databases of some millions of games that are only read. A [`Manifest`] lists them. DataFusion
//! plans and runs questions, Ballista does so on many machines; here is what they don't know: where shards are, how one is
//! asked, and how the answers go together.
//!
//! To read in this order:
//!
//! | file | what it is |
//! |---|---|
//! | `manifest.rs`, `place.rs` | the list of the shards; folders and object stores |
//! | `split.rs`, `prune.rs` | how shards are made, and removed |
//! | `shards.rs` | shards that are open, and their copies on the local disk |
//! | `leaf/` | what a shard is asked, how it answers, and the node of a plan that does it |
//! | `table.rs`, `filter.rs` | the function `cql` of SQL |
//! | `session.rs`, `answer.rs`, `totals.rs` | plans, and what comes of them |
//! | `remote.rs`, `fetch.rs` | the client of a cluster |
//! | `scheduler.rs`, `nearest.rs` | its scheduler, and who asks which shard |
//! | `executor.rs`, `tasks.rs` | its executors, and what they do |
//! | `security.rs` | who may talk to a cluster |
//!
//! ```
//! use cqldex_cluster::{Ask, Cut, Place, Runner, Shape, Shards, ShardOptions, add};
//!
//! # let folder = tempfile::tempdir()?;
//! # let (target, pgn) = (folder.path().join("shards"), folder.path().join("games.pgn"));
//! # let target = target.to_str().expect("a name");
//! # std::fs::write(&pgn, "[Event \"?\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[Event \"?\"]\n\n1. e4 *\n")?;
//! # let runtime = tokio::runtime::Runtime::new()?;
//! # runtime.block_on(async {
//! let place = Place::create(target)?;
//! let two = Cut::Shards(2.try_into()?);
//! assert_eq!(add(&place, &[pgn], two, None, &()).await?.shards.len(), 2);
//!
//! let shards = Shards::new(ShardOptions::default())?;
//! let runner = Runner::Here(std::sync::Arc::new(shards));
//! let ask = Ask::new(place.name(), "mate", Shape::Totals);
//! assert_eq!(runner.ask(ask, &mut |_| Ok(())).await?.positions, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod error;
mod executor;
mod fetch;
mod filter;
mod leaf;
mod manifest;
mod nearest;
mod place;
mod prune;
mod remote;
mod scheduler;
mod security;
mod session;
mod shards;
mod split;
mod table;
mod tasks;
mod totals;

pub use crate::{
    answer::Runner,
    error::{Error, Result},
    executor::{ExecutorOptions, run_executor},
    leaf::{Ask, Shape},
    manifest::{Manifest, Shard, ShardFile},
    place::Place,
    prune::{Pruned, prune},
    remote::Cluster,
    scheduler::{SchedulerOptions, run_scheduler},
    security::{Security, VARIABLE},
    shards::{ShardOptions, Shards},
    split::{Cut, Progress, add},
    totals::{Group, Missing, Totals},
};
