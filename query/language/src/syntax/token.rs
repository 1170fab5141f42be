//! Tokens.

use std::rc::Rc;

use chess::Outcome;

use super::{Keyword, Symbol};
use crate::hir::Designator;
use crate::span::Span;

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenKind {
    /// A reserved word, or the Unicode symbol of one.
    Keyword(Keyword),
    /// A punctuator.
    Symbol(Symbol),
    /// A word that is neither reserved nor a designator.
    Identifier(Rc<str>),
    /// Decimal digits, wrapped to 32 bits.
    Number(i32),
    /// `"text"`, `\n` and its like.
    String(Rc<str>),
    /// `1-0`, `0-1`, `1/2-1/2`
    Outcome(Outcome),
    /// `Ra1`, `[Aa]`, `a-h1-8`
    Designator(Designator),
    /// `[Aa]` glued to a name: that name is a piece variable.
    PieceDeclaration,
    /// `--`, `[x]`
    Dash(DashToken),
    /// `{2}`, `{1,3}`
    Repetition {
        /// At least.
        min: u32,
        /// At most.
        max: u32,
    },
    /// `\1`
    Group(u32),
    /// `\-1`
    GroupStart(u32),
    /// `///`
    LineComment,
    /// Where the line of a `///` ends.
    LineCommentEnd,
    /// `input FILE`
    InputFile(Rc<str>),
    /// `output FILE`
    OutputFile(Rc<str>),
}

/// A move operator and what touches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DashToken {
    /// `[x]`
    pub capture: bool,
    /// Something stands immediately to the left that is taken for the left operand.
    pub left_tied: bool,
    /// Something stands immediately to the right: operand, promotion or target.
    pub right_tied: bool,
}

/// A token, its place, and the white space before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Where it stands.
    pub span: Span,
    /// Whether a blank line stands before it.
    pub after_blank_line: bool,
    /// Whether it stands directly inside a `path`, where `+` and `*` are wildcards.
    pub in_path: bool,
    /// How many paths a blank line before it ends.
    pub ends_paths: u32,
}

impl Token {
    /// Whether it is this punctuator.
    pub fn is(&self, symbol: Symbol) -> bool {
        self.kind == TokenKind::Symbol(symbol)
    }

    /// The reserved word, if it is one.
    pub fn keyword(&self) -> Option<Keyword> {
        match self.kind {
            TokenKind::Keyword(keyword) => Some(keyword),
            _ => None,
        }
    }

    /// The name, if it is one.
    pub fn identifier(&self) -> Option<&Rc<str>> {
        match &self.kind {
            TokenKind::Identifier(name) => Some(name),
            _ => None,
        }
    }
}
