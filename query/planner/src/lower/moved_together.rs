//! The men that stand elsewhere at a certain later position: how many they are, and whether all of them have gone the same way.
//!
//! `M = piece x in A {P:x not x==P:x}` is the set of those, if `P = position positionid+4`. They are followed in the moves of a
//! game ([`MovedMen`]).

use chess::Man;
use language::hir::{Arithmetic, Comparison, Filter, ManSet, Node, VariableId, VariableKind};
use postings::Term;
use shakmaty::Bitboard;

use super::Lowering;
use super::branches::assigned_in;
use super::intervals::NumberBounds;
use super::places::PlaceSum;
use crate::expr::{Candidates, Course, MovePattern, MovedMen, NextMove, Truth};
use crate::filters::{compared_count, conjuncts, is_variable};
use crate::first_turn::FirstTurn;

/// How many moves later the position may be.
const MOST_MOVES: i64 = 100;

impl<'q> Lowering<'q> {
    /// How many moves later a position is, if that is certain.
    pub(super) fn moves_to(&self, place: &Filter) -> Option<u32> {
        if self.variations {
            return None;
        }
        match &place.node {
            Node::Variable(variable) => self.scope.moves_to(*variable),
            Node::PositionAt(number) => {
                let number = PlaceSum::of(number, false, &|part, _| match part.node {
                    Node::Variable(variable) => self.scope.place(variable),
                    _ => None,
                })?;
                let moves = number.moves_behind_target().filter(|moves| *moves <= MOST_MOVES)?;
                u32::try_from(moves).ok().filter(|&moves| moves > 0)
            }
            _ => None,
        }
    }

    /// Where there is a position some moves later and something holds there, given where it holds. What it is in variations is
    /// not known, and numbers beyond the main line are of such positions.
    pub(super) fn moves_later(&mut self, moves: u32, inner: Candidates) -> Candidates {
        let is_far = i64::from(moves) + i64::from(inner.reach()) > i64::from(Truth::REACH);
        let later = match i32::try_from(moves) {
            Ok(moves) if !is_far => inner.truth.after(moves),
            _ => Truth::Always,
        };
        Candidates::at_most(Truth::any([later, self.has_variations()]))
    }

    /// All positions of games with variations.
    fn has_variations(&mut self) -> Truth {
        let elsewhere = Truth::Term(Term::Mainline).not();
        self.in_game(Candidates::exactly(elsewhere)).truth
    }

    /// The men that a set is made of, if it is where all those of a color, or of both, stand that will stand elsewhere at a certain
    /// later position, and how many moves later that is.
    pub(super) fn moved_men(&self, set: &Filter) -> Option<(ManSet, u32)> {
        match &set.node {
            Node::Variable(variable) => self.scope.moved_men(*variable),
            Node::PieceLoop {
                variable,
                all: false,
                domain,
                body,
                ..
            } => Some((men_of_color(domain)?, self.moves_of_moved(*variable, body)?)),
            _ => None,
        }
    }

    /// How many moves later a piece has to stand elsewhere, if a condition on it says that and nothing else.
    fn moves_of_moved(&self, piece: VariableId, condition: &Filter) -> Option<u32> {
        let (mut exists, mut moved) = (None, None);
        for part in conjuncts(condition) {
            match &part.node {
                Node::At(..) => exists = Some(self.moves_of_piece(piece, part)?),
                Node::Not(inner) => match &inner.node {
                    Node::SameSet(a, b) if is_variable(a, piece) => moved = Some(self.moves_of_piece(piece, b)?),
                    Node::SameSet(a, b) if is_variable(b, piece) => moved = Some(self.moves_of_piece(piece, a)?),
                    _ => return None,
                },
                _ => return None,
            }
        }
        exists.filter(|_| exists == moved)
    }

    /// How many moves later a filter asks where a piece stands, if it does that.
    fn moves_of_piece(&self, piece: VariableId, filter: &Filter) -> Option<u32> {
        match &filter.node {
            Node::At(place, inner) if is_variable(inner, piece) => self.moves_to(place),
            _ => None,
        }
    }

    /// Where the number of squares of a set may compare with a number, if the set is made of men that will stand elsewhere.
    pub(super) fn compared_moved(&mut self, comparison: Comparison, a: &'q Filter, b: &'q Filter) -> Option<Truth> {
        let (set, comparison, number) = compared_count(comparison, a, b)?;
        let least = match comparison {
            Comparison::GreaterEqual | Comparison::Equal => u32::try_from(number).ok()?,
            Comparison::Greater => u32::try_from(number).ok()?.checked_add(1)?,
            _ => return None,
        };
        let moved = self.moved_men(set)?;
        self.of_moved(moved, least, false)
    }

    /// Where all men of a set may have gone the same way, if the set is made of men that will stand elsewhere, and a loop over all
    /// of them asks for that.
    pub(super) fn moved_same_way(&mut self, filter: &'q Filter) -> Option<Truth> {
        let Node::PieceLoop {
            variable: piece,
            domain,
            body,
            ..
        } = &filter.node
        else {
            return None;
        };
        let (piece, moved) = (*piece, self.moved_men(domain)?);
        let assigned = assigned_in(body);
        let kind = |variable: &VariableId| self.query.variables[variable.0 as usize].kind;
        let is_position = |variable: &VariableId| kind(variable) == VariableKind::Position;
        if assigned.contains(&piece) || assigned.iter().any(is_position) {
            return None;
        }
        let same = FirstTurn::of_loop(filter)?.same_in_all_turns();
        let has_step = |by_file| same.iter().any(|number| self.is_step(piece, moved.1, by_file, number));
        if !has_step(true) || !has_step(false) {
            return None;
        }
        self.of_moved(moved, 0, true)
    }

    /// Whether a loop begins with the turn that is the first one.
    pub(super) fn has_first_turn(&self, turns: &FirstTurn<'_>) -> bool {
        let flag = self.scope.number(turns.flag);
        flag.as_ref().and_then(NumberBounds::constant_value) == Some(turns.unseen)
    }

    /// Whether a number tells by how many files or ranks a piece stands elsewhere some moves later.
    fn is_step(&self, piece: VariableId, moves: u32, by_file: bool, number: &Filter) -> bool {
        let Node::Arithmetic(Arithmetic::Subtract, a, b) = &number.node else {
            return false;
        };
        let is_coordinate = |filter: &Filter| match &filter.node {
            Node::File(square) => by_file && is_variable(square, piece),
            Node::Rank(square) => !by_file && is_variable(square, piece),
            _ => false,
        };
        let is_later = |filter: &Filter| match &filter.node {
            Node::At(place, inner) => is_coordinate(inner) && self.moves_to(place) == Some(moves),
            _ => false,
        };
        is_coordinate(a) && is_later(b) || is_later(a) && is_coordinate(b)
    }

    fn of_moved(&mut self, (men, moves): (ManSet, u32), least: u32, same_way: bool) -> Option<Truth> {
        if !self.follows_men {
            return None;
        }
        self.has_followed = true;
        let moved = MovedMen {
            men,
            moves,
            least,
            same_way,
        };
        let moved = NextMove::course(MovePattern::of(men), Course::Moved(moved), Truth::Always);
        Some(Truth::any([moved, self.has_variations()]))
    }
}

/// All men of a color or of both, if a filter is a designator of them.
fn men_of_color(filter: &Filter) -> Option<ManSet> {
    let Node::Designator(designator) = &filter.node else {
        return None;
    };
    let men = designator.men;
    let colors = [ManSet::WHITE, ManSet::BLACK, ManSet::WHITE | ManSet::BLACK];
    let is_whole = designator.squares == Bitboard::FULL && !men.contains(Man::EMPTY) && colors.contains(&men);
    is_whole.then_some(men)
}
