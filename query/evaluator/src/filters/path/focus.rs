//! `focus` and `singlecolor`: only the moves of some pieces count (docs/language/sequences.md#focus).

use language::hir::Path;
use shakmaty::{Bitboard, Square};

use crate::error::Eval;
use crate::game::GameView;
use crate::machine::Machine;

/// The pieces in focus, by their identity numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Focused {
    pieces: u64,
    /// Whether moves that capture one of them are in focus too.
    capture: bool,
}

impl<'a> Machine<'a, '_> {
    /// The pieces that a path looks at, as they stand at its start.
    pub(super) fn focused(&mut self, path: &'a Path) -> Eval<Option<Focused>> {
        let (squares, capture) = match &path.focus {
            Some(focus) => (self.set(&focus.pieces)?, focus.capture),
            None if path.single_color => (self.board().color(self.board().turn()), false),
            None => return Ok(None),
        };
        Ok(Some(Focused::of(self.game, self.node, squares, capture)))
    }

    /// The pieces that stand on some squares, a bit for each identity number.
    pub(super) fn pieces_on(&self, squares: Bitboard) -> u64 {
        Focused::of(self.game, self.node, squares, false).pieces
    }
}

/// The position after the next move of a path that has come to a position of a game without variations. With a focus the first
/// move has to be in it; before later ones, others are passed over.
#[inline]
pub(crate) fn next_move(game: &GameView, focused: Option<Focused>, start: u32, node: u32) -> Option<u32> {
    let last = game.last_node();
    match focused {
        Some(focused) if node != start => focused.next(game, node + 1, last),
        Some(focused) => Some(node + 1).filter(|&child| child <= last && focused.holds(game, child)),
        None => Some(node + 1).filter(|&child| child <= last),
    }
}

impl Focused {
    /// The pieces that stand on some squares at a position.
    pub(crate) fn of(game: &GameView, node: u32, squares: Bitboard, capture: bool) -> Focused {
        let pieces = squares.into_iter().filter_map(|square| game.identity(node, square));
        Focused {
            pieces: pieces.fold(0, |all, id| all | 1 << (id % 64)),
            capture,
        }
    }

    /// Some pieces, a bit for each identity number; captures of them don't count.
    pub(super) fn on(pieces: u64) -> Focused {
        Focused { pieces, capture: false }
    }

    fn has(self, game: &GameView, node: u32, square: Square) -> bool {
        game.identity(node, square)
            .is_some_and(|id| self.pieces >> (id % 64) & 1 != 0)
    }

    /// Whether the move that leads to a position is made by one of the pieces, or captures one if that counts.
    #[inline]
    pub(super) fn holds(self, game: &GameView, child: u32) -> bool {
        let (moved, captured) = game.moved(child);
        moved & self.pieces != 0 || (self.capture && captured & self.pieces != 0)
    }

    /// The first move in focus that leads to one of the positions from `from` to `last`.
    pub(super) fn next(self, game: &GameView, from: u32, last: u32) -> Option<u32> {
        if !self.capture {
            return game.next_move_of(self.pieces, from, last);
        }
        (from..=last).find(|&child| self.holds(game, child))
    }

    /// Whether at least `count` moves in focus are below a position.
    pub(super) fn has_moves(self, game: &GameView, node: u32, count: u32) -> bool {
        let last = game.last_descendant(node);
        if !self.capture {
            return game.has_moves_of(self.pieces, node + 1, last, count);
        }
        let mut moves = (node + 1..=last).filter(|&child| self.holds(game, child));
        count == 0 || moves.nth(count as usize - 1).is_some()
    }

    /// The from- and to-squares of those of king and rook that are in focus when a move castles.
    pub(crate) fn castling(self, game: &GameView, head: u32, child: u32) -> Option<(Bitboard, Bitboard)> {
        let m = game.last_move(child).filter(|m| m.kind() == chess::MoveKind::Castle)?;
        let (king_to, rook_to) = chess::castling_targets(m.from(), m.to());
        let mut squares = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (from, to) in [(m.from(), king_to), (m.to(), rook_to)] {
            if self.has(game, head, from) {
                squares.0.add(from);
                squares.1.add(to);
            }
        }
        Some(squares)
    }

    /// The squares at a position of the pieces in focus, in the order of the board.
    pub(super) fn squares(self, game: &GameView, node: u32) -> impl Iterator<Item = Square> + '_ {
        game.board(node)
            .occupied()
            .into_iter()
            .filter(move |&square| self.has(game, node, square))
    }
}
