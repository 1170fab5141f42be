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
