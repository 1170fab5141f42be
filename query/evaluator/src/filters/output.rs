//! Comments, messages, sort keys, tags and files: the output of a query (docs/language/output.md).

use language::hir::{DictionaryId, Filter, Node, SortId, SortOrder, VariableKind};
use shakmaty::Color;

use crate::error::{Cause, Eval};
use crate::machine::Machine;
use crate::state::{CommentSource, LogEntry, SortValue};
use crate::value::{Value, squares};

impl<'a> Machine<'a, '_> {
    /// Adds a comment to a position. It is taken back if a filter around it fails, unless the rules keep all comments.
    pub(crate) fn comment(&mut self, node: u32, text: impl Into<Vec<u8>>, source: CommentSource) {
        if !self.notes_comments() {
            return;
        }
        let text = text.into();
        let entry = LogEntry { node, text, source };
        if self.limits.rules.keep_all_comments {
            self.state.kept.push(entry);
        } else {
            self.state.log.push(entry);
        }
    }

    /// Whether comments are kept: only if the caller wants results.
    pub(crate) fn notes_comments(&self) -> bool {
        self.limits.results
    }

    /// `move 4(btm)`, with the position's number when it is in a variation; that one is also noted at the position.
    pub(crate) fn place(&mut self, node: u32) -> String {
        let turn = match self.game.turn(node) {
            Color::White => "wtm",
            Color::Black => "btm",
        };
        let place = format!("move {}({turn})", self.game.move_number(node));
        if self.game.depth(node) == 0 {
            return place;
        }
        self.comment(node, format!("id:{node}"), CommentSource::User);
        format!("{place}[{node}]")
    }

    /// The values of the parts, one after the other (docs/language/output.md#comments).
    pub(crate) fn concatenate(&mut self, parts: &'a [Filter]) -> Eval<Vec<u8>> {
        let mut text = Vec::new();
        for part in parts {
            self.write_value(part, &mut text)?;
            self.make_text(text.len(), part.span)?;
        }
        Ok(text)
    }

    fn write_value(&mut self, part: &'a Filter, text: &mut Vec<u8>) -> Eval<()> {
        if let Node::Variable(variable) = &part.node {
            let declared = &self.query.variables[variable.0 as usize];
            match &self.state.variables[variable.0 as usize] {
                None => {
                    text.extend_from_slice(format!("<unbound: {}>", declared.name).as_bytes());
                    return Ok(());
                }
                Some(Value::Piece(id)) if declared.kind == VariableKind::Piece => {
                    let square = self.game.find_piece(self.node, *id);
                    if let Some(square) = square {
                        text.extend_from_slice(format!("{}{square}", self.board().at(square).letter()).as_bytes());
                    }
                    return Ok(());
                }
                Some(_) => {}
            }
        }
        if let Node::Dictionary(dictionary) = &part.node {
            self.write_dictionary(*dictionary, text);
            return Ok(());
        }
        let value = self.value(part)?;
        match value {
            Some(Value::Position(node)) => {
                let place = self.place(node);
                text.extend_from_slice(place.as_bytes());
            }
            Some(Value::Logical(matched)) => text.extend_from_slice(format!("<{matched}>").as_bytes()),
            Some(value) => write_plain(&value, text),
            None => text.extend_from_slice(b"<false>"),
        }
        Ok(())
    }

    fn write_dictionary(&self, dictionary: DictionaryId, text: &mut Vec<u8>) {
        let entries = &self.state.dictionaries[dictionary.0 as usize];
        let name = &self.query.dictionaries[dictionary.0 as usize].name;
        text.extend_from_slice(format!("Dictionary {name} with {} entries: ", entries.len()).as_bytes());
        let label = |value: &Value| match value {
            Value::Set(_) | Value::Piece(_) => "<SquareMask>",
            Value::Number(_) => "<NumValue>",
            Value::Text(_) => "<string>",
            Value::Position(_) => "<position>",
            Value::Logical(_) => "<logical>",
        };
        for (key, value) in entries.in_order() {
            text.push(b'\n');
            text.extend_from_slice(label(key).as_bytes());
            write_plain(key, text);
            text.extend_from_slice(b": ");
            text.extend_from_slice(label(value).as_bytes());
            write_plain(value, text);
        }
    }

    /// The effects that are output.
    pub(crate) fn output(&mut self, filter: &'a Filter) -> Eval<bool> {
        match &filter.node {
            Node::Comment(parts) if !self.notes_comments() && parts.iter().all(has_text) => {}
            Node::Comment(parts) => {
                let text = self.concatenate(parts)?;
                self.keep(text.len(), filter.span)?;
                self.comment(self.node, text, CommentSource::User);
            }
            Node::Message { quiet, parts } => {
                let text = self.concatenate(parts)?;
                let mut message = Vec::new();
                if !quiet {
                    let place = self.place(self.node);
                    message.extend_from_slice(format!("Game: {} {place}: ", self.game.number).as_bytes());
                }
                message.extend_from_slice(&text);
                self.keep(message.len(), filter.span)?;
                self.state.messages.push(message);
            }
            Node::SetTag(name, text) => {
                let Some(text) = self.text(text)? else { return Ok(false) };
                let text = text.into_owned();
                match self.state.tags.iter_mut().find(|(tag, _)| tag == name) {
                    Some((_, old)) => *old = text,
                    None => self.state.tags.push((name.clone(), text)),
                }
            }
            Node::RemoveComment => {
                if !self.state.removed_comments.contains(&self.node) {
                    self.state.removed_comments.push(self.node);
                }
            }
            Node::WriteFile(name, content) => return self.write_file(name, content, filter.span),
            // A search has asked before it began; this is for games that are evaluated one by one.
            Node::AssertVariations(message) => {
                if !self.limits.variations {
                    return Err(self.error(Cause::VariationsNeeded(message.clone()), filter.span));
                }
            }
            Node::HhdbCooked => {
                let text = self.info.text;
                return Ok(text.is_some_and(|text| {
                    text.comments
                        .iter()
                        .chain(&text.variation_comments)
                        .any(|(_, comment)| comment.contains("<cook"))
                        || text.tags.iter().any(|(_, value)| value.contains("<cook"))
                }));
            }
            other => unreachable!("not a filter with an effect: {other:?}"),
        }
        Ok(true)
    }

    // --- sort

    /// The order that a key's first filter names.
    pub(crate) fn key_order(&self, id: SortId) -> SortOrder {
        self.query.sorts[id.0 as usize].order
    }

    /// Keeps the game's best value of a sort key; the comments since `mark` belong to it.
    pub(crate) fn record_sort(&mut self, id: SortId, order: SortOrder, value: Value, mark: usize) {
        let comments = match self.limits.rules.plain_sort_comments {
            true => Vec::new(),
            false => self.state.log.split_off(mark),
        };
        let best = &mut self.state.sorts[id.0 as usize];
        let better = best.as_ref().is_none_or(|best| match order {
            SortOrder::Descending => value > best.value,
            SortOrder::Ascending => value < best.value,
        });
        if better {
            *best = Some(SortValue { value, comments });
        }
    }
}

impl Machine<'_, '_> {
    /// Adds the values that are known only at the end of a game.
    pub(crate) fn finish_game(&mut self) {
        self.describe_pairs();
        for common in std::mem::take(&mut self.state.common_moves) {
            for (name, tails) in common.names.iter().zip(&common.tails) {
                for (index, &node) in tails.iter().enumerate() {
                    self.comment(node, format!("{name}-move[{}]", index + 1), CommentSource::Automatic);
                }
            }
        }
    }
}

/// Whether a part of a comment has a text whatever happens: it need not be evaluated where nobody reads the comment.
pub(crate) fn has_text(part: &Filter) -> bool {
    matches!(
        part.node,
        Node::String(_)
            | Node::Number(_)
            | Node::Variable(_)
            | Node::Designator(_)
            | Node::FromSquares
            | Node::ToSquares
    )
}

/// A value as comments and messages print it.
fn write_plain(value: &Value, text: &mut Vec<u8>) {
    match value {
        Value::Set(set) => text.extend_from_slice(squares(*set).as_bytes()),
        Value::Piece(id) => text.extend_from_slice(id.to_string().as_bytes()),
        Value::Number(number) => text.extend_from_slice(number.to_string().as_bytes()),
        Value::Text(bytes) => text.extend_from_slice(bytes),
        Value::Position(node) => text.extend_from_slice(node.to_string().as_bytes()),
        Value::Logical(matched) => text.extend_from_slice(format!("<{matched}>").as_bytes()),
    }
}
