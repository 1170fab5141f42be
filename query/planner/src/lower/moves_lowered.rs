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
    reaches: ReachesLowered,
}

impl MovesLowered {
    /// Where such a move is made; `lower` lowers it if that was not done before.
    pub(super) fn made(&mut self, edge: &Edge, lower: impl FnOnce(&mut ReachesLowered) -> Truth) -> Truth {
        let alike = self.edges.entry(hash_of(edge)).or_default();
        if let Some((_, truth)) = alike.iter().find(|(known, _)| known == edge) {
            return truth.clone();
        }
        let truth = lower(&mut self.reaches);
        alike.push((edge.clone(), truth.clone()));
        truth
    }
}
