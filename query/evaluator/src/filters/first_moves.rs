//! Whether the game goes on with a move that a loop's body begins with.

use language::hir::Filter;
use shakmaty::Bitboard;

use crate::error::Eval;
use crate::guards::{FirstMove, MoveSide};
use crate::machine::Machine;

impl<'a> Machine<'a, '_> {
    /// Whether the game goes on with one of these moves; true if none is asked for.
    pub(crate) fn has_first_move(&mut self, moves: &[FirstMove<'a>]) -> Eval<bool> {
        if moves.is_empty() {
            return Ok(true);
        }
        let game = self.game;
        for first in moves {
            let (mut from, mut to, mut captured, mut focus) = (None, None, None, None);
            for child in game.children(self.node) {
                let Some(edge) = game.edge(child) else { continue };
                let capture = edge.capture.map_or(Bitboard::EMPTY, Bitboard::from_square);
                if self.meets(first.focus, &mut focus, edge.from)?
                    && self.meets(first.from, &mut from, edge.from)?
                    && self.meets(first.to, &mut to, edge.to)?
                    && self.meets(first.capture, &mut captured, capture)?
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The squares on these sides of the moves with which the game goes on.
    pub(crate) fn squares_of_moves(&self, sides: &[MoveSide]) -> Bitboard {
        let game = self.game;
        let edges = game.children(self.node).filter_map(|child| game.edge(child));
        edges.fold(Bitboard::EMPTY, |all, edge| {
            sides.iter().fold(all, |all, side| match side {
                MoveSide::From => all | edge.from,
                MoveSide::To => all | edge.to,
                MoveSide::Capture => all | edge.capture.map_or(Bitboard::EMPTY, Bitboard::from_square),
            })
        })
    }

    /// Whether a set, which is evaluated once, has one of these squares.
    fn meets(&mut self, set: Option<&'a Filter>, known: &mut Option<Bitboard>, squares: Bitboard) -> Eval<bool> {
        let Some(set) = set else { return Ok(true) };
        if known.is_none()
            && let Some(bound) = self.squares_known(set, self.node, &[])
            && (bound & squares).is_empty()
        {
            return Ok(false);
        }
        let set = match *known {
            Some(set) => set,
            None => *known.insert(self.set(set)?),
        };
        Ok((set & squares).any())
    }
}
