//! `next` and `previous` as `line` and `find`, and `move`.

use super::{Lowered, Lowering, hir, literal, logical, number, set};
use crate::diagnostic::{Code, Diagnostic};
use crate::dialect::cql5::ast::{Constituent, Filter, Move, Sequence, Wildcard};
use crate::hir::{FindCount, Kind, Legality, Line, LineArrow, MoveFilter, MoveValue, NumberRange, Repeat, SequenceEnd};
use crate::span::Span;

impl Lowering {
    /// `next R (...)`: the number of positions of the longest match.
    pub(super) fn sequence(&mut self, sequence: &Sequence, span: Span) -> Lowered {
        let constituents = sequence
            .constituents
            .iter()
            .map(|constituent| self.constituent(constituent))
            .collect::<Lowered<Vec<_>>>()?;
        let line = Line {
            id: self.next_sequence(),
            arrow: if sequence.backward {
                LineArrow::Backward
            } else {
                LineArrow::Forward
            },
            range: sequence.range.map(literal),
            single_color: sequence.single_color,
            nestban: sequence.nestban,
            first_match: false,
            end: SequenceEnd::Count,
            primary: None,
            quiet: self.silent,
            constituents,
        };
        Ok(number(hir::Node::Line(Box::new(line)), span))
    }

    fn constituent(&mut self, constituent: &Constituent) -> Lowered<hir::Constituent> {
        let (inner, wildcards, span) = match constituent {
            Constituent::Filter(filter, wildcards) => {
                let inner = hir::Constituent::Filter {
                    filter: self.truth(filter)?,
                    repeat: Repeat::ONCE,
                };
                (inner, wildcards, filter.span)
            }
            Constituent::Group(list, wildcards) => {
                let constituents = list
                    .iter()
                    .map(|constituent| self.constituent(constituent))
                    .collect::<Lowered<Vec<_>>>()?;
                let inner = hir::Constituent::Group {
                    constituents,
                    repeat: Repeat::ONCE,
                };
                (inner, wildcards, Span::default())
            }
        };
        wildcards
            .iter()
            .try_fold(inner, |inner, &wildcard| repeated(inner, wildcard, span))
    }

    /// `next* F`: whether there is such a position.
    pub(super) fn find(&mut self, backward: bool, argument: &Filter, span: Span) -> Lowered {
        let node = hir::Node::Find {
            backward,
            quiet: self.silent,
            count: FindCount::First,
            argument: Box::new(self.truth(argument)?),
        };
        Ok(hir::Filter::new(node, Kind::Position, span))
    }

    /// `next* R F`: how many there are.
    pub(super) fn find_count(
        &mut self,
        backward: bool,
        range: Option<NumberRange>,
        argument: &Filter,
        span: Span,
    ) -> Lowered {
        let count = range.map_or(FindCount::All, |range| FindCount::Range(literal(range)));
        let node = hir::Node::Find {
            backward,
            quiet: self.silent,
            count,
            argument: Box::new(self.truth(argument)?),
        };
        Ok(number(node, span))
    }

    /// `move ...`: a set if `from` or `to` comes first.
    pub(super) fn move_filter(&mut self, parts: &Move, span: Span) -> Lowered {
        let mut part = |filter: &Option<Box<Filter>>| filter.as_ref().map(|filter| self.set(filter)).transpose();
        let (from, to) = (part(&parts.from)?, part(&parts.to)?);
        let en_passant_square = part(&parts.en_passant_square)?;
        let value = match (&from, &to) {
            _ if parts.other_first => MoveValue::Logical,
            (Some(_), _) if !parts.to_first => MoveValue::From,
            (_, Some(_)) => MoveValue::To,
            _ => MoveValue::Logical,
        };
        let node = hir::Node::Move(Box::new(MoveFilter {
            value,
            from,
            to,
            promote: parts.promote,
            en_passant: parts.en_passant,
            en_passant_square,
            null: parts.null,
            primary: parts.primary,
            previous: parts.previous,
            legality: parts.legal.then_some(Legality::Legal),
            ..MoveFilter::ANY
        }));
        Ok(match value {
            MoveValue::Logical => logical(node, span),
            _ => set(node, span),
        })
    }
}

/// A constituent with one more wildcard around it.
fn repeated(inner: hir::Constituent, wildcard: Wildcard, span: Span) -> Lowered<hir::Constituent> {
    let repeat = Repeat {
        min: wildcard.min,
        max: wildcard.max,
    };
    if wildcard.max.is_none() && can_be_empty(&inner) {
        let message = "this could repeat nothing forever";
        return Err(Box::new(Diagnostic::new(Code::BadWildcard, span, message)));
    }
    Ok(match inner {
        hir::Constituent::Filter {
            filter,
            repeat: Repeat::ONCE,
        } => hir::Constituent::Filter { filter, repeat },
        hir::Constituent::Group {
            constituents,
            repeat: Repeat::ONCE,
        } => hir::Constituent::Group { constituents, repeat },
        other => hir::Constituent::Group {
            constituents: vec![other],
            repeat,
        },
    })
}

fn can_be_empty(constituent: &hir::Constituent) -> bool {
    match constituent {
        hir::Constituent::Filter { repeat, .. } => repeat.min == 0,
        hir::Constituent::Group { constituents, repeat } => repeat.min == 0 || constituents.iter().all(can_be_empty),
    }
}
