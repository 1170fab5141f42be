//! `while` and `loop`: turn by turn where it is known whether there is another turn, otherwise by their first turns, of which each may be
//! the last one.

use language::facts::Leaves;
use language::hir::{Filter, Node, Regex};

use super::Lowering;
use super::reach::Wanted;
use crate::expr::{Candidates, Truth};

/// How many turns are followed.
const MAX_TURNS: u32 = 64;

/// How many are followed where each may be the last one, and there may be any number of them.
const MAX_UNCERTAIN_TURNS: u32 = 4;

/// How many expressions the turns may have where it is not known whether there is another one.
const MAX_EXPRESSIONS: usize = 10_000;

/// What the groups of a regular expression have matched.
pub(super) type Groups = Vec<Option<String>>;

/// The filter that decides whether there is another turn, and what is evaluated then, if that is another one.
type TurnParts<'q> = (&'q Filter, Option<&'q Filter>);

/// The parts of a `while` or `loop` that a filter decides.
fn parts_of_turn(filter: &Filter) -> Option<TurnParts<'_>> {
    match &filter.node {
        Node::Loop(body) => Some((body, None)),
        Node::While(condition, body) => Some((condition, Some(body))),
        _ => None,
    }
}

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
            self.scope.restore(before.clone());
            let has_end = self.turn_by_turn(filter, true, &mut |_, _| ());
            self.scope.restore(before);
            let turns = if has_end { MAX_TURNS } else { MAX_UNCERTAIN_TURNS };
            self.after_turns(filter, turns, self.expressions + MAX_EXPRESSIONS);
        }
        Some(matches)
    }

    /// What is known of variables after a `while` or `loop` of which it is not known how many turns it has: the first turns are
    /// followed, and each may be the last one. So a counter has grown to a number only where the condition has held as often.
    /// Later turns, and those that would take more than `most` expressions, are taken together.
    fn after_turns(&mut self, filter: &'q Filter, turns: u32, most: usize) {
        let Some((decisive, body)) = parts_of_turn(filter) else {
            return self.after_part_of(filter, true);
        };
        let is_known = |part: &Filter| part.facts().assigns.is_some_and(|one| self.scope.is_known_here(one));
        if turns == 0 || self.expressions > most || !filter.any(&mut |part| is_known(part)) {
            return self.after_part_of(filter, true);
        }
        let before = self.scope.save();
        let holds = self.truth(decisive);
        if holds.truth == Truth::Never {
            self.scope.restore(before);
            return self.after_failure_of(decisive);
        }
        if let Some(body) = body {
            self.run(body);
        }
        self.after_turns(filter, turns - 1, most);
        let with_turn = self.scope.save();
        self.scope.restore(before);
        self.after_failure_of(decisive);
        self.scope.join(&holds, with_turn);
    }

    /// Where a `while` or `loop` that decides by a filter may raise an error in one of its first turns, or has more of them: then
    /// they may never end, which is an error, too.
    pub(super) fn error_in_turns(&mut self, filter: &'q Filter) -> Truth {
        let most = self.expressions + MAX_EXPRESSIONS;
        match parts_of_turn(filter) {
            Some(parts) => self.error_in_turns_of(parts, MAX_UNCERTAIN_TURNS, most),
            None => Truth::Always,
        }
    }

    fn error_in_turns_of(&mut self, parts: TurnParts<'q>, turns: u32, most: usize) -> Truth {
        if turns == 0 || self.expressions > most {
            return Truth::Always;
        }
        let (decisive, body) = parts;
        let before = self.scope.save();
        let raises = self.reach(decisive, true, Wanted::Error);
        self.scope.restore(before);
        let has_turn = self.truth(decisive).truth;
        let mut later = Vec::new();
        if let Some(body) = body {
            let before = self.scope.save();
            later.push(self.reach(body, true, Wanted::Error));
            self.scope.restore(before);
            self.run(body);
        }
        later.push(self.error_in_turns_of(parts, turns - 1, most));
        Truth::any([raises, Truth::all([has_turn, Truth::any(later)])])
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
                self.after_failure_of(decisive);
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
