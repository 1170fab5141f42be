//! What makes brackets pair that do not: for an error message, and to read the rest of a text.

use crate::diagnostic::{Edit, Fix};
use crate::span::Span;
use crate::syntax::symbol::Symbol;
use crate::syntax::token::{Token, TokenKind};

/// What makes a bracket pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repair {
    /// The token is too much.
    Remove(usize),
    /// The token should be this bracket.
    Replace(usize, Symbol),
    /// This bracket is missing before the token, at this place of the text.
    Insert(usize, Symbol, Span),
    /// The token and the one behind it should be the other way round.
    Swap(usize),
}

impl Repair {
    /// Changes the tokens.
    pub(super) fn apply(self, tokens: &mut Vec<Token>) {
        match self {
            Repair::Remove(index) => {
                let removed = tokens.remove(index);
                if let Some(next) = tokens.get_mut(index) {
                    next.after_blank_line |= removed.after_blank_line;
                }
            }
            Repair::Replace(index, symbol) => tokens[index].kind = TokenKind::Symbol(symbol),
            Repair::Swap(index) => {
                let (first, second) = (tokens[index].kind.clone(), tokens[index + 1].kind.clone());
                tokens[index].kind = second;
                tokens[index + 1].kind = first;
            }
            Repair::Insert(index, symbol, span) => {
                let token = Token {
                    kind: TokenKind::Symbol(symbol),
                    span,
                    after_blank_line: false,
                    in_path: false,
                    ends_paths: 0,
                };
                tokens.insert(index, token);
            }
        }
    }

    /// The same as a change of the text.
    pub(super) fn fix(self, text: &str, tokens: &[Token]) -> Fix {
        match self {
            Repair::Remove(index) => {
                let span = tokens[index].span;
                let bracket = text.get(span.range()).unwrap_or_default();
                Fix::replace(format!("remove `{bracket}`"), span, "")
            }
            Repair::Replace(index, symbol) => {
                Fix::replace(format!("write `{}`", symbol.text()), tokens[index].span, symbol.text())
            }
            Repair::Swap(index) => {
                let (first, second) = (tokens[index].span, tokens[index + 1].span);
                let written = |span: Span| text.get(span.range()).unwrap_or_default().to_owned();
                let edit = |span, replacement| Edit { span, replacement };
                Fix {
                    title: "close the inner one first".to_owned(),
                    edits: vec![edit(first, written(second)), edit(second, written(first))],
                }
            }
            Repair::Insert(_, symbol, span) => {
                let at_line_end = text
                    .get(span.end as usize..)
                    .is_some_and(|rest| rest.starts_with(['\n', '\r']));
                let before = text.get(..span.start as usize).unwrap_or_default();
                let replacement = match symbol {
                    // A brace behind several lines has a line of its own.
                    Symbol::RightBrace if at_line_end || before.trim_end().contains('\n') => {
                        format!("\n{}", symbol.text())
                    }
                    Symbol::RightBrace => format!(" {}", symbol.text()),
                    _ => symbol.text().to_owned(),
                };
                Fix {
                    title: format!("insert `{}`", symbol.text()),
                    edits: vec![Edit { span, replacement }],
                }
            }
        }
    }
}

/// Where the bracket is missing that closes this one: at the end of the lines that are indented below it, or of its line.
pub(super) fn missing(text: &str, tokens: &[Token], opened: usize) -> Repair {
    let closing = match tokens[opened].kind {
        TokenKind::Symbol(symbol) => symbol.closing().unwrap_or(Symbol::RightBrace),
        _ => Symbol::RightBrace,
    };
    let own = indentation(text, tokens[opened].span.start);
    let ends = |index: usize| {
        let (before, token) = (&tokens[index - 1], &tokens[index]);
        let between = text.get(before.span.end as usize..(token.span.start.max(before.span.end)) as usize);
        let is_new_line = between.is_some_and(|between| between.contains('\n'));
        is_new_line && (closing != Symbol::RightBrace || indentation(text, token.span.start) <= own)
    };
    let end = (opened + 1..tokens.len()).find(|index| ends(*index));
    // A brace at the end of its line with nothing below it that is indented: all behind it is meant.
    let end = end.filter(|end| *end > opened + 1).unwrap_or(tokens.len());
    let last = tokens[end - 1].span.end as usize;
    // A comment stays on its line, inside.
    let place = match closing {
        Symbol::RightBrace if end < tokens.len() => last + text[last..].find('\n').unwrap_or(0),
        _ => last,
    };
    let place = match text.as_bytes().get(place.wrapping_sub(1)) {
        Some(b'\r') if place > last => place - 1,
        _ => place,
    };
    Repair::Insert(end, closing, Span::new(place, place))
}

/// How far the line is indented in which a place is.
fn indentation(text: &str, place: u32) -> usize {
    let before = text.get(..place as usize).unwrap_or_default();
    let line = &text[before.rfind('\n').map_or(0, |newline| newline + 1)..];
    line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}
