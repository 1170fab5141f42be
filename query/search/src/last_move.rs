//! The move that led to a matching position: what a row of a table needs, so that the game is not replayed for it.

use chess::{Board, Man, MoveKind, PackedMove};
use evaluator::GameView;
use shakmaty::Color;

/// The move that led to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastMove {
    /// The move.
    pub packed: PackedMove,
    /// The number that it is printed with.
    pub number: u32,
    /// Whether it belongs to a variation.
    pub in_variation: bool,
    /// What stood on its to-square.
    captured: Man,
}

impl LastMove {
    /// The move that led to a node; the root has none.
    pub(crate) fn of(view: &GameView, node: u32) -> Option<LastMove> {
        let (packed, parent) = (view.last_move(node)?, view.parent(node)?);
        let captured = match packed.kind() {
            MoveKind::Null | MoveKind::Castle => Man::EMPTY,
            _ => view.board(parent).at(packed.to()),
        };
        Some(LastMove {
            packed,
            number: view.printed_move_number(parent),
            in_variation: view.depth(node) > 0,
            captured,
        })
    }

    /// The move in standard algebraic notation, given the board that it led to.
    pub fn san(&self, after: &Board) -> String {
        self.before(after).san(self.packed)
    }

    /// The move with its number, such as `12...Nf6`; in parentheses if it belongs to a variation.
    pub fn numbered_san(&self, after: &Board) -> String {
        let before = self.before(after);
        let dots = if before.turn() == Color::White { "." } else { "..." };
        let (number, san) = (self.number, before.san(self.packed));
        if self.in_variation {
            format!("({number}{dots}{san})")
        } else {
            format!("{number}{dots}{san}")
        }
    }

    /// The board before the move.
    fn before(&self, after: &Board) -> Board {
        let mut board = after.clone();
        board.undo(self.packed, self.captured);
        board
    }
}
