//! `cql( ... )` (docs/language.md#the-header).

use super::{Parsed, Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::hir::{Header, NumberRange};
use crate::span::Span;
use crate::syntax::{Keyword, Symbol};

impl Parser<'_> {
    /// The header, if there is one or has to be one.
    pub(super) fn header(&mut self, required: bool) -> Parsed<Header> {
        let mut header = Header::default();
        if !self.eat_keyword(Keyword::Cql) {
            if required {
                let diagnostic =
                    Diagnostic::new(Code::MissingHeader, self.here(), "the query does not begin with `cql`");
                return Err(Box::new(diagnostic.help("write `cql( )` before the filters")));
            }
            return Ok(header);
        }
        if !self.eat(Symbol::LeftParen) {
            let behind = Span {
                start: self.previous().end,
                ..self.previous()
            };
            let diagnostic = self
                .expected("`(`")
                .help("write `cql()`, with the parameters between the parentheses");
            return Err(Box::new(diagnostic.fix(Fix::replace("insert `()`", behind, "()"))));
        }
        while !self.eat(Symbol::RightParen) {
            if let Err(error) = self.header_item(&mut header) {
                self.recover_in_header(error)?;
            }
        }
        Ok(header)
    }

    fn header_item(&mut self, header: &mut Header) -> Parsed<()> {
        match self.peek().map(|token| token.kind.clone()) {
            Some(TokenKind::InputFile(file)) => {
                self.bump();
                self.fill(&mut header.input, file.to_string(), "input")
            }
            Some(TokenKind::OutputFile(file)) => {
                self.bump();
                self.fill(&mut header.output, file.to_string(), "output")
            }
            Some(TokenKind::Keyword(keyword)) => self.header_keyword(keyword, header),
            Some(_) => Err(self.bad_header()),
            None => Err(self.expected("`)` at the end of the header")),
        }
    }

    fn header_keyword(&mut self, keyword: Keyword, header: &mut Header) -> Parsed<()> {
        self.bump();
        match keyword {
            Keyword::Variations => header.variations = true,
            Keyword::Silent => header.silent |= !header.quiet,
            Keyword::Quiet => header.quiet |= !header.silent,
            Keyword::Result => header.outcomes.push(self.outcome()?),
            Keyword::Gamenumber => {
                let range = self.header_range()?;
                return self.fill(&mut header.game_numbers, range, "gamenumber");
            }
            Keyword::Matchcount => {
                let range = self.header_range()?;
                return self.fill(&mut header.match_count, range, "matchcount");
            }
            Keyword::Sort if self.at_keyword(Keyword::Matchcount) => {
                self.bump();
                header.sort_match_count = true;
                let range = self.header_range()?;
                return self.fill(&mut header.match_count, range, "matchcount");
            }
            Keyword::Matchstring => {
                let Some(text) = self.quoted() else {
                    return Err(self.expected("a string"));
                };
                return self.fill(&mut header.match_string, text, "matchstring");
            }
            _ => {
                self.position -= 1;
                return Err(self.bad_header());
            }
        }
        Ok(())
    }

    fn fill<T>(&self, slot: &mut Option<T>, value: T, name: &str) -> Parsed<()> {
        if slot.replace(value).is_none() {
            return Ok(());
        }
        let message = format!("`{name}` stands twice in the header");
        Err(Box::new(Diagnostic::new(Code::BadHeader, self.previous(), message)))
    }

    /// One number or two.
    fn header_range(&mut self) -> Parsed<NumberRange> {
        self.check_literal(0)?;
        let Some(min) = self.number() else {
            return Err(self.expected("a number"));
        };
        self.check_literal(0)?;
        let max = self.number().unwrap_or(min);
        Ok(NumberRange { min, max })
    }

    fn bad_header(&self) -> Box<Diagnostic> {
        let message = format!("{} does not belong into the header", self.found());
        let mut diagnostic = Diagnostic::new(Code::BadHeader, self.here(), message);
        diagnostic.help = Some(match self.keyword() {
            Some(Keyword::Player | Keyword::Year | Keyword::Elo | Keyword::Wtm | Keyword::Btm | Keyword::Mainline | Keyword::Hhdb | Keyword::Event | Keyword::Site) => {
                "write it as a filter behind the header".to_owned()
            }
            Some(Keyword::Variation) => "write `variations`".to_owned(),
            _ => "the header holds `input`, `output`, `variations`, `result`, `matchcount`, `sort matchcount`, `gamenumber`, \
                  `matchstring`, `quiet` and `silent`; filters stand behind it"
                .to_owned(),
        });
        Box::new(diagnostic)
    }
}
