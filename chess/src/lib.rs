//! The vocabulary of chess: men, boards, packed moves, game trees and the rules.
//!
//! A [`Game`] is a tree of positions with its tags and comments. A [`Board`] is the placement of men at one node, and
//! [`MoveTree`] numbers the nodes as CQL's `positionid` does. This crate knows no database and no query.

mod annotations;
mod board;
mod fen;
mod game;
mod mailbox;
mod moves;
mod rules;
mod san;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod tree;

pub use crate::{
    annotations::{AnnotationKind, Annotations, MATE, MAX_EVALUATION, Quantities, Quantity, QuantitySet},
    board::{Board, Man, castling_targets, en_passant_square},
    fen::{Rights, fen_tag},
    game::{EmptyVariation, Game, GameText, Outcome, TextEncoding},
    mailbox::Mailbox,
    moves::{MoveKind, PackedMove},
    tree::{Branch, MoveTree, Start},
};
