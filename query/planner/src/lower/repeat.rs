//! `while` and `loop`: turn by turn where it is known whether there is another turn, otherwise by their first turn.

use language::facts::Leaves;
use language::hir::{Filter, Node, Regex};

use super::Lowering;
use crate::expr::{Candidates, Truth};

/// How many turns are followed.
const MAX_TURNS: u32 = 64;

/// How many expressions the turns may have where it is not known whether there is another one.
const MAX_EXPRESSIONS: usize = 10_000;

/// What the groups of a regular expression have matched.
pub(super) type Groups = Vec<Option<String>>;

/// Whether there is another turn.
enum Turn {
    Always,
    Never,
    Maybe,
}

impl<'q> Lowering<'q> {
    /// Where a `while` or `loop` matches that raises no error; `None` if it is another filter.
    pub(super) fn repeated_truth(&mut self, filter: &'q Filter) -> Option<Candidates> {
        let matches = match &filter.node {
            Node::While(..) => Candidates::EVERYWHERE,
            // True if there is a text, even if the expression never matches.
            Node::WhileRegex(text, ..) => self.has_value(text),
            // The first turn decides.
            Node::Loop(body) => {
                let before = self.scope.save();
                let first = self.truth(body);
                self.scope.restore(before);
                first
            }
            _ => return None,
        };
        let before = self.scope.save();
        if !self.turn_by_turn(filter, false, &mut |_, _| ()) {
            self.scope.restore(before);
            self.after_part_of(filter, true);
        }
        Some(matches)
    }

    /// Follows a `while` or `loop` turn by turn: `see` gets each filter that is evaluated, with what is known of variables
    /// before it. False if it is not known how many turns there are; then nothing is known of variables. If `or_fewer` turns
    /// count, too, it is enough to know when there is certainly no other one, and nothing is known of variables, either.
    pub(super) fn turn_by_turn(
        &mut self,
        filter: &'q Filter,
        or_fewer: bool,
        see: &mut dyn FnMut(&mut Self, &'q Filter),
    ) -> bool {
        let most = self.expressions + MAX_EXPRESSIONS;
        match &filter.node {
            Node::WhileRegex(text, regex, body) => {
                let Some(turns) = self.turns_of(text, regex, body) else {
                    return false;
                };
                see(self, text);
                for groups in turns {
                    let outer = self.groups.replace(groups);
                    see(self, body);
                    self.run(body);
                    self.groups = outer;
                }
                true
            }
            Node::While(condition, body) => {
                for _ in 0..=MAX_TURNS {
                    see(self, condition);
                    match self.next_turn(condition) {
                        Turn::Always => {}
                        Turn::Never => return true,
                        Turn::Maybe if or_fewer && self.expressions < most => {}
                        Turn::Maybe => return false,
                    }
                    see(self, body);
                    self.run(body);
                }
                false
            }
            Node::Loop(body) => {
                for _ in 0..=MAX_TURNS {
                    see(self, body);
                    match self.next_turn(body) {
                        Turn::Always => {}
                        Turn::Never => return true,
                        Turn::Maybe if or_fewer && self.expressions < most => {}
                        Turn::Maybe => return false,
                    }
                }
                false
            }
            _ => false,
        }
    }

    /// Whether there is another turn after a filter that decides it; if there is certainly none, what it does before it
    /// fails is known.
    fn next_turn(&mut self, decisive: &'q Filter) -> Turn {
        let before = self.scope.save();
        match self.truth(decisive) {
            Candidates::EVERYWHERE => Turn::Always,
            Candidates {
                truth: Truth::Never, ..
            } => {
                self.scope.restore(before);
                self.after_part_of(decisive, false);
                Turn::Never
            }
            _ => Turn::Maybe,
        }
    }

    /// What the groups are in each turn of a `while` over the matches of a regular expression, if its text is known and
    /// nothing else in it sets groups.
    fn turns_of(&mut self, text: &'q Filter, regex: &Regex, body: &'q Filter) -> Option<Vec<Groups>> {
        let text = self.text_bounds(text).value()?.to_owned();
        if body.any(&mut |part| part.facts().leaves.intersects(Leaves::GROUPS)) {
            return None;
        }
        let (mut from, mut turns) = (0, Vec::new());
        while from <= text.len()
            && let Some(found) = regex.program.find_from(&text, from).next()
        {
            turns.push(
                found
                    .groups()
                    .map(|group| group.map(|range| text[range].to_owned()))
                    .collect(),
            );
            // An empty match must not be found again at the same place.
            from = found.start() + found.range().len().max(1);
            if turns.len() > MAX_TURNS as usize || !text.is_char_boundary(from.min(text.len())) {
                return None;
            }
        }
        Some(turns)
    }
}
