//! Every subcommand: what it prints, where, and the exit code.

mod answers;
mod bad_input;
mod batch;
mod cache;
mod check;
mod compat;
mod convert;
mod cql;
mod diff;
mod explain;
mod files;
mod groups;
mod index;
mod interrupt;
mod limits;
mod next;
mod pgn;
mod query;
mod readme;
mod remove;
mod sets;
mod stats;
mod support;
mod tables;
mod translate;
mod verify;
