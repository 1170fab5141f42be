//! Conditions.

use language::hir::{Comparison, Dash, Filter, Kind, ManSet, MoveFilter, MoveValue, Node, Promotion, VariableId};
use shakmaty::Bitboard;

use super::super::{DashOp, Id, Loop, MoveOp, NONE, Op, Target};
use super::without_turns::Turns;
use super::{Lowering, Question};
use crate::filters::has_text;
use crate::guards::LoopGuard;

impl Lowering<'_> {
    pub(super) fn make_truth(&mut self, filter: &Filter) -> Option<Id> {
        let made = match &filter.node {
            Node::Compound(list) => {
                let parts = self.truths(list)?;
                self.and(parts)
            }
            Node::And(a, b) => {
                let parts = self.truths([&**a, &**b])?;
                self.and(parts)
            }
            Node::Or(a, b) => {
                let parts = self.truths([&**a, &**b])?;
                match parts[..] {
                    [a, b] if self.has_effects(a) || self.has_effects(b) => {
                        let holds = self.constant(1);
                        self.op(Op::Choose(a, holds, b))
                    }
                    _ => self.or(parts),
                }
            }
            Node::Not(a) => {
                let a = self.truth(a)?;
                self.op(Op::Not(a))
            }
            Node::If(condition, then, otherwise) => {
                let condition = self.truth(condition)?;
                let then = self.truth(then)?;
                let otherwise = match otherwise {
                    Some(otherwise) => self.truth(otherwise)?,
                    None => self.constant(1),
                };
                self.op(Op::Choose(condition, then, otherwise))
            }
            Node::At(place, inner) => {
                let place = self.value(place)?;
                self.elsewhere = true;
                let inner = self.truth(inner)?;
                self.op(Op::At(place, inner, 0))
            }
            Node::NoTransform(inner) => self.truth(inner)?,
            // A sort key that is not asked for.
            Node::Sort { argument, .. } if !self.comments => self.truth(argument)?,
            Node::Orbit { range: None, variants } => {
                if self.orbits.has(filter) {
                    let count = self.op(Op::Folded(filter.id()));
                    let zero = self.constant(0);
                    return Some(self.op(Op::Compare(Comparison::Greater, count, zero)));
                }
                let parts = self.truths(variants)?;
                // Each variant is asked, equal ones too.
                if parts.iter().any(|&part| self.has_effects(part)) {
                    return None;
                }
                self.or(parts)
            }
            Node::Orbit { range: Some(_), .. } => {
                let number = self.orbit_count(filter)?;
                self.op(Op::Exists(number))
            }
            Node::Dash(dash) | Node::CurrentMove(dash) => {
                let is_last = matches!(filter.node, Node::CurrentMove(_));
                let dash = self.dash(dash, is_last, Question::Truth)?;
                self.op(Op::Any(dash))
            }
            Node::Move(m) if m.value == MoveValue::Logical => {
                let squares = self.move_squares(m)?;
                self.op(Op::Any(squares))
            }
            Node::SquareLoop { .. } | Node::PieceLoop { .. } => self.make_loop(filter, true)?,
            Node::Call { arguments, body } => {
                let mut parts = self.arguments(arguments)?;
                parts.push(self.truth(body)?);
                self.and(parts)
            }
            _ if filter.is_vacuous() => return None,
            _ if filter.kind == Kind::Set => {
                let set = self.set(filter)?;
                self.op(Op::Any(set))
            }
            Node::Cardinality(argument) | Node::Power(argument) => {
                let set = self.set(argument)?;
                if self.has_effects(set) {
                    return None;
                }
                self.constant(1)
            }
            Node::True | Node::MoveNumber | Node::Ply => self.constant(1),
            Node::Comment(parts) if !self.comments && parts.iter().all(has_text) => self.constant(1),
            Node::Comment(_) | Node::CountMoves(..) | Node::Depth | Node::GameNumber => return None,
            Node::False => self.constant(0),
            Node::Turn(color) => self.op(Op::Turn(*color)),
            Node::Check => self.op(Op::Check),
            Node::Mate => self.op(Op::Mate),
            Node::Stalemate => self.op(Op::Stalemate),
            Node::Initial => self.op(Op::Initial),
            Node::Terminal => self.op(Op::Terminal),
            Node::Mainline(wanted) => {
                let mainline = self.op(Op::Mainline);
                if *wanted { mainline } else { self.op(Op::Not(mainline)) }
            }
            Node::Subset(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                self.op(Op::Subset(a, b))
            }
            Node::SameSet(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                self.op(Op::SameSet(a, b))
            }
            Node::CompareNumbers(comparison, a, b) => {
                let (a, b) = (self.count_against(a, b)?, self.count(b)?);
                self.op(Op::Compare(*comparison, a, b))
            }
            Node::CompareStrings(Comparison::Equal, a, b) => {
                let (a, b) = (self.letter(a)?, self.letter(b)?);
                self.op(Op::Compare(Comparison::Equal, a, b))
            }
            Node::ComparePositions(..)
            | Node::Find { .. }
            | Node::Path(_)
            | Node::PathStart
            | Node::PathCount
            | Node::Arithmetic(..)
            | Node::Negate(_) => {
                let value = self.value(filter)?;
                self.op(Op::Exists(value))
            }
            Node::File(_)
            | Node::Rank(_)
            | Node::ColorType(_)
            | Node::CurrentPosition
            | Node::PositionAt(_)
            | Node::Parent
            | Node::Child(None) => {
                let value = self.value(filter)?;
                self.op(Op::Exists(value))
            }
            _ => return self.make_effect(filter),
        };
        Some(made)
    }

    /// Texts of one letter: what kind of man stands there.
    pub(super) fn letter(&mut self, filter: &Filter) -> Option<Id> {
        match &filter.node {
            Node::TypeName(argument) => {
                let set = self.set(argument)?;
                Some(self.op(Op::Letter(false, set)))
            }
            Node::PieceName(argument) => {
                let set = self.set(argument)?;
                Some(self.op(Op::Letter(true, set)))
            }
            Node::At(place, inner) => {
                let place = self.value(place)?;
                self.elsewhere = true;
                let inner = self.letter(inner)?;
                Some(self.op(Op::At(place, inner, NONE)))
            }
            _ => None,
        }
    }

    /// A dash, about the last move or about those with which the game goes on: whether there is such a move, or which squares of
    /// it its target names.
    pub(super) fn dash(&mut self, dash: &Dash, is_last: bool, question: Question) -> Option<Id> {
        let (from, to, promotion) = self.move_operands(dash)?;
        let (mut target, mut conditions) = (Target::None, Vec::new());
        let asked = match (question, dash.target.split_last()) {
            (Question::Value, Some((last, before))) => {
                target = match last.node {
                    Node::FromSquares => Target::From,
                    Node::ToSquares => Target::To,
                    _ => return None,
                };
                before
            }
            _ => &dash.target,
        };
        for part in asked {
            match part.node {
                Node::EnPassant if target == Target::None => target = Target::EnPassant,
                Node::Castle(side) if target == Target::None => target = Target::Castle(side),
                // Every move has them.
                Node::FromSquares | Node::ToSquares => {}
                _ => conditions.push(self.truth(part)?),
            }
        }
        let then = match conditions.is_empty() {
            true => None,
            false => Some(self.and(conditions)),
        };
        // Of a castling move, what follows sees the squares that were accepted.
        if then.is_some_and(|then| self.formulas.infos[then as usize].last_move) {
            return None;
        }
        if [Some(from), Some(to), then]
            .into_iter()
            .flatten()
            .any(|id| self.has_effects(id))
        {
            return None;
        }
        Some(self.op(Op::Dash(Box::new(DashOp {
            is_last,
            from,
            to,
            capture: dash.capture,
            promotion,
            target,
            then,
        }))))
    }

    /// From-squares, to-squares and men of a promotion that a dash asks for.
    pub(super) fn move_operands(&mut self, dash: &Dash) -> Option<(Id, Id, Option<ManSet>)> {
        let promotion = match &dash.promotion {
            None => None,
            Some(Promotion::Roles(men)) => Some(*men),
            Some(Promotion::Text(_)) => return None,
        };
        let from = self.set_or(dash.left.as_ref(), Bitboard::FULL)?;
        let to = self.set_or(dash.right.as_ref(), Bitboard::FULL)?;
        Some((from, to, promotion))
    }

    /// `move` without `legal`, `previous` and comments.
    pub(super) fn move_squares(&mut self, m: &MoveFilter) -> Option<Id> {
        if m.legality.is_some() || m.previous || m.comment.is_some() {
            return None;
        }
        let mut squares = [None; 4];
        let parts = [&m.from, &m.to, &m.capture, &m.en_passant_square];
        for (square, part) in squares.iter_mut().zip(parts) {
            if let Some(part) = part {
                *square = Some(self.set(part)?);
            }
        }
        Some(self.op(Op::Move(Box::new(MoveOp {
            value: m.value,
            squares,
            promote: m.promote,
            en_passant: m.en_passant,
            null: m.null,
            castle: m.castle,
            primary: m.primary,
        }))))
    }

    pub(super) fn make_loop(&mut self, filter: &Filter, truth: bool) -> Option<Id> {
        let (variable, pieces, all, domain, body) = match &filter.node {
            Node::SquareLoop {
                variable,
                all,
                domain,
                body,
                ..
            } => (*variable, false, *all, domain, body),
            Node::PieceLoop {
                variable,
                all,
                domain,
                body,
                ..
            } => (*variable, true, *all, domain, body),
            _ => return None,
        };
        let domain = self.set(domain)?;
        self.scope.push(variable);
        let body = self.truth(body)?;
        self.scope.pop();
        // The variable would be in use.
        let info = |id: Id| &self.formulas.infos[id as usize];
        if info(domain).variables.contains(&variable) || info(body).bound.contains(&variable) {
            return None;
        }
        let guard = self.guards.of_loop(filter);
        let to_the_end = self.has_effects(body) && !guard.is_some_and(|guard| guard.may_stop);
        let does_more = self.has_effects(body) || self.formulas.infos[body as usize].follows;
        if does_more && guard.is_some_and(LoopGuard::is_known) {
            // Most turns are left out where it stands as it is.
            return None;
        }
        let turns = Turns {
            variable,
            pieces,
            domain,
            body,
        };
        let without_turns = match (self.has_effects(body), all, truth) {
            (false, true, _) => self.all_turns_hold(turns),
            (false, false, true) => self.turns_that_hold(turns).map(|found| self.op(Op::Any(found))),
            (false, false, false) => self.turns_that_hold(turns),
            (true, false, true) if to_the_end => self.all_turns_done(turns),
            (true, ..) => None,
        };
        if without_turns.is_some() {
            return without_turns;
        }
        let (domain, body) = match pieces && !all {
            true => self.only_moved(domain, body, variable),
            false => (domain, body),
        };
        let (before, body) = match self.has_effects(domain) {
            true => (None, body),
            false => self.split_body(body, variable),
        };
        let inner = Loop {
            variable,
            pieces,
            domain,
            before,
            body,
            side_by_side: self.fits_lanes(body, variable),
            to_the_end,
        };
        Some(match (all, truth) {
            (true, _) => self.op(Op::All(inner)),
            (false, true) => self.op(Op::Some(inner)),
            (false, false) => self.op(Op::Loop(inner)),
        })
    }

    /// Domain and body of a loop over pieces. If the body asks that a piece is elsewhere at another position, the domain is made
    /// smaller instead.
    fn only_moved(&mut self, domain: Id, body: Id, variable: VariableId) -> (Id, Id) {
        let mut parts = match self.get(body) {
            Op::And(list) | Op::Sequence(list) => list.to_vec(),
            _ => vec![body],
        };
        // What comes first in a sequence is asked for each piece, and may be several conditions.
        if let Op::Sequence(_) = self.get(body)
            && let Op::And(first) = self.get(parts[0]).clone()
        {
            parts.splice(..1, first);
        }
        let asked_first = parts.iter().take_while(|&&part| !self.has_effects(part));
        let found = asked_first
            .enumerate()
            .find_map(|(index, &part)| Some((index, self.elsewhere_at(part, variable)?)));
        let Some((index, place)) = found else {
            return (domain, body);
        };
        parts.remove(index);
        let moved = self.op(Op::Moved(place));
        let domain = self.op(Op::Intersection([domain, moved].into()));
        (domain, self.and(parts))
    }

    /// The position at which a condition asks the piece of a variable to be elsewhere.
    fn elsewhere_at(&self, condition: Id, variable: VariableId) -> Option<Id> {
        let Op::Not(same) = self.get(condition) else {
            return None;
        };
        let Op::SameSet(a, b) = *self.get(*same) else {
            return None;
        };
        let is_piece = |id| matches!(self.get(id), Op::Piece(piece) if *piece == variable);
        let place = |piece, other| match self.get(other) {
            Op::At(place, inner, 0) if is_piece(piece) && is_piece(*inner) => Some(*place),
            _ => None,
        };
        let is_fixed = |place: &Id| {
            !self.has_effects(*place) && !self.formulas.infos[*place as usize].variables.contains(&variable)
        };
        place(a, b).or_else(|| place(b, a)).filter(is_fixed)
    }
}
