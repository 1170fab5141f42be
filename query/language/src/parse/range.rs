//! Ranges: one bound, two, or `count`, and the look-ahead that keeps them apart from arithmetic
//! (docs/language/syntax.md#ranges).

use super::scope::Name;
use super::{Parsed, Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Bound, Range, VariableKind};
use crate::syntax::{Keyword, Symbol, Token};

impl Parser<'_> {
    /// A range, if one stands here.
    pub(super) fn range(&mut self) -> Parsed<Option<Range>> {
        if self.eat_keyword(Keyword::Count) {
            return Ok(Some(Range::Count));
        }
        let Some(first) = self.bound()? else { return Ok(None) };
        let second = self.bound()?.unwrap_or(first);
        Ok(Some(Range::Between(first, second)))
    }

    /// A bound, if one stands here and no operator follows it.
    fn bound(&mut self) -> Parsed<Option<Bound>> {
        let minus = usize::from(self.at(Symbol::Minus));
        let bound = match self.peek_ahead(minus).map(|token| &token.kind) {
            Some(&TokenKind::Number(number)) => Bound::Literal(if minus == 1 { number.wrapping_neg() } else { number }),
            Some(TokenKind::Identifier(name)) if minus == 0 => match self.scope.get(name) {
                Some(Name::Variable(id)) if self.scope.variable(id).kind == VariableKind::Numeric => {
                    Bound::Variable(id)
                }
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        if self.peek_ahead(minus + 1).is_some_and(blocks) {
            return Ok(None);
        }
        self.check_literal(minus)?;
        self.position += minus + 1;
        Ok(Some(bound))
    }

    /// Fails on a number that wrapped to a negative one.
    pub(super) fn check_literal(&self, distance: usize) -> Parsed<()> {
        match self.peek_ahead(distance) {
            Some(token) if matches!(token.kind, TokenKind::Number(number) if number < 0) => {
                let message = "the number does not fit into 31 bits";
                Err(Box::new(
                    Diagnostic::new(Code::BadArguments, token.span, message).help("numbers reach up to 2147483647"),
                ))
            }
            _ => Ok(()),
        }
    }
}

/// Whether the token makes the number before it an operand.
fn blocks(token: &Token) -> bool {
    let TokenKind::Symbol(symbol) = token.kind else {
        return false;
    };
    !matches!(
        symbol,
        Symbol::LeftParen
            | Symbol::RightParen
            | Symbol::LeftBrace
            | Symbol::RightBrace
            | Symbol::ArrowForward
            | Symbol::ArrowBackward
    )
}
