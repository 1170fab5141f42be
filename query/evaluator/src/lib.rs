//! The evaluator: the meaning of every filter, on one game and without an index.
//!
//! It defines the language; the planner only saves it work. [`Evaluator`] runs a query on a [`GameView`], game by game.
//!
//! From the bottom up: values and strings; the game with its boards, moves and tree; what can be computed from a query
//! before it runs (folded orbits, formulas, guards, programs of `line` and `path`); tables of the known answers of its
//! filters in a game; the state that a failing filter restores; the machine that holds all of these. On the machine, each
//! kind of filter has a file in `filters`, and the control flow that all kinds share is in `answer`.

mod answer;
mod board;
mod dictionary;
mod error;
mod evaluator;
mod filters;
mod formula;
mod game;
mod guards;
mod limits;
mod machine;
mod marks;
mod needs;
mod nodes;
mod orbits;
mod per_filter;
mod sequence;
mod similar;
mod state;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod traces;
mod value;
mod whole_games;
mod written;

pub use error::{Cause, RuntimeError};
pub use evaluator::{Evaluator, GameResult};
pub use filters::below;
pub use game::{GameHeader, GameInfo, GameView, PositionSets};
pub use limits::{Limits, Rules};
pub use needs::Needs;
pub use similar::{SimilarPlace, SimilarPositions};
pub use state::{CommentSource, LogEntry, SortValue};
pub use value::Value;
