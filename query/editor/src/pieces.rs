//! The tokens of a text and the comments between them, with what they are to an editor.

use std::ops::Range;

use language::syntax::{Symbol, Token, TokenKind};

/// What a piece of a text is to people who read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// A word of the language.
    Keyword,
    /// A name that the query has chosen.
    Name,
    /// A number, or the result of a game.
    Number,
    /// A text, or the name of a file.
    String,
    /// A piece designator.
    Designator,
    /// A move operator, `--` or `[x]`.
    Dash,
    /// A comment.
    Comment,
    /// A bracket of any kind.
    Bracket,
    /// Another sign.
    Operator,
    /// What can't be read.
    Other,
}

impl Class {
    /// Its name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Keyword => "keyword",
            Class::Name => "name",
            Class::Number => "number",
            Class::String => "string",
            Class::Designator => "designator",
            Class::Dash => "dash",
            Class::Comment => "comment",
            Class::Bracket => "bracket",
            Class::Operator => "operator",
            Class::Other => "other",
        }
    }
}

/// A token or a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// What it is.
    pub class: Class,
}

/// The pieces of a text in their order; they don't overlap.
pub(crate) fn pieces(text: &str, tokens: &[Token]) -> Vec<Piece> {
    let (mut pieces, mut end) = (Vec::new(), 0);
    for token in tokens {
        let Range { start, end: behind } = token.span.range();
        comment(text, end..start.max(end), &mut pieces);
        if behind > start && start >= end {
            pieces.push(Piece {
                range: start..behind,
                class: class(&token.kind),
            });
        }
        end = end.max(behind);
    }
    comment(text, end..text.len(), &mut pieces);
    pieces
}

/// What stands between tokens and is no white space is a comment, or can't be read.
fn comment(text: &str, range: Range<usize>, pieces: &mut Vec<Piece>) {
    let Some(between) = text.get(range.clone()) else { return };
    let inner = between.trim();
    if inner.is_empty() {
        return;
    }
    let start = range.start + (between.len() - between.trim_start().len());
    let begins = |sign: &&str| inner.starts_with(sign);
    pieces.push(Piece {
        range: start..start + inner.len(),
        class: match ["//", "/*", ";"].iter().any(begins) {
            true => Class::Comment,
            false => Class::Other,
        },
    });
}

fn class(kind: &TokenKind) -> Class {
    match kind {
        TokenKind::Keyword(_) => Class::Keyword,
        TokenKind::Identifier(_) => Class::Name,
        TokenKind::Number(_) | TokenKind::Outcome(_) => Class::Number,
        TokenKind::String(_)
        | TokenKind::InputFile(_)
        | TokenKind::OutputFile(_)
        | TokenKind::Group(_)
        | TokenKind::GroupStart(_) => Class::String,
        TokenKind::Designator(_) | TokenKind::PieceDeclaration => Class::Designator,
        TokenKind::Dash(_) => Class::Dash,
        TokenKind::LineComment => Class::Comment,
        TokenKind::Symbol(symbol) if symbol.closing().is_some() || symbol.is_closing() => Class::Bracket,
        TokenKind::Symbol(Symbol::Comma) => Class::Other,
        TokenKind::Symbol(_) | TokenKind::Repetition { .. } => Class::Operator,
        TokenKind::LineCommentEnd => Class::Other,
    }
}
