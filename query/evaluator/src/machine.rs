//! The machine that evaluates filters: its state, and how it moves through a game.
//!
//! What each filter does is in [`filters`](crate::filters), in further `impl` blocks.

mod memory;

use std::sync::atomic::Ordering;

use chess::Board;
use language::hir::Query;
use language::span::Span;

use crate::error::{Cause, Eval, RuntimeError};
use crate::formula::Formulas;
use crate::game::{GameInfo, GameView};
use crate::guards::Guards;
use crate::limits::Limits;
use crate::orbits::Orbits;
use crate::sequence::Programs;
use crate::state::State;
use crate::tables::Tables;

/// One evaluation: a query, a game, and the current position.
pub(crate) struct Machine<'a, 'g> {
    pub(crate) query: &'a Query,
    pub(crate) game: &'g GameView,
    pub(crate) info: GameInfo<'g>,
    pub(crate) state: &'g mut State,
    pub(crate) limits: &'g Limits,
    pub(crate) orbits: &'g Orbits,
    pub(crate) guards: &'g Guards<'a>,
    pub(crate) formulas: &'g Formulas,
    /// The programs of its lines and paths.
    pub(crate) programs: &'g Programs<'a>,
    /// Whether some variables are atomic.
    pub(crate) has_atomic: bool,
    /// The current position.
    pub(crate) node: u32,
    /// The known answers of filters, and buffers for them.
    pub(crate) tables: &'g mut Tables<'a>,
}

impl<'a, 'g> Machine<'a, 'g> {
    /// The board of the current position.
    #[inline]
    pub(crate) fn board(&self) -> &'g Board {
        self.game.board(self.node)
    }

    /// The same machine at another position.
    pub(crate) fn at<T>(&mut self, node: u32, evaluate: impl FnOnce(&mut Self) -> Eval<T>) -> Eval<T> {
        let here = std::mem::replace(&mut self.node, node);
        let value = evaluate(self);
        self.node = here;
        value
    }

    /// The same at another position, without the move that a constituent of a `line` is bound to
    /// (docs/language/sequences.md#moves-in-a-line): for the right side of `:`, `find`, `echo`.
    pub(crate) fn elsewhere<T>(&mut self, node: u32, evaluate: impl FnOnce(&mut Self) -> Eval<T>) -> Eval<T> {
        let bound = self.state.bound_move.take();
        let value = self.at(node, evaluate);
        self.state.bound_move = bound;
        value
    }

    /// A run-time error here.
    #[cold]
    pub(crate) fn error(&self, cause: Cause, span: Span) -> Box<RuntimeError> {
        Box::new(RuntimeError {
            cause,
            span,
            game: self.game.number,
            node: self.node,
        })
    }

    /// Counts a step of something that may take long, and stops the query on request.
    #[inline]
    pub(crate) fn step(&mut self, span: Span) -> Eval<()> {
        self.state.steps += 1;
        if self.state.steps.is_multiple_of(1 << 10) && self.is_stopped() {
            return Err(self.error(Cause::Limit, span));
        }
        Ok(())
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.limits
            .stop
            .as_ref()
            .is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}
