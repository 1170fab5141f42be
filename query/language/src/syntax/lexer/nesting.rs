//! Brackets have to pair before the parser looks at anything; and they decide how far a `path` reaches.
//!
//! A path reaches to the closing bracket around it or to a blank line between its own brackets. There, and inside its
//! parentheses, `+` and `*` are wildcards; braces and square brackets take that back
//! (docs/language/syntax.md#wildcards-and-brackets).

use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::keyword::Keyword;
use crate::syntax::symbol::Symbol;
use crate::syntax::token::{Token, TokenKind};

/// What an opening bracket begins.
struct Level {
    symbol: Symbol,
    /// The index of its token.
    opened: usize,
    /// Whether a path reaches in from outside.
    inherited: bool,
    /// How many paths have begun on this level.
    paths: u32,
}

/// Reports the first bracket that does not pair, and marks the tokens that belong to paths.
pub(super) fn mark(tokens: &mut [Token], errors: &mut Vec<Diagnostic>) {
    // The level of the text itself, which no bracket closes.
    let mut open = vec![Level {
        symbol: Symbol::Dot,
        opened: 0,
        inherited: false,
        paths: 0,
    }];
    for index in 0..tokens.len() {
        let Some(level) = open.last_mut() else { return };
        let token = &mut tokens[index];
        if token.after_blank_line {
            token.ends_paths = std::mem::take(&mut level.paths);
        }
        token.in_path = level.inherited || level.paths > 0;
        let in_path = token.in_path;
        match token.kind {
            TokenKind::Keyword(Keyword::Path) => level.paths += 1,
            TokenKind::Symbol(symbol) if symbol.closing().is_some() => {
                let inherited = in_path && symbol == Symbol::LeftParen;
                open.push(Level {
                    symbol,
                    opened: index,
                    inherited,
                    paths: 0,
                });
            }
            TokenKind::Symbol(symbol) if symbol.is_closing() => {
                if level.symbol.closing() != Some(symbol) {
                    errors.push(unpaired(tokens, index, symbol, level));
                    return;
                }
                open.pop();
            }
            _ => {}
        }
    }
    if let [_, .., level] = &open[..] {
        let message = format!("`{}` is not closed", level.symbol.text());
        errors.push(Diagnostic::new(
            Code::UnbalancedDelimiter,
            tokens[level.opened].span,
            message,
        ));
    }
}

fn unpaired(tokens: &[Token], index: usize, symbol: Symbol, level: &Level) -> Diagnostic {
    let span = tokens[index].span;
    if level.symbol.closing().is_none() {
        return Diagnostic::new(
            Code::UnbalancedDelimiter,
            span,
            format!("`{}` closes nothing", symbol.text()),
        );
    }
    let message = format!("`{}` cannot close `{}`", symbol.text(), level.symbol.text());
    Diagnostic::new(Code::UnbalancedDelimiter, span, message).related(tokens[level.opened].span, "opened here")
}
