//! Filters that give a position of the game's tree (cql6-games 2.3).

use language::hir::{Filter, Node};

use super::{Eval, Machine, Value};

impl<'a> Machine<'a, '_> {
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
}

fn node_of(value: Option<Value>) -> Option<u32> {
    match value {
        Some(Value::Position(node)) => Some(node),
        _ => None,
    }
}
