//! Text to nested lists of atoms (docs/language/cql1.md#lists).

use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;

/// How deep lists may be nested: two levels for each position list inside another.
const MAX_DEPTH: usize = 100;

/// An atom, a string or a list, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item<'t> {
    pub(super) node: ItemNode<'t>,
    pub(super) span: Span,
}

/// What an [`Item`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ItemNode<'t> {
    /// Anything without blanks and parentheses.
    Atom(&'t str),
    /// Text between quotation marks (CQL-S).
    String(&'t str),
    /// Items in parentheses.
    List(Vec<Item<'t>>),
}

impl<'t> Item<'t> {
    /// The text of an atom.
    pub(super) fn atom(&self) -> Option<&'t str> {
        match self.node {
            ItemNode::Atom(text) => Some(text),
            _ => None,
        }
    }

    /// The items of a list.
    pub(super) fn list(&self) -> Option<&[Item<'t>]> {
        match &self.node {
            ItemNode::List(items) => Some(items),
            _ => None,
        }
    }

    /// The word that a list begins with.
    pub(super) fn head(&self) -> Option<&'t str> {
        self.list()?.first()?.atom()
    }
}

/// Reads all items of a text.
///
/// Lists are closed on an explicit stack, so that no text can exhaust that of the program.
pub(super) fn read(text: &str) -> Result<Vec<Item<'_>>, Box<Diagnostic>> {
    let mut open: Vec<(usize, Vec<Item<'_>>)> = Vec::new();
    let mut items = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let mut leaf = |node, length: usize| {
            let span = Span::new(at, at + length);
            items.push(Item { node, span });
            length
        };
        let length = match first {
            '\u{feff}' => first.len_utf8(),
            _ if first.is_whitespace() => first.len_utf8(),
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '"' => {
                let inside = &rest[1..];
                let Some(end) = inside.find(['"', '\n']).filter(|&end| inside[end..].starts_with('"')) else {
                    let end = inside.find('\n').unwrap_or(inside.len());
                    let span = Span::new(at, at + 1 + end);
                    let message = "this string has no closing quotation mark on its line";
                    return Err(Box::new(Diagnostic::new(Code::UnterminatedString, span, message)));
                };
                leaf(ItemNode::String(&inside[..end]), end + 2)
            }
            '(' => {
                if open.len() >= MAX_DEPTH {
                    let message = format!("lists are nested more than {MAX_DEPTH} deep");
                    return Err(Box::new(Diagnostic::new(Code::TooDeep, Span::new(at, at + 1), message)));
                }
                open.push((at, std::mem::take(&mut items)));
                1
            }
            ')' => {
                let Some((start, outer)) = open.pop() else {
                    let message = "this parenthesis closes nothing";
                    let span = Span::new(at, at + 1);
                    return Err(Box::new(Diagnostic::new(Code::UnbalancedDelimiter, span, message)));
                };
                let list = std::mem::replace(&mut items, outer);
                items.push(Item {
                    node: ItemNode::List(list),
                    span: Span::new(start, at + 1),
                });
                1
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';' | '"');
                let length = rest.find(ends).unwrap_or(rest.len());
                leaf(ItemNode::Atom(&rest[..length]), length)
            }
        };
        at += length;
    }
    match open.pop() {
        Some((start, _)) => {
            let message = "this parenthesis is never closed";
            let span = Span::new(start, start + 1);
            Err(Box::new(Diagnostic::new(Code::UnbalancedDelimiter, span, message)))
        }
        None => Ok(items),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_atoms_and_strings_have_their_places() {
        let text = "; first\n(match ; more\n (position R[a1,h1]:wtm) \"a b\")";
        let items = read(text).unwrap();
        assert_eq!(items.len(), 1);
        assert_eq!(items[0].head(), Some("match"));
        let inner = items[0].list().unwrap();
        assert_eq!(inner[1].list().unwrap()[1].atom(), Some("R[a1,h1]:wtm"));
        assert_eq!(inner[2].node, ItemNode::String("a b"));
        assert_eq!(&text[inner[2].span.range()], "\"a b\"");
    }

    #[test]
    fn parentheses_have_to_balance() {
        for (text, code) in [
            ("(", Code::UnbalancedDelimiter),
            ("(a))", Code::UnbalancedDelimiter),
            ("\"abc\n\"", Code::UnterminatedString),
        ] {
            assert_eq!(read(text).unwrap_err().code, code, "{text}");
        }
        let deep = "(".repeat(100_000);
        assert_eq!(read(&deep).unwrap_err().code, Code::TooDeep);
    }
}
