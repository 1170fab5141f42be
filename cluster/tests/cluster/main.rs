//! Shards, SQL over them, and clusters of processes. Each file is about one thing.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod adding;
mod cache;
mod cancel;
#[path = "../../../tests/cases/mod.rs"]
mod cases;
mod deployment;
mod faults;
#[path = "../../../tests/lasting/mod.rs"]
mod lasting;
mod object_store;
mod options;
mod processes;
mod prune;
mod same;
mod sql;
mod support;
