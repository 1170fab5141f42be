//! The leaf of every plan: it asks one shard at a time, and gives what matches as batches of Arrow.
//!
//! To read in this order: [`ask`] what is asked, [`search`] how a shard answers, [`games`] with games, [`exec`] the node of the plan, [`codec`] how
//! it travels.

mod ask;
mod codec;
mod exec;
mod games;
mod search;

pub use ask::{Ask, Shape};
pub(crate) use ask::{RANK, SUMMARY};
pub(crate) use codec::CqlCodec;
pub(crate) use exec::{CqlExec, order, shard_rows};
