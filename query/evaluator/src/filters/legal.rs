//! Mate and stalemate: whether the side to move can move at all.

use chess::Rights;
use language::hir::Legality;
use shakmaty::{Bitboard, Square};

use crate::game::Moves;
use crate::machine::Machine;

impl Machine<'_, '_> {
    /// Castling and en passant as the game's moves allow them here.
    pub(crate) fn rights(&self) -> Rights {
        self.game.rights(self.node)
    }

    /// The square that the pawn which has just made a double step passed.
    pub(crate) fn double_step_square(&self) -> Option<Square> {
        self.game.double_step_square(self.node)
    }

    fn has_legal_move(&self) -> bool {
        let mut found = false;
        Moves::new(self.game, self.node, Legality::Legal).visit(Bitboard::FULL, |_, _, _| {
            found = true;
            false
        });
        found
    }

    /// The side to move is in check and can't move.
    pub(crate) fn is_mate(&self) -> bool {
        self.board().is_attacked(self.board().turn()) && !self.has_legal_move()
    }

    /// The side to move is not in check, can't move, and the game does not go on
    /// (docs/language/games.md#places-in-the-tree).
    pub(crate) fn is_stalemate(&self) -> bool {
        self.game.is_terminal(self.node) && !self.board().is_attacked(self.board().turn()) && !self.has_legal_move()
    }
}
