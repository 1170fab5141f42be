//! The header, and filters that read the game's header or write into the game.

use chess::Outcome;
use shakmaty::Color;

use super::{Parsed, Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::dialect::cql5::ast::{Filter, Node, Sort, Text};
use crate::hir::{Header, NumberRange};

impl Parser<'_> {
    /// The whole query.
    pub(super) fn text(&mut self) -> Parsed<Text> {
        let mut header = Header::default();
        let mut body = Vec::new();
        if self.eat_word("cql") {
            self.expect('(')?;
            while !self.eat(')') {
                self.feature(&mut header, &mut body)?;
            }
        }
        if self.peek().is_none() {
            return Err(Box::new(
                Diagnostic::new(Code::EmptyQuery, self.end, "the query has no filter")
                    .help("`.` matches every position"),
            ));
        }
        while self.peek().is_some() {
            if self.at(')') || self.at('}') {
                return Err(self.error(Code::BadCql5, format!("{} closes nothing", self.found())));
            }
            body.push(self.filter()?);
        }
        Ok(Text { header, body })
    }

    /// One feature of the header; those that are filters stand before the body.
    fn feature(&mut self, header: &mut Header, body: &mut Vec<Filter>) -> Parsed<()> {
        let span = self.here();
        let Some(word) = self.peek_word() else {
            return Err(self.expected("`)` at the end of the header"));
        };
        self.position += 1;
        match word {
            "input" | "pgn" => header.input = Some(self.file()?),
            "output" => header.output = Some(self.file()?),
            "variations" => header.variations = true,
            "silent" => header.silent = true,
            "quiet" => header.quiet = true,
            "matchcount" => header.match_count = Some(self.required_range()?),
            "sort" if self.eat_word("matchcount") => {
                header.sort_match_count = true;
                header.match_count = Some(self.required_range()?);
            }
            "gamenumber" => header.game_numbers = Some(self.required_range()?),
            "result" => header.outcomes.push(self.outcome()?),
            "player" | "elo" | "year" | "site" | "event" => {
                self.position -= 1;
                if let Some(node) = self.game_filter(word)? {
                    body.push(Filter {
                        node,
                        span: self.since(span),
                    });
                }
            }
            _ => {
                self.position -= 1;
                let message = format!("`{word}` does not belong into the header");
                return Err(Box::new(self.error(Code::BadCql5, message).help(
                    "the header holds `input`, `pgn`, `output`, `variations`, `silent`, `matchcount`, `sort \
                     matchcount`, `gamenumber`, `result`, `player`, `elo`, `year`, `site` and `event`; filters stand \
                     behind it",
                )));
            }
        }
        Ok(())
    }

    fn file(&mut self) -> Parsed<String> {
        match self.peek() {
            Some(TokenKind::Text(name) | TokenKind::Word(name)) => {
                self.position += 1;
                Ok(name.to_owned())
            }
            _ => Err(self.expected("a file")),
        }
    }

    fn outcome(&mut self) -> Parsed<Outcome> {
        let word = match self.peek() {
            Some(TokenKind::Word(word) | TokenKind::Text(word)) => word,
            _ => "",
        };
        let outcome = match word {
            "1-0" => Outcome::White,
            "0-1" => Outcome::Black,
            "1/2-1/2" | "1/2" => Outcome::Draw,
            _ => return Err(self.expected("`1-0`, `0-1` or `1/2-1/2`")),
        };
        self.position += 1;
        Ok(outcome)
    }

    fn color(&mut self) -> Option<Color> {
        if self.eat_word("white") {
            Some(Color::White)
        } else if self.eat_word("black") {
            Some(Color::Black)
        } else {
            None
        }
    }

    /// A filter about the game as a whole, if the word is one.
    pub(super) fn game_filter(&mut self, word: &str) -> Parsed<Option<Node>> {
        let start = self.here();
        self.position += 1;
        Ok(Some(match word {
            "result" => Node::Result(self.outcome()?),
            "player" => Node::Player(self.color(), self.quoted("a name in quotation marks")?),
            "event" => Node::Event(self.quoted("a text in quotation marks")?),
            "site" => Node::Site(self.quoted("a text in quotation marks")?),
            "elo" => Node::Elo(self.color(), self.range()?),
            "year" => Node::Year(self.range()?),
            "movenumber" => Node::MoveNumber(self.range()?),
            "hascomment" => Node::HasComment(self.quoted("a text in quotation marks")?),
            "comment" => match self.peek() {
                Some(TokenKind::Text(_)) => Node::CommentText(self.quoted("a text")?),
                _ => Node::CommentSet(self.boxed_set()?),
            },
            "sort" => {
                self.position -= 1;
                let Some(sort) = self.sort_words()? else {
                    return Ok(None);
                };
                if self.at('(') || self.peek_word() == Some("relation") {
                    return Err(Box::new(
                        Diagnostic::new(Code::WrongCql5Kind, start, "`relation` can't be sorted")
                            .help("put `sort` into a parameter: `(sort lcamax 1 99)`"),
                    ));
                }
                Node::Sort(sort, self.boxed()?)
            }
            _ => {
                self.position -= 1;
                return Ok(None);
            }
        }))
    }

    /// `sort [max | min] ["title"]`, if it is here.
    pub(super) fn sort_words(&mut self) -> Parsed<Option<Sort>> {
        let span = self.here();
        if !self.eat_word("sort") {
            return Ok(None);
        }
        let smallest_first = self.eat_word("min");
        if !smallest_first {
            self.eat_word("max");
        }
        let title = match self.peek() {
            Some(TokenKind::Text(_)) => Some(self.quoted("a title")?),
            _ => None,
        };
        let span = self.since(span);
        Ok(Some(Sort {
            smallest_first,
            title,
            span,
        }))
    }
}

/// A range that any number lies in, for fields that are left out.
pub(in crate::dialect::cql5) const ANY_COUNT: NumberRange = NumberRange { min: 0, max: 64 };
