//! Going on behind an error: all errors of a text, and none that only follows from another.
//!
//! A filter of a list is the unit. Where one is wrong, its first error is kept, the parser looks for the place where the
//! next filter begins, and what is around the list is doubtful from then on: nothing more is said about it. A name that
//! would be known if something else were right is not reported.

use std::collections::HashSet;
use std::rc::Rc;

use super::list::is_operator;
use super::{ParseOptions, Parsed, Parser, TokenKind, hints, leaves};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Filter, Header, Kind, Node};
use crate::span::Span;
use crate::syntax::{self, Keyword, Symbol, Token};

/// The largest number of errors that are told.
const MAX_ERRORS: usize = 20;

/// What is known about the errors so far.
#[derive(Debug, Default)]
pub(super) struct Recovery {
    errors: Vec<Diagnostic>,
    /// Whether something was wrong already in the filter that is read.
    doubtful: bool,
    /// Names that nothing more is said about.
    lost: HashSet<Rc<str>>,
    /// What the lexer had to leave out.
    unread: Vec<Span>,
    /// Where brackets were put right.
    repaired: Vec<Span>,
}

impl Recovery {
    fn tell(&mut self, error: Diagnostic) {
        let is_known = |known: &Diagnostic| known.code == error.code && known.span == error.span;
        if !self.errors.iter().any(is_known) {
            self.errors.push(error);
        }
    }

    /// Whether something between these places was not read as it is written.
    fn is_repaired(&self, start: u32, end: u32) -> bool {
        let mut spans = self.unread.iter().chain(&self.repaired);
        spans.any(|span| span.start <= end && span.end >= start)
    }

    /// Whether a name touches something that could not be read: it may be a part of that.
    fn is_torn(&self, name: Span) -> bool {
        self.unread
            .iter()
            .any(|span| span.start <= name.end && span.end >= name.start)
    }
}

/// All errors of a text that is no query in CQL 6, in the order of the text.
pub(crate) fn all_errors(text: &str, options: &ParseOptions) -> Vec<Diagnostic> {
    let mut lexed = syntax::lex(text);
    let mut recovery = Recovery::default();
    if hints::older_dialect(text, &lexed.tokens).is_some() {
        return Vec::new();
    }
    // What the lexer could not read is missing from the tokens; brackets are looked at when all else could be read.
    let unbalanced = |error: &Diagnostic| error.code == Code::UnbalancedDelimiter;
    recovery
        .errors
        .extend(lexed.errors.into_iter().filter(|error| !unbalanced(error)));
    let brackets = syntax::balance(text, &mut lexed.tokens);
    // A string that is not closed may have swallowed a bracket.
    let is_hidden = |bracket: &Diagnostic| {
        let swallows = |error: &Diagnostic| {
            matches!(error.code, Code::UnterminatedString | Code::UnterminatedComment)
                && bracket.span.end <= error.span.end
        };
        recovery.errors.iter().any(swallows)
    };
    let told: Vec<Diagnostic> = brackets.iter().filter(|bracket| !is_hidden(bracket)).cloned().collect();
    recovery.unread = recovery.errors.iter().map(|error| error.span).collect();
    // A designator with one square bracket is none.
    let is_square = |error: &&Diagnostic| matches!(text.get(error.span.range()), Some("[" | "]"));
    recovery
        .unread
        .extend(brackets.iter().filter(is_square).map(|error| error.span));
    recovery.repaired = brackets.iter().map(|error| error.span).collect();
    let edits = brackets
        .iter()
        .flat_map(|error| &error.fixes)
        .flat_map(|fix| &fix.edits);
    recovery.repaired.extend(edits.map(|edit| edit.span));
    recovery.errors.extend(told);

    let mut parser = Parser::new(text, lexed.tokens);
    parser.recovery = Some(recovery);
    let result = parser.query(options);
    let mut recovery = parser.recovery.take().unwrap_or_default();
    if let Err(error) = result
        && (recovery.errors.is_empty() || is_limit(error.code))
    {
        recovery.tell(*error);
    }
    recovery.errors.sort_by_key(|error| error.span.start);
    recovery.errors.truncate(MAX_ERRORS);
    recovery.errors
}

/// Whether there is no point in going on.
fn is_limit(code: Code) -> bool {
    matches!(
        code,
        Code::TooLong | Code::TooDeep | Code::TooMuchExpansion | Code::TooManyVariants
    )
}

/// Whether the parser stands right behind a filter, or at the word that is wrong, when it finds this.
fn is_local(code: Code) -> bool {
    matches!(
        code,
        Code::UnexpectedText
            | Code::ExpectedFilter
            | Code::ReservedWord
            | Code::WrongKind
            | Code::KindMismatch
            | Code::NotAssignable
            | Code::VariableKind
            | Code::ArgumentCount
            | Code::PositionInequality
            | Code::BadTag
            | Code::BadFen
            | Code::BadRegex
            | Code::BadImplicitSearch
            | Code::Extension
    )
}

impl Parser<'_> {
    /// One more filter of a list; if it is wrong, the parser stands where the next one begins.
    pub(super) fn next_or_recover(&mut self, filters: &mut Vec<Filter>) -> Parsed<()> {
        let start = self.position;
        let (depth, height, open_paths) = (self.depth, self.height, self.open_paths);
        let around = self
            .recovery
            .as_mut()
            .is_some_and(|recovery| std::mem::take(&mut recovery.doubtful));
        if let Err(error) = self.one_more(filters) {
            (self.depth, self.height, self.open_paths) = (depth, height, open_paths);
            self.recover(start, error)?;
            filters.push(Filter::new(Node::True, Kind::Logical, self.previous()));
        }
        if self.recovery.as_ref().is_some_and(|recovery| recovery.doubtful) {
            self.position = self.behind_operators(self.position);
        }
        if let Some(recovery) = &mut self.recovery {
            recovery.doubtful |= around;
        }
        Ok(())
    }

    /// Behind the operators with their operands that go on with the filter before this place.
    fn behind_operators(&self, mut index: usize) -> usize {
        while let Some(token) = self.tokens.get(index)
            && is_operator(token)
            && !self.is_end_of_list(index)
        {
            let is_key = opens(token);
            index = if is_key { self.behind_operand(index) } else { index + 1 };
            if !is_key && !self.is_end_of_list(index) && !self.tokens.get(index).is_some_and(joins) {
                index = self.behind_operand(index);
            }
        }
        index
    }

    /// Keeps the error of a filter that begins at a token, and goes to the next filter.
    fn recover(&mut self, start: usize, error: Box<Diagnostic>) -> Parsed<()> {
        let next = self.next_start(start, &error);
        let text_start = self.tokens.get(start).map_or(self.end.start, |token| token.span.start);
        let text_end = self.tokens.get(next).map_or(self.end.end, |token| token.span.start);
        let skipped = self.tokens.get(start..next).unwrap_or_default();
        let names: Vec<Rc<str>> = skipped
            .iter()
            .filter_map(|token| token.identifier().map(Rc::clone))
            .collect();
        let Some(recovery) = &mut self.recovery else {
            return Err(error);
        };
        if is_limit(error.code) || recovery.errors.len() >= MAX_ERRORS {
            return Err(error);
        }
        if !recovery.doubtful && !recovery.is_repaired(text_start, text_end) {
            recovery.tell(*error);
        }
        recovery.doubtful = true;
        recovery.lost.extend(names);
        self.position = next;
        self.replay = None;
        self.no_implicit_search = None;
        let ended = self.tokens.get(next).map_or(0, |token| token.ends_paths);
        self.ended_paths = (next, ended);
        Ok(())
    }

    /// Where the filter behind one that is wrong begins.
    fn next_start(&self, start: usize, error: &Diagnostic) -> usize {
        let mut index = self.position.max(start);
        let before = self.tokens.get(start..index).unwrap_or_default();
        let opened = before.iter().filter(|token| opens(token)).count();
        let depth = opened.saturating_sub(before.iter().filter(|token| closes(token)).count());
        for _ in 0..depth {
            index = self.behind_bracket(index);
        }
        let at_fault = self.tokens.get(index).is_some_and(|token| token.span == error.span);
        if at_fault && !self.is_end_of_list(index) && !self.tokens.get(index).is_some_and(is_operator) {
            index = self.behind_operand(index);
        }
        if depth > 0 || is_local(error.code) {
            index = self.behind_operators(index);
        } else {
            while !(self.is_end_of_list(index) || index > start && self.begins_line(index)) {
                index = self.behind_operand(index);
            }
        }
        if index == start && !self.is_end_of_list(index) {
            index = self.behind_operand(index);
        }
        index
    }

    /// Whether the list that is read ends here, or the text.
    fn is_end_of_list(&self, index: usize) -> bool {
        self.tokens.get(index).is_none_or(closes)
    }

    /// Whether a filter can begin with this token, the first of its line.
    fn begins_line(&self, index: usize) -> bool {
        let (Some(token), Some(before)) = (self.tokens.get(index), self.tokens.get(index.wrapping_sub(1))) else {
            return false;
        };
        let between = before.span.end.min(token.span.start) as usize..token.span.start as usize;
        !joins(token) && self.text.get(between).is_some_and(|text| text.contains('\n'))
    }

    /// Behind one token, or behind the brackets that open here.
    fn behind_operand(&self, index: usize) -> usize {
        match self.tokens.get(index) {
            Some(token) if opens(token) => self.behind_bracket(index + 1),
            _ => (index + 1).min(self.tokens.len()),
        }
    }

    /// Behind the bracket that closes what was opened before this place.
    fn behind_bracket(&self, mut index: usize) -> usize {
        let mut depth = 1usize;
        while let Some(token) = self.tokens.get(index) {
            index += 1;
            if opens(token) {
                depth += 1;
            } else if closes(token) {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
        }
        index
    }

    /// Reads an unknown name: an error, but the parser can go on behind it. What it would be is guessed by what follows.
    pub(super) fn unknown_name(&mut self, name: &Rc<str>, span: Span) -> Parsed<Filter> {
        let error = self.unknown(name, span);
        let nearest = self.nearest(name).and_then(Keyword::from_text);
        let Some(recovery) = &mut self.recovery else {
            return Err(error);
        };
        let is_known = recovery.lost.contains(name) || recovery.is_torn(span);
        // Behind a filter with arguments nothing can be read without it.
        let has_arguments = nearest.is_some_and(|keyword| leaves::leaf(keyword, span).is_none());
        if !is_known && (has_arguments || error.code == Code::OtherDialect) {
            return Err(error);
        }
        if !is_known {
            recovery.tell(*error);
            recovery.lost.insert(Rc::clone(name));
        }
        recovery.doubtful = true;
        self.bump();
        if self.at(Symbol::LeftParen) && self.is_adjacent() {
            self.position = self.behind_operand(self.position);
        }
        let kind = match self.peek().map(|token| &token.kind) {
            Some(TokenKind::Symbol(
                Symbol::Plus
                | Symbol::Minus
                | Symbol::Star
                | Symbol::Slash
                | Symbol::Percent
                | Symbol::Less
                | Symbol::LessEqual
                | Symbol::Greater
                | Symbol::GreaterEqual,
            )) => Kind::Numeric,
            Some(TokenKind::Symbol(Symbol::Colon)) => Kind::Position,
            _ => Kind::Set,
        };
        Ok(Filter::new(Node::NoSquares, kind, span))
    }

    /// Goes on behind an error of the header: with its next parameter.
    pub(super) fn recover_in_header(&mut self, error: Box<Diagnostic>) -> Parsed<()> {
        let Some(recovery) = self
            .recovery
            .as_mut()
            .filter(|recovery| recovery.errors.len() < MAX_ERRORS)
        else {
            return Err(error);
        };
        if self.position >= self.tokens.len() {
            return Err(error);
        }
        recovery.tell(*error);
        if self.at(Symbol::RightParen) {
            return Ok(());
        }
        self.position = self.behind_operand(self.position);
        let is_parameter = |token: &Token| {
            matches!(
                token.kind,
                TokenKind::InputFile(_)
                    | TokenKind::OutputFile(_)
                    | TokenKind::Keyword(
                        Keyword::Variations
                            | Keyword::Silent
                            | Keyword::Quiet
                            | Keyword::Result
                            | Keyword::Gamenumber
                            | Keyword::Matchcount
                            | Keyword::Sort
                            | Keyword::Matchstring
                    )
            )
        };
        while !self.is_end_of_list(self.position) && !self.tokens.get(self.position).is_some_and(is_parameter) {
            self.position = self.behind_operand(self.position);
        }
        Ok(())
    }

    /// Goes on behind a header that can't be read at all.
    pub(super) fn recover_header(&mut self, error: Box<Diagnostic>) -> Parsed<Header> {
        let Some(recovery) = &mut self.recovery else {
            return Err(error);
        };
        recovery.tell(*error);
        Ok(Header::default())
    }

    /// How many errors were found, to come back to.
    pub(super) fn errors_so_far(&self) -> usize {
        self.recovery.as_ref().map_or(0, |recovery| recovery.errors.len())
    }

    /// Forgets the errors of an attempt that was given up.
    pub(super) fn forget_errors(&mut self, known: usize) {
        if let Some(recovery) = &mut self.recovery {
            recovery.errors.truncate(known);
        }
    }

    /// Says of all errors of a function's body in which call they are.
    pub(super) fn errors_in_call(&mut self, known: usize, call: Span) {
        let Some(recovery) = &mut self.recovery else { return };
        for error in recovery.errors.iter_mut().skip(known) {
            error.related.get_or_insert_with(|| (call, "in this call".to_owned()));
        }
    }
}

fn opens(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Symbol(symbol) if symbol.closing().is_some())
}

fn closes(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Symbol(symbol) if symbol.is_closing())
}

/// Whether the token goes on with the filter before it.
fn joins(token: &Token) -> bool {
    is_operator(token) && !opens(token) || matches!(token.kind, TokenKind::Keyword(Keyword::Then | Keyword::Else))
}
