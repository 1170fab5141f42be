//! Filters that give a position of the game's tree (docs/language/games.md#other-positions).

use language::hir::{Filter, Node};

use crate::answer::Answer;
use crate::error::Eval;
use crate::machine::Machine;

impl<'a> Machine<'a, '_> {
    /// The position, if the filter has one here.
    pub(crate) fn position(&mut self, filter: &'a Filter) -> Eval<Option<u32>> {
        if let Some(value) = self.by_formula(filter, |entry| entry.value) {
            return Ok(u32::try_from(value).ok());
        }
        match &filter.node {
            Node::CurrentPosition => Ok(Some(self.node)),
            Node::PositionAt(id) => {
                let id = self.number(id)?.and_then(|id| u32::try_from(id).ok());
                Ok(id.filter(|&id| (id as usize) < self.game.len()))
            }
            Node::Parent => Ok(self.game.parent(self.node)),
            Node::Child(None) => Ok(self.game.primary_child(self.node)),
            Node::Child(Some(index)) => {
                let index = self.number(index)?.and_then(|index| usize::try_from(index).ok());
                Ok(index.and_then(|index| self.game.children(self.node).nth(index)))
            }
            Node::Lca(a, b) => {
                let Some((a, b)) = self.both_positions(a, b)? else {
                    return Ok(None);
                };
                Ok(Some(self.game.common_ancestor(a, b)))
            }
            Node::PathStart => Ok(self.current_path().map(|path| path.start)),
            Node::PathLastPosition => Ok(self.current_path().and_then(|path| path.last)),
            Node::Find {
                backward,
                quiet,
                argument,
                ..
            } => self.find_first(*backward, *quiet, argument, filter.span),
            Node::Line(line) => Ok(self.line(line, filter.span)?.map(|(_, last)| last)),
            Node::Path(path) => Ok(self.path(path, filter.span)?.map(|(_, last)| last)),
            Node::ComparePositions(comparison, a, b) => self.compare_positions(*comparison, [a, b]),
            Node::Variable(variable) => Ok(Answer::of_value(Some(self.variable(*variable, filter.span)?))),

            // --- control flow
            Node::Compound(list) => self.compound(list),
            Node::If(condition, then, otherwise) => self.conditional(condition, then, otherwise.as_deref()),
            Node::Call { arguments, body } => self.call(arguments, body),
            Node::At(place, inner) => self.at_place(place, inner),
            Node::NoTransform(inner) => self.position(inner),
            Node::Dash(dash) => self.answer_of_dash(dash),
            Node::CurrentMove(dash) => self.answer_of_current_move(dash),
            Node::DictionaryGet(dictionary, key) => self.answer_of_entry(*dictionary, key),

            other => unreachable!("not a position filter: {other:?}"),
        }
    }

    /// Two positions; the second filter is evaluated only if the first one has a value.
    pub(super) fn both_positions(&mut self, a: &'a Filter, b: &'a Filter) -> Eval<Option<(u32, u32)>> {
        let Some(a) = self.position(a)? else { return Ok(None) };
        Ok(self.position(b)?.map(|b| (a, b)))
    }
}
