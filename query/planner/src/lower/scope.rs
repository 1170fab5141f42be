//! What is known of variables while a filter is lowered.
//!
//! A value is known at the position where it was given, its *frame*. In any other position of the game, squares and
//! numbers that depend on the board are not what the same expression gives there; what remains are constants, and the
//! kinds of a man: it keeps its identity, and only pawns change.

use std::collections::HashMap;

use chess::Man;
use language::hir::{AssignOp, Filter, Kind, ManSet, Node, VariableId, VariableKind};
use shakmaty::{Bitboard, Color, Role};

use super::Lowering;
use super::bounds::{NumberBounds, SetBounds};
use crate::expr::{Candidates, SetExpr, possible_men};

/// In which direction other positions lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// After moves.
    Forward,
    /// Before moves.
    Backward,
}

/// One of the positions that the lowering has come to: an index into [`Scope::frames`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame(usize);

/// The positions of a filter, and the variables that are known in them.
#[derive(Debug)]
pub(super) struct Scope {
    /// For each frame the one that it was reached from, and whether it is certainly not before that in the game.
    frames: Vec<(Frame, bool)>,
    /// The position of the filter that is being lowered.
    pub(super) frame: Frame,
    known: HashMap<VariableId, Known>,
    /// The position where the enclosing `path` begins.
    pub(super) path_start: Option<Frame>,
}

/// What is known of a variable.
#[derive(Clone, Debug)]
enum Known {
    Set(Frame, SetBounds),
    /// The square where the man stands, and what it can be.
    Piece(Frame, SetBounds, ManSet),
    Number(Frame, NumberBounds),
    Position(Frame),
}

/// The variables that are known at some moment.
#[derive(Clone)]
pub(super) struct Saved(HashMap<VariableId, Known>);

impl Scope {
    pub(super) fn new() -> Scope {
        Scope {
            frames: vec![(Frame(0), true)],
            frame: Frame(0),
            known: HashMap::new(),
            path_start: None,
        }
    }

    /// Goes to another position; returns the one before.
    pub(super) fn enter(&mut self, is_later: bool) -> Frame {
        self.frames.push((self.frame, is_later));
        std::mem::replace(&mut self.frame, Frame(self.frames.len() - 1))
    }

    /// The way from a frame to the current one: `None` if the current one was not reached from it, otherwise whether it
    /// is certainly not before it.
    fn is_later_than(&self, frame: Frame) -> Option<bool> {
        let (mut at, mut is_later) = (self.frame, true);
        while at != frame {
            if at == Frame(0) {
                return None;
            }
            let (from, step) = self.frames[at.0];
            is_later &= step;
            at = from;
        }
        Some(is_later)
    }

    /// The position of a variable, if it is one that the current one was reached from.
    pub(super) fn position(&self, variable: VariableId) -> Option<Frame> {
        match self.known.get(&variable) {
            Some(&Known::Position(frame)) => self.is_later_than(frame).map(|_| frame),
            _ => None,
        }
    }

    /// The squares of a set or piece variable in the current position.
    pub(super) fn squares(&self, variable: VariableId) -> SetBounds {
        match self.known.get(&variable) {
            Some(Known::Set(frame, squares) | Known::Piece(frame, squares, _)) if *frame == self.frame => {
                squares.clone()
            }
            Some(Known::Set(_, squares)) => squares.elsewhere(),
            Some(Known::Piece(frame, _, men)) => {
                let men = sometime(*men, self.is_later_than(*frame) == Some(true));
                SetBounds::at_most(SetExpr::Contents(men, Bitboard::FULL))
            }
            _ => SetBounds::UNKNOWN,
        }
    }

    /// The number of a variable in the current position.
    pub(super) fn number(&self, variable: VariableId) -> Option<NumberBounds> {
        match self.known.get(&variable) {
            Some(Known::Number(frame, number)) if *frame == self.frame => Some(number.clone()),
            Some(Known::Number(_, number)) => Some(number.elsewhere()),
            _ => None,
        }
    }

    /// A variable is one of the men on some squares, or one of the squares.
    pub(super) fn set(&mut self, variable: VariableId, squares: SetBounds, is_piece: bool) {
        let men = is_piece.then(|| possible_men(squares.may()));
        self.set_one(variable, squares, men);
    }

    /// The same for a man of one of some kinds.
    pub(super) fn set_one(&mut self, variable: VariableId, squares: SetBounds, men: Option<ManSet>) {
        let known = match men {
            Some(men) => {
                let men = men.intersection(ManSet::WHITE | ManSet::BLACK);
                Known::Piece(self.frame, squares, men)
            }
            None => Known::Set(self.frame, squares),
        };
        self.known.insert(variable, known);
    }

    /// Narrows the squares of a variable that is known here, and not exactly.
    pub(super) fn narrow(&mut self, variable: VariableId, narrower: impl FnOnce(SetExpr) -> SetExpr) {
        if let Some(
            Known::Set(frame, SetBounds::Between { may, .. }) | Known::Piece(frame, SetBounds::Between { may, .. }, _),
        ) = self.known.get_mut(&variable)
            && *frame == self.frame
        {
            *may = narrower(may.clone());
        }
    }

    pub(super) fn forget(&mut self, variable: VariableId) {
        self.known.remove(&variable);
    }

    pub(super) fn save(&self) -> Saved {
        Saved(self.known.clone())
    }

    pub(super) fn restore(&mut self, saved: Saved) {
        self.known = saved.0;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}

/// What men of these kinds can be in other positions: pawns promote, and what was promoted was a pawn.
fn sometime(men: ManSet, is_later: bool) -> ManSet {
    let mut all = men;
    for color in Color::ALL {
        let one = |role| ManSet::from_man(Man::new(color, role));
        let promoted = one(Role::Knight) | one(Role::Bishop) | one(Role::Rook) | one(Role::Queen);
        let pawn = one(Role::Pawn);
        let is_any_of = |set: ManSet| men.intersection(set) != ManSet::NONE;
        if is_any_of(pawn) || (!is_later && is_any_of(promoted)) {
            all = all | promoted;
        }
        if !is_later && is_any_of(promoted) {
            all = all | pawn;
        }
    }
    all
}

impl<'q> Lowering<'q> {
    /// A filter at another position: after moves, before them, or anywhere in the game.
    pub(super) fn elsewhere<T>(&mut self, way: Option<Way>, lower: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scope.enter(way == Some(Way::Forward));
        let value = lower(self);
        self.scope.frame = outer;
        value
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
        self.forget_assigned(filter);
        let saved = self.scope.save();
        let value = lower(self);
        self.scope.restore(saved);
        value
    }

    /// Forgets the variables that a filter assigns somewhere.
    pub(super) fn forget_assigned(&mut self, filter: &'q Filter) {
        if self.has_assignments && !self.scope.is_empty() {
            let scope = &mut self.scope;
            filter.any(&mut |part| {
                if let Some(variable) = part.facts().assigns {
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
                match known {
                    Some(known) => self.scope.known.insert(*variable, known),
                    None => self.scope.known.remove(variable),
                };
            }
            Node::AssignPiece(variable, argument) => {
                let men = SetExpr::Contents(ManSet::WHITE | ManSet::BLACK, Bitboard::FULL);
                let may = self.set_bounds(argument).may().clone();
                let may = SetExpr::intersection(vec![may, men]).simplified();
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
            match self.assigned_value(*variable, AssignOp::Set, argument) {
                Some(known) => self.scope.known.insert(*variable, known),
                None => self.scope.known.remove(variable),
            };
        }
        Candidates::all(all)
    }

    fn assigned_value(&mut self, variable: VariableId, op: AssignOp, argument: &'q Filter) -> Option<Known> {
        let frame = self.scope.frame;
        match (self.query.variables[variable.0 as usize].kind, op) {
            (VariableKind::Set, AssignOp::Set | AssignOp::SetIfAny) => {
                Some(Known::Set(frame, self.set_bounds(argument)))
            }
            (VariableKind::Set, AssignOp::Union) => {
                let parts = vec![self.scope.squares(variable), self.set_bounds(argument)];
                Some(Known::Set(frame, SetBounds::union(parts)))
            }
            (VariableKind::Set, AssignOp::Intersection) => {
                let parts = vec![self.scope.squares(variable), self.set_bounds(argument)];
                Some(Known::Set(frame, SetBounds::intersection(parts)))
            }
            (VariableKind::Numeric, AssignOp::Set) => Some(Known::Number(frame, self.number_bounds(argument))),
            (VariableKind::Numeric, AssignOp::Arithmetic(op)) => {
                let (old, new) = (self.scope.number(variable)?, self.number_bounds(argument));
                Some(Known::Number(frame, super::values::arithmetic(op, old, new)))
            }
            (VariableKind::Position, AssignOp::Set) if argument.kind == Kind::Position => match &argument.node {
                Node::CurrentPosition => Some(Known::Position(frame)),
                Node::Variable(other) => self.scope.position(*other).map(Known::Position),
                _ => None,
            },
            _ => None,
        }
    }
}
