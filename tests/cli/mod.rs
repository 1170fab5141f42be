//! Every subcommand: what it prints, where, and the exit code.

mod bad_input;
mod check;
mod explain;
mod index;
mod interrupt;
mod query;
mod stats;
mod support;
mod verify;
