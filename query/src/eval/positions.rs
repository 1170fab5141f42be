//! Filters that give a position of the game's tree (cql6-games 2.3 and 5).

use super::sequence::is_fixed;
use super::{CommentSource, Eval, Machine, Value};
use crate::hir::{Filter, FindCount, Node, Range};
use crate::span::Span;

impl<'a> Machine<'a> {
    /// The position, if the filter has one here.
    pub(super) fn position(&mut self, filter: &'a Filter) -> Eval<Option<u32>> {
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
                let (Some(a), Some(b)) = (self.position(a)?, self.position(b)?) else {
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
            Node::ComparePositions(_, left, _) => {
                let mark = self.state.log.len();
                let value = self.position(left)?;
                self.state.log.truncate(mark);
                Ok(if self.compare(filter)? { value } else { None })
            }
            Node::Variable(variable) => Ok(node_of(Some(self.variable(*variable, filter.span)?))),
            Node::DictionaryGet(dictionary, key) => Ok(node_of(self.dictionary_get(*dictionary, key)?)),
            Node::Dash(dash) => Ok(node_of(self.dash(dash, super::moves::Want::Value)?)),
            Node::CurrentMove(dash) => Ok(node_of(self.current_move(dash, super::moves::Want::Value)?)),
            Node::At(place, inner) => match self.position(place)? {
                Some(node) => self.elsewhere(node, |machine| machine.position(inner)),
                None => Ok(None),
            },
            Node::Compound(list) => {
                let mark = self.state.log.len();
                let (last, before) = list.split_last().expect("a compound filter has an element");
                for element in before {
                    if !self.matches(element)? {
                        self.state.log.truncate(mark);
                        return Ok(None);
                    }
                }
                self.position(last)
            }
            Node::If(condition, then, otherwise) => {
                if self.matches(condition)? {
                    self.position(then)
                } else {
                    otherwise
                        .as_ref()
                        .map_or(Ok(None), |otherwise| self.position(otherwise))
                }
            }
            Node::Call { arguments, body } => {
                if self.pass(arguments)? {
                    self.position(body)
                } else {
                    Ok(None)
                }
            }
            Node::NoTransform(inner) => self.position(inner),
            other => unreachable!("not a position filter: {other:?}"),
        }
    }

    /// The first position, the current one included, in the subtree or among the ancestors.
    fn find_first(&mut self, backward: bool, quiet: bool, argument: &'a Filter, span: Span) -> Eval<Option<u32>> {
        let mut next = Some(self.node);
        while let Some(node) = next {
            self.step(span)?;
            if self.find_matches(argument, node)? {
                if !quiet {
                    self.comment(node, "Found".to_owned(), CommentSource::Automatic);
                }
                return Ok(Some(node));
            }
            next = self.next_to_find(backward, node);
        }
        Ok(None)
    }

    /// Whether the argument of a `find` matches at a position. Every position of a subtree is asked about from every
    /// position above it, so what can't have changed is remembered: a game costs its length, not the square of it.
    fn find_matches(&mut self, argument: &'a Filter, node: u32) -> Eval<bool> {
        let address: *const Filter = argument;
        let positions = self.game.len();
        // Inside the target of a castling move `from` and `to` may be halves.
        let memory = match self.state.chosen_edge {
            None => self
                .sequences
                .finds
                .entry(address)
                .or_insert_with(|| is_fixed(argument).then(|| vec![None; positions])),
            Some(_) => &mut None,
        };
        if let Some(known) = memory.as_ref().and_then(|memory| memory[node as usize]) {
            return Ok(known);
        }
        let found = self.elsewhere(node, |machine| machine.matches(argument))?;
        if self.state.chosen_edge.is_none()
            && let Some(Some(memory)) = self.sequences.finds.get_mut(&address)
        {
            memory[node as usize] = Some(found);
        }
        Ok(found)
    }

    fn next_to_find(&self, backward: bool, node: u32) -> Option<u32> {
        if backward {
            return self.game.parent(node);
        }
        (node < self.game.last_descendant(self.node)).then_some(node + 1)
    }

    /// How many positions match, if that is a number that the range allows.
    pub(super) fn find_count(
        &mut self,
        backward: bool,
        quiet: bool,
        count: FindCount,
        argument: &'a Filter,
        span: Span,
    ) -> Eval<Option<i32>> {
        let mut found = Vec::new();
        let mut next = Some(self.node);
        while let Some(node) = next {
            self.step(span)?;
            if self.find_matches(argument, node)? {
                found.push(node);
            }
            next = self.next_to_find(backward, node);
        }
        let total = found.len() as i32;
        let value = match count {
            FindCount::First => unreachable!("without a count `find` gives a position"),
            FindCount::All => (total > 0).then_some(total),
            FindCount::Range(Range::Count) => Some(total),
            FindCount::Range(range) => self.within_range(total, Some(&range), span)?,
        };
        // When the number is not right, the comments of the argument stay.
        if value.is_some() && !quiet {
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
}

fn node_of(value: Option<Value>) -> Option<u32> {
    match value {
        Some(Value::Position(node)) => Some(node),
        _ => None,
    }
}
