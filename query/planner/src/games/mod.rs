//! The evaluation of a plan over games, conditions on other positions of the same game included.
//!
//! A game is an interval of ids, so what must hold somewhere in it, later in it, or in the next position is found
//! without opening it. What is a fixed number of plies away is read from the posting lists at an offset
//! ([`Truth::After`](crate::Truth::After)); what may be any number of plies away is a [`Temporal`](crate::Temporal)
//! expression: its parts are evaluated for all positions of whole games, then one pass over their bits answers it
//! ([`passes`]).
//!
//! Games with variations are trees. Where variations are searched, what is said of such a game is an upper bound:
//! descendants are later ids of the same game, and that is all that is used.

mod evaluation;
mod passes;
mod spans;

pub use self::{evaluation::Evaluation, spans::GameSpans};
