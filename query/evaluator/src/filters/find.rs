//! `find`: positions below or above that match (docs/language/games.md#find).

use language::hir::{Filter, FindCount, Range};
use language::span::Span;

use crate::error::Eval;
use crate::machine::Machine;
use crate::state::CommentSource;
use crate::tables::FindPlace;

impl<'a> Machine<'a, '_> {
    /// The first position, the current one included, in the subtree or among the ancestors.
    pub(crate) fn find_first(
        &mut self,
        backward: bool,
        quiet: bool,
        argument: &'a Filter,
        span: Span,
    ) -> Eval<Option<u32>> {
        let place = self.remembered(argument);
        let last = self.game.last_descendant(self.node);
        let mut next = Some(self.node);
        while let Some(node) = next {
            if self.find_matches(argument, place, node, span)? {
                if !quiet && self.notes_comments() {
                    self.comment(node, "Found", CommentSource::Automatic);
                }
                return Ok(Some(node));
            }
            next = self.find_next(backward, place, node).filter(|&node| node <= last);
        }
        Ok(None)
    }

    /// The position to test after one: the parent, or the next in the game that may still match.
    fn find_next(&mut self, backward: bool, place: Option<FindPlace>, node: u32) -> Option<u32> {
        match place {
            _ if backward => self.game.parent(node),
            Some(place) => self.tables.finds.truth(place).next_possible(node + 1),
            None => Some(node + 1),
        }
    }

    /// How many positions match, if that is a number that the range allows.
    pub(crate) fn find_count(
        &mut self,
        backward: bool,
        quiet: bool,
        count: FindCount,
        argument: &'a Filter,
        span: Span,
    ) -> Eval<Option<i32>> {
        let place = self.remembered(argument);
        let last = self.game.last_descendant(self.node);
        let notes = !quiet && self.notes_comments();
        let mut found = Vec::new();
        let mut total = 0;
        let mut next = Some(self.node);
        while let Some(node) = next {
            if self.find_matches(argument, place, node, span)? {
                total += 1;
                if notes {
                    found.push(node);
                }
            }
            next = self.find_next(backward, place, node).filter(|&node| node <= last);
        }
        let value = match count {
            FindCount::First => unreachable!("without a count `find` gives a position"),
            FindCount::All => (total > 0).then_some(total),
            FindCount::Range(Range::Count) => Some(total),
            FindCount::Range(range) => self.within_range(total, Some(&range), span)?,
        };
        // When the number is not right, the comments of the argument stay.
        if value.is_some() {
            for (index, node) in found.into_iter().enumerate() {
                self.comment(
                    node,
                    format!("Found {} of {total}", index + 1),
                    CommentSource::Automatic,
                );
            }
        }
        Ok(value)
    }

    /// Whether the argument matches at a position.
    fn find_matches(&mut self, argument: &'a Filter, place: Option<FindPlace>, node: u32, span: Span) -> Eval<bool> {
        if let Some(place) = place
            && let Some(known) = self.tables.finds.truth(place).at(node)
        {
            return Ok(known);
        }
        self.step(span)?;
        let found = self.elsewhere(node, |machine| machine.matches(argument))?;
        if let Some(place) = place {
            self.tables.finds.truth(place).note(node, found);
        }
        Ok(found)
    }

    /// Where the answers of the argument are remembered with the variables as they are, if they can be.
    fn remembered(&mut self, argument: &'a Filter) -> Option<FindPlace> {
        // Inside the target of a castling move `from` and `to` may be halves.
        if self.state.chosen_edge.is_some() {
            return None;
        }
        let variables = &self.state.variables;
        self.tables.finds.place(argument, variables, self.game.len())
    }
}
