//! Brackets have to pair before the parser looks at anything; and they decide how far a `path` reaches.
//!
//! A path reaches to the closing bracket around it or to a blank line between its own brackets. There, and inside its
//! parentheses, `+` and `*` are wildcards; braces and square brackets take that back
//! (docs/language/syntax.md#wildcards-and-brackets).

use super::repair::{Repair, missing};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;
use crate::syntax::keyword::Keyword;
use crate::syntax::symbol::Symbol;
use crate::syntax::token::{Token, TokenKind};

/// How many brackets are put right in one text.
const MOST: usize = 20;

/// Puts brackets in and takes brackets out until all pair. What was wrong is given.
pub(crate) fn balance(text: &str, tokens: &mut Vec<Token>) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for _ in 0..MOST {
        let Some((error, repair)) = mark(text, tokens) else {
            return errors;
        };
        repair.apply(tokens);
        errors.push(error);
    }
    tokens.clear();
    errors
}

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

/// Marks the tokens that belong to paths. The first bracket that does not pair is an error; with it comes what makes it
/// pair.
pub(super) fn mark(text: &str, tokens: &mut [Token]) -> Option<(Diagnostic, Repair)> {
    // The level of the text itself, which no bracket closes.
    let mut open = vec![Level {
        symbol: Symbol::Dot,
        opened: 0,
        inherited: false,
        paths: 0,
    }];
    for index in 0..tokens.len() {
        let level = open.last_mut()?;
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
                    return Some(unpaired(text, tokens, index, &open));
                }
                open.pop();
            }
            _ => {}
        }
    }
    let [_, .., level] = &open[..] else { return None };
    let repair = missing(text, tokens, level.opened);
    let message = format!("`{}` is not closed", level.symbol.text());
    let diagnostic = Diagnostic::new(Code::UnbalancedDelimiter, tokens[level.opened].span, message);
    Some((suggest(diagnostic, text, tokens, repair), repair))
}

/// What is wrong with a closing bracket.
fn unpaired(text: &str, tokens: &[Token], index: usize, open: &[Level]) -> (Diagnostic, Repair) {
    let span = tokens[index].span;
    let closing = match tokens[index].kind {
        TokenKind::Symbol(symbol) => symbol,
        _ => Symbol::RightBrace,
    };
    let inner = open.last().filter(|level| level.symbol.closing().is_some());
    let Some(inner) = inner else {
        let message = format!("`{}` closes nothing", closing.text());
        let diagnostic = Diagnostic::new(Code::UnbalancedDelimiter, span, message);
        let repair = Repair::Remove(index);
        return (suggest(diagnostic, text, tokens, repair), repair);
    };
    let message = format!("`{}` cannot close `{}`", closing.text(), inner.symbol.text());
    let diagnostic =
        Diagnostic::new(Code::UnbalancedDelimiter, span, message).related(tokens[inner.opened].span, "opened here");
    let expected = inner.symbol.closing().unwrap_or(Symbol::RightBrace);
    let is_next = tokens.get(index + 1).is_some_and(|next| next.is(expected));
    let repair = match open.iter().any(|level| level.symbol.closing() == Some(closing)) {
        true if is_next && open[..open.len() - 1].last().and_then(|level| level.symbol.closing()) == Some(closing) => {
            Repair::Swap(index)
        }
        // What is around can be closed by it: the inner one is not closed.
        true => {
            let before = tokens[index - 1].span.end as usize;
            Repair::Insert(index, expected, Span::new(before, before))
        }
        false => Repair::Replace(index, expected),
    };
    (suggest(diagnostic, text, tokens, repair), repair)
}

/// Adds how to put it right.
fn suggest(diagnostic: Diagnostic, text: &str, tokens: &[Token], repair: Repair) -> Diagnostic {
    let fix = repair.fix(text, tokens);
    let help = match repair {
        Repair::Remove(_) => "remove it, or open it before".to_owned(),
        Repair::Replace(_, symbol) => format!("write `{}`", symbol.text()),
        Repair::Swap(_) => "close the inner one first".to_owned(),
        Repair::Insert(index, symbol, _) => {
            let before = tokens[index - 1].span.range();
            let line = 1 + text[..before.start].matches('\n').count();
            let before = text.get(before).unwrap_or_default().lines().next().unwrap_or_default();
            match text[..tokens[index - 1].span.end as usize].contains('\n') {
                true => format!(
                    "`{}` is missing, probably behind `{before}` in line {line}",
                    symbol.text()
                ),
                false => format!("`{}` is missing, probably behind `{before}`", symbol.text()),
            }
        }
    };
    diagnostic.help(help).fix(fix)
}
