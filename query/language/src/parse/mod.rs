//! The parser of CQL 6.2: tokens straight to the typed tree.
//!
//! The language is type-directed: whether an operator continues a filter depends on the kind of what stands before it,
//! and whether a word is part of a range depends on the variables known so far. So there is no untyped tree in between;
//! names are resolved and kinds are checked while parsing, and the first error ends it. [`all_errors`] goes on behind it.

mod control;
mod cursor;
mod dash;
mod dictionary;
mod extension;
mod fen;
mod fixes;
mod forms;
mod function;
mod header;
pub(crate) mod hhdb;
mod hints;
mod imagined;
mod leaves;
mod line;
mod list;
mod moves;
mod numbers;
mod operators;
mod output;
mod path;
mod primary;
mod range;
mod recovery;
mod regex;
mod scope;
pub(crate) mod sets;
mod suggest;
mod text;
mod variables;

use std::collections::HashSet;
use std::rc::Rc;

use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Filter, Kind, Node, ParsedQuery, SetName, SimilarPosition, SortKey, Variable};
use crate::span::Span;
use crate::syntax::{self, Token, TokenKind};
use crate::transform::Transform;
pub use extension::extension_words;
pub(crate) use fen::board as fen_board;
use recovery::Recovery;
pub(crate) use recovery::all_errors;
use scope::Scope;

/// Texts of this length and longer are rejected (docs/language/syntax.md#query-text).
pub(crate) const MAX_LENGTH: usize = 10_000_000;
/// How deep filters may be nested, and how high a tree of operators may grow.
pub(crate) const MAX_DEPTH: u32 = 200;
/// How many tokens function calls and second attempts may add to a text.
const MAX_EXPANSION: u64 = 1_000_000;

/// What a program adds to the text of a query.
#[derive(Clone, Debug, Default)]
pub struct ParseOptions {
    /// Whether the text has to begin with `cql( )`, as CQL 6.2 demands.
    pub require_header: bool,
    /// What the command line puts before the body, in its order.
    pub before: Vec<Before>,
    /// Filters of the command line that read only the header of a game. Like `result` in `cql( )` they decide
    /// about the game as a whole.
    pub game_filters: Vec<String>,
    /// Transforms of the command line around the whole body, the first one outermost.
    pub transforms: Vec<Transform>,
    /// Whether extensions of cqldex are an error (docs/language.md#extensions).
    pub strict: bool,
}

/// Something that the command line puts before the body of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Before {
    /// Filters; together they count as one braced filter.
    Filter(String),
    /// A variable and its value: a decimal integer is a number, everything else a string.
    Assignment(String, String),
}

/// The result of a step of the parser; the error is boxed because it is large and rare.
type Parsed<T> = Result<T, Box<Diagnostic>>;

/// Parses a query that may be any bytes.
///
/// # Errors
/// See [`parse`]; bytes that are not UTF-8 are an error of their own.
pub fn parse_bytes(bytes: &[u8], options: &ParseOptions) -> Result<ParsedQuery, Vec<Diagnostic>> {
    parse(utf8(bytes)?, options)
}

/// The text that these bytes are.
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str, Vec<Diagnostic>> {
    std::str::from_utf8(bytes).map_err(|error| {
        let start = error.valid_up_to();
        let length = error.error_len().unwrap_or(bytes.len() - start);
        let message = format!("byte {} is not part of a UTF-8 character", start + 1);
        vec![
            Diagnostic::new(Code::InvalidUtf8, Span::new(start, start + length), message)
                .help("save the query as UTF-8"),
        ]
    })
}

/// Parses a query: `cql( ) filters`, or just filters.
///
/// # Errors
/// What is wrong: all lexical errors, or the first one that the parser meets.
pub fn parse(text: &str, options: &ParseOptions) -> Result<ParsedQuery, Vec<Diagnostic>> {
    if text.len() >= MAX_LENGTH {
        let message = format!("the text has {} bytes; the limit is {MAX_LENGTH}", text.len());
        return Err(vec![Diagnostic::new(Code::TooLong, Span::default(), message)]);
    }
    let lexed = syntax::lex(text);
    if let Some(diagnostic) = hints::older_dialect(text, &lexed.tokens) {
        return Err(vec![diagnostic]);
    }
    if !lexed.errors.is_empty() {
        return Err(lexed.errors);
    }
    let mut parser = Parser::new(text, lexed.tokens);
    parser.query(options).map_err(|diagnostic| vec![*diagnostic])
}

/// The state of a run.
struct Parser<'a> {
    text: &'a str,
    /// The tokens that are read: those of the text, or of the function that is called.
    tokens: Rc<[Token]>,
    position: usize,
    /// Where the text ends, for errors about what is missing.
    end: Span,
    scope: Scope,
    sorts: Vec<SortKey>,
    sequences: u32,
    similar: Vec<SimilarPosition>,
    sets: Vec<SetName>,
    /// Whether extensions of cqldex are an error.
    strict: bool,
    /// Whether the bound of a slice is read, behind which a colon may stand.
    in_slice: bool,
    /// The token before which a blank line ends paths, and how many of them have seen it.
    ended_paths: (usize, u32),
    /// How many paths are open here.
    open_paths: u32,
    /// Where an argument of `comment` or its like starts: a text there never takes the string behind it.
    no_implicit_search: Option<usize>,
    /// How many `sort` filters without a name there are.
    unnamed_sorts: u32,
    /// Recursion of the parser.
    depth: u32,
    /// Height of the highest tree built since the innermost [`Parser::nested`] began.
    height: u32,
    /// Tokens that may still be read.
    fuel: u64,
    /// The right side of a `+` that turned out not to belong to the string before it.
    replay: Option<operators::Replay>,
    /// Where filters of lists and constituents of paths begin, for the layout.
    beginnings: Vec<Beginning>,
    /// The names that get the values of the filters that are being read.
    assigning: Vec<Rc<str>>,
    /// The functions, when all was read.
    functions: Vec<scope::Function>,
    /// The errors so far, if the parser is to go on behind them.
    recovery: Option<Recovery>,
}

/// Where something begins that can have a line of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Beginning {
    /// A filter of a list.
    Filter(usize),
    /// A constituent of a path.
    Step(usize),
}

/// What [`Beginning`]s a text in CQL 6 has; those of functions that are not called are unknown.
///
/// # Errors
///
/// When it is no query.
pub(crate) fn beginnings(text: &str) -> Result<HashSet<Beginning>, Vec<Diagnostic>> {
    parse(text, &ParseOptions::default())?;
    let mut parser = Parser::new(text, syntax::lex(text).tokens);
    let parsed = parser.query(&ParseOptions::default());
    parsed.map_err(|diagnostic| vec![*diagnostic])?;
    Ok(parser.beginnings.into_iter().collect())
}

/// The variables of a text in CQL 6 up to its end, or up to the first error in it.
pub fn variables(text: &str) -> Vec<Variable> {
    if text.len() >= MAX_LENGTH {
        return Vec::new();
    }
    let mut parser = Parser::new(text, syntax::lex(text).tokens);
    let variables = match parser.query(&ParseOptions::default()) {
        Ok(parsed) => parsed.variables,
        Err(_) => parser.scope.variables,
    };
    // Arguments of functions are hidden variables.
    variables
        .into_iter()
        .filter(|variable| !variable.name.contains('#'))
        .collect()
}

/// The names that stand in functions which are never called: what they would read is unknown.
pub(crate) fn names_of_idle_functions(text: &str, options: &ParseOptions) -> HashSet<String> {
    let mut parser = Parser::new(text, syntax::lex(text).tokens);
    let Ok(functions) = parser.query_with_functions(options) else {
        return HashSet::new();
    };
    let idle = functions.iter().filter(|function| !function.is_called);
    let tokens = idle.flat_map(|function| &function.body);
    tokens
        .filter_map(|token| token.identifier().map(ToString::to_string))
        .collect()
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, tokens: Vec<Token>) -> Parser<'a> {
        let fuel = tokens.len() as u64 * 8 + MAX_EXPANSION;
        Parser {
            text,
            tokens: tokens.into(),
            position: 0,
            end: Span::new(text.len(), text.len()),
            scope: Scope::default(),
            sorts: Vec::new(),
            sequences: 0,
            similar: Vec::new(),
            sets: Vec::new(),
            strict: false,
            in_slice: false,
            ended_paths: (0, 0),
            open_paths: 0,
            no_implicit_search: None,
            unnamed_sorts: 0,
            depth: 0,
            height: 0,
            fuel,
            replay: None,
            beginnings: Vec::new(),
            assigning: Vec::new(),
            functions: Vec::new(),
            recovery: None,
        }
    }

    /// The whole query: what the command line puts in front, the header, and the body.
    fn query(&mut self, options: &ParseOptions) -> Parsed<ParsedQuery> {
        self.strict = options.strict;
        let mut filters = self.command_line(&options.before)?;
        let header = self.header(options.require_header);
        let mut header = header.or_else(|error| self.recover_header(error))?;
        for text in &options.game_filters {
            header.games.push(self.command_line_filter(text)?);
        }
        if self.peek().is_none() && filters.is_empty() {
            return Err(Box::new(
                Diagnostic::new(Code::EmptyQuery, self.end, "the query has no filter")
                    .help("`.` matches every position"),
            ));
        }
        filters.extend(self.filters_until_end()?);
        let span = Span::new(0, self.text.len());
        let kind = filters.last().map_or(Kind::Logical, |filter| filter.kind);
        let mut body = Filter::new(Node::Compound(filters), kind, span);
        for &transform in options.transforms.iter().rev() {
            body = sets::transformed(transform, None, body, span);
        }
        if self.scope.awaits_names() {
            self.find_awaited(&mut body);
        }
        let Scope {
            variables,
            dictionaries,
            functions,
            ..
        } = std::mem::take(&mut self.scope);
        self.functions = functions;
        Ok(ParsedQuery {
            header,
            body,
            variables,
            dictionaries,
            sorts: std::mem::take(&mut self.sorts),
            sequences: self.sequences,
            similar: std::mem::take(&mut self.similar),
            sets: std::mem::take(&mut self.sets),
        })
    }

    /// Parses the whole query for its functions.
    fn query_with_functions(&mut self, options: &ParseOptions) -> Parsed<Vec<scope::Function>> {
        self.query(options)?;
        Ok(std::mem::take(&mut self.functions))
    }

    /// The filters that the command line puts before the body; they have no place in the text.
    fn command_line(&mut self, before: &[Before]) -> Parsed<Vec<Filter>> {
        let filter = |before: &Before| match before {
            Before::Filter(text) => self.command_line_filter(text),
            Before::Assignment(name, value) => {
                let value = match variables::decimal(value) {
                    Some(number) => Filter::new(Node::Number(number), Kind::Numeric, Span::default()),
                    None => Filter::new(Node::String(value.clone()), Kind::String, Span::default()),
                };
                self.command_line_assignment(name, value)
            }
        };
        before.iter().map(filter).collect()
    }

    fn command_line_filter(&mut self, text: &str) -> Parsed<Filter> {
        let away = |mut diagnostic: Diagnostic| {
            diagnostic.message = format!("in the filter `{text}` of the command line: {}", diagnostic.message);
            diagnostic.span = Span::default();
            diagnostic.related = None;
            Box::new(diagnostic)
        };
        let mut lexed = syntax::lex(text);
        if !lexed.errors.is_empty() {
            return Err(away(lexed.errors.swap_remove(0)));
        }
        lexed.tokens.iter_mut().for_each(|token| token.span = Span::default());
        let tokens = std::mem::replace(&mut self.tokens, lexed.tokens.into());
        let position = std::mem::replace(&mut self.position, 0);
        let filters = self.filters_until_end().map_err(|diagnostic| away(*diagnostic))?;
        self.tokens = tokens;
        self.position = position;
        self.ended_paths = (0, 0);
        self.compound(filters, Span::default())
    }

    /// Several filters as one.
    fn compound(&mut self, mut filters: Vec<Filter>, span: Span) -> Parsed<Filter> {
        match filters.pop() {
            None => Err(self.expected_filter()),
            Some(only) if filters.is_empty() => Ok(only),
            Some(last) => {
                let kind = last.kind;
                filters.push(last);
                Ok(Filter::new(Node::Compound(filters), kind, span))
            }
        }
    }
}

#[cfg(test)]
mod tests;
