//! The moves of a game as a tree of positions.

use crate::{board::Board, moves::PackedMove};

/// Where a game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The normal initial position.
    Standard,
    /// Another position, from a FEN tag.
    Setup {
        /// The men and the side to move.
        board: Box<Board>,
        /// The number of the first move, for printing only.
        fullmoves: u32,
    },
}

impl Start {
    /// The board at the root.
    pub fn board(&self) -> Board {
        match self {
            Start::Standard => Board::initial(),
            Start::Setup { board, .. } => (**board).clone(),
        }
    }
}

/// A node whose parent is not the node before it: the position after the first move of a variation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The position after the first move of the variation.
    pub node: u32,
    /// The position that the variation branches off from.
    pub parent: u32,
}

/// The moves of a game as a tree of positions, numbered as CQL's `positionid` numbers them: in preorder, the
/// continuation before the variations (docs/language/games.md#positions-and-their-numbers). Node 0 is the root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveTree {
    /// Where the game starts.
    pub start: Start,
    /// `moves[i]` leads to node `i + 1`.
    pub moves: Vec<PackedMove>,
    /// The first nodes of the variations, ascending by `node`. Every other node's parent is the node before it.
    pub branches: Vec<Branch>,
}

impl Default for MoveTree {
    /// No move from the normal initial position.
    fn default() -> MoveTree {
        MoveTree {
            start: Start::Standard,
            moves: Vec::new(),
            branches: Vec::new(),
        }
    }
}

impl MoveTree {
    /// The number of positions in the tree.
    #[inline]
    pub fn len(&self) -> usize {
        self.moves.len() + 1
    }

    /// Always false: a tree has a root.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The number of positions in the main line. They are the first nodes: 0 up to this number, exclusive.
    #[inline]
    pub fn mainline_len(&self) -> usize {
        self.branches.first().map_or(self.len(), |branch| branch.node as usize)
    }

    /// The moves that lead to a node from the root.
    pub fn moves_to(&self, mut node: usize) -> Vec<PackedMove> {
        let mut moves = Vec::new();
        while node > 0 {
            moves.push(self.moves[node - 1]);
            let branch = self.branches.binary_search_by_key(&node, |branch| branch.node as usize);
            node = branch.map_or(node - 1, |index| self.branches[index].parent as usize);
        }
        moves.reverse();
        moves
    }
}
