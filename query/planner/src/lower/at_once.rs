//! What a loop that is written out asks of all its squares at once: where that is cheap, most positions need not be asked square by
//! square.

use language::hir::{Filter, ManSet, Node, VariableId};
use shakmaty::Bitboard;

use super::Lowering;
use super::bounds::SetBounds;
use crate::expr::{Candidates, SetExpr, Truth, not_empty, possible_men};

/// A loop that costs less, in plane operations for a block, is asked square by square.
const COSTLY: f64 = 50_000.0;

/// What is asked of all squares at once has to cost this many times less.
const TIMES_LESS: f64 = 4.0;

impl<'q> Lowering<'q> {
    /// Where a loop matches of which it is known where it does by the squares of its domain: what all squares have in common comes
    /// first.
    pub(super) fn with_all_at_once(
        &mut self,
        variable: (VariableId, bool),
        (domain, body): (&SetBounds, &'q Filter),
        mut by_square: Candidates,
    ) -> Candidates {
        let (before, cost) = (self.extent(), by_square.truth.cost());
        if cost < COSTLY || has_sequences(body) || by_square.exact && is_at_one_position(body) {
            return by_square;
        }
        let saved = self.scope.save();
        let (were_at_once, was_too_large) = (self.inner_at_once, self.is_too_large);
        self.inner_at_once = true;
        let by_color = by_color(domain.may().clone(), variable.1).into_iter();
        let at_once = by_color.map(|domain| {
            self.scope.restore(saved.clone());
            self.lowered_at_once(variable, domain, body)
        });
        let at_once = Candidates::any(at_once.collect::<Vec<_>>()).truth;
        self.scope.restore(saved);
        (self.inner_at_once, self.is_too_large) = (were_at_once, was_too_large);
        if at_once == Truth::Always || at_once.cost() * TIMES_LESS > cost {
            self.shrink_to(before);
            return by_square;
        }
        by_square.truth = Truth::all([at_once, by_square.truth]);
        by_square
    }

    /// Where a loop may match whose body is lowered once for all squares.
    pub(super) fn lowered_at_once(
        &mut self,
        (variable, is_piece): (VariableId, bool),
        domain: SetExpr,
        body: &'q Filter,
    ) -> Candidates {
        self.scope.set(variable, SetBounds::at_most(domain), is_piece);
        let body_truth = self.truth(body);
        let squares = not_empty(self.scope.squares(variable).may().clone());
        self.scope.forget(variable);
        self.forget_assigned(body);
        Candidates::at_most(Truth::all([squares, body_truth.truth]))
    }
}

/// Whether a filter has a part that looks at any number of other positions.
pub(super) fn has_sequences(filter: &Filter) -> bool {
    filter.any(&mut |part| matches!(part.node, Node::Path(_) | Node::Line(_) | Node::Find { .. }))
}

/// Whether a filter has no part that is about moves or other positions.
fn is_at_one_position(filter: &Filter) -> bool {
    !has_sequences(filter) && !filter.any(&mut |part| matches!(part.node, Node::At(..) | Node::Dash(_) | Node::Move(_)))
}

/// The squares that a loop goes over, in parts whose bodies are lowered apart: men of both colors make other moves.
pub(super) fn by_color(domain: SetExpr, is_piece: bool) -> Vec<SetExpr> {
    let men = possible_men(&domain);
    let colors = [ManSet::WHITE, ManSet::BLACK].map(|own| men.intersection(own));
    if !is_piece || colors.contains(&ManSet::NONE) {
        return vec![domain];
    }
    let of_color = |own| {
        let own = SetExpr::Contents(own, Bitboard::FULL);
        SetExpr::intersection(vec![domain.clone(), own])
    };
    colors.map(of_color).into()
}
