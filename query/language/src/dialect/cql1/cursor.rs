//! Walking along the items of a list, and what to say when one is missing.

use super::list::{Item, ItemNode};
use super::range::{self, Range};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;

/// The result of a step; the error is boxed because it is large and rare.
pub(super) type Parsed<T> = Result<T, Box<Diagnostic>>;

/// An error with its place.
pub(super) fn error(code: Code, span: Span, message: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(code, span, message))
}

/// A place among the items of a list.
#[derive(Debug)]
pub(super) struct Cursor<'a, 't> {
    items: &'a [Item<'t>],
    at: usize,
    /// The list.
    whole: Span,
}

impl<'a, 't> Cursor<'a, 't> {
    /// Before the first item.
    pub(super) fn new(items: &'a [Item<'t>], whole: Span) -> Cursor<'a, 't> {
        Cursor { items, at: 0, whole }
    }

    /// The place of the whole list.
    pub(super) fn whole(&self) -> Span {
        self.whole
    }

    /// The next item, without taking it.
    pub(super) fn peek(&self) -> Option<&'a Item<'t>> {
        self.items.get(self.at)
    }

    /// Takes the next item.
    pub(super) fn next(&mut self) -> Option<&'a Item<'t>> {
        let item = self.items.get(self.at)?;
        self.at += 1;
        Some(item)
    }

    /// From this place to the end of the item that was taken last.
    pub(super) fn covered(&self, from: Span) -> Span {
        self.at
            .checked_sub(1)
            .and_then(|last| self.items.get(last))
            .map_or(from, |item| from.to(item.span))
    }

    /// The error that an argument is missing behind a keyword.
    pub(super) fn expected(&self, message: &str, keyword: Span) -> Box<Diagnostic> {
        error(Code::BadArgument, keyword, message)
    }

    /// The error that the argument just taken is wrong.
    pub(super) fn bad(&self, keyword: Span, message: &str) -> Box<Diagnostic> {
        error(Code::BadArgument, self.covered(keyword), message)
    }

    /// A word or a string; the second says that it is a string, which is a pattern.
    pub(super) fn word(&mut self, name: &str, span: Span) -> Parsed<(&'t str, bool)> {
        match self.next().map(|item| &item.node) {
            Some(ItemNode::Atom(text)) if !text.starts_with(':') => Ok((text, false)),
            Some(ItemNode::String(text)) => Ok((text, true)),
            _ => Err(self.expected(&format!("`:{name}` needs a word"), span)),
        }
    }

    /// A range, if one stands here; the second says that it is written as only CQL-S writes it.
    pub(super) fn range(&mut self) -> Parsed<Option<(Range, bool)>> {
        let Some(item) = self.peek() else { return Ok(None) };
        let Some(text) = item.atom() else { return Ok(None) };
        if text.contains('%') || text == "\u{2013}" || text == "end" || text.starts_with("end-") {
            let message = format!("the range `{text}` is not supported");
            return Err(error(Code::UnansweredKeyword, item.span, &message));
        }
        if let Some(range) = range::comparison(text) {
            self.at += 1;
            return Ok(Some((range, true)));
        }
        if matches!(text, ">" | ">=" | "<" | "<=") {
            let message = "there is no blank between a comparison and its number";
            return Err(error(Code::BadArgument, item.span, message));
        }
        let Some(first) = range::bound(text) else {
            return Ok(None);
        };
        self.at += 1;
        let second = self.peek().and_then(Item::atom).and_then(range::bound);
        let is_cqls = text.starts_with('+');
        Ok(Some(match (first, second) {
            (first, Some(second)) => {
                self.at += 1;
                (range::between(first, second), is_cqls)
            }
            (Some(number), None) => (Range::exactly(number), is_cqls),
            (None, None) => {
                let message = "`unlimited` stands beside a number";
                return Err(error(Code::BadArgument, item.span, message));
            }
        }))
    }
}
