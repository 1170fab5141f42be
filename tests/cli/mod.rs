//! Every subcommand: what it prints, where, and the exit code.

mod bad_input;
mod check;
mod explain;
mod index;
mod interrupt;
mod query;
mod readme;
mod stats;
mod support;
mod verify;
