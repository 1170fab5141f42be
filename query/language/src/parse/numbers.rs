//! Numeric and position filters with arguments.

use super::operators::Level;
use super::scope::{Name, a_filter};
use super::{Parsed, Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::hir::{Filter, Kind, Node, VariableKind};
use crate::span::Span;
use crate::syntax::{Keyword, Symbol};

impl Parser<'_> {
    /// `#S`, `#STR`, `#D`
    pub(super) fn cardinality(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        if let Some(Name::Dictionary(dictionary)) =
            self.peek().and_then(|t| t.identifier()).and_then(|n| self.scope.get(n))
            && !self.peek_ahead(1).is_some_and(|token| token.is(Symbol::LeftBracket))
        {
            self.bump();
            return Ok(Filter::new(
                Node::DictionarySize(dictionary),
                Kind::Numeric,
                self.since(span),
            ));
        }
        let (text, stands_alone) = (self.text, self.peek().is_some_and(|token| token.span.start > span.end));
        let begins_line = || {
            let before = text.get(..span.start as usize).unwrap_or_default();
            before.rsplit('\n').next().unwrap_or_default().trim().is_empty()
        };
        let argument = self.expression(Level::Dash);
        let argument = argument.map_err(|diagnostic| match stands_alone && begins_line() {
            true => Box::new(diagnostic.help("a comment begins with `//`; `#` counts the squares of a set")),
            false => diagnostic,
        })?;
        let span = span.to(argument.span);
        let node = match argument.kind {
            Kind::Set => Node::Cardinality(Box::new(argument)),
            Kind::String => Node::Length(Box::new(argument)),
            other => {
                let message = format!("expected a set or string filter after `#`, found {}", a_filter(other));
                return Err(Box::new(Diagnostic::new(Code::WrongKind, argument.span, message)));
            }
        };
        Ok(Filter::new(node, Kind::Numeric, span))
    }

    /// `-5`, `-N`
    pub(super) fn negation(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        self.check_literal(0)?;
        if let Some(number) = self.number() {
            return Ok(Filter::new(
                Node::Number(number.wrapping_neg()),
                Kind::Numeric,
                self.since(span),
            ));
        }
        let touches_set = self
            .position
            .checked_sub(2)
            .and_then(|index| self.tokens.get(index))
            .is_some_and(|before| matches!(before.kind, TokenKind::Designator(_)) && before.span.end == span.start);
        let argument = self.expression(Level::Colon)?;
        self.check_kind(&argument, Kind::Numeric, "after `-`")
            .map_err(|diagnostic| match argument.kind {
                Kind::Set if touches_set => {
                    let fix = Fix::replace("write `--`", span, "--");
                    let diagnostic = Diagnostic {
                        fixes: vec![fix],
                        ..*diagnostic
                    };
                    Box::new(diagnostic.help("a move is written `e2--e4`, a range of squares `a-h1-8`"))
                }
                _ => diagnostic,
            })?;
        let span = span.to(argument.span);
        Ok(Filter::new(Node::Negate(Box::new(argument)), Kind::Numeric, span))
    }

    /// `power S`, `file S`, `typename S` ...
    pub(super) fn attribute(&mut self, keyword: Keyword, span: Span) -> Parsed<Filter> {
        self.bump();
        let place = format!("after `{}`", keyword.text());
        let set = Box::new(self.expression_of(Level::Dash, Kind::Set, &place)?);
        let span = span.to(set.span);
        let (node, kind) = match keyword {
            Keyword::Power => (Node::Power(set), Kind::Numeric),
            Keyword::File => (Node::File(set), Kind::Numeric),
            Keyword::Rank => (Node::Rank(set), Kind::Numeric),
            Keyword::Colortype => (Node::ColorType(set), Kind::Numeric),
            Keyword::Typename => (Node::TypeName(set), Kind::String),
            _ => (Node::PieceName(set), Kind::String),
        };
        Ok(Filter::new(node, kind, span))
    }

    /// `type S`
    pub(super) fn piece_type(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let set = self.expression_of(Level::Dash, Kind::Set, "after `type`")?;
        let span = span.to(set.span);
        Ok(Filter::new(Node::Type(Box::new(set)), Kind::Numeric, span))
    }

    /// `pieceid S`; of a piece variable it is known even after the capture.
    pub(super) fn piece_id(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let before = self.position;
        let set = self.expression_of(Level::Dash, Kind::Set, "after `pieceid`")?;
        let span = span.to(set.span);
        let node = match set.node {
            Node::Variable(id)
                if self.position == before + 1 && self.scope.variable(id).kind == VariableKind::Piece =>
            {
                Node::PieceIdOf(id)
            }
            _ => Node::PieceId(Box::new(set)),
        };
        Ok(Filter::new(node, Kind::Numeric, span))
    }

    /// `abs N`, `sqrt N`
    pub(super) fn root_or_absolute(&mut self, keyword: Keyword, span: Span) -> Parsed<Filter> {
        self.bump();
        let place = format!("after `{}`", keyword.text());
        let argument = Box::new(self.expression_of(Level::Sum, Kind::Numeric, &place)?);
        let span = span.to(argument.span);
        let node = if keyword == Keyword::Abs {
            Node::Abs(argument)
        } else {
            Node::Sqrt(argument)
        };
        Ok(Filter::new(node, Kind::Numeric, span))
    }

    /// `max (a b ...)`, `min (a b ...)`
    pub(super) fn extremum(&mut self, is_max: bool, span: Span) -> Parsed<Filter> {
        let name = if is_max { "max" } else { "min" };
        self.bump();
        self.expect(Symbol::LeftParen)?;
        let mut arguments: Vec<Filter> = Vec::new();
        while !self.at(Symbol::RightParen) {
            if let Some(last) = arguments.last() {
                self.reject_operator(last.kind)?;
            }
            let argument = self.expression(Level::Sum)?;
            let kind = arguments.first().map_or(argument.kind, |first| first.kind);
            match kind {
                Kind::Numeric | Kind::String => {
                    self.check_kind(
                        &argument,
                        kind,
                        &format!("in the parentheses of `{name}`, as the first one is"),
                    )?;
                }
                _ => {
                    self.check_kind(
                        &argument,
                        Kind::Numeric,
                        &format!("or string filters in the parentheses of `{name}`"),
                    )?;
                }
            }
            arguments.push(argument);
        }
        self.bump();
        let span = self.since(span);
        if arguments.len() < 2 {
            let message = format!("`{name}` needs at least two arguments");
            return Err(Box::new(Diagnostic::new(Code::BadArguments, span, message)));
        }
        let kind = arguments[0].kind;
        Ok(Filter::new(Node::Extremum(is_max, arguments), kind, span))
    }

    /// `elo`, `elo white`, `elo black`
    pub(super) fn elo(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let color = self.color();
        Ok(Filter::new(Node::Elo(color), Kind::Numeric, self.since(span)))
    }

    /// Consumes `white` or `black`.
    pub(super) fn color(&mut self) -> Option<shakmaty::Color> {
        if self.eat_keyword(Keyword::White) {
            Some(shakmaty::Color::White)
        } else if self.eat_keyword(Keyword::Black) {
            Some(shakmaty::Color::Black)
        } else {
            None
        }
    }

    /// `position N`
    pub(super) fn position_at(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let number = self.expression_of(Level::Sum, Kind::Numeric, "after `position`")?;
        let span = span.to(number.span);
        Ok(Filter::new(Node::PositionAt(Box::new(number)), Kind::Position, span))
    }

    /// `child`, `child (N)`
    pub(super) fn child(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let mut index = None;
        if self.eat(Symbol::LeftParen) {
            let number = self.expression_of(Level::Sum, Kind::Numeric, "in the parentheses of `child`")?;
            self.reject_operator(Kind::Logical)?;
            self.close_arguments("child")?;
            index = Some(Box::new(number));
        }
        Ok(Filter::new(Node::Child(index), Kind::Position, self.since(span)))
    }

    /// `lca (P Q)`, `distance (P Q)`, `ancestor (P Q)`, `descendant (P Q)`
    pub(super) fn two_positions(&mut self, keyword: Keyword, span: Span) -> Parsed<Filter> {
        let (first, second) = self.pair(Level::Or, Kind::Position, keyword.text())?;
        let (node, kind) = match keyword {
            Keyword::Lca => (Node::Lca(first, second), Kind::Position),
            Keyword::Distance => (Node::Distance(first, second), Kind::Numeric),
            Keyword::Ancestor => (Node::Ancestor(first, second), Kind::Numeric),
            _ => (Node::Descendant(first, second), Kind::Numeric),
        };
        Ok(Filter::new(node, kind, self.since(span)))
    }

    /// `consecutivemoves [quiet] [range] (x y)`
    pub(super) fn consecutive_moves(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let mut quiet = self.eat_keyword(Keyword::Quiet);
        let range = self.range()?;
        quiet |= self.eat_keyword(Keyword::Quiet);
        self.expect(Symbol::LeftParen)?;
        let first = self.new_position_variable()?;
        let second_place = self.here();
        let second = self.new_position_variable()?;
        if first == second {
            let message = "`consecutivemoves` compares two different variables";
            return Err(Box::new(Diagnostic::new(Code::BadArguments, second_place, message)));
        }
        self.close_arguments("consecutivemoves")?;
        let node = Node::ConsecutiveMoves {
            quiet,
            range,
            variables: [first, second],
        };
        Ok(Filter::new(node, Kind::Numeric, self.since(span)))
    }
}
