//! Paths in which every other move counts: those of all men of the side that moves first.
//!
//! `singlecolor` and `focus A` let the moves of the other side pass. As the sides take turns, the next move of the path
//! begins one ply behind the last one, where another path may have any number of moves between. Only a null move, which is
//! nobody's, breaks this.

use language::hir::{ManSet, Path, Repeat};
use postings::Term;
use shakmaty::Bitboard;

use super::Lowering;
use super::scope::Way;
use super::sequence_parts::{SequencePart, fixed_moves, shortest, unrolled};
use crate::expr::{Candidates, SetExpr, Truth};

/// Conditions that cost more than this, in plane operations for a block, are not asked ply by ply: it takes less time to ask
/// them once for all plies. Where it lies was measured: two steps of a queen gain at 1,587 and lose at 1,674.
const MAX_COST: f64 = 1_600.0;

impl<'q> Lowering<'q> {
    /// Whether all men of a side are in focus of a path that begins with a move of that side.
    pub(super) fn alternates(&mut self, path: &'q Path) -> bool {
        if self.variations {
            return false;
        }
        match &path.focus {
            None => path.single_color,
            Some(focus) => {
                let pieces = self.apart(&focus.pieces, |lowering| lowering.set(&focus.pieces));
                !focus.capture && pieces.is_some_and(|pieces| is_a_side(&pieces))
            }
        }
    }

    /// Where such a path can have these parts with at least some number of moves, of those positions where it can if any
    /// number of moves may come between.
    pub(super) fn alternating(&mut self, parts: &[SequencePart], needed: u32, among: Candidates) -> Candidates {
        let alternating = self.alternating_from(parts, needed, false);
        let Some(alternating) = alternating.filter(|truth| truth.cost() <= MAX_COST) else {
            return among;
        };
        let null_moves = self.in_game(Candidates::exactly(Truth::Term(Term::NullMove)));
        let with_null_move = Truth::all([null_moves.truth, among.truth]);
        Candidates::at_most(Truth::any([alternating, with_null_move]))
    }

    /// Where the parts can follow with at least `needed` moves. `moved` says that one was made before: the other side is to move.
    /// `None` if the ways are too many.
    fn alternating_from(&mut self, parts: &[SequencePart], needed: u32, moved: bool) -> Option<Truth> {
        if !self.spend(1) {
            return None;
        }
        let Some((first, rest)) = parts.split_first() else {
            return Some(if needed == 0 { Truth::Always } else { Truth::Never });
        };
        Some(match first {
            SequencePart::Test(test) => Truth::all([test.truth.clone(), self.alternating_from(rest, needed, moved)?]),
            SequencePart::Move { here, after, .. } => {
                let rest = self.alternating_from(rest, needed.saturating_sub(1), true)?;
                let there = self.one_ply_on(Truth::all([after.truth.clone(), rest]));
                let made = Truth::all([here.truth.clone(), there]);
                if moved { self.one_ply_on(made) } else { made }
            }
            SequencePart::Repeat(_, Repeat { max: Some(0), .. }) => self.alternating_from(rest, needed, moved)?,
            SequencePart::Repeat(body, Repeat { min: 0, max: None }) if moved && needed == 0 => {
                let rest = self.alternating_from(rest, 0, true)?;
                match fixed_moves(body) {
                    _ if rest == Truth::Always => rest,
                    Some(moves) if moves > 0 => {
                        let once = Candidates::at_most(self.alternating_from(body, 0, true)?);
                        self.until(Way::Forward, 2 * moves, once, Candidates::at_most(rest))
                            .truth
                    }
                    _ => self.eventually(Way::Forward, Candidates::at_most(rest)).truth,
                }
            }
            SequencePart::Repeat(body, repeat) => {
                // A repetition without a move is none more.
                if shortest(body) == 0 && repeat.max != Some(1) {
                    return None;
                }
                let once = self.alternating_from(&unrolled(body, *repeat, rest), needed, moved)?;
                match repeat.min {
                    0 => Truth::any([once, self.alternating_from(rest, needed, moved)?]),
                    _ => once,
                }
            }
        })
    }

    fn one_ply_on(&mut self, truth: Truth) -> Truth {
        self.one_move_away(Way::Forward, Candidates::at_most(truth)).truth
    }
}

/// Whether a set has all men of one side wherever it is asked.
fn is_a_side(set: &SetExpr) -> bool {
    match set {
        SetExpr::Contents(men, squares) => {
            let has_all = |side: ManSet| men.intersection(ManSet::WHITE | ManSet::BLACK) == side;
            *squares == Bitboard::FULL && (has_all(ManSet::WHITE) || has_all(ManSet::BLACK))
        }
        SetExpr::Choose(_, a, b) => is_a_side(a) && is_a_side(b),
        _ => false,
    }
}
