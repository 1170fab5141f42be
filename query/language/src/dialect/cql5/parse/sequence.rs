//! `next` and `previous` in their four forms, and `move`.

use super::{Parsed, Parser};
use crate::dialect::cql5::ast::{Constituent, Filter, Move, Node, Sequence, Wildcard};
use crate::dialect::cql5::designator;
use crate::hir::ManSet;

impl Parser<'_> {
    /// What follows `next`, `next2`, `previous` or `previous2`.
    pub(super) fn sequence(&mut self, word: &str) -> Parsed<Node> {
        let backward = word.starts_with("previous");
        let single_color = word.ends_with('2');
        if !single_color && self.eat('*') {
            let range = self.range()?;
            if self.peek_word() == Some("depth") {
                return Err(self.refused(
                    "`depth` is not documented for CQL 5.2, so it cannot be searched",
                    "CQL 6.2 has the filter `depth`: `find { depth<=1 F }`",
                ));
            }
            return Ok(Node::Find {
                backward,
                range,
                argument: self.boxed()?,
            });
        }
        let range = self.range()?;
        let nestban = self.eat_word("nestban");
        self.expect('(')?;
        Ok(Node::Sequence(Sequence {
            backward,
            single_color,
            range,
            nestban,
            constituents: self.constituents()?,
        }))
    }

    /// Constituents up to the closing parenthesis, one at least.
    fn constituents(&mut self) -> Parsed<Vec<Constituent>> {
        self.depth += 1;
        if self.depth > crate::parse::MAX_DEPTH {
            return Err(self.error(
                crate::diagnostic::Code::TooDeep,
                "the parentheses are nested too deeply",
            ));
        }
        let mut list = Vec::new();
        while list.is_empty() || !self.at(')') {
            list.push(if self.eat('(') {
                let group = self.constituents()?;
                Constituent::Group(group, self.wildcards()?)
            } else if self.peek_word() == Some("gap") {
                let span = self.here();
                self.position += 1;
                let node = Node::AllSquares;
                Constituent::Filter(Filter { node, span }, vec![Wildcard { min: 0, max: None }])
            } else {
                let filter = self.filter()?;
                Constituent::Filter(filter, self.wildcards()?)
            });
        }
        self.expect(')')?;
        self.depth -= 1;
        Ok(list)
    }

    fn wildcards(&mut self) -> Parsed<Vec<Wildcard>> {
        let mut list = Vec::new();
        loop {
            let wildcard = if self.eat('*') {
                Wildcard { min: 0, max: None }
            } else if self.eat('+') {
                Wildcard { min: 1, max: None }
            } else if self.eat('?') {
                Wildcard { min: 0, max: Some(1) }
            } else if self.at('{') && self.number_follows() {
                self.position += 1;
                let start = self.here();
                let range = self.required_range()?;
                self.expect('}')?;
                let bound = |number: i32| u32::try_from(number).ok();
                let (Some(min), Some(max)) = (bound(range.min), bound(range.max)) else {
                    let message = "a filter can't be repeated less than no time";
                    return Err(Box::new(crate::diagnostic::Diagnostic::new(
                        crate::diagnostic::Code::BadCql5Range,
                        self.since(start),
                        message,
                    )));
                };
                Wildcard { min, max: Some(max) }
            } else {
                return Ok(list);
            };
            list.push(wildcard);
        }
    }

    fn number_follows(&self) -> bool {
        let next = self.tokens.get(self.position + 1).map(|token| token.kind);
        matches!(next, Some(super::TokenKind::Word(word)) if word.parse::<i32>().is_ok())
    }

    /// What follows `move`.
    pub(super) fn move_filter(&mut self) -> Parsed<Node> {
        let mut parameters = Move::default();
        let mut count = 0;
        while let Some(word) = self.peek_word() {
            let no_set_yet = parameters.from.is_none() && parameters.to.is_none();
            self.position += 1;
            match word {
                "previous" => {
                    parameters.previous = true;
                    continue;
                }
                "legal" => {
                    parameters.legal = true;
                    continue;
                }
                "from" => parameters.from = Some(self.boxed_set()?),
                "to" => {
                    parameters.to_first = no_set_yet;
                    parameters.to = Some(self.boxed_set()?);
                }
                "promote" => parameters.promote = Some(self.promoted()?),
                "enpassant" => parameters.en_passant = true,
                "enpassantsquare" => parameters.en_passant_square = Some(self.boxed_set()?),
                "null" => parameters.null = true,
                "primary" | "mainline" => parameters.primary = Some(true),
                "secondary" => parameters.primary = Some(false),
                "pseudolegal" | "castle" | "o-o" | "o-o-o" | "capture" => {
                    self.position -= 1;
                    return Err(self.refused(
                        format!("`move {word}` is not CQL 5.2"),
                        "it is CQL 6: choose the dialect `cql6`",
                    ));
                }
                _ => {
                    self.position -= 1;
                    break;
                }
            }
            parameters.other_first |= count == 0 && !matches!(word, "from" | "to");
            count += 1;
        }
        let of_the_game =
            parameters.previous || parameters.promote.is_some() || parameters.null || parameters.primary.is_some();
        if parameters.legal && of_the_game {
            return Err(self.refused(
                "`move legal` is about moves that were not played".to_owned(),
                "it takes `from`, `to`, `enpassant` and `enpassantsquare` only",
            ));
        }
        if count == 0 && !parameters.legal {
            return Err(self.expected(
                "`from`, `to`, `promote`, `enpassant`, `enpassantsquare`, `null`, `primary` or `secondary` after `move`",
            ));
        }
        Ok(Node::Move(parameters))
    }

    fn promoted(&mut self) -> Parsed<ManSet> {
        let word = self.peek_word().unwrap_or_default();
        match designator::read(word, self.dot) {
            Some(designator) if designator.squares.is_none() && designator.variables.is_empty() => {
                self.position += 1;
                Ok(designator.men.unwrap_or(ManSet::ANYTHING))
            }
            _ => Err(self.expected("pieces after `promote`, such as `N` or `[RB]`")),
        }
    }
}
