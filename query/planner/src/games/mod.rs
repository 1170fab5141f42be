//! The planner over games: conditions on other positions of the same game.
//!
//! A game is an interval of ids, so what must hold somewhere in it, later in it, or in the next position is found
//! without opening it. What is a fixed number of plies away is read from the posting lists at an offset
//! ([`super::expr::Truth::After`]); what may be any number of plies away is a [`Tree`]: its parts are evaluated for
//! all positions of whole games, then one pass over their bits answers it ([`Found`]).
//!
//! Games with variations are trees. Where variations are searched, what is said of such a game is an upper bound:
//! descendants are later ids of the same game, and that is all that is used.

mod bits;
mod echo;
mod found;
mod lines;
mod lower;
mod moves;
mod narrowed;
mod passes;
mod relation;
mod sequences;
mod tree;

pub use bits::Bits;
pub use found::{Evaluation, Found};
pub use lines::GameLines;
pub use narrowed::Narrowed;
pub use tree::{Step, Tree};
