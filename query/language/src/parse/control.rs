//! `not`, `if`, `while`, `loop`, `assert`, `equal`.

use super::operators::Level;
use super::{Parsed, Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Filter, Kind, Node};
use crate::span::Span;
use crate::syntax::{Keyword, Symbol};

impl Parser<'_> {
    /// `not F`
    pub(super) fn not(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let argument = self.expression(Level::Member)?;
        let span = span.to(argument.span);
        Ok(Filter::new(Node::Not(Box::new(argument)), Kind::Logical, span))
    }

    /// `if C [then] T [else E]`; the kind is that of both branches if they agree. An `else` without anything behind it is
    /// as if it were not there.
    pub(super) fn conditional(&mut self, span: Span) -> Parsed<Filter> {
        let condition = self.whole_argument()?;
        self.eat_keyword(Keyword::Then);
        self.reject_operator(condition.kind)?;
        let then = self.expression(Level::Or)?;
        let otherwise = if self.eat_keyword(Keyword::Else) && self.starts_filter() {
            Some(self.expression(Level::Or)?)
        } else {
            None
        };
        let kind = match &otherwise {
            Some(otherwise) if otherwise.kind == then.kind => then.kind,
            _ => Kind::Logical,
        };
        let node = Node::If(Box::new(condition), Box::new(then), otherwise.map(Box::new));
        Ok(Filter::new(node, kind, self.since(span)))
    }

    /// `while (C) F`; a bare `STR ~~ "re"` between the parentheses iterates over the matches.
    pub(super) fn while_loop(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        self.expect(Symbol::LeftParen)?;
        let condition = self.expression(Level::Or)?;
        let ends_with_pattern = self
            .position
            .checked_sub(1)
            .and_then(|last| self.tokens.get(last))
            .is_some_and(|token| matches!(token.kind, TokenKind::String(_)));
        self.reject_operator(condition.kind)?;
        self.close_arguments("while")?;
        let body = Box::new(self.expression(Level::Or)?);
        let node = match condition.node {
            Node::RegexMatch(text, regex) if ends_with_pattern => Node::WhileRegex(text, regex, body),
            node => Node::While(Box::new(Filter { node, ..condition }), body),
        };
        Ok(Filter::new(node, Kind::Logical, self.since(span)))
    }

    /// `loop F`
    pub(super) fn loop_filter(&mut self, span: Span) -> Parsed<Filter> {
        let argument = self.whole_argument()?;
        let span = span.to(argument.span);
        Ok(Filter::new(Node::Loop(Box::new(argument)), Kind::Logical, span))
    }

    /// `assert F`, `assert x`
    pub(super) fn assert(&mut self, span: Span) -> Parsed<Filter> {
        let argument = self.whole_argument()?;
        let span = span.to(argument.span);
        let node = match argument.node {
            Node::Variable(id) => Node::AssertBound(id),
            node => Node::Assert(Box::new(Filter { node, ..argument })),
        };
        Ok(Filter::new(node, Kind::Logical, span))
    }

    /// `equal (a b)`
    pub(super) fn equal(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        self.expect(Symbol::LeftParen)?;
        let first = self.expression(Level::Or)?;
        self.reject_operator(first.kind)?;
        let second = self.expression(Level::Or)?;
        self.close_arguments("equal")?;
        let node = Node::Equal(Box::new(first), Box::new(second));
        Ok(Filter::new(node, Kind::Logical, self.since(span)))
    }

    /// `cql_assertvariations "message"`
    pub(super) fn assert_variations(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let Some(message) = self.quoted() else {
            let diagnostic = Diagnostic::new(
                Code::BadArguments,
                self.here(),
                "`cql_assertvariations` needs its message",
            );
            return Err(Box::new(diagnostic.help("write a string behind it")));
        };
        Ok(Filter::new(
            Node::AssertVariations(message),
            Kind::Logical,
            self.since(span),
        ))
    }
}
