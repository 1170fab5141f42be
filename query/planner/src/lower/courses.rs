//! What a piece does later: the moves of a path that one piece makes, and a move that `find` looks for.
//!
//! Lists say that a man of some kind makes a move. Where the moves are read, it has to be the same man
//! (`expr/courses.rs`).

use chess::Man;
use language::hir::{Dash, Filter, ManSet, Node, Path};
use shakmaty::{Bitboard, Role, Square};

use super::Lowering;
use super::maneuvers::Sequence;
use super::scope::Way;
use super::sequence_parts::{SequencePart, lengthened};
use super::steps::Step;
use crate::expr::{Candidates, Course, MOST_IN_A_ROW, MovePattern, NextMove, SetExpr, Truth, not_empty, possible};

/// The steps with which a sequence begins whatever happens; whether it ends with them.
fn certain_steps(parts: &[SequencePart], steps: &mut Vec<Step>) -> bool {
    for part in parts {
        if steps.len() >= MOST_IN_A_ROW {
            return false;
        }
        match part {
            SequencePart::Test(_) => {}
            SequencePart::Move { step: Some(step), .. } => steps.push(step.clone()),
            SequencePart::Move { step: None, .. } => return false,
            SequencePart::Repeat(body, repeat) => {
                for _ in 0..repeat.min {
                    if !certain_steps(body, steps) {
                        return false;
                    }
                }
                if repeat.max != Some(repeat.min) {
                    return false;
                }
            }
        }
    }
    true
}

/// Whether a move may lead from anywhere to anywhere.
fn goes_anywhere(pattern: &MovePattern) -> bool {
    let MovePattern {
        movers: _,
        from,
        to,
        onto,
        captured,
        reach,
        near,
    } = pattern;
    *from == Bitboard::FULL
        && *to == Bitboard::FULL
        && *onto == ManSet::ANYTHING
        && captured.is_none()
        && reach.is_none()
        && near.is_none()
}

/// Whether the man on a square can make a move later: a pawn never comes back.
fn may_come(from: Square, pattern: &MovePattern) -> bool {
    pattern.movers.iter().any(|man| match (man.role(), man.color()) {
        (Some(Role::Pawn), Some(color)) => {
            let is_ahead = |to: Square| color.fold_wb(to.rank() > from.rank(), to.rank() < from.rank());
            pattern.to.into_iter().any(is_ahead)
        }
        _ => true,
    })
}

impl<'q> Lowering<'q> {
    /// Where the man that moves next can make the first moves of a path that has at least `needed`, as far as these are moves of
    /// one piece.
    pub(super) fn course_of(path: &Path, parts: &[SequencePart], needed: u32) -> Candidates {
        let mut steps = Vec::new();
        certain_steps(&lengthened(parts.to_vec(), needed, 0), &mut steps);
        let Some(mover) = steps.first().and_then(|step| step.mover) else {
            return Candidates::EVERYWHERE;
        };
        if Sequence::Path(path).gives_value_to(mover) > 0 {
            return Candidates::EVERYWHERE;
        }
        let mut row = steps.into_iter().take_while(|step| step.mover == Some(mover));
        let Some(Step { pattern, .. }) = row.next() else {
            return Candidates::EVERYWHERE;
        };
        let next: Vec<MovePattern> = row.map(|step| step.pattern).collect();
        if next.is_empty() {
            return Candidates::EVERYWHERE;
        }
        // Where the piece stands is asked for by lists; here all squares are one condition.
        let first = MovePattern {
            from: Bitboard::FULL,
            ..pattern
        };
        Candidates::at_most(NextMove::course(first, Course::InARow(next), Truth::Always))
    }

    /// Where the piece of a variable makes a move later that `find` needs to match; `None` if it asks for no such move.
    pub(super) fn later_move(&mut self, argument: &'q Filter) -> Option<Candidates> {
        if !self.follows_men {
            return None;
        }
        let dash = needed_dash(argument)?;
        let mover = self.piece_variable(dash.left.as_ref()?)?;
        if argument.any(&mut |part| part.facts().assigns == Some(mover)) {
            return None;
        }
        let (domain, men) = self.scope.man_here(mover)?;
        let step = self.elsewhere(Some(Way::Forward), |lowering| {
            lowering.apart(argument, |lowering| lowering.move_of(dash, None).step)
        })?;
        if goes_anywhere(&step.pattern) {
            return None;
        }
        let of_man_on = |square: Square| {
            let course = Course::Later(square);
            let moved = match may_come(square, &step.pattern) {
                true => NextMove::course(step.pattern.clone(), course, Truth::Always),
                false => Truth::Never,
            };
            (square, moved)
        };
        self.has_followed = true;
        let castles = |man: Man| matches!(man.role(), Some(Role::King | Role::Rook));
        let is_whole = matches!(argument.node, Node::Dash(_));
        let is_exact = is_whole && step.exact && domain.is_exact() && !men.iter().any(castles);
        let moved = match domain.may() {
            SetExpr::Constant(squares) if squares.count() == 1 => {
                Truth::any(squares.into_iter().map(|square| of_man_on(square).1))
            }
            domain => {
                let squares = possible(domain).into_iter().map(of_man_on).collect();
                not_empty(SetExpr::intersection(vec![domain.clone(), SetExpr::Squares(squares)]))
            }
        };
        Some(Candidates::new(moved, is_exact))
    }
}

/// A move that has to be made where a filter matches.
fn needed_dash(filter: &Filter) -> Option<&Dash> {
    match &filter.node {
        Node::Dash(dash) => Some(dash),
        Node::Compound(list) => list.iter().find_map(needed_dash),
        Node::And(a, b) => needed_dash(a).or_else(|| needed_dash(b)),
        _ => None,
    }
}
