//! How much memory a query may take: everything it builds is bounded.

use language::span::Span;

use super::Machine;
use crate::error::{Cause, Eval};

/// The longest string, in bytes.
const MAX_TEXT: usize = 1 << 24;

/// How much a query may leave in a game: comments, messages and entries of dictionaries, in bytes.
const MAX_KEPT: usize = 1 << 26;

/// What an entry takes beside its text, in bytes.
const ENTRY: usize = 64;

/// Before a string of at least this length is made, the request to stop is checked.
const LONG_TEXT: usize = 1 << 12;

impl Machine<'_, '_> {
    /// Checks a string of this length before it is made.
    pub(crate) fn make_text(&mut self, length: usize, span: Span) -> Eval<()> {
        if length > MAX_TEXT {
            return Err(self.error(Cause::Memory("a string has more than 16 MB"), span));
        }
        if length > LONG_TEXT && self.is_stopped() {
            return Err(self.error(Cause::Limit, span));
        }
        Ok(())
    }

    /// Notes that a text of this length is not kept any more.
    pub(crate) fn release(&mut self, length: usize) {
        self.state.kept_bytes = self.state.kept_bytes.saturating_sub(length + ENTRY);
    }

    /// Checks a text of this length before it is kept until the game ends.
    pub(crate) fn keep(&mut self, length: usize, span: Span) -> Eval<()> {
        self.state.kept_bytes += length + ENTRY;
        if self.state.kept_bytes > MAX_KEPT {
            let what = "comments, messages and dictionaries of one game have more than 64 MB";
            return Err(self.error(Cause::Memory(what), span));
        }
        Ok(())
    }
}
