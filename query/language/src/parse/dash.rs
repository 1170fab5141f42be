//! The move operators `--` and `[x]`, and the filters that take one (docs/language/moves.md#the-move-operators).

use shakmaty::Bitboard;

use super::operators::Level;
use super::scope::Name;
use super::{Parsed, Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Arithmetic, Dash, Filter, Kind, Legality, ManSet, MoveValue, Node, Promotion, VariableId};
use crate::span::Span;
use crate::syntax::{DashToken, Keyword, Symbol};

impl Parser<'_> {
    /// A move operator, with the left operand that was read before it.
    pub(super) fn dash(&mut self, left: Option<Filter>) -> Parsed<Filter> {
        if left.is_none() {
            self.reject_tie()?;
        }
        let (mut dash, span) = self.dash_head(left)?;
        if self.at(Symbol::LeftParen) && self.is_adjacent() {
            self.bump();
            dash.target = self.filters_until(Symbol::RightParen)?;
        }
        if self.at(Symbol::LeftParen) {
            let message = "a parenthesis behind a move filter is its target only if nothing is between them";
            let help = match self.in_path() {
                true => "remove the blank if this is the target; a chain follows a chain: `path (--) (-- check)+`",
                false => "remove the blank if this is the target, else write `{ }`",
            };
            let diagnostic = Diagnostic::new(Code::DashTie, self.here(), message);
            return Err(Box::new(diagnostic.help(help)));
        }
        let kind = dash.target.last().map_or(Kind::Logical, |last| last.kind);
        Ok(Filter::new(Node::Dash(Box::new(dash)), kind, self.since(span)))
    }

    /// Fails if the move operator here touches what is not its left operand.
    fn reject_tie(&self) -> Parsed<()> {
        if !matches!(self.peek().map(|token| &token.kind), Some(TokenKind::Dash(dash)) if dash.left_tied) {
            return Ok(());
        }
        let message = format!("{} touches something that is no set filter", self.found());
        let diagnostic = Diagnostic::new(Code::DashTie, self.here(), message).label("no blank to the left");
        Err(Box::new(
            diagnostic.help("put a blank before it if there is no left operand"),
        ))
    }

    /// Operands and promotion of a move operator, and where it starts; the target is not read.
    pub(super) fn dash_head(&mut self, left: Option<Filter>) -> Parsed<(Dash, Span)> {
        let here = self.here();
        let Some(&TokenKind::Dash(DashToken {
            capture, right_tied, ..
        })) = self.peek().map(|token| &token.kind)
        else {
            return Err(self.expected("`--` or `[x]`"));
        };
        let operator = self.found();
        self.bump();
        let start = left.as_ref().map_or(here, |left| left.span);
        let is_operand = right_tied && !self.at(Symbol::LeftParen) && self.starts_filter();
        let place = format!("on the right of {operator}");
        let right = match self.promoted_variable() {
            Some(id) if is_operand => {
                let squares = self.read(id, self.here());
                self.check_kind(&squares, Kind::Set, &place)?;
                self.bump();
                Some(squares)
            }
            _ if is_operand => Some(self.expression_of(Level::Arrow, Kind::Set, &place)?),
            _ => None,
        };
        let may_promote = right.is_some() || right_tied;
        let promotion = if may_promote && self.eat(Symbol::Assign) {
            Some(self.promotion()?)
        } else {
            None
        };
        self.grow(1)?;
        Ok((
            Dash {
                capture,
                left,
                right,
                promotion,
                target: Vec::new(),
            },
            start,
        ))
    }

    /// The variable of `--x=Q`, where `=` begins a promotion and assigns nothing.
    fn promoted_variable(&self) -> Option<VariableId> {
        let TokenKind::Identifier(name) = &self.peek()?.kind else {
            return None;
        };
        if self.peek_ahead(1)?.kind != TokenKind::Symbol(Symbol::Assign) {
            return None;
        }
        match self.scope.get(name)? {
            Name::Variable(id) => Some(id),
            Name::Dictionary(_) | Name::Function(_) => None,
        }
    }

    /// What stands behind the `=` of a promotion.
    fn promotion(&mut self) -> Parsed<Promotion> {
        let filter = self.expression(Level::Or)?;
        match filter.node {
            Node::Designator(designator) if designator.squares == Bitboard::FULL => {
                Ok(Promotion::Roles(designator.men))
            }
            Node::AllSquares => Ok(Promotion::Roles(ManSet::ANYTHING)),
            _ if filter.kind == Kind::String => Ok(Promotion::Text(Box::new(filter))),
            _ => {
                let message = "a promotion names pieces without squares, or a string";
                let diagnostic = Diagnostic::new(Code::BadPromotion, filter.span, message);
                Err(Box::new(diagnostic.help(
                    "write `--=Q`, `--=[RB]`, `--=\"N\"`; put `( )` around the move before an operator",
                )))
            }
        }
    }

    /// A move filter behind `name`.
    fn dash_argument(&mut self, name: &str) -> Parsed<Filter> {
        self.bump();
        let filter = self.expression(Level::Dash)?;
        let is_move = match &filter.node {
            Node::Dash(_) | Node::LegalDash(..) | Node::CountMoves(..) => true,
            Node::Move(parameters) => parameters.legality.is_some() && filter.kind == Kind::Set,
            _ => false,
        };
        if is_move {
            return Ok(filter);
        }
        let message = format!("expected a move filter with `--` or `[x]` after `{name}`");
        Err(Box::new(Diagnostic::new(Code::WrongKind, filter.span, message)))
    }

    /// Fails directly inside a path: which moves are meant would not be clear.
    pub(super) fn reject_in_path(&self) -> Parsed<()> {
        if !self.in_path() {
            return Ok(());
        }
        let message = format!("{} cannot stand directly inside `path`", self.found());
        let diagnostic = Diagnostic::new(Code::BadConstituent, self.here(), message);
        Err(Box::new(diagnostic.help("put the filter into braces")))
    }

    /// `legal A--B`, `pseudolegal A--B`
    pub(super) fn legal_dash(&mut self, span: Span) -> Parsed<Filter> {
        let is_legal = self.at_keyword(Keyword::Legal);
        if is_legal {
            self.reject_in_path()?;
        }
        let (legality, name) = if is_legal {
            (Legality::Legal, "legal")
        } else {
            (Legality::Pseudolegal, "pseudolegal")
        };
        let filter = self.dash_argument(name)?;
        let error = |message: &str| Err(Box::new(Diagnostic::new(Code::BadArguments, filter.span, message)));
        let (Node::Dash(dash) | Node::CountMoves(None, dash)) = filter.node else {
            return error("`legal` and `pseudolegal` take a plain move filter");
        };
        if dash.capture {
            return error("possible moves are written with `--`, not `[x]`");
        }
        let is_known = match &dash.target[..] {
            [] => true,
            [target] => matches!(target.node, Node::Castle(_) | Node::EnPassant),
            _ => false,
        };
        if dash.promotion.is_some() || !is_known {
            return error(
                "the target of a possible move is `o-o`, `o-o-o`, `castle` or `enpassant`, and there is no promotion",
            );
        }
        Ok(Filter::new(
            Node::LegalDash(legality, dash),
            Kind::Set,
            self.since(span),
        ))
    }

    /// `countmoves D`, `countmoves legal D`, `countmoves move from S legal`
    pub(super) fn count_moves(&mut self, span: Span) -> Parsed<Filter> {
        self.reject_in_path()?;
        let filter = self.dash_argument("countmoves")?;
        let node = match filter.node {
            Node::Dash(dash) => Node::CountMoves(None, dash),
            Node::LegalDash(legality, dash) => Node::CountMoves(Some(legality), dash),
            Node::Move(mut parameters) => {
                parameters.value = MoveValue::Count;
                Node::Move(parameters)
            }
            _ => {
                let message = "`countmoves` stands twice";
                return Err(Box::new(Diagnostic::new(Code::BadParameter, filter.span, message)));
            }
        };
        Ok(Filter::new(node, Kind::Numeric, self.since(span)))
    }

    /// `currentmove D`, `previous D`; `currentmove countmoves D` is 1 where the move matches, 0 where another move was made,
    /// and has no value at the first position.
    pub(super) fn current_move(&mut self, span: Span) -> Parsed<Filter> {
        let filter = self.dash_argument("currentmove")?;
        let (dash, is_count) = match filter.node {
            Node::Dash(dash) => (dash, false),
            Node::CountMoves(None, dash) => (dash, true),
            _ => {
                let message = "`currentmove` takes a plain move filter";
                return Err(Box::new(Diagnostic::new(Code::BadArguments, filter.span, message)));
            }
        };
        let span = self.since(span);
        if !is_count {
            return Ok(Filter::new(Node::CurrentMove(dash), filter.kind, span));
        }
        let current = Filter::new(Node::CurrentMove(dash), Kind::Logical, span);
        let number = |value| Box::new(Filter::new(Node::Number(value), Kind::Numeric, span));
        let choice = Filter::new(
            Node::If(Box::new(current), number(1), Some(number(0))),
            Kind::Numeric,
            span,
        );
        let logical = |node| Filter::new(node, Kind::Logical, span);
        let moved = logical(Node::Not(Box::new(logical(Node::Initial))));
        let choice = Filter::new(Node::If(Box::new(moved), Box::new(choice), None), Kind::Numeric, span);
        // A bare number is an error where it is asked whether it matches; a sum matches where it has a value.
        let sum = Node::Arithmetic(Arithmetic::Add, Box::new(choice), number(0));
        Ok(Filter::new(sum, Kind::Numeric, span))
    }
}
