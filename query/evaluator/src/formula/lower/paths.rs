//! Paths without a choice: each constituent comes once.

use language::facts::Reads;
use language::hir::{Bound, Dash, Filter, ManSet, Node, Path, PathStep, Query, Range, Repeat, SequenceEnd};
use shakmaty::{Bitboard, Color};

use super::super::{Id, Op, PathOp, Step};
use super::Lowering;

/// Whether what a path leaves behind is seen nowhere: only its own constituents ask about it.
pub(super) fn may_follow(query: &Query) -> bool {
    !query.variables.iter().any(|variable| variable.atomic) && !asks_about_paths(&query.body)
}

/// Whether something asks about a path that it is no constituent of.
fn asks_about_paths(filter: &Filter) -> bool {
    if matches!(filter.node, Node::Path(_)) {
        return false;
    }
    let mut asks = filter.facts().reads.intersects(Reads::PATH | Reads::PATH_END);
    filter.for_each_child(&mut |child| asks = asks || asks_about_paths(child));
    asks
}

impl Lowering<'_> {
    /// A path: how many moves it has, its value or its last position, as it is asked for.
    pub(super) fn path(&mut self, path: &Path) -> Option<Id> {
        let has_plain_title = path
            .title
            .as_ref()
            .is_none_or(|title| matches!(title.node, Node::String(_)));
        if self.comments || !self.may_follow || path.nestban || !has_plain_title {
            return None;
        }
        let range = match &path.range {
            None | Some(Range::Count) => None,
            Some(Range::Between(Bound::Literal(min), Bound::Literal(max))) => Some((*min, *max)),
            Some(Range::Between(..)) => return None,
        };
        let (focus, captures) = match &path.focus {
            Some(focus) => (Some(self.set(&focus.pieces)?), focus.capture),
            None if path.single_color => (Some(self.men_to_move()), false),
            None => (None, false),
        };
        let mut steps = Vec::new();
        self.steps(&path.steps, &mut steps)?;
        let max = match &path.max {
            Some(max) => Some(self.value(max)?),
            None => None,
        };
        if focus.is_some_and(|focus| self.has_effects(focus)) {
            return None;
        }
        Some(self.op(Op::Path(Box::new(PathOp {
            focus,
            captures,
            steps: steps.into(),
            max,
            range,
            gives_end: path.end == SequenceEnd::LastPosition,
        }))))
    }

    /// The constituents, one behind the other.
    fn steps(&mut self, list: &[PathStep], steps: &mut Vec<Step>) -> Option<()> {
        for step in list {
            match step {
                PathStep::Filter(filter) => steps.push(Step::Test(self.truth(filter)?)),
                PathStep::Dash { dash, repeat } if *repeat == Repeat::ONCE => steps.push(self.step(dash)?),
                PathStep::Chain { steps: chain, repeat } if *repeat == Repeat::ONCE => self.steps(chain, steps)?,
                PathStep::Dash { .. } | PathStep::Chain { .. } => return None,
            }
        }
        Some(())
    }

    fn step(&mut self, dash: &Dash) -> Option<Step> {
        let (from, to, promotion) = self.move_operands(dash)?;
        // Operands are evaluated twice for a castling move.
        if self.has_effects(from) || self.has_effects(to) {
            return None;
        }
        let targets = self.truths(&dash.target)?;
        let target = self.and(targets);
        Some(Step::Move {
            from,
            to,
            capture: dash.capture,
            promotion,
            target,
        })
    }

    /// The men of the side to move.
    fn men_to_move(&mut self) -> Id {
        let [white, black] = [ManSet::WHITE, ManSet::BLACK].map(|men| self.op(Op::Men(men, Bitboard::FULL)));
        let turn = self.op(Op::Turn(Color::White));
        self.op(Op::Choose(turn, white, black))
    }
}
