//! What was lowered for moves: the body of a loop asks for the same ones again and again.

use std::collections::HashMap;

use super::from_to::ReachesLowered;
use super::moves::Edge;
use crate::expr::{Truth, hash_of};

/// Moves, and where they are made.
#[derive(Debug, Default)]
pub(super) struct MovesLowered {
    /// By the hash of the conditions on a move.
    edges: HashMap<u64, Vec<(Edge, Truth)>>,
    pub(super) reaches: ReachesLowered,
}

impl MovesLowered {
    /// Where such a move is made, if that was lowered before.
    pub(super) fn known(&self, edge: &Edge) -> Option<Truth> {
        let alike = self.edges.get(&hash_of(edge))?;
        let same = alike.iter().find(|(known, _)| known == edge);
        same.map(|(_, truth)| truth.clone())
    }

    /// Notes where such a move is made.
    pub(super) fn note(&mut self, edge: &Edge, truth: Truth) {
        self.edges.entry(hash_of(edge)).or_default().push((edge.clone(), truth));
    }
}
