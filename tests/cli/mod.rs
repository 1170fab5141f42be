//! Every subcommand: what it prints, where, and the exit code.

mod answers;
mod bad_input;
mod cache;
mod check;
mod compat;
mod convert;
mod cql;
mod explain;
mod files;
mod index;
mod interrupt;
mod limits;
mod pgn;
mod query;
mod readme;
mod remove;
mod sets;
mod stats;
mod support;
mod translate;
mod verify;
