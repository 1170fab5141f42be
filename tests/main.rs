//! The program as its users see it, and the chess below it: one binary for all of that.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::cast_possible_truncation, reason = "the games are short")]

mod cli;
mod lasting;
mod replay;
