//! The chess that everything else is about: men and boards, packed moves, game trees, the rules, and notation.
//!
//! A [`Game`] is a tree of positions with the words around it. A [`Board`] is the placement of men at one node;
//! [`MoveTree`] numbers the nodes as CQL's `positionid` does. Nothing here knows a database or a query.

mod board;
mod game;
mod rules;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use crate::{
    board::{Board, Man, castling_targets, en_passant_square},
    game::{Branch, EmptyVariation, Game, GameText, MoveKind, MoveTree, Outcome, PackedMove, Start, TextEncoding},
};
