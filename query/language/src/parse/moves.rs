//! `move` with its parameters, `find`, `echo`.

use shakmaty::Bitboard;

use super::operators::Level;
use super::{Parsed, Parser, TokenKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{CastleSide, Filter, FindCount, Kind, Legality, MoveFilter, MoveValue, Node};
use crate::span::Span;
use crate::syntax::{Keyword, Symbol};

impl Parser<'_> {
    /// `move PARAMETERS`
    pub(super) fn move_filter(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let first = self.position;
        let mut parameters = MoveFilter::ANY;
        let mut count = false;
        let mut secondary = false;
        let mut all = None;
        while let Some(keyword) = self.keyword() {
            let is_first = self.position == first;
            match keyword {
                Keyword::From | Keyword::To | Keyword::Capture | Keyword::Captures => {
                    let (slot, value) = match keyword {
                        Keyword::From => (&mut parameters.from, MoveValue::From),
                        Keyword::To => (&mut parameters.to, MoveValue::To),
                        _ => (&mut parameters.capture, MoveValue::Capture),
                    };
                    if is_first {
                        parameters.value = value;
                    }
                    self.move_set(slot, keyword)?;
                }
                Keyword::Enpassantsquare => {
                    if parameters.en_passant {
                        return Err(self.repeated("move"));
                    }
                    self.move_set(&mut parameters.en_passant_square, keyword)?;
                }
                Keyword::Promote => {
                    if parameters.promote.is_some() {
                        return Err(self.repeated("move"));
                    }
                    self.bump();
                    parameters.promote = Some(self.promoted_roles()?);
                }
                Keyword::Enpassant => {
                    if parameters.en_passant || parameters.en_passant_square.is_some() {
                        return Err(self.repeated("move"));
                    }
                    parameters.en_passant = true;
                    self.bump();
                }
                Keyword::Castle | Keyword::CastleKing | Keyword::CastleQueen => {
                    if parameters.castle.is_some() {
                        return Err(self.repeated("move"));
                    }
                    parameters.castle = Some(match keyword {
                        Keyword::Castle => CastleSide::Any,
                        Keyword::CastleKing => CastleSide::King,
                        _ => CastleSide::Queen,
                    });
                    self.bump();
                }
                Keyword::Legal | Keyword::Pseudolegal => {
                    let legality = if keyword == Keyword::Legal {
                        Legality::Legal
                    } else {
                        Legality::Pseudolegal
                    };
                    if parameters.legality.is_some_and(|other| other != legality) {
                        return Err(self.excluded("`legal` and `pseudolegal` exclude each other"));
                    }
                    if legality == Legality::Legal {
                        self.reject_in_path()?;
                    }
                    parameters.legality = Some(legality);
                    self.bump();
                }
                Keyword::Null => {
                    parameters.null = true;
                    self.bump();
                }
                Keyword::Primary => {
                    parameters.primary = Some(true);
                    self.bump();
                }
                Keyword::Secondary => {
                    secondary = true;
                    self.bump();
                }
                Keyword::Previous => {
                    parameters.previous = true;
                    self.bump();
                }
                Keyword::Count => {
                    count = true;
                    self.bump();
                }
                Keyword::All if all.is_none() => {
                    all = Some(self.here());
                    self.bump();
                }
                Keyword::Comment if parameters.legality.is_none() => {
                    self.bump();
                    parameters.comment = Some(self.parts("comment")?);
                    break;
                }
                _ => break,
            }
        }
        if secondary && parameters.primary.is_some() {
            return Err(self.excluded("`primary` and `secondary` exclude each other"));
        }
        if secondary {
            parameters.primary = Some(false);
        }
        match all {
            Some(place) if !self.at_target() => {
                let message = "`all` needs a target: `move legal all : F`";
                return Err(Box::new(Diagnostic::new(Code::BadParameter, place, message)));
            }
            Some(place) => self.allow_extension(place)?,
            None => {}
        }
        self.check_move(&parameters, count)?;
        if count {
            parameters.value = MoveValue::Count;
        }
        let kind = match parameters.value {
            MoveValue::Logical => Kind::Logical,
            MoveValue::Count => Kind::Numeric,
            MoveValue::From | MoveValue::To | MoveValue::Capture => Kind::Set,
        };
        let moves = Filter::new(Node::Move(Box::new(parameters)), kind, self.since(span));
        match self.at_target() {
            true => self.after_move(moves, all.is_some()),
            false => Ok(moves),
        }
    }

    fn excluded(&self, message: &str) -> Box<Diagnostic> {
        Box::new(Diagnostic::new(Code::BadParameter, self.previous(), message))
    }

    /// Fails on parameters that do not go together.
    fn check_move(&self, parameters: &MoveFilter, count: bool) -> Parsed<()> {
        let en_passant = parameters.en_passant || parameters.en_passant_square.is_some();
        if parameters.null && (parameters.promote.is_some() || en_passant) {
            return Err(self.excluded("`null` excludes `promote` and `enpassant`"));
        }
        let has_target = self.at_target();
        if has_target {
            let without_target = [
                (parameters.previous, "previous"),
                (parameters.comment.is_some(), "comment"),
            ];
            if let Some((_, name)) = without_target.into_iter().find(|(present, _)| *present) {
                return Err(self.excluded(&format!("`move` with a target excludes `{name}`")));
            }
        }
        if parameters.legality.is_none() {
            if count && !has_target {
                return Err(self.excluded("`count` needs `legal` or `pseudolegal`"));
            }
            return Ok(());
        }
        let excluded = [
            (parameters.previous, "previous"),
            (parameters.promote.is_some() && !has_target, "promote"),
            (parameters.null, "null"),
            (parameters.primary == Some(true), "primary"),
            (parameters.primary == Some(false), "secondary"),
            (parameters.capture.is_some() && !has_target, "capture"),
        ];
        match excluded.into_iter().find(|(present, _)| *present) {
            Some((_, name)) => Err(self.excluded(&format!("`legal` and `pseudolegal` exclude `{name}`"))),
            None => Ok(()),
        }
    }

    fn move_set(&mut self, slot: &mut Option<Filter>, keyword: Keyword) -> Parsed<()> {
        if slot.is_some() {
            return Err(self.repeated("move"));
        }
        self.bump();
        let place = format!("after `{}`", keyword.text());
        *slot = Some(self.expression_of(Level::Colon, Kind::Set, &place)?);
        Ok(())
    }

    /// The designator behind `promote`: only its roles count.
    fn promoted_roles(&mut self) -> Parsed<crate::hir::ManSet> {
        let here = self.here();
        match self.peek().map(|token| &token.kind) {
            Some(&TokenKind::Designator(designator)) if designator.squares == Bitboard::FULL => {
                self.bump();
                Ok(designator.men)
            }
            _ => {
                let diagnostic = Diagnostic::new(Code::BadPromotion, here, "`promote` needs pieces without squares");
                Err(Box::new(
                    diagnostic.help("write `promote Q`, or `promote A` for any piece"),
                ))
            }
        }
    }

    /// `find [<--] [quiet] [all] [range] F`
    pub(super) fn find(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let (mut backward, mut quiet, mut all) = (false, false, false);
        let mut range = None;
        loop {
            if self.eat(Symbol::ArrowBackward) {
                backward = true;
            } else if self.eat_keyword(Keyword::Quiet) {
                quiet = true;
            } else if self.eat_keyword(Keyword::All) {
                all = true;
            } else if range.is_none() {
                range = self.range()?;
                if range.is_none() {
                    break;
                }
            } else {
                break;
            }
        }
        let count = match range {
            Some(_) if all => return Err(self.excluded("`find` takes either `all` or a range")),
            Some(range) => FindCount::Range(range),
            None if all => FindCount::All,
            None => FindCount::First,
        };
        if self.at(Symbol::ArrowForward) {
            let diagnostic = Diagnostic::new(Code::ExpectedFilter, self.here(), "`find` has no forward arrow");
            return Err(Box::new(diagnostic.help("without an arrow it looks forward")));
        }
        let argument = Box::new(self.expression(Level::Or)?);
        let kind = if count == FindCount::First {
            Kind::Position
        } else {
            Kind::Numeric
        };
        Ok(Filter::new(
            Node::Find {
                backward,
                quiet,
                count,
                argument,
            },
            kind,
            self.since(span),
        ))
    }

    /// `echo [quiet] (s t) [in all] F`
    pub(super) fn echo(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let quiet = self.eat_keyword(Keyword::Quiet);
        self.expect(Symbol::LeftParen)?;
        let source = self.new_position_variable()?;
        let place = self.here();
        let target = self.new_position_variable()?;
        if source == target {
            let message = "the two variables of `echo` have to be different";
            return Err(Box::new(Diagnostic::new(Code::BadArguments, place, message)));
        }
        self.close_arguments("echo")?;
        let in_all = self.at_keyword(Keyword::In)
            && self
                .peek_ahead(1)
                .is_some_and(|token| token.keyword() == Some(Keyword::All));
        self.position += if in_all { 2 } else { 0 };
        let body = Box::new(self.expression(Level::Or)?);
        let kind = if body.kind == Kind::Numeric {
            Kind::Numeric
        } else {
            Kind::Logical
        };
        Ok(Filter::new(
            Node::Echo {
                quiet,
                source,
                target,
                in_all,
                in_doubt: Vec::new(),
                body,
            },
            kind,
            self.since(span),
        ))
    }
}
