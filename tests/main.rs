//! The program as its users see it, and the chess below it: one binary for all of that.

mod cli;
mod replay;
