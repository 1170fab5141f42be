//! `comment`, `message`, `str`, `sort`, and the filters that write.

use super::operators::{Level, counted};
use super::{Parsed, Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Filter, Kind, Node, SimilarPosition, SortId, SortKey, SortOrder};
use crate::span::Span;
use crate::syntax::{Keyword, Symbol};

impl Parser<'_> {
    /// `str (...)`, `comment (...)`, `message [quiet] (...)`
    pub(super) fn output_list(&mut self, keyword: Keyword, span: Span) -> Parsed<Filter> {
        self.bump();
        let quiet = keyword == Keyword::Message && self.eat_keyword(Keyword::Quiet);
        let parts = self.parts(keyword.text())?;
        let span = self.since(span);
        Ok(match keyword {
            Keyword::Str => Filter::new(Node::Str(parts), Kind::String, span),
            Keyword::Comment => Filter::new(Node::Comment(parts), Kind::Logical, span),
            _ => Filter::new(Node::Message { quiet, parts }, Kind::Logical, span),
        })
    }

    /// One filter, or a list of them in parentheses.
    pub(super) fn parts(&mut self, name: &str) -> Parsed<Vec<Filter>> {
        if !self.eat(Symbol::LeftParen) {
            return Ok(vec![self.part()?]);
        }
        let mut parts: Vec<Filter> = Vec::new();
        while !self.at(Symbol::RightParen) {
            if let Some(last) = parts.last() {
                self.reject_operator(last.kind)?;
            }
            parts.push(self.part()?);
        }
        if parts.is_empty() {
            let message = format!("`{name}` has no argument");
            return Err(Box::new(Diagnostic::new(Code::BadArguments, self.here(), message)));
        }
        self.bump();
        Ok(parts)
    }

    /// One argument; a text at its start never takes the string behind it.
    fn part(&mut self) -> Parsed<Filter> {
        self.no_implicit_search = Some(self.position);
        let part = self.expression(Level::Or);
        self.no_implicit_search = None;
        part
    }

    /// `/// ...`
    pub(super) fn line_comment(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let is_end = |parser: &Self| {
            parser
                .peek()
                .is_some_and(|token| token.kind == TokenKind::LineCommentEnd)
        };
        let mut parts: Vec<Filter> = Vec::new();
        while !is_end(self) {
            if let Some(last) = parts.last() {
                self.reject_operator(last.kind)?;
            }
            if self
                .peek()
                .is_none_or(|token| matches!(token.kind, TokenKind::Symbol(symbol) if symbol.is_closing()))
            {
                let message = format!(
                    "a `///` comment reaches to the end of its line, but {} comes before",
                    self.found()
                );
                let diagnostic = Diagnostic::new(Code::BadLineComment, self.here(), message);
                return Err(Box::new(
                    diagnostic.help("put the rest on the next line, or write `comment( )`"),
                ));
            }
            parts.push(self.part()?);
        }
        if parts.is_empty() {
            let diagnostic = Diagnostic::new(Code::BadLineComment, span, "a `///` comment has no argument");
            return Err(Box::new(
                diagnostic.help("three slashes are a filter; two begin a comment that is ignored"),
            ));
        }
        let span = self.since(span);
        self.bump();
        Ok(Filter::new(Node::Comment(parts), Kind::Logical, span))
    }

    /// `sort [quiet] [min | max] ["name"] F`
    pub(super) fn sort(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let error = |place: Span, message: &str| Box::new(Diagnostic::new(Code::BadSort, place, message));
        let quiet = self.eat_keyword(Keyword::Quiet);
        // `max` sorts like `min`: CQL 6.2 does so (docs/language/output.md#sort).
        let is_explicit = self.eat_keyword(Keyword::Min) || self.eat_keyword(Keyword::Max);
        let order = if is_explicit {
            SortOrder::Ascending
        } else {
            SortOrder::Descending
        };
        if self.at_keyword(Keyword::Quiet) {
            return Err(error(self.here(), "`quiet` has to be the first word behind `sort`"));
        }
        let is_named =
            matches!(self.peek().map(|token| &token.kind), Some(TokenKind::String(name)) if !name.is_empty());
        let name = if is_named { self.quoted() } else { None };
        if is_explicit && name.is_none() {
            let diagnostic = error(
                self.here(),
                "`sort` with `min` or `max` needs a name in quotation marks",
            );
            return Err(Box::new(
                diagnostic.help("without them `sort` puts the largest values first"),
            ));
        }
        let argument = self.expression(Level::Or)?;
        if matches!(argument.node, Node::Number(_)) {
            let diagnostic = error(argument.span, "sorting by a number that is always the same");
            return Err(Box::new(
                diagnostic.help("ranges are comparisons: `sort \"name\" F >= 2`"),
            ));
        }
        if !matches!(argument.kind, Kind::Numeric | Kind::Set | Kind::String) {
            let message = format!(
                "expected a numeric, set or string filter after `sort`, found {}",
                super::scope::a_filter(argument.kind)
            );
            return Err(error(argument.span, &message));
        }
        if is_explicit && argument.any(&mut |filter| matches!(filter.node, Node::Echo { .. })) {
            return Err(error(
                argument.span,
                "an `echo` can only be sorted from the largest value down",
            ));
        }
        let argument = counted(argument);
        let kind = argument.kind;
        let span = self.since(span);
        let id = self.sort_key(name, order, quiet, kind, span)?;
        Ok(Filter::new(
            Node::Sort {
                id,
                order,
                argument: Box::new(argument),
            },
            kind,
            span,
        ))
    }

    /// The key with this name; the first `sort` of a name decides about it.
    fn sort_key(
        &mut self,
        name: Option<String>,
        order: SortOrder,
        quiet: bool,
        kind: Kind,
        span: Span,
    ) -> Parsed<SortId> {
        let name = name.unwrap_or_else(|| {
            self.unnamed_sorts += 1;
            format!("<sort-id-{}>", self.unnamed_sorts)
        });
        let index = match self.sorts.iter().position(|key| key.name == name) {
            Some(index) if self.sorts[index].kind == kind => index,
            Some(_) => {
                let message = format!("the key `{name}` is sorted by numbers and by strings");
                return Err(Box::new(
                    Diagnostic::new(Code::BadSort, span, message).help("give the second key another name"),
                ));
            }
            None => {
                self.sorts.push(SortKey {
                    name,
                    order,
                    quiet,
                    kind,
                });
                self.sorts.len() - 1
            }
        };
        Ok(SortId(u32::try_from(index).unwrap_or(u32::MAX)))
    }

    /// `settag ("Name" STR)`
    pub(super) fn set_tag(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        self.expect(Symbol::LeftParen)?;
        let place = self.here();
        let Some(name) = self.quoted() else {
            return Err(self.expected("the name of a tag in quotation marks"));
        };
        self.check_tag(&name, place)?;
        let value = self.expression_of(Level::Or, Kind::String, "as the value of a tag")?;
        self.close_arguments("settag")?;
        Ok(Filter::new(
            Node::SetTag(name, Box::new(value)),
            Kind::Logical,
            self.since(span),
        ))
    }

    /// `writefile (NAME CONTENT)`
    pub(super) fn write_file(&mut self, span: Span) -> Parsed<Filter> {
        let (name, content) = self.pair(Level::Or, Kind::String, "writefile")?;
        Ok(Filter::new(
            Node::WriteFile(name, content),
            Kind::Logical,
            self.since(span),
        ))
    }

    /// `similarposition [nosort] [notransform] "file.pgn"`
    pub(super) fn similar_position(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let (mut nosort, mut notransform) = (false, false);
        loop {
            if self.eat_keyword(Keyword::Nosort) {
                nosort = true;
            } else if self.eat_keyword(Keyword::Notransform) {
                notransform = true;
            } else {
                break;
            }
        }
        let Some(file) = self.quoted() else {
            return Err(self.expected("the name of a PGN file in quotation marks"));
        };
        let span = self.since(span);
        if self.similar.iter().any(|other| other.file != file) {
            let message = "a query can look for similar positions in one file only";
            return Err(Box::new(Diagnostic::new(Code::BadArguments, span, message)));
        }
        let sort = match nosort {
            true => None,
            false => Some(self.sort_key(
                Some("submission game".to_owned()),
                SortOrder::Ascending,
                false,
                Kind::Numeric,
                span,
            )?),
        };
        let index = u32::try_from(self.similar.len()).unwrap_or(u32::MAX);
        self.similar.push(SimilarPosition {
            sort,
            notransform,
            file,
        });
        let kind = if nosort { Kind::Logical } else { Kind::Numeric };
        Ok(Filter::new(Node::SimilarPosition(index), kind, span))
    }
}
