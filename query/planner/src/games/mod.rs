//! The evaluation of a plan over games, conditions on other positions of the same game included.
//!
//! A game is an interval of ids, so conditions on some position of it, on later ones, or on the next one are evaluated
//! without reading the game. A condition at a fixed number of plies is read from the posting lists at an offset
//! ([`Truth::After`](crate::Truth::After)); one at any number of plies is a [`Temporal`](crate::Temporal) expression:
//! its parts are evaluated for all positions of whole games, then one pass over their bits answers it ([`passes`]).
//!
//! Games with variations are trees. Where variations are searched, the result for such a game is an upper bound: all
//! that is used is that descendants are later ids of the same game.

mod alike;
mod automaton;
mod counted_games;
mod evaluation;
mod followed_men;
mod found_moves;
mod found_planes;
mod keys;
mod move_counts;
mod passes;
mod repeatable;
mod repeated;
mod side_by_side;
mod spans;

pub(crate) use self::evaluation::HEAVY;
pub use self::{
    evaluation::{Evaluation, GameResults},
    found_moves::FoundMoves,
    spans::{GameSpans, game_at},
};
