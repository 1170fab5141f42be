//! `path` (docs/language/sequences.md#path).
//!
//! Directly inside a path, and inside its parentheses, `+` and `*` are wildcards and a blank line is the end. Braces and
//! brackets take that back.

use super::line::wildcard;
use super::operators::Level;
use super::{Beginning, Parsed, Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Filter, Focus, Kind, Node, Path, PathStep, Repeat, SequenceEnd};
use crate::span::Span;
use crate::syntax::{Keyword, Symbol};

impl Parser<'_> {
    /// `path [parameters] constituents`
    pub(super) fn path_filter(&mut self, span: Span) -> Parsed<Filter> {
        let mut path = Path {
            id: self.sequence_id(),
            range: None,
            end: SequenceEnd::Count,
            first_match: false,
            nestban: false,
            primary: false,
            single_color: false,
            focus: None,
            max: None,
            keep_all_best: false,
            quiet: false,
            title: None,
            verbose: false,
            piece_path: false,
            steps: Vec::new(),
        };
        self.bump();
        self.path_parameters(&mut path)?;
        self.open_paths += 1;
        let steps = self.steps();
        self.open_paths -= 1;
        path.steps = steps?;
        if path.steps.is_empty() {
            let message = format!("expected a move or a filter of `path`, found {}", self.found());
            let mut diagnostic = Diagnostic::new(Code::ExpectedFilter, self.here(), message);
            diagnostic.help = self.wildcard_hint();
            return Err(Box::new(diagnostic));
        }
        self.end_path();
        self.grow(1)?;
        let kind = if path.end == SequenceEnd::LastPosition {
            Kind::Position
        } else {
            Kind::Numeric
        };
        Ok(Filter::new(Node::Path(Box::new(path)), kind, self.since(span)))
    }

    fn path_parameters(&mut self, path: &mut Path) -> Parsed<()> {
        loop {
            if path.range.is_none()
                && let Some(range) = self.range()?
            {
                path.range = Some(range);
                continue;
            }
            let is_set = match self.keyword() {
                Some(Keyword::Lastposition) => {
                    std::mem::replace(&mut path.end, SequenceEnd::LastPosition) == SequenceEnd::LastPosition
                }
                Some(Keyword::Firstmatch) => std::mem::replace(&mut path.first_match, true),
                Some(Keyword::Nestban) => std::mem::replace(&mut path.nestban, true),
                Some(Keyword::Primary) => std::mem::replace(&mut path.primary, true),
                Some(Keyword::Singlecolor) => std::mem::replace(&mut path.single_color, true),
                Some(Keyword::Keepallbest) => std::mem::replace(&mut path.keep_all_best, true),
                Some(Keyword::Quiet) => std::mem::replace(&mut path.quiet, true),
                Some(Keyword::Verbose) => std::mem::replace(&mut path.verbose, true),
                Some(Keyword::Piecepath) => std::mem::replace(&mut path.piece_path, true),
                Some(Keyword::Focus | Keyword::Max | Keyword::Title) => {
                    self.path_argument(path)?;
                    continue;
                }
                Some(Keyword::Secondary) => {
                    let message = "`path` has no parameter `secondary`";
                    let diagnostic = Diagnostic::new(Code::BadParameter, self.here(), message);
                    return Err(Box::new(
                        diagnostic.help("write `--(secondary)` for a move that begins a variation"),
                    ));
                }
                _ => break,
            };
            if is_set {
                return Err(self.repeated("path"));
            }
            self.bump();
        }
        let conflict = match path {
            Path {
                single_color: true,
                focus: Some(_),
                ..
            } => "`singlecolor` and `focus` exclude each other",
            Path {
                primary: true,
                focus: Some(_),
                ..
            } => "`primary` and `focus` exclude each other",
            Path {
                primary: true,
                single_color: true,
                ..
            } => "`primary` and `singlecolor` exclude each other",
            Path {
                piece_path: true,
                focus: None,
                single_color: false,
                ..
            } => "`piecepath` needs `focus` or `singlecolor`",
            _ => return Ok(()),
        };
        Err(Box::new(Diagnostic::new(Code::BadParameter, self.previous(), conflict)))
    }

    /// `focus S`, `focus capture S`, `max N`, `title "T"`
    fn path_argument(&mut self, path: &mut Path) -> Parsed<()> {
        let keyword = self.keyword();
        let is_set = match keyword {
            Some(Keyword::Focus) => path.focus.is_some(),
            Some(Keyword::Max) => path.max.is_some(),
            _ => false,
        };
        if is_set {
            return Err(self.repeated("path"));
        }
        self.bump();
        match keyword {
            Some(Keyword::Focus) => {
                let capture = self.eat_keyword(Keyword::Capture);
                let pieces = self.expression_of(Level::Dash, Kind::Set, "after `focus`")?;
                path.focus = Some(Focus { pieces, capture });
            }
            Some(Keyword::Max) => path.max = Some(self.expression_of(Level::Or, Kind::Numeric, "after `max`")?),
            _ => {
                let here = self.here();
                match self.quoted() {
                    Some(title) if !title.is_empty() => {
                        path.title = Some(Filter::new(Node::String(title), Kind::String, here));
                    }
                    _ => {
                        let message = "`title` needs a text in quotation marks that is not empty";
                        return Err(Box::new(Diagnostic::new(Code::BadArguments, here, message)));
                    }
                }
            }
        }
        Ok(())
    }

    /// Constituents up to something that is none.
    fn steps(&mut self) -> Parsed<Vec<PathStep>> {
        let mut steps = Vec::new();
        while self.starts_filter() && !self.at_name_without_value() {
            let start = self.here().range().start;
            match self.nested(Parser::step)? {
                Some(step) => {
                    self.beginnings.push(Beginning::Step(start));
                    steps.push(step);
                }
                None => break,
            }
        }
        Ok(steps)
    }

    /// One constituent; a move in braces is none, and ends the path.
    fn step(&mut self) -> Parsed<Option<PathStep>> {
        let before = self.bookmark();
        if self.eat(Symbol::LeftParen) {
            let steps = self.steps()?;
            if steps.is_empty() {
                return Err(self.expected_filter());
            }
            if !self.eat(Symbol::RightParen) {
                let message = format!("expected `)` after a chain of `path`, found {}", self.found());
                let mut diagnostic = Diagnostic::new(Code::ExpectedToken, self.here(), message);
                diagnostic.help = self.wildcard_hint();
                return Err(Box::new(diagnostic));
            }
            let repeat = self.path_wildcard()?;
            return Ok(Some(PathStep::Chain { steps, repeat }));
        }
        let left = if self.at_dash() {
            None
        } else {
            Some(self.expression(Level::Arrow)?)
        };
        if let Some(left) = left {
            let is_operand = left.kind == Kind::Set && self.at_tied_dash();
            if !is_operand {
                let filter = self.climb(left, Level::Arrow, Level::Or)?;
                if is_move(&filter) {
                    self.go_back(before);
                    return Ok(None);
                }
                self.check_constituent(&filter)?;
                return Ok(Some(PathStep::Filter(filter)));
            }
            return self.dash_step(Some(left)).map(Some);
        }
        self.dash_step(None).map(Some)
    }

    /// A move, with the filters behind it as its target.
    fn dash_step(&mut self, left: Option<Filter>) -> Parsed<PathStep> {
        let (mut dash, _) = self.dash_head(left)?;
        while self.starts_filter() && !self.at_name_without_value() {
            let before = self.bookmark();
            let start = self.here().range().start;
            let target = self.expression(Level::Or)?;
            if is_move(&target) {
                // Another move: it is a constituent of its own.
                self.go_back(before);
                break;
            }
            self.check_constituent(&target)?;
            self.beginnings.push(Beginning::Step(start));
            dash.target.push(target);
        }
        let repeat = self.path_wildcard()?;
        Ok(PathStep::Dash {
            dash: Box::new(dash),
            repeat,
        })
    }

    /// The wildcard behind a move or a chain; there can be one.
    fn path_wildcard(&mut self) -> Parsed<Repeat> {
        let Some(repeat) = self.peek().and_then(wildcard) else {
            return Ok(Repeat::ONCE);
        };
        self.bump();
        if self.peek().and_then(wildcard).is_some() {
            let message = "a constituent of `path` takes one wildcard";
            return Err(Box::new(Diagnostic::new(Code::BadWildcard, self.here(), message)));
        }
        Ok(repeat)
    }

    fn at_dash(&self) -> bool {
        matches!(self.peek().map(|token| &token.kind), Some(TokenKind::Dash(_)))
    }

    fn at_tied_dash(&self) -> bool {
        matches!(self.peek().map(|token| &token.kind), Some(TokenKind::Dash(dash)) if dash.left_tied)
    }

    /// Whether a filter can begin here.
    pub(super) fn starts_filter(&self) -> bool {
        let Some(token) = self.peek() else { return false };
        match &token.kind {
            TokenKind::Keyword(keyword) => super::hints::begins_filter(*keyword),
            TokenKind::Symbol(symbol) => matches!(
                symbol,
                Symbol::LeftParen
                    | Symbol::LeftBrace
                    | Symbol::Dot
                    | Symbol::EmptySet
                    | Symbol::Hash
                    | Symbol::Tilde
                    | Symbol::Minus
                    | Symbol::Forall
            ),
            TokenKind::Outcome(_)
            | TokenKind::Repetition { .. }
            | TokenKind::LineCommentEnd
            | TokenKind::InputFile(_)
            | TokenKind::OutputFile(_) => false,
            _ => true,
        }
    }
}

/// Whether a filter is a move of the game, or counts some: in a path that is a step and no filter, even in braces.
fn is_move(filter: &Filter) -> bool {
    matches!(filter.node, Node::Dash(_) | Node::CountMoves(None, _))
}
