//! What must be there for the argument of a `find` to match.

use language::facts::note_assigned;
use language::hir::{Filter, ManSet, Node, VariableId};
use shakmaty::Bitboard;

use super::needed::reads;
use super::{Finder, FirstMove, is_same_throughout};

/// What is known of the argument of a `find`.
#[derive(Debug, Default)]
pub(crate) struct FindGuard<'q> {
    /// One of these moves must be there for it to match; empty if nothing is known.
    pub(crate) moves: Vec<FirstMove<'q>>,
    /// What must be true of the piece of the variable.
    pub(crate) piece: Option<(VariableId, OfPiece<'q>)>,
    /// Whether no move may follow.
    pub(crate) is_terminal: bool,
    /// Whether nothing else is asked for.
    pub(crate) is_all: bool,
}

/// What must be true of a piece.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OfPiece<'q> {
    /// It stands on one of these squares.
    Stands(&'q Filter),
    /// It has made the last move.
    HasMoved,
}

impl<'q> Finder<'q, '_> {
    /// Notes what must be there for the argument of a `find` to match.
    pub(super) fn visit_find(&mut self, argument: &'q Filter) {
        self.private = self.traces.private_to(argument);
        self.throughout = true;
        let mut moves = self.moves(argument, &mut Vec::new()).first;
        self.throughout = false;
        // What the argument changes differs from one position to the next.
        let mut assigned = Vec::new();
        argument.any(&mut |part| {
            assigned.extend(part.facts().assigns);
            false
        });
        if moves
            .iter()
            .any(|first| assigned.iter().any(|&variable| first.reads(variable)))
        {
            moves.clear();
        }
        let is_changed = |piece: VariableId, of: OfPiece<'_>| {
            assigned.iter().any(|&variable| {
                variable == piece || matches!(of, OfPiece::Stands(squares) if reads(squares, variable))
            })
        };
        let piece = self
            .needed_of_a_piece(argument)
            .filter(|&(piece, of)| !is_changed(piece, of));
        let is_terminal = |part: &Filter| matches!(part.node, Node::Terminal).then_some(());
        let is_terminal = self.first_needed(argument, is_terminal).is_some();
        if !moves.is_empty() || piece.is_some() || is_terminal {
            let guard = FindGuard {
                moves,
                piece,
                is_terminal,
                is_all: asks_for_one_thing(argument),
            };
            self.guards.finds.insert(argument.id(), guard);
        }
    }

    /// A variable whose piece must stand on certain squares, which are the same throughout the game, or have made the last move, for a
    /// filter to match. If it does not, the evaluation raises no error and leaves nothing behind that is seen.
    fn needed_of_a_piece(&mut self, filter: &'q Filter) -> Option<(VariableId, OfPiece<'q>)> {
        self.first_needed(filter, |part| match &part.node {
            Node::Intersection(parts) => piece_on(parts.iter()),
            Node::SameSet(a, b) => piece_on([&**a, &**b].into_iter()),
            Node::CurrentMove(dash) => match dash.left.as_ref().map(|left| &left.node) {
                Some(Node::Variable(variable)) => Some((*variable, OfPiece::HasMoved)),
                _ => None,
            },
            _ => None,
        })
    }

    /// What the first part of a filter asks for that asks for something of a kind. If that is not there, the evaluation raises no error
    /// and leaves nothing behind that is seen.
    fn first_needed<T>(&mut self, filter: &'q Filter, of: impl Fn(&'q Filter) -> Option<T>) -> Option<T> {
        let mark = self.bound.len();
        let parts = match &filter.node {
            Node::Compound(list) => list.as_slice(),
            _ => std::slice::from_ref(filter),
        };
        let mut found = None;
        for part in parts {
            found = of(part);
            if found.is_some() || !self.traces.may_skip_before_failure(part, &self.private, &self.bound) {
                // What it reads must have a value.
                found = found.filter(|_| self.may_skip(part, true));
                break;
            }
            note_assigned(part, &mut self.bound);
        }
        self.bound.truncate(mark);
        found
    }
}

/// A variable and squares that stay the same, if there are both among some sets.
fn piece_on<'q>(sets: impl Iterator<Item = &'q Filter> + Clone) -> Option<(VariableId, OfPiece<'q>)> {
    let variable = sets.clone().find_map(|set| match set.node {
        Node::Variable(variable) => Some(variable),
        _ => None,
    })?;
    let is_other = |set: &&Filter| !matches!(set.node, Node::Variable(it) if it == variable);
    let squares = sets.filter(is_other).find(|set| match &set.node {
        Node::Designator(designator) => designator.squares != Bitboard::FULL,
        _ => is_same_throughout(set),
    })?;
    Some((variable, OfPiece::Stands(squares)))
}

/// Whether a filter asks for nothing but a move with one side in a set, or a piece in a set.
fn asks_for_one_thing(filter: &Filter) -> bool {
    let is_set = |set: &Filter| match &set.node {
        Node::Designator(designator) => designator.men == ManSet::ANYTHING,
        Node::Variable(_) => true,
        _ => false,
    };
    match &filter.node {
        Node::Compound(list) => matches!(&list[..], [only] if asks_for_one_thing(only)),
        Node::Dash(dash) => {
            let is_plain = !dash.capture && dash.promotion.is_none() && dash.target.is_empty();
            is_plain && dash.left.is_some() != dash.right.is_some() && dash.left.iter().chain(&dash.right).all(is_set)
        }
        Node::Intersection(parts) => parts.len() == 2 && parts.iter().all(is_set),
        _ => false,
    }
}
