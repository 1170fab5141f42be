//! Lists of filters, and what may follow a filter.

use super::scope::a_filter;
use super::{Beginning, Parsed, Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Filter, Kind};
use crate::parse::operators::Level;
use crate::syntax::{Keyword, Symbol, Token};

impl Parser<'_> {
    /// All filters that are left.
    pub(super) fn filters_until_end(&mut self) -> Parsed<Vec<Filter>> {
        let mut filters = Vec::new();
        while self.position < self.tokens.len() {
            let before = self.position;
            self.next_of_list(&mut filters)?;
            // Behind an error, a bracket may be left that nothing reads.
            self.position += usize::from(self.position == before);
        }
        Ok(filters)
    }

    /// One filter at least, up to a closing token, which is consumed.
    pub(super) fn filters_until(&mut self, close: Symbol) -> Parsed<Vec<Filter>> {
        let mut filters = Vec::new();
        while !self.at(close) || filters.is_empty() {
            self.next_of_list(&mut filters)?;
        }
        self.bump();
        Ok(filters)
    }

    /// One more filter; an operator in its place has no left side.
    pub(super) fn next_of_list(&mut self, filters: &mut Vec<Filter>) -> Parsed<()> {
        match self.recovery {
            None => self.one_more(filters),
            Some(_) => self.next_or_recover(filters),
        }
    }

    /// One more filter, or what is wrong with it.
    pub(super) fn one_more(&mut self, filters: &mut Vec<Filter>) -> Parsed<()> {
        if let Some(last) = filters.last() {
            self.reject_operator(last.kind)?;
        }
        if let Some(token) = self.peek() {
            let start = token.span.range().start;
            self.beginnings.push(Beginning::Filter(start));
        }
        let filter = self.expression(Level::Or)?;
        filters.push(filter);
        Ok(())
    }

    /// Fails if an operator stands here that cannot continue a filter of this kind.
    pub(super) fn reject_operator(&self, left: Kind) -> Parsed<()> {
        let Some(operator) = self.peek().filter(|token| is_operator(token)) else {
            return Ok(());
        };
        let message = format!("{} cannot follow {}", self.found(), a_filter(left));
        let mut diagnostic = Diagnostic::new(Code::UnexpectedText, operator.span, message);
        diagnostic.help = self.operator_hint(left);
        Err(Box::new(diagnostic.maybe_fix(self.operator_fix(left))))
    }

    /// `( filter )`, the opening parenthesis already consumed.
    pub(super) fn parenthesized(&mut self) -> Parsed<Filter> {
        let opened = self.position.saturating_sub(1);
        let filter = self.expression(Level::Or)?;
        if self.eat(Symbol::RightParen) {
            return Ok(filter);
        }
        self.reject_operator(filter.kind)?;
        let message = format!(
            "parentheses hold exactly one filter; expected `)`, found {}",
            self.found()
        );
        let mut diagnostic = Diagnostic::new(Code::OneFilterInParentheses, self.here(), message);
        diagnostic.help = Some(match self.wildcard_hint() {
            Some(hint) => hint,
            None if self.in_path() => "conditions behind a move of a path need no parentheses: `path -- check btm`; a chain \
                                       follows a chain: `path (--) (-- check)+`; else write `{ }` around several filters"
                .to_owned(),
            None => "write `{ }` around several filters".to_owned(),
        });
        let fix = match self.in_path() {
            true => None,
            false => self.braces_fix(opened),
        };
        Err(Box::new(diagnostic.maybe_fix(fix)))
    }
}

/// Whether the token continues a filter and can begin none.
pub(super) fn is_operator(token: &Token) -> bool {
    match token.kind {
        TokenKind::Symbol(symbol) => !matches!(
            symbol,
            Symbol::LeftParen
                | Symbol::LeftBrace
                | Symbol::RightParen
                | Symbol::RightBrace
                | Symbol::RightBracket
                | Symbol::Dot
                | Symbol::EmptySet
                | Symbol::Hash
                | Symbol::Tilde
                | Symbol::Minus
                | Symbol::Forall
        ),
        TokenKind::Keyword(keyword) => matches!(
            keyword,
            Keyword::And
                | Keyword::Or
                | Keyword::In
                | Keyword::Attack
                | Keyword::Attacks
                | Keyword::Attacked
                | Keyword::Attackedby
        ),
        TokenKind::Repetition { .. } => true,
        _ => false,
    }
}
