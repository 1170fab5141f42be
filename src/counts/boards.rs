//! The boards of a few positions of a game, without rebuilding the others.

use chess::{Board, MoveTree};
use evaluator::GameView;

/// Rebuilds positions of games.
#[derive(Debug, Default)]
pub(super) struct Boards {
    view: GameView,
}

impl Boards {
    /// Calls `visit` for positions of a game, ascending, with the place of each in the list and its board.
    pub(super) fn visit(&mut self, tree: &MoveTree, nodes: &[u32], mut visit: impl FnMut(usize, u32, &Board)) {
        let is_mainline = nodes.last().is_none_or(|&last| (last as usize) < tree.mainline_len());
        if !is_mainline {
            self.view.load(tree, true);
            for (place, &node) in nodes
                .iter()
                .enumerate()
                .filter(|(_, node)| (**node as usize) < tree.len())
            {
                visit(place, node, self.view.board(node));
            }
            return;
        }
        let mut board = tree.start.board();
        let mut at = 0;
        for (place, &node) in nodes.iter().enumerate() {
            tree.moves[at..node as usize]
                .iter()
                .for_each(|played| board.play(*played));
            at = node as usize;
            visit(place, node, &board);
        }
    }
}
