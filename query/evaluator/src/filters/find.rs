//! `find`: positions below or above that match (docs/language/games.md#find).

use language::hir::{Filter, FindCount, ManSet, Node, Range};
use language::span::Span;

use crate::error::Eval;
use crate::guards::{FindGuard, OfPiece};
use crate::machine::Machine;
use crate::nodes::NodeSet;
use crate::state::CommentSource;
use crate::tables::{FindPlace, Mover};
use crate::value::Value;

/// What is known of the argument of a `find` before it is evaluated.
#[derive(Debug, Default)]
struct Known {
    /// Where its answers are remembered.
    place: Option<FindPlace>,
    /// If they are not remembered: it matches nowhere but here.
    possible: Option<NodeSet>,
}

impl<'a> Machine<'a, '_> {
    /// The first position, the current one included, in the subtree or among the ancestors.
    pub(crate) fn find_first(
        &mut self,
        backward: bool,
        quiet: bool,
        argument: &'a Filter,
        span: Span,
    ) -> Eval<Option<u32>> {
        let known = self.known_before(argument)?;
        let last = self.game.last_descendant(self.node);
        let mut next = Some(self.node);
        while let Some(node) = next {
            if self.find_matches(argument, &known, node, span)? {
                if !quiet && self.notes_comments() {
                    self.comment(node, "Found", CommentSource::Automatic);
                }
                return Ok(Some(node));
            }
            next = self.find_next(backward, &known, node).filter(|&node| node <= last);
        }
        Ok(None)
    }

    /// The position to test after one: the parent, or the next in the game that may still match.
    fn find_next(&mut self, backward: bool, known: &Known, node: u32) -> Option<u32> {
        match (known.place, &known.possible) {
            _ if backward => self.game.parent(node),
            (Some(place), _) => self.tables.finds.truth(place).next_possible(node + 1),
            (None, Some(possible)) => possible.next(node + 1),
            (None, None) => Some(node + 1),
        }
    }

    /// How many positions match, if that is a number that the range allows.
    pub(crate) fn find_count(
        &mut self,
        backward: bool,
        quiet: bool,
        count: FindCount,
        argument: &'a Filter,
        span: Span,
    ) -> Eval<Option<i32>> {
        let known = self.known_before(argument)?;
        let last = self.game.last_descendant(self.node);
        let notes = !quiet && self.notes_comments();
        let mut found = Vec::new();
        let mut total = 0;
        let mut next = Some(self.node);
        while let Some(node) = next {
            if self.find_matches(argument, &known, node, span)? {
                total += 1;
                if notes {
                    found.push(node);
                }
            }
            next = self.find_next(backward, &known, node).filter(|&node| node <= last);
        }
        let value = match count {
            FindCount::First => unreachable!("without a count `find` gives a position"),
            FindCount::All => (total > 0).then_some(total),
            FindCount::Range(Range::Count) => Some(total),
            FindCount::Range(range) => self.within_range(total, Some(&range), span)?,
        };
        // When the number is not right, the comments of the argument stay.
        if value.is_some() {
            for (index, node) in found.into_iter().enumerate() {
                self.comment(
                    node,
                    format!("Found {} of {total}", index + 1),
                    CommentSource::Automatic,
                );
            }
        }
        Ok(value)
    }

    /// Whether the argument matches at a position.
    fn find_matches(&mut self, argument: &'a Filter, known: &Known, node: u32, span: Span) -> Eval<bool> {
        let place = known.place;
        if let Some(place) = place
            && let Some(known) = self.tables.finds.truth(place).at(node)
        {
            return Ok(known);
        }
        self.step(span)?;
        if let Some(place) = place
            && let Some(found) = self.find_by_formula(argument, place, node)
        {
            return Ok(found);
        }
        if known.possible.as_ref().is_some_and(|possible| !possible.contains(node)) {
            return Ok(false);
        }
        let found = self.elsewhere(node, |machine| machine.matches(argument))?;
        if let Some(place) = place {
            self.tables.finds.truth(place).note(node, found);
        }
        Ok(found)
    }

    /// The same by a formula, if there is one, in a search forward. It is asked for the next positions, too, of which there are the
    /// more the longer the search has found none.
    fn find_by_formula(&mut self, argument: &'a Filter, place: FindPlace, node: u32) -> Option<bool> {
        let distance = node.checked_sub(self.node)?;
        let end = node.saturating_add((distance + 1).min(bits::BITS));
        let end = end.min(u32::try_from(self.game.len()).unwrap_or(u32::MAX));
        let untested = |machine: &mut Self| {
            let truth = machine.tables.finds.truth(place);
            let untested = (node..end).filter(|&other| truth.at(other).is_none());
            untested.fold(0, |all, other| all | 1u64 << (other - node))
        };
        let (found, tested) = self.matches_by_formula(argument, node, untested)?;
        let truth = self.tables.finds.truth(place);
        for bit in bits::ones(tested) {
            truth.note(node + bit, found >> bit & 1 != 0);
        }
        Some(found & 1 != 0)
    }

    /// What is known of the argument with the variables as they are.
    fn known_before(&mut self, argument: &'a Filter) -> Eval<Known> {
        // Inside the target of a castling move `from` and `to` may be halves.
        if self.state.chosen_edge.is_some() {
            return Ok(Known::default());
        }
        let variables = &self.state.variables;
        let place = self.tables.finds.place(argument, variables, self.game.len());
        let mut known = Known {
            place: place.map(|(place, _)| place),
            possible: None,
        };
        if place.is_none_or(|(_, is_new)| is_new)
            && let Some(guard) = self.guards.of_find(argument)
        {
            let possible = self.possible_nodes(guard)?;
            match known.place {
                Some(place) => self.tables.finds.note_possible(place, possible.as_ref(), guard.is_all),
                None => known.possible = possible,
            }
        }
        Ok(known)
    }

    /// The positions of the game where an argument may match; `None` if that may be anywhere.
    fn possible_nodes(&mut self, guard: &FindGuard<'a>) -> Eval<Option<NodeSet>> {
        let known = guard
            .piece
            .and_then(|(variable, of)| match self.state.variables[variable.0 as usize] {
                Some(Value::Piece(id)) => Some((id, of)),
                _ => None,
            });
        if let Some((id, OfPiece::HasMoved)) = known {
            let mut reached = NodeSet::none(self.game.len());
            let moves = self.game.moves_of(1 << (id % 64), 1, self.game.last_node());
            moves.for_each(|node| reached.insert(node));
            return Ok(Some(reached));
        }
        if let Some((id, OfPiece::Stands(squares))) = known
            && let Some(squares) = self.squares_that_stay(squares)
            // A captured piece stands nowhere, and so equals a set without squares.
            && squares.any()
        {
            let mut possible = NodeSet::none(self.game.len());
            let stands = |&node: &u32| {
                self.game
                    .find_piece(node, id)
                    .is_some_and(|square| squares.contains(square))
            };
            self.game.nodes().filter(stands).for_each(|node| possible.insert(node));
            return Ok(Some(possible));
        }
        if guard.is_terminal {
            let mut last = NodeSet::none(self.game.len());
            match self.game.has_variations() {
                false => last.insert(self.game.last_node()),
                true => {
                    let is_terminal = |&node: &u32| self.game.is_terminal(node);
                    self.game.nodes().filter(is_terminal).for_each(|node| last.insert(node));
                }
            }
            return Ok(Some(last));
        }
        if guard.moves.is_empty() {
            return Ok(None);
        }
        let mut moves = Vec::with_capacity(guard.moves.len());
        for first in &guard.moves {
            // A piece stands elsewhere at each position, so that it is no square to move to.
            let to = match self.mover(first.to)? {
                Mover::Piece(_) => Mover::Any,
                to => to,
            };
            moves.push([self.mover(first.from)?, to]);
        }
        Ok(self.tables.finds.possible(self.game, &moves))
    }

    /// The squares of a side of a move, as far as they are the same throughout the game.
    fn mover(&mut self, squares: Option<&'a Filter>) -> Eval<Mover> {
        let Some(filter) = squares else { return Ok(Mover::Any) };
        Ok(match &filter.node {
            Node::Designator(designator) if designator.men == ManSet::ANYTHING => Mover::Squares(designator.squares),
            Node::Variable(variable) => match self.state.variables[variable.0 as usize] {
                Some(Value::Set(squares)) => Mover::Squares(squares),
                Some(Value::Piece(id)) => Mover::Piece(id),
                _ => Mover::Any,
            },
            Node::At(place, _) if matches!(place.node, Node::Variable(_)) => Mover::Squares(self.set(filter)?),
            _ => Mover::Any,
        })
    }
}
