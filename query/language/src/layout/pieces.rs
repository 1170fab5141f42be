//! Tokens, and what stands between them.

use std::collections::HashSet;

use crate::parse::Beginning;
use crate::syntax::{Symbol, Token, TokenKind};

/// Where blanks stand between the tokens of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blanks {
    /// Around operators, and none inside parentheses.
    Usual,
    /// Where there were some, and inside braces.
    AsWritten,
}

/// A comment between two tokens.
#[derive(Debug)]
pub(super) struct Comment<'t> {
    pub(super) text: &'t str,
    /// Whether a line begins with it.
    pub(super) own_line: bool,
    /// Whether a blank line stands before it.
    pub(super) after_blank_line: bool,
}

/// What a token is for the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// `{`
    Open,
    /// `}`
    Close,
    /// `(` and `[`
    OpenOther,
    /// `)` and `]`
    CloseOther,
    /// `///`
    LineComment,
    /// The line of a `///` ends.
    LineEnd,
    /// A move operator.
    Move,
    /// `or`, `and`
    Logic,
    /// Everything else.
    Word,
    /// The text ends.
    End,
}

/// A token with what stands before it.
#[derive(Debug)]
pub(super) struct Piece<'t> {
    pub(super) text: &'t str,
    pub(super) role: Role,
    /// Whether it touches the token before it.
    pub(super) touches: bool,
    pub(super) after_blank_line: bool,
    pub(super) comments: Vec<Comment<'t>>,
    /// Whether a filter of a list begins here.
    pub(super) is_filter: bool,
    /// Whether a constituent of a path begins here.
    pub(super) is_step: bool,
}

/// The pieces of a text; the last one is its end.
pub(super) fn pieces<'t>(
    text: &'t str,
    tokens: &[Token],
    found: &HashSet<Beginning>,
    blanks: Blanks,
) -> Vec<Piece<'t>> {
    let mut pieces: Vec<Piece<'t>> = Vec::with_capacity(tokens.len() + 1);
    let mut end = 0;
    for (number, token) in tokens.iter().enumerate() {
        let range = token.span.range();
        let (comments, after_blank_line) = gap(&text[end..range.start.max(end)], end == 0);
        let before = number.checked_sub(1).map(|before| &tokens[before]);
        let touched = end == range.start && end > 0;
        let touches = match (blanks, before) {
            (_, None) => true,
            (_, Some(before)) if is(before, Symbol::LeftBrace) || is(token, Symbol::RightBrace) => false,
            (_, Some(before)) if is(token, Symbol::LeftBrace) => touched && !is_word(before),
            (Blanks::AsWritten, _) => touched,
            (Blanks::Usual, Some(before)) if is(before, Symbol::LeftParen) || is(token, Symbol::RightParen) => true,
            (Blanks::Usual, Some(before)) => touched && !is_spaced(before) && !is_spaced(token),
        };
        pieces.push(Piece {
            text: &text[range.clone()],
            role: role(token),
            touches,
            after_blank_line,
            comments,
            is_filter: found.contains(&Beginning::Filter(range.start)),
            is_step: found.contains(&Beginning::Step(range.start)),
        });
        end = range.end.max(end);
    }
    let (comments, after_blank_line) = gap(&text[end..], end == 0);
    pieces.push(Piece {
        text: "",
        role: Role::End,
        touches: false,
        after_blank_line,
        comments,
        is_filter: false,
        is_step: false,
    });
    pieces
}

/// Whether a token is a word, or ends something, so that a brace behind it has a blank before it.
fn is_word(token: &Token) -> bool {
    !matches!(token.kind, TokenKind::Dash(_) | TokenKind::Symbol(_)) || is(token, Symbol::RightParen)
}

fn is(token: &Token, symbol: Symbol) -> bool {
    token.is(symbol)
}

/// Whether a token is an operator between two operands that has blanks around it.
fn is_spaced(token: &Token) -> bool {
    let TokenKind::Symbol(symbol) = &token.kind else {
        return false;
    };
    symbol.is_assignment()
        || matches!(
            symbol,
            Symbol::EqualEqual
                | Symbol::NotEqual
                | Symbol::LessEqual
                | Symbol::GreaterEqual
                | Symbol::Ampersand
                | Symbol::Bar
                | Symbol::AttackArrow
                | Symbol::AttackedArrow
        )
}

fn role(token: &Token) -> Role {
    use crate::syntax::Keyword;
    match &token.kind {
        TokenKind::Symbol(Symbol::LeftBrace) => Role::Open,
        TokenKind::Symbol(Symbol::RightBrace) => Role::Close,
        TokenKind::Symbol(Symbol::LeftParen | Symbol::LeftBracket) => Role::OpenOther,
        TokenKind::Symbol(Symbol::RightParen | Symbol::RightBracket) => Role::CloseOther,
        TokenKind::LineComment => Role::LineComment,
        TokenKind::LineCommentEnd => Role::LineEnd,
        TokenKind::Dash(_) => Role::Move,
        TokenKind::Keyword(Keyword::Or | Keyword::And) => Role::Logic,
        _ => Role::Word,
    }
}

/// The comments between two tokens, and whether a blank line stands behind them.
fn gap(mut text: &str, begins_text: bool) -> (Vec<Comment<'_>>, bool) {
    let mut comments = Vec::new();
    let mut lines = usize::from(begins_text);
    while let Some(first) = text.chars().next() {
        if text.starts_with("/*") {
            let length = text[2..].find("*/").map_or(text.len(), |length| length + 4);
            comments.push(comment(&text[..length], lines, comments.is_empty() && begins_text));
            (text, lines) = (&text[length..], 0);
        } else if text.starts_with(';') || text.starts_with("//") {
            let length = text.find('\n').unwrap_or(text.len());
            let line = text[..length].trim_end();
            comments.push(comment(line, lines, comments.is_empty() && begins_text));
            (text, lines) = (&text[length..], 0);
        } else {
            lines += usize::from(first == '\n');
            text = &text[first.len_utf8()..];
        }
    }
    // Blank lines at the beginning of the text are dropped.
    let begins = begins_text && comments.is_empty();
    (comments, lines > 1 && !begins)
}

fn comment(text: &str, lines: usize, begins: bool) -> Comment<'_> {
    Comment {
        text,
        own_line: lines > 0,
        after_blank_line: lines > 1 && !begins,
    }
}
