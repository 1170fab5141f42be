//! Brackets have to pair before the parser looks at anything.

use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::symbol::Symbol;
use crate::syntax::token::{Token, TokenKind};

/// Reports the first bracket that does not pair.
pub(super) fn check(tokens: &[Token], errors: &mut Vec<Diagnostic>) {
    let mut open: Vec<(Symbol, &Token)> = Vec::new();
    for token in tokens {
        let TokenKind::Symbol(symbol) = token.kind else {
            continue;
        };
        if symbol.closing().is_some() {
            open.push((symbol, token));
        } else if symbol.is_closing() {
            let Some((opening, opened)) = open.pop() else {
                let message = format!("`{}` closes nothing", symbol.text());
                errors.push(Diagnostic::new(Code::UnbalancedDelimiter, token.span, message));
                return;
            };
            if opening.closing() != Some(symbol) {
                let message = format!("`{}` cannot close `{}`", symbol.text(), opening.text());
                errors.push(
                    Diagnostic::new(Code::UnbalancedDelimiter, token.span, message).related(opened.span, "opened here"),
                );
                return;
            }
        }
    }
    if let Some((opening, opened)) = open.pop() {
        let message = format!("`{}` is not closed", opening.text());
        errors.push(Diagnostic::new(Code::UnbalancedDelimiter, opened.span, message));
    }
}
