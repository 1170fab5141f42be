//! Whether the rest of a game has the moves that a `path` needs.

use language::hir::{Filter, Node, VariableId};
use shakmaty::Bitboard;

use crate::game::Edge;
use crate::guards::NeededMove;
use crate::machine::Machine;
use crate::value::Value;

impl<'a> Machine<'a, '_> {
    /// Whether all of these moves are made below the position, as far as they are known: a variable that has no value yet
    /// may have any.
    pub(crate) fn has_needed_moves(&self, moves: &[NeededMove<'a>]) -> bool {
        moves.iter().all(|needed| self.has_needed_move(needed))
    }

    fn has_needed_move(&self, needed: &NeededMove<'a>) -> bool {
        let (game, node) = (self.game, self.node);
        let last = game.last_descendant(node);
        let (piece, captured) = (self.piece_of(needed.piece), self.piece_of(needed.captured));
        let to = needed.to.and_then(|to| self.squares_that_stay(to));
        if to.is_none() && needed.promotion.is_none() && !needed.capture {
            return piece.is_none_or(|piece| game.has_moves_of(piece, node + 1, last, needed.times));
        }
        if let (Some(piece), Some(to)) = (piece, to)
            && (self.squares_ahead(piece) & to).is_empty()
        {
            return needed.times == 0;
        }
        let is_it = |edge: Edge| {
            to.is_none_or(|to| (edge.to & to).any())
                && (!needed.capture || edge.capture.is_some())
                && needed.promotion.is_none_or(|men| edge.promotes_to(men))
        };
        let makes = |&child: &u32| {
            captured.is_none_or(|captured| game.moved(child).1 & captured != 0) && game.edge(child).is_some_and(is_it)
        };
        let next = |from: u32| match piece {
            Some(piece) => game.next_move_of(piece, from, last),
            None => Some(from).filter(|&child| child <= last),
        };
        let mut found = std::iter::successors(next(node + 1), |&child| next(child + 1)).filter(makes);
        needed.times == 0 || found.nth(needed.times as usize - 1).is_some()
    }

    /// The squares on which some pieces stand below the position; all if that is not known.
    fn squares_ahead(&self, pieces: u64) -> Bitboard {
        let ahead = |id: u32| match u8::try_from(id) {
            Ok(id) => self.game.squares_ahead(self.node, id),
            Err(_) => Bitboard::FULL,
        };
        bits::ones(pieces).fold(Bitboard::EMPTY, |all, id| all | ahead(id))
    }

    /// The piece that a variable holds, as a set; `None` if it holds none.
    fn piece_of(&self, variable: Option<VariableId>) -> Option<u64> {
        match self.state.variables[variable?.0 as usize] {
            Some(Value::Piece(id)) => Some(1 << (id % 64)),
            _ => None,
        }
    }

    /// Squares outside of which a set has none at any position of the game; `None` if that is not known.
    pub(super) fn squares_that_stay(&self, set: &Filter) -> Option<Bitboard> {
        let value = |filter: &Filter| match filter.node {
            Node::Variable(variable) => self.state.variables[variable.0 as usize].as_ref(),
            _ => None,
        };
        match &set.node {
            Node::Designator(designator) => Some(designator.squares),
            Node::Variable(_) => match value(set) {
                Some(Value::Set(squares)) => Some(*squares),
                _ => None,
            },
            Node::At(place, inner) => match (value(place)?, value(inner)?) {
                (Value::Position(node), Value::Piece(id)) => {
                    let square = self.game.find_piece(*node, *id);
                    Some(square.map_or(Bitboard::EMPTY, Bitboard::from_square))
                }
                (Value::Position(_), Value::Set(squares)) => Some(*squares),
                _ => None,
            },
            Node::Union(parts) => parts
                .iter()
                .try_fold(Bitboard::EMPTY, |all, part| Some(all | self.squares_that_stay(part)?)),
            Node::Intersection(parts) => parts
                .iter()
                .filter_map(|part| self.squares_that_stay(part))
                .reduce(|a, b| a & b),
            _ => None,
        }
    }
}
