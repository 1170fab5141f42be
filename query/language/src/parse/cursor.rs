//! Looking at tokens, consuming them, and the limits of depth and size.

use super::{MAX_DEPTH, Parsed, Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::span::Span;
use crate::syntax::{Keyword, Symbol, Token};

/// A place to come back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bookmark {
    position: usize,
    sorts: usize,
    unnamed_sorts: u32,
    similar: usize,
    sets: usize,
    sequences: u32,
    ended_paths: (usize, u32),
    errors: usize,
}

impl Parser<'_> {
    /// The token here; `None` at the end of the text, of a function's body, or of a path.
    pub(super) fn peek(&self) -> Option<&Token> {
        self.token_at(self.position)
    }

    /// The token some places ahead.
    pub(super) fn peek_ahead(&self, distance: usize) -> Option<&Token> {
        // A path may end between here and there.
        (0..distance)
            .all(|near| self.token_at(self.position + near).is_some())
            .then_some(())?;
        self.token_at(self.position + distance)
    }

    fn token_at(&self, position: usize) -> Option<&Token> {
        let token = self.tokens.get(position)?;
        let (place, seen) = self.ended_paths;
        (token.ends_paths == 0 || place == position && seen >= token.ends_paths).then_some(token)
    }

    /// Ends an open path at a blank line.
    pub(super) fn end_path(&mut self) {
        if self.tokens.get(self.position).is_some_and(|token| token.ends_paths > 0) {
            let (place, seen) = self.ended_paths;
            self.ended_paths = (self.position, if place == self.position { seen + 1 } else { 1 });
        }
    }

    /// Whether the token here stands directly inside a path.
    pub(super) fn in_path(&self) -> bool {
        self.peek().is_some_and(|token| token.in_path)
    }

    /// Whether this punctuator is here.
    pub(super) fn at(&self, symbol: Symbol) -> bool {
        self.peek().is_some_and(|token| token.is(symbol))
    }

    /// Whether this word is here.
    pub(super) fn at_keyword(&self, keyword: Keyword) -> bool {
        self.keyword() == Some(keyword)
    }

    /// The reserved word here.
    pub(super) fn keyword(&self) -> Option<Keyword> {
        self.peek()?.keyword()
    }

    /// Goes one token on.
    pub(super) fn bump(&mut self) {
        self.position += 1;
    }

    /// Consumes the punctuator if it is here.
    pub(super) fn eat(&mut self, symbol: Symbol) -> bool {
        let found = self.at(symbol);
        self.position += usize::from(found);
        found
    }

    /// Consumes the word if it is here.
    pub(super) fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.at_keyword(keyword);
        self.position += usize::from(found);
        found
    }

    /// Consumes the punctuator or fails.
    pub(super) fn expect(&mut self, symbol: Symbol) -> Parsed<()> {
        if self.eat(symbol) {
            return Ok(());
        }
        Err(self.expected(&format!("`{}`", symbol.text())))
    }

    /// Consumes the word or fails.
    pub(super) fn expect_keyword(&mut self, keyword: Keyword) -> Parsed<()> {
        if self.eat_keyword(keyword) {
            return Ok(());
        }
        Err(self.expected(&format!("`{}`", keyword.text())))
    }

    /// The error that something else should stand here.
    pub(super) fn expected(&self, what: &str) -> Box<Diagnostic> {
        let message = format!("expected {what}{}, found {}", self.after_previous(), self.found());
        let mut diagnostic = Diagnostic::new(Code::ExpectedToken, self.here(), message);
        diagnostic.help = self.form_hint();
        Box::new(diagnostic)
    }

    /// Consumes a string literal that is not empty.
    pub(super) fn quoted(&mut self) -> Option<String> {
        match &self.peek()?.kind {
            TokenKind::String(text) => {
                let text = text.to_string();
                self.bump();
                Some(text)
            }
            _ => None,
        }
    }

    /// Consumes a number.
    pub(super) fn number(&mut self) -> Option<i32> {
        match self.peek()?.kind {
            TokenKind::Number(number) => {
                self.bump();
                Some(number)
            }
            _ => None,
        }
    }

    /// The place of the token here, or of the end.
    pub(super) fn here(&self) -> Span {
        match self.peek() {
            Some(token) => token.span,
            None => self.tokens.get(self.position).map_or(self.end, |token| Span {
                end: token.span.start,
                ..token.span
            }),
        }
    }

    /// The place of the token before.
    pub(super) fn previous(&self) -> Span {
        self.position
            .checked_sub(1)
            .and_then(|index| self.tokens.get(index))
            .map_or_else(Span::default, |token| token.span)
    }

    /// From a place to the end of the token before.
    pub(super) fn since(&self, start: Span) -> Span {
        start.to(self.previous())
    }

    /// Whether the token here touches the one before.
    pub(super) fn is_adjacent(&self) -> bool {
        self.peek().is_some_and(|token| token.span.start == self.previous().end)
    }

    /// What stands here, for messages.
    pub(super) fn found(&self) -> String {
        match self.peek() {
            Some(Token {
                kind: TokenKind::LineCommentEnd,
                ..
            }) => "the end of the line".to_owned(),
            Some(token) => self.quote(token),
            None if self.position < self.tokens.len() => "a blank line, which ends a path".to_owned(),
            None => "the end".to_owned(),
        }
    }

    fn after_previous(&self) -> String {
        match self.position.checked_sub(1).and_then(|index| self.tokens.get(index)) {
            Some(token) if token.span != Span::default() => format!(" after {}", self.quote(token)),
            _ => String::new(),
        }
    }

    /// A token as it is written.
    fn quote(&self, token: &Token) -> String {
        const LONGEST: usize = 40;
        let text = self.text.get(token.span.range()).unwrap_or_default();
        let line = text.lines().next().unwrap_or_default();
        if line.chars().count() <= LONGEST {
            format!("`{line}`")
        } else {
            format!("`{}...`", line.chars().take(LONGEST).collect::<String>())
        }
    }

    /// The error that no filter stands here.
    pub(super) fn expected_filter(&self) -> Box<Diagnostic> {
        let message = format!("expected a filter{}, found {}", self.after_previous(), self.found());
        let mut diagnostic = Diagnostic::new(Code::ExpectedFilter, self.here(), message);
        diagnostic.help = self.hint().or_else(|| self.form_hint());
        Box::new(diagnostic.maybe_fix(self.filter_fix()))
    }

    /// Runs a step that may recurse, within the limits.
    ///
    /// The height of the tree is an upper bound: one more than the highest of the trees that the step built.
    pub(super) fn nested<T>(&mut self, step: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        let around = std::mem::replace(&mut self.height, 0);
        self.depth += 1;
        let result = step(self);
        self.depth -= 1;
        self.grow(1)?;
        self.height = self.height.max(around);
        result
    }

    /// Notes that the tree grew by some levels above its highest part.
    pub(super) fn grow(&mut self, levels: u32) -> Parsed<()> {
        self.height += levels;
        if self.height > MAX_DEPTH {
            Err(self.too_deep())
        } else {
            Ok(())
        }
    }

    fn too_deep(&self) -> Box<Diagnostic> {
        let message = format!("the query is nested more than {MAX_DEPTH} levels deep");
        Box::new(
            Diagnostic::new(Code::TooDeep, self.here(), message)
                .help("split it with variables or with braces side by side"),
        )
    }

    /// The place here, to come back to for a second attempt.
    pub(super) fn bookmark(&self) -> Bookmark {
        Bookmark {
            position: self.position,
            sorts: self.sorts.len(),
            unnamed_sorts: self.unnamed_sorts,
            similar: self.similar.len(),
            sets: self.sets.len(),
            sequences: self.sequences,
            ended_paths: self.ended_paths,
            errors: self.errors_so_far(),
        }
    }

    /// Goes back to a place, and forgets what was counted since. Names stay defined.
    pub(super) fn go_back(&mut self, bookmark: Bookmark) {
        self.position = bookmark.position;
        self.sorts.truncate(bookmark.sorts);
        self.unnamed_sorts = bookmark.unnamed_sorts;
        self.similar.truncate(bookmark.similar);
        self.sets.truncate(bookmark.sets);
        self.sequences = bookmark.sequences;
        self.ended_paths = bookmark.ended_paths;
        self.forget_errors(bookmark.errors);
    }

    /// Counts a token that is read against the limit: functions and second attempts must not read without end.
    pub(super) fn burn(&mut self) -> Parsed<()> {
        match self.fuel.checked_sub(1) {
            Some(left) => {
                self.fuel = left;
                Ok(())
            }
            None => Err(Box::new(
                Diagnostic::new(
                    Code::TooMuchExpansion,
                    self.here(),
                    "the function calls expand to too much text",
                )
                .help("every call is parsed anew; call fewer functions from functions"),
            )),
        }
    }
}
