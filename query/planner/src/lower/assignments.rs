//! Where filters are evaluated, and the values that they give to variables.

use language::facts::is_plain_assignment;
use language::hir::{AssignOp, Filter, Kind, ManSet, Node, VariableId, VariableKind};
use shakmaty::Bitboard;

use super::Lowering;
use super::bounds::SetBounds;
use super::intervals::NumberBounds;
use super::places::PlaceSum;
use super::scope::{Frame, Known, OfPositions, Squares, Way};
use crate::expr::{Candidates, SetExpr};

impl<'q> Lowering<'q> {
    /// A filter at another position: after moves, before them, or anywhere in the game.
    pub(super) fn elsewhere<T>(&mut self, way: Option<Way>, lower: impl FnOnce(&mut Self) -> T) -> T {
        let there = self.scope.new_frame(way == Some(Way::Forward), None);
        self.within(there, lower)
    }

    /// A filter at the position that many moves later, or earlier for a negative number.
    pub(super) fn beside_by<T>(&mut self, moves: i32, lower: impl FnOnce(&mut Self) -> T) -> T {
        // Without variations, the positions of a game follow each other.
        let ids = (!self.variations).then_some(moves);
        let there = self.scope.new_frame(moves > 0, ids);
        self.within(there, lower)
    }

    /// A filter at the position of a frame.
    pub(super) fn within<T>(&mut self, frame: Frame, lower: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.scope.frame, frame);
        let value = lower(self);
        self.scope.frame = outer;
        value
    }

    /// A filter that may be evaluated several times, or not up to its end, or whose failure is a match: what is learned
    /// of variables inside it does not hold outside, and values from outside do not hold inside where it assigns.
    pub(super) fn apart<T>(&mut self, filter: &'q Filter, lower: impl FnOnce(&mut Self) -> T) -> T {
        if !self.has_variables {
            return lower(self);
        }
        let before = self.scope.save();
        self.forget_assigned(filter);
        let value = lower(self);
        self.scope.restore(before);
        self.after_part_of(filter, false);
        value
    }

    /// Forgets the variables that a filter assigns somewhere.
    pub(super) fn forget_assigned(&mut self, filter: &'q Filter) {
        self.forget_assigned_but(filter, &[]);
    }

    /// The same for all but some.
    pub(super) fn forget_assigned_but(&mut self, filter: &'q Filter, kept: &[VariableId]) {
        if self.has_assignments && !self.scope.is_empty() {
            let scope = &mut self.scope;
            filter.any(&mut |part| {
                if let Some(variable) = part.facts().assigns.filter(|variable| !kept.contains(variable)) {
                    scope.forget(variable);
                }
                false
            });
        }
    }

    /// Notes the value that a filter has given to a variable, where it has matched.
    pub(super) fn note_value(&mut self, filter: &'q Filter) {
        match &filter.node {
            Node::Assign(variable, op, argument) => {
                let known = self.assigned_value(*variable, *op, argument);
                self.scope.note(*variable, known.map(Known::affordable));
            }
            Node::AssignPiece(variable, argument) => {
                let men = SetExpr::Contents(ManSet::WHITE | ManSet::BLACK, Bitboard::FULL);
                let may = self.set_bounds(argument).may().clone();
                let may = SetExpr::intersection(vec![may, men]).simplified();
                self.note_left_out(*variable, argument);
                self.scope.set(*variable, SetBounds::at_most(may), true);
            }
            _ => {}
        }
    }

    /// Gives the variables of a call their values; returns where all of them have one.
    pub(super) fn pass_arguments(&mut self, arguments: &'q [(VariableId, Filter)]) -> Candidates {
        let mut all = Vec::new();
        for (variable, argument) in arguments {
            self.forget_assigned(argument);
            all.push(self.has_value(argument));
            let known = self.assigned_value(*variable, AssignOp::Set, argument);
            self.scope.note(*variable, known);
        }
        Candidates::all(all)
    }

    /// What the squares are that a filter gives.
    fn squares_of(&self, filter: &Filter) -> Squares {
        match filter.node {
            Node::Variable(variable) => match self.scope.get(variable) {
                Some(&Known::Set(frame, _, squares)) if frame == self.scope.frame => squares,
                _ => self.piece_variable(filter).map_or(Squares::Any, Squares::OfPiece),
            },
            _ => match self.moved_men(filter) {
                Some((men, moves)) => Squares::Moved(men, moves),
                None if self.has_one_square_at_most(filter) => Squares::OneAtMost,
                None => Squares::Any,
            },
        }
    }

    fn assigned_value(&mut self, variable: VariableId, op: AssignOp, argument: &'q Filter) -> Option<Known> {
        let frame = self.scope.frame;
        // What is known here is what is known behind the argument; what is updated may be the value before it.
        if !is_plain_assignment(op) && argument.any(&mut |part| part.facts().assigns == Some(variable)) {
            return None;
        }
        match (self.query.variables[variable.0 as usize].kind, op) {
            (VariableKind::Set, AssignOp::Set | AssignOp::SetIfAny) => {
                let squares = match op {
                    AssignOp::Set => self.squares_of(argument),
                    _ => Squares::Any,
                };
                Some(Known::Set(frame, self.set_bounds(argument), squares))
            }
            (VariableKind::Set, AssignOp::Union) => {
                let parts = vec![self.scope.squares(variable), self.set_bounds(argument)];
                Some(Known::Set(frame, SetBounds::union(parts), Squares::Any))
            }
            (VariableKind::Set, AssignOp::Intersection) => {
                let parts = vec![self.scope.squares(variable), self.set_bounds(argument)];
                Some(Known::Set(frame, SetBounds::intersection(parts), Squares::Any))
            }
            (VariableKind::Numeric, AssignOp::Set) => {
                let place = PlaceSum::of(argument, false, &|part, _| match part.node {
                    Node::Variable(variable) => self.scope.place(variable),
                    _ => None,
                });
                let number = self.number_bounds(argument);
                Some(match self.counted_by_find(argument) {
                    Some(counted) => Known::OfPositions(frame, number, Box::new(OfPositions::Counted(counted))),
                    None => Known::Number(frame, number, place),
                })
            }
            (VariableKind::Numeric, AssignOp::Arithmetic(op)) => {
                let (old, new) = (self.scope.number(variable)?, self.number_bounds(argument));
                Some(Known::Number(frame, NumberBounds::arithmetic(op, old, new), None))
            }
            (VariableKind::String, AssignOp::Set) => Some(Known::Text(frame, self.text_bounds(argument))),
            (VariableKind::String, AssignOp::Append) => {
                let (old, new) = (self.scope.text(variable)?, self.text_bounds(argument));
                Some(Known::Text(frame, old.followed_by(new)))
            }
            (VariableKind::Position, AssignOp::Set) if argument.kind == Kind::Position => match &argument.node {
                Node::CurrentPosition => Some(Known::Position(frame)),
                Node::Variable(other) if let Some(frame) = self.scope.position(*other) => Some(Known::Position(frame)),
                _ => match self.neighbour(argument) {
                    Some((ids, there)) => Some(Known::Beside(frame, ids, there)),
                    None => self.moves_to(argument).map(|moves| Known::Later(frame, moves)),
                },
            },
            _ => None,
        }
    }
}
