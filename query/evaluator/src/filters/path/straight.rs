//! Paths without a choice: each constituent once, in a game without variations. There is one way at most.

use chess::MoveKind;
use language::hir::Path;
use language::span::Span;

use super::Match;
use super::focus::{Focused, next_move};
use crate::error::Eval;
use crate::machine::Machine;
use crate::sequence::{Op, Program};
use crate::state::PathState;

impl<'a> Machine<'a, '_> {
    /// The match that begins here, if there is one; its comments are taken out of the log. The program is straight, the game
    /// has no variations, no variable is atomic, and the first condition and [`Program::begins`] were asked.
    pub(super) fn follow_straight(
        &mut self,
        path: &'a Path,
        program: &Program<'a>,
        focused: Option<Focused>,
        span: Span,
    ) -> Eval<Option<Match>> {
        let mark = self.state.log.len();
        self.state.paths.push(PathState {
            start: self.node,
            count: 0,
            last: None,
        });
        let found = self.follow_constituents(path, program, focused, span)?;
        self.state.paths.pop();
        Ok(found.map(|(value, count, end)| Match {
            value,
            count,
            end,
            log: self.state.log.split_off(mark),
        }))
    }

    /// The value of the match, how many moves in focus it has, and its last position.
    fn follow_constituents(
        &mut self,
        path: &'a Path,
        program: &Program<'a>,
        focused: Option<Focused>,
        span: Span,
    ) -> Eval<Option<(i32, i32, u32)>> {
        let (game, start) = (self.game, self.node);
        let (mut node, mut count) = (start, 0);
        for op in &program.ops[usize::from(program.first.is_some())..] {
            self.step(span)?;
            match op {
                Op::Test { filter, .. } => {
                    self.set_count(count);
                    if !self.at(node, |machine| machine.matches(filter))? {
                        return Ok(None);
                    }
                }
                Op::Move(dash) => {
                    let Some(child) = next_move(game, focused, start, node) else {
                        return Ok(None);
                    };
                    let is_known = node == start
                        && program.begins.is_some_and(|begin| begin.has_plain_targets)
                        && game.last_move(child).is_none_or(|m| m.kind() != MoveKind::Castle);
                    if !is_known && !self.makes(dash, child - 1, child, count, focused.as_ref())? {
                        return Ok(None);
                    }
                    (node, count) = (child, count + 1);
                }
                Op::Accept | Op::Jump(_) => break,
            }
        }
        if count == 0 {
            return Ok(None);
        }
        self.set_count(count);
        let value = match &path.max {
            None => Some(count),
            Some(max) => self.at(node, |machine| machine.number(max))?,
        };
        Ok(value.map(|value| (value, count, node)))
    }
}
