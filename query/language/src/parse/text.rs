//! Strings and what the game's header says (docs/language/text.md).

use chess::Outcome;

use super::operators::Level;
use super::{Parsed, Parser, TokenKind, fen, regex};
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::hir::{Filter, Kind, Metadata, Node, Slice};
use crate::span::Span;
use crate::syntax::{Keyword, Symbol};

/// The glyphs that `originalcomment` knows by their sign.
const GLYPHS: &[(&str, u8)] = &[
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("=", 10),
    ("+/=", 14),
    ("=/+", 15),
    ("+/-", 16),
    ("-/+", 17),
    ("+-", 18),
    ("-+", 19),
];

impl Parser<'_> {
    /// `player white "text"`, `event`, `originalcomment` ...
    pub(super) fn metadata(&mut self, keyword: Keyword, span: Span) -> Parsed<Filter> {
        let literal = self.no_implicit_search == Some(self.position);
        self.bump();
        let metadata = match keyword {
            Keyword::Player => self.color().map_or(Metadata::BothPlayers, Metadata::Player),
            Keyword::Event => Metadata::Event,
            Keyword::Site => Metadata::Site,
            Keyword::Date => Metadata::Date,
            Keyword::Eventdate => Metadata::EventDate,
            Keyword::Eco => Metadata::Eco,
            _ => Metadata::Comment,
        };
        let is_comment = metadata == Metadata::Comment;
        let text = Filter::new(Node::Metadata(metadata), Kind::String, self.since(span));
        // A glyph is one even where no text is searched: `comment(originalcomment "!")`.
        if is_comment && let Some(glyph) = self.glyph()? {
            self.bump();
            return Ok(Filter::new(Node::Nag(glyph), Kind::Logical, self.since(span)));
        }
        if literal {
            return Ok(text);
        }
        self.implicit_search(text)
    }

    /// The glyph that the string here means to `originalcomment`.
    fn glyph(&self) -> Parsed<Option<u8>> {
        let Some(TokenKind::String(text)) = self.peek().map(|token| &token.kind) else {
            return Ok(None);
        };
        if let Some((_, glyph)) = GLYPHS.iter().find(|(sign, _)| *sign == &**text) {
            return Ok(Some(*glyph));
        }
        let Some(digits) = text.strip_prefix('$').filter(|digits| !digits.is_empty()) else {
            return Ok(None);
        };
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(None);
        }
        match digits.parse::<u8>() {
            Ok(glyph) if glyph > 0 => Ok(Some(glyph)),
            _ => {
                let message = format!("there is no glyph `{text}`");
                let diagnostic = Diagnostic::new(Code::BadImplicitSearch, self.here(), message);
                Err(Box::new(diagnostic.help("glyphs are `$1` to `$255`")))
            }
        }
    }

    /// A string directly behind a text is searched in it.
    pub(super) fn implicit_search(&mut self, text: Filter) -> Parsed<Filter> {
        let Some(TokenKind::String(pattern)) = self.peek().map(|token| token.kind.clone()) else {
            return Ok(text);
        };
        if pattern.is_empty() {
            return Ok(text);
        }
        let place = self.here();
        let is_class = pattern.find('[').is_some_and(|open| pattern[open..].contains(']'));
        if is_class || pattern.chars().skip(1).any(|c| "*+?".contains(c)) {
            let message = "the text would be searched literally, but looks like a regular expression";
            return Err(Box::new(Diagnostic::new(Code::BadImplicitSearch, place, message).help(
                format!("write `~~ \"{pattern}\"` for the expression, or `\"{pattern}\" in` before the filter"),
            )));
        }
        self.bump();
        let pattern = Filter::new(Node::String(pattern.to_string()), Kind::String, place);
        let span = text.span.to(place);
        Ok(Filter::new(
            Node::Substring(Box::new(pattern), Box::new(text)),
            Kind::Logical,
            span,
        ))
    }

    /// `tag "X"`
    pub(super) fn tag(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let place = self.here();
        let Some(name) = self.quoted() else {
            return Err(self.expected("the name of a tag in quotation marks"));
        };
        let metadata = Metadata::of_tag(&name);
        if let Metadata::Tag(name) = &metadata {
            self.check_tag(name, place)?;
        }
        Ok(Filter::new(Node::Metadata(metadata), Kind::String, self.since(span)))
    }

    /// Fails on names of tags that cannot be asked for or set (docs/language/text.md#tag-names).
    pub(super) fn check_tag(&self, name: &str, place: Span) -> Parsed<()> {
        const BUILT_IN: &[&str] = &[
            "White",
            "Black",
            "Event",
            "Site",
            "Date",
            "Eco",
            "Fen",
            "Result",
            "EventDate",
        ];
        let error = |message: String| Err(Box::new(Diagnostic::new(Code::BadTag, place, message)));
        let is_built_in = |&built_in: &&str| {
            name == built_in || name == built_in.to_ascii_lowercase() || name == built_in.to_ascii_uppercase()
        };
        if name.is_empty() {
            error("the name of a tag is empty".to_owned())
        } else if name.len() > 60 {
            error("the name of a tag is longer than 60 characters".to_owned())
        } else if !name.starts_with(|c: char| c.is_ascii_alphanumeric())
            || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        {
            error(
                "the name of a tag has letters, digits and underscores, and does not begin with one of these"
                    .to_owned(),
            )
        } else if BUILT_IN.iter().any(is_built_in) || matches!(name, "eventDate" | "Round" | "ROUND") {
            error(format!("the tag `{name}` cannot be used here"))
        } else if name.starts_with("White") || name.starts_with("Black") {
            error("tags that begin with `White` or `Black` cannot be used here".to_owned())
                .map_err(|e| Box::new(e.help("`elo white` gives the rating, `player white` the name")))
        } else {
            Ok(())
        }
    }

    /// `fen`, `fen "board"`
    pub(super) fn fen(&mut self, span: Span) -> Parsed<Filter> {
        let literal = self.no_implicit_search == Some(self.position);
        self.bump();
        let Some(TokenKind::String(text)) = self.peek().map(|token| token.kind.clone()).filter(|_| !literal) else {
            return Ok(Filter::new(Node::Fen, Kind::String, span));
        };
        let place = self.here();
        self.bump();
        let designators =
            fen::board(&text).map_err(|message| Box::new(Diagnostic::new(Code::BadFen, place, message)))?;
        Ok(Filter::new(
            Node::FenBoard(designators),
            Kind::Logical,
            self.since(span),
        ))
    }

    /// `result 1-0`, `result "1/2-1/2"`
    pub(super) fn result(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let outcome = self.outcome()?;
        Ok(Filter::new(Node::Result(outcome), Kind::Logical, self.since(span)))
    }

    /// Consumes a result, in quotation marks or not.
    pub(super) fn outcome(&mut self) -> Parsed<Outcome> {
        let outcome = match self.peek().map(|token| &token.kind) {
            Some(TokenKind::Outcome(outcome)) => Some(*outcome),
            Some(TokenKind::String(text)) => match &**text {
                "1-0" => Some(Outcome::White),
                "0-1" => Some(Outcome::Black),
                "1/2-1/2" => Some(Outcome::Draw),
                _ => None,
            },
            _ => None,
        };
        let Some(outcome) = outcome else {
            let compares = self.at(Symbol::EqualEqual) || self.at(Symbol::Assign);
            let fix = Fix::replace("remove the sign", self.here(), "");
            let diagnostic = self.expected("`1-0`, `0-1` or `1/2-1/2`");
            let diagnostic =
                diagnostic.help("a result stands directly behind `result`, as PGN writes it: `result 1-0`");
            return Err(Box::new(diagnostic.maybe_fix(compares.then_some(fix))));
        };
        self.bump();
        Ok(outcome)
    }

    /// `int STR`, `readfile STR`
    pub(super) fn of_string_sum(&mut self, keyword: Keyword, span: Span) -> Parsed<Filter> {
        self.bump();
        let place = format!("after `{}`", keyword.text());
        let text = Box::new(self.expression_of(Level::Sum, Kind::String, &place)?);
        let span = span.to(text.span);
        Ok(match keyword {
            Keyword::Int => Filter::new(Node::Int(text), Kind::Numeric, span),
            _ => Filter::new(Node::ReadFile(text), Kind::String, span),
        })
    }

    /// `ascii STR`, `ascii N`
    pub(super) fn ascii(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let argument = self.expression(Level::Sum)?;
        let span = span.to(argument.span);
        if argument.kind == Kind::Numeric {
            return Ok(Filter::new(Node::AsciiChar(Box::new(argument)), Kind::String, span));
        }
        self.check_kind(&argument, Kind::String, "or a numeric one after `ascii`")?;
        Ok(Filter::new(Node::AsciiCode(Box::new(argument)), Kind::Numeric, span))
    }

    /// `indexof (PATTERN TEXT)`
    pub(super) fn index_of(&mut self, span: Span) -> Parsed<Filter> {
        let (pattern, text) = self.pair(Level::Sum, Kind::String, "indexof")?;
        Ok(Filter::new(
            Node::IndexOf(pattern, text),
            Kind::Numeric,
            self.since(span),
        ))
    }

    /// `uppercase STR`, `lowercase STR`
    pub(super) fn letter_case(&mut self, upper: bool, span: Span) -> Parsed<Filter> {
        let place = format!("after {}", self.found());
        self.bump();
        let text = self.expression_of(Level::Product, Kind::String, &place)?;
        let span = span.to(text.span);
        Ok(Filter::new(Node::Case(upper, Box::new(text)), Kind::String, span))
    }

    /// `STR[i]`, `STR[i:j]`
    pub(super) fn slice(&mut self, text: Filter) -> Parsed<Filter> {
        let start = text.span;
        let slice = self.slice_bounds()?;
        self.grow(1)?;
        Ok(Filter::new(
            Node::Slice(Box::new(text), slice),
            Kind::String,
            self.since(start),
        ))
    }

    /// `[i]`, `[i:j]`, `[i:]`, `[:j]`, `[:]`
    pub(super) fn slice_bounds(&mut self) -> Parsed<Slice> {
        self.bump();
        let first = self.slice_bound(Symbol::Colon)?;
        if self.eat(Symbol::Colon) {
            let second = self.slice_bound(Symbol::RightBracket)?;
            self.expect(Symbol::RightBracket)?;
            return Ok(Slice::Range(first, second));
        }
        self.expect(Symbol::RightBracket)?;
        Ok(first.map_or(Slice::Range(None, None), Slice::Index))
    }

    fn slice_bound(&mut self, end: Symbol) -> Parsed<Option<Box<Filter>>> {
        if self.at(end) {
            return Ok(None);
        }
        let outer = std::mem::replace(&mut self.in_slice, end == Symbol::Colon);
        let bound = self.expression_of(Level::Sum, Kind::Numeric, "as a place in a string");
        self.in_slice = outer;
        bound.map(|bound| Some(Box::new(bound)))
    }

    /// `STR ~~ "re"`
    pub(super) fn regex_match(&mut self, text: Filter) -> Parsed<Filter> {
        let start = text.span;
        self.bump();
        let place = self.here();
        let Some(pattern) = self.quoted() else {
            let mut diagnostic = self.expected("a regular expression in quotation marks");
            diagnostic.help = Some("it has to be a literal; `\"text\" in STRING` searches for any text".to_owned());
            return Err(diagnostic);
        };
        let regex = regex::compile(&pattern).map_err(|message| {
            let message = format!("the regular expression is malformed: {message}");
            Box::new(Diagnostic::new(Code::BadRegex, place, message))
        })?;
        self.grow(1)?;
        Ok(Filter::new(
            Node::RegexMatch(Box::new(text), regex),
            Kind::String,
            start.to(place),
        ))
    }
}
