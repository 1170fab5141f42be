//! `line`, and what `line` and `path` share: wildcards and the guard against misread constituents
//! (docs/language/sequences.md#line).

use super::operators::Level;
use super::{Parsed, Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::hir::{
    Arithmetic, Constituent, Filter, Kind, Line, LineArrow, Node, Repeat, SequenceEnd, SequenceId, VariableKind,
};
use crate::span::Span;
use crate::syntax::{Keyword, Symbol, Token};

/// Repetitions up to this bound mean any number.
const ANY_NUMBER: u32 = 100_000;

impl Parser<'_> {
    /// The memory of a new `line` or `path`.
    pub(super) fn sequence_id(&mut self) -> SequenceId {
        self.sequences += 1;
        SequenceId(self.sequences - 1)
    }

    /// `line [parameters] --> ...`
    pub(super) fn line(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let mut line = Line {
            id: self.sequence_id(),
            arrow: LineArrow::Forward,
            range: None,
            single_color: false,
            nestban: false,
            first_match: false,
            end: SequenceEnd::Count,
            primary: None,
            quiet: false,
            constituents: Vec::new(),
        };
        self.line_parameters(&mut line)?;
        let arrow = if self.at(Symbol::ArrowForward) {
            Symbol::ArrowForward
        } else if self.at(Symbol::ArrowBackward) {
            line.arrow = LineArrow::Backward;
            Symbol::ArrowBackward
        } else {
            let mut diagnostic = self.expected("`-->` or `<--`, which begins the sequence of `line`,");
            let arrow = match self.peek() {
                Some(token) if token.is(Symbol::AttackArrow) => Some(("-->", token.span)),
                Some(token) if token.is(Symbol::AttackedArrow) => Some(("<--", token.span)),
                _ => None,
            };
            diagnostic.help = Some("it is written `line --> F --> G`".to_owned());
            let fix = arrow.map(|(arrow, span)| Fix::replace(format!("write `{arrow}`"), span, arrow));
            return Err(Box::new(diagnostic.maybe_fix(fix)));
        };
        if line.arrow == LineArrow::Backward && (line.primary.is_some() || line.nestban) {
            let message = "`primary`, `secondary` and `nestban` need a line that runs forward";
            return Err(Box::new(Diagnostic::new(Code::BadParameter, self.here(), message)));
        }
        while self.eat(arrow) {
            line.constituents.push(self.constituent(arrow)?);
        }
        if self.at(Symbol::ArrowForward) || self.at(Symbol::ArrowBackward) {
            return Err(self.wrong_arrow());
        }
        self.grow(1)?;
        let kind = if line.end == SequenceEnd::LastPosition {
            Kind::Position
        } else {
            Kind::Numeric
        };
        Ok(Filter::new(Node::Line(Box::new(line)), kind, self.since(span)))
    }

    fn line_parameters(&mut self, line: &mut Line) -> Parsed<()> {
        loop {
            if line.range.is_none()
                && let Some(range) = self.range()?
            {
                line.range = Some(range);
                continue;
            }
            let is_set = match self.keyword() {
                Some(Keyword::Singlecolor) => std::mem::replace(&mut line.single_color, true),
                Some(Keyword::Nestban) => std::mem::replace(&mut line.nestban, true),
                Some(Keyword::Firstmatch) => std::mem::replace(&mut line.first_match, true),
                Some(Keyword::Quiet) => std::mem::replace(&mut line.quiet, true),
                Some(Keyword::Lastposition) => {
                    std::mem::replace(&mut line.end, SequenceEnd::LastPosition) == SequenceEnd::LastPosition
                }
                Some(Keyword::Primary) => line.primary.replace(true).is_some(),
                Some(Keyword::Secondary) => line.primary.replace(false).is_some(),
                _ => return Ok(()),
            };
            if is_set {
                return Err(self.repeated("line"));
            }
            self.bump();
        }
    }

    /// A filter or a group with its wildcards.
    fn constituent(&mut self, arrow: Symbol) -> Parsed<Constituent> {
        let mut constituent = if self.eat(Symbol::LeftParen) {
            self.nested(|parser| parser.group(arrow))?
        } else {
            let filter = self.expression(Level::Or)?;
            self.check_constituent(&filter)?;
            Constituent::Filter {
                filter,
                repeat: Repeat::ONCE,
            }
        };
        let mut is_first = true;
        let mut last_is_plus = false;
        while let Some(repeat) = self.line_wildcard() {
            let (is_plus, is_range) = match self.peek().map(|token| &token.kind) {
                Some(TokenKind::Symbol(symbol)) => (matches!(symbol, Symbol::Plus | Symbol::BracePlus), false),
                _ => (false, true),
            };
            if last_is_plus && (is_plus || is_range) {
                let message = format!("{} after `+` repeats nothing more", self.found());
                return Err(Box::new(Diagnostic::new(Code::BadWildcard, self.here(), message)));
            }
            last_is_plus = is_plus;
            if can_be_empty(&constituent) {
                let message = format!("{} would repeat what can match without any position", self.found());
                return Err(Box::new(Diagnostic::new(Code::BadWildcard, self.here(), message)));
            }
            self.bump();
            constituent = match constituent {
                Constituent::Filter { filter, .. } if is_first => Constituent::Filter { filter, repeat },
                Constituent::Group { constituents, .. } if is_first => Constituent::Group { constituents, repeat },
                inner => {
                    self.grow(1)?;
                    Constituent::Group {
                        constituents: vec![inner],
                        repeat,
                    }
                }
            };
            is_first = false;
        }
        Ok(constituent)
    }

    /// The wildcard here; before an operand `+` and `*` are arithmetic, and inside a path they belong to the path.
    fn line_wildcard(&self) -> Option<Repeat> {
        let token = self.peek()?;
        let repeat = wildcard(token)?;
        match token.kind {
            TokenKind::Symbol(Symbol::Plus | Symbol::Star) if !self.is_wildcard() => None,
            TokenKind::Symbol(symbol) if token.in_path && symbol != Symbol::Question => None,
            _ => Some(repeat),
        }
    }

    fn group(&mut self, arrow: Symbol) -> Parsed<Constituent> {
        let mut constituents = vec![self.constituent(arrow)?];
        while self.eat(arrow) {
            constituents.push(self.constituent(arrow)?);
        }
        if self.at(Symbol::ArrowForward) || self.at(Symbol::ArrowBackward) {
            return Err(self.wrong_arrow());
        }
        if !self.eat(Symbol::RightParen) {
            let message = format!("expected an arrow or `)` in a group of `line`, found {}", self.found());
            let diagnostic = Diagnostic::new(Code::OneFilterInParentheses, self.here(), message);
            return Err(Box::new(
                diagnostic.help("write `{ }` around several filters that hold together"),
            ));
        }
        Ok(Constituent::Group {
            constituents,
            repeat: Repeat::ONCE,
        })
    }

    fn wrong_arrow(&self) -> Box<Diagnostic> {
        let message = "all arrows of a `line` point in one direction";
        Box::new(Diagnostic::new(Code::UnexpectedText, self.here(), message))
    }

    /// Fails on constituents that are probably misread ranges or wildcards.
    pub(super) fn check_constituent(&self, filter: &Filter) -> Parsed<()> {
        let what = match filter.node {
            Node::Number(_) => "a number",
            Node::Variable(id) if self.scope.variable(id).kind == VariableKind::Numeric => "a numeric variable",
            Node::Arithmetic(..) | Node::Negate(_) if !self.begins_with_current_move(filter) => "a calculation",
            _ => return Ok(()),
        };
        let message = format!("{what} is a constituent of a sequence");
        let diagnostic = Diagnostic::new(Code::BadConstituent, filter.span, message);
        let before = self.tokens[..self.position]
            .iter()
            .rev()
            .find(|token| token.span.end <= filter.span.start);
        Err(Box::new(diagnostic.help(match before {
            Some(token) if token.is(Symbol::Plus) || token.is(Symbol::Star) => {
                "directly inside `path`, `+` and `*` are wildcards; put arithmetic into braces"
            }
            _ => "a range stands directly behind `line` or `path`; a value wants a comparison",
        })))
    }

    /// Whether a filter begins with `currentmove`, whose count is a sum to us only.
    fn begins_with_current_move(&self, filter: &Filter) -> bool {
        let begins = |token: &&Token| token.span.start == filter.span.start;
        let first = self.tokens[..self.position].iter().rev().find(begins);
        let keyword = first.and_then(Token::keyword);
        matches!(keyword, Some(Keyword::Currentmove | Keyword::Previous))
    }

    /// Whether the `+` or `*` here is a wildcard, not arithmetic.
    pub(super) fn is_wildcard(&self) -> bool {
        if self.in_path() {
            return true;
        }
        match self.peek_ahead(1) {
            None => true,
            Some(token) => {
                wildcard(token).is_some()
                    || token.is(Symbol::RightBrace)
                    || token.is(Symbol::RightParen)
                    || token.is(Symbol::ArrowForward)
                    || token.is(Symbol::ArrowBackward)
            }
        }
    }

    /// Fails if a sum or product would begin with a `line` that is not in braces: its last wildcard was probably misread.
    pub(super) fn reject_line(&self, operator: Arithmetic, left: &Filter) -> Parsed<()> {
        let is_like_wildcard = matches!(operator, Arithmetic::Add | Arithmetic::Multiply);
        if !is_like_wildcard || !matches!(left.node, Node::Line(_)) {
            return Ok(());
        }
        let before = self.tokens[..self.position].iter().rev();
        let mut behind = before.take_while(|token| token.span.start >= left.span.end);
        if behind.any(|token| token.is(Symbol::RightBrace)) {
            return Ok(());
        }
        let message = format!("{} would calculate with the `line` before it", self.found());
        let diagnostic = Diagnostic::new(Code::BadWildcard, self.here(), message);
        Err(Box::new(diagnostic.help(
            "put the whole `line` into braces, or write the wildcard `{+}` or `{*}`",
        )))
    }
}

/// The repetition that a wildcard stands for.
pub(super) fn wildcard(token: &Token) -> Option<Repeat> {
    let (min, max) = match token.kind {
        TokenKind::Symbol(Symbol::Star | Symbol::BraceStar) => (0, None),
        TokenKind::Symbol(Symbol::Plus | Symbol::BracePlus) => (1, None),
        TokenKind::Symbol(Symbol::Question) => (0, Some(1)),
        TokenKind::Repetition { min, max } => (min, (max < ANY_NUMBER).then_some(max)),
        _ => return None,
    };
    Some(Repeat { min, max })
}

fn can_be_empty(constituent: &Constituent) -> bool {
    match constituent {
        Constituent::Filter { repeat, .. } => repeat.min == 0,
        Constituent::Group { constituents, repeat } => repeat.min == 0 || constituents.iter().all(can_be_empty),
    }
}
