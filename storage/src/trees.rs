//! Blocks of move trees: the column that scans and verification read.

use std::ops::Range;

use crate::{error::Result, game::MoveTree};

/// The move trees of a few dozen games in a row, unpacked together.
#[derive(Clone, Debug)]
pub struct TreeBlock {
    games: Range<u32>,
}

impl TreeBlock {
    /// The numbers of the games in the block, local to the segment.
    pub fn games(&self) -> Range<u32> {
        self.games.clone()
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Reads the tree of the `index`th game of the block into a tree whose memory is used again.
    ///
    /// # Errors
    ///
    /// When the stored bytes are damaged.
    ///
    /// # Panics
    ///
    /// When there is no such game in the block.
    pub fn tree(&self, _index: usize, _tree: &mut MoveTree) -> Result<()> {
        unimplemented!()
    }
}
