//! `relation` (docs/language/cql5.md#relation).

use super::{Parsed, Parser};
use crate::diagnostic::{Code, Diagnostic};
use crate::dialect::cql5::ast::{Node, Parameter, Relation, Sort, Squares};
use crate::hir::{EchoTransform, LcaDistance, NumberRange};

/// The echo transform with this name.
fn echo_transform(word: &str) -> Option<EchoTransform> {
    match word {
        // Accepted by the program, if not by its manual.
        "echodihedral" | "echoflipdihedral" => Some(EchoTransform::Flip),
        _ => EchoTransform::ALL.into_iter().find(|echo| echo.keyword() == word),
    }
}

impl Parser<'_> {
    /// What follows `relation`: filters on the target, then parameters.
    pub(super) fn relation(&mut self) -> Parsed<Node> {
        let mut targets = Vec::new();
        while self.peek().is_some() && !self.at('(') && !self.at(')') && !self.at('}') && !self.at_echo() {
            targets.push(self.filter()?);
        }
        let mut parameters = Vec::new();
        while self.at('(') || self.at_echo() {
            parameters.push(self.parameter()?);
        }
        if parameters.is_empty() {
            let mut diagnostic = self.expected("a parameter of `relation`, such as `(mismatch 0)`");
            diagnostic.help = Some("`(match 0 64)` accepts every target".to_owned());
            return Err(diagnostic);
        }
        Ok(Node::Relation(Relation { targets, parameters }))
    }

    fn at_echo(&self) -> bool {
        self.peek_word()
            .is_some_and(|word| word.starts_with("echo") && word.len() > "echo".len())
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        let start = self.here();
        if let Some(word) = self.peek_word() {
            let Some(echo) = echo_transform(word) else {
                let help = "the echo transforms are `echoflip`, `echoflipvertical`, `echofliphorizontal`, \
                            `echorotate90`, `echoshift`, `echoshiftvertical` and `echoshifthorizontal`";
                return Err(if word == "echorotate45" {
                    self.refused(
                        "`echorotate45` has no meaning: squares can't be turned by 45 degrees",
                        help,
                    )
                } else {
                    let message = format!("no echo transform is called `{word}`");
                    Box::new(Diagnostic::new(Code::UnknownCql5Word, start, message).help(help))
                });
            };
            self.position += 1;
            let place = self.here();
            return match self.parenthesised()? {
                Parameter::Squares(squares) => Ok(Parameter::Squares(Squares {
                    echo: Some(echo),
                    ..squares
                })),
                _ => {
                    let message = format!("`{word}` transforms a comparison of squares, and this is none");
                    let diagnostic = Diagnostic::new(Code::BadCql5, self.since(place), message);
                    Err(Box::new(diagnostic.help(format!("write `{word} (mismatch 0)`"))))
                }
            };
        }
        self.parenthesised()
    }

    fn parenthesised(&mut self) -> Parsed<Parameter> {
        self.expect('(')?;
        let sort = self.sort_words()?;
        let parameter = match self.peek_word() {
            Some("tomove") if sort.is_none() => {
                self.position += 1;
                let same = self.eat_word("match");
                if !same && !self.eat_word("mismatch") {
                    return Err(self.expected("`match` or `mismatch`"));
                }
                Parameter::ToMove(same)
            }
            Some("ancestor") if sort.is_none() => {
                self.position += 1;
                Parameter::Ancestor
            }
            Some("descendant") if sort.is_none() => {
                self.position += 1;
                Parameter::Descendant
            }
            Some("lcasource") => self.distance(LcaDistance::Source, sort)?,
            Some("lcatarget") => self.distance(LcaDistance::Target, sort)?,
            Some("lcamax") => self.distance(LcaDistance::Max, sort)?,
            Some("lcasum") => self.distance(LcaDistance::Sum, sort)?,
            Some("lcasubstring") => {
                self.position += 1;
                let start = self.here();
                let range = self.required_range()?;
                if range.min < 1 {
                    let message = "`lcasubstring` asks for one common move at least";
                    return Err(Box::new(Diagnostic::new(
                        Code::BadCql5Range,
                        self.since(start),
                        message,
                    )));
                }
                Parameter::CommonMoves(range, sort)
            }
            _ if sort.is_some() => {
                return Err(
                    self.expected("`lcasource`, `lcatarget`, `lcamax`, `lcasum` or `lcasubstring` after `sort`")
                );
            }
            _ => Parameter::Squares(self.squares()?),
        };
        self.expect(')')?;
        Ok(parameter)
    }

    fn distance(&mut self, distance: LcaDistance, sort: Option<Sort>) -> Parsed<Parameter> {
        self.position += 1;
        Ok(Parameter::Distance(distance, self.required_range()?, sort))
    }

    /// The fields of a square parameter; of a repeated one the last counts.
    fn squares(&mut self) -> Parsed<Squares> {
        let mut squares = Squares {
            span: self.here(),
            source: None,
            target: None,
            matching: None,
            mismatching: None,
            echo: None,
        };
        let mut empty = true;
        loop {
            match self.peek_word() {
                Some("sourcesquares") => {
                    self.position += 1;
                    squares.source = Some(self.set()?);
                }
                Some("targetsquares") => {
                    self.position += 1;
                    squares.target = Some(self.set()?);
                }
                Some("match") => {
                    self.position += 1;
                    squares.matching = Some(self.count()?);
                }
                Some("mismatch") => {
                    self.position += 1;
                    squares.mismatching = Some(self.count()?);
                }
                _ if empty || !self.at(')') => {
                    let mut diagnostic = self.expected("a parameter of `relation`");
                    diagnostic.help = Some(
                        "parameters are `(tomove match)`, `(tomove mismatch)`, `(ancestor)`, `(descendant)`, `(lcasource \
                         N)` and its like, and `(sourcesquares S targetsquares S match N mismatch N)`"
                            .to_owned(),
                    );
                    return Err(diagnostic);
                }
                _ => {
                    squares.span = self.since(squares.span);
                    return Ok(squares);
                }
            }
            empty = false;
        }
    }

    fn count(&mut self) -> Parsed<NumberRange> {
        self.required_range()
    }
}
