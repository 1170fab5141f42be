//! Functions of a text, by its tokens.

use std::ops::Range;

use language::syntax::{Keyword, Symbol, Token};

/// A function; all numbers are those of tokens.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: usize,
    pub(super) parameters: Vec<usize>,
    /// From the word `function` to the end of the body.
    pub(super) whole: Range<usize>,
    /// What stands behind the name.
    pub(super) body_and_parameters: Range<usize>,
}

/// The functions of a text. One that is not complete ends where it stops to be one.
pub(super) fn functions(tokens: &[Token]) -> Vec<Function> {
    let begins = |start: &usize| tokens[*start].keyword() == Some(Keyword::Function);
    let is_name = |at: usize| tokens.get(at).is_some_and(|token| token.identifier().is_some());
    let is = |at: usize, symbol: Symbol| tokens.get(at).is_some_and(|token| token.is(symbol));
    let function = |start: usize| {
        let name = start + 1;
        if !is_name(name) {
            return None;
        }
        let (mut at, mut parameters) = (name + 1, Vec::new());
        if is(at, Symbol::LeftParen) {
            at += 1;
            while is_name(at) {
                parameters.push(at);
                at += 1;
            }
            at += usize::from(is(at, Symbol::RightParen));
        }
        let end = match is(at, Symbol::LeftBrace) {
            true => closing(tokens, at, Symbol::LeftBrace, Symbol::RightBrace),
            false => at,
        };
        Some(Function {
            name,
            parameters,
            whole: start..end,
            body_and_parameters: name + 1..end,
        })
    };
    (0..tokens.len()).filter(begins).filter_map(function).collect()
}

/// Behind the partner of the bracket at a token; the end if there is none.
fn closing(tokens: &[Token], open: usize, left: Symbol, right: Symbol) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        depth += usize::from(token.is(left));
        depth = depth.saturating_sub(usize::from(token.is(right)));
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The arguments of a call that are a name and nothing else.
pub(super) fn arguments(tokens: &[Token], call: usize) -> impl Iterator<Item = usize> {
    let open = call + 1;
    let end = match tokens.get(open).is_some_and(|token| token.is(Symbol::LeftParen)) {
        true => closing(tokens, open, Symbol::LeftParen, Symbol::RightParen).saturating_sub(1),
        false => open,
    };
    let is_alone = |at: &usize| {
        let stands_alone = |other: usize| {
            other == open || other == end || tokens.get(other).is_some_and(|token| token.identifier().is_some())
        };
        tokens[*at].identifier().is_some() && stands_alone(at - 1) && stands_alone(at + 1)
    };
    (open + 1..end.max(open + 1).min(tokens.len()))
        .filter(is_alone)
        .collect::<Vec<_>>()
        .into_iter()
}
