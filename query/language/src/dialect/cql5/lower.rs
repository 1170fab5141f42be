//! Filters as written to the typed tree. What a filter means depends on where it stands, so there is one way down for
//! conditions, one for sets and one for numbers.

mod game;
mod relation;
mod sequence;

use super::ast::{Designator, Filter, Loop, Node, Plain, Ray, Text};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{
    self, Arithmetic, Bound, Comparison, Kind, ManSet, NumberRange, ParsedQuery, Range, SequenceId, SortKey, Variable,
    VariableId, VariableKind,
};
use crate::parse::ParseOptions;
use crate::parse::sets::transformed;
use crate::span::Span;

pub(super) type Lowered<T = hir::Filter> = Result<T, Box<Diagnostic>>;

/// Makes the typed tree of a query.
pub(super) fn lower(text: &Text, options: &ParseOptions) -> Lowered<ParsedQuery> {
    let mut lowering = Lowering::default();
    let mut filters = Vec::new();
    let span = text.body.first().map_or_else(Span::default, |first| first.span);
    let span = text.body.last().map_or(span, |last| span.to(last.span));
    for filter in &text.body {
        filters.push(lowering.truth(filter)?);
    }
    let kind = filters.last().map_or(Kind::Logical, |last| last.kind);
    let mut body = hir::Filter::new(hir::Node::Compound(filters), kind, span);
    for &transform in options.transforms.iter().rev() {
        body = transformed(transform, None, body, span);
    }
    Ok(ParsedQuery {
        header: text.header.clone(),
        body,
        variables: lowering.variables,
        dictionaries: Vec::new(),
        sorts: lowering.sorts,
        sequences: lowering.sequences,
        similar: Vec::new(),
        sets: Vec::new(),
    })
}

/// The tables of the query, and what holds at the filter that is made.
#[derive(Default)]
struct Lowering {
    variables: Vec<Variable>,
    /// The variables of the loops around the filter, the innermost last.
    scope: Vec<(String, VariableId)>,
    sorts: Vec<SortKey>,
    unnamed_sorts: u32,
    sequences: u32,
    /// Whether a `silent` stands around the filter.
    silent: bool,
}

fn logical(node: hir::Node, span: Span) -> hir::Filter {
    hir::Filter::new(node, Kind::Logical, span)
}

fn number(node: hir::Node, span: Span) -> hir::Filter {
    hir::Filter::new(node, Kind::Numeric, span)
}

fn set(node: hir::Node, span: Span) -> hir::Filter {
    hir::Filter::new(node, Kind::Set, span)
}

/// A range as filters of the tree take it.
fn literal(range: NumberRange) -> Range {
    Range::Between(Bound::Literal(range.min), Bound::Literal(range.max))
}

/// The number if it lies in the range.
fn within(value: hir::Filter, range: NumberRange) -> hir::Filter {
    let span = value.span;
    let compare = |comparison, value: hir::Filter, bound: i32| {
        let bound = number(hir::Node::Number(bound), span);
        number(
            hir::Node::CompareNumbers(comparison, Box::new(value), Box::new(bound)),
            span,
        )
    };
    if range.min == range.max {
        return compare(Comparison::Equal, value, range.min);
    }
    let value = compare(Comparison::GreaterEqual, value, range.min);
    compare(Comparison::LessEqual, value, range.max)
}

impl Lowering {
    // --- conditions

    /// A filter as a condition.
    fn truth(&mut self, filter: &Filter) -> Lowered {
        let span = filter.span;
        Ok(match &filter.node {
            Node::Plain(plain) => logical(plain_node(*plain), span),
            Node::Braces(list) => self.all(list, span)?,
            Node::Not(inner) => logical(hir::Node::Not(Box::new(self.truth(inner)?)), span),
            Node::Or(a, b) => {
                let (a, b) = (self.truth(a)?, self.truth(b)?);
                logical(hir::Node::Or(Box::new(a), Box::new(b)), span)
            }
            Node::Transform {
                transform,
                range: None,
                argument,
            } => transformed(*transform, None, self.truth(argument)?, span),
            Node::Silent(inner) => self.silently(|lowering| lowering.truth(inner))?,
            Node::Loop(parts) if parts.all => self.square_loop(parts, span)?,
            Node::Relation(relation) => self.relation(relation, span)?,
            Node::Move(parts) => self.move_filter(parts, span)?,
            Node::Find {
                backward,
                range: None,
                argument,
            } => self.find(*backward, argument, span)?,
            Node::Result(_)
            | Node::Player(..)
            | Node::Event(_)
            | Node::Site(_)
            | Node::HasComment(_)
            | Node::CommentText(_)
            | Node::CommentSet(_)
            | Node::Sort(..)
            | Node::Elo(None, Some(_)) => self.game_filter(filter)?,
            _ if filter.is_set() => self.set(filter)?,
            _ => self.number(filter, true)?,
        })
    }

    /// Several filters that all have to match.
    fn all(&mut self, list: &[Filter], span: Span) -> Lowered {
        let mut filters = list
            .iter()
            .map(|filter| self.truth(filter))
            .collect::<Lowered<Vec<_>>>()?;
        if filters.len() == 1
            && let Some(only) = filters.pop()
        {
            return Ok(only);
        }
        let kind = filters.last().map_or(Kind::Logical, |last| last.kind);
        Ok(hir::Filter::new(hir::Node::Compound(filters), kind, span))
    }

    fn silently<T>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        let outside = std::mem::replace(&mut self.silent, true);
        let result = inside(self);
        self.silent = outside;
        result
    }

    // --- sets

    /// A filter as a set of squares.
    fn set(&mut self, filter: &Filter) -> Lowered {
        let span = filter.span;
        Ok(match &filter.node {
            Node::AllSquares => set(hir::Node::AllSquares, span),
            Node::Designator(designator) => self.designator(designator, span)?,
            Node::SquareColor(light) => {
                let all = set(hir::Node::AllSquares, span);
                set(hir::Node::SquareColor(*light, Box::new(all)), span)
            }
            Node::On(a, b) => {
                let parts = vec![self.set(a)?, self.set(b)?];
                set(hir::Node::Intersection(parts), span)
            }
            Node::Or(a, b) => {
                let parts = vec![self.set(a)?, self.set(b)?];
                set(hir::Node::Union(parts), span)
            }
            Node::Not(inner) => set(hir::Node::Complement(Box::new(self.set(inner)?)), span),
            Node::Between(a, b) => {
                let (a, b) = (self.set(a)?, self.set(b)?);
                set(hir::Node::Between(Box::new(a), Box::new(b)), span)
            }
            Node::Attack(None, from, to) => {
                let (from, to) = (self.set(from)?, self.set(to)?);
                set(hir::Node::AttackedBy(Box::new(to), Box::new(from)), span)
            }
            Node::Ray(ray) if ray.range.is_none() => {
                let arguments = self.sets(&ray.arguments)?;
                let node = if ray.attack {
                    hir::Node::Xray {
                        arguments,
                        gives_first: false,
                    }
                } else {
                    hir::Node::Ray {
                        directions: ray.directions,
                        arguments,
                    }
                };
                set(node, span)
            }
            Node::Direction {
                directions,
                range,
                argument,
                name,
            } => {
                if let Some(range) = range.filter(|range| range.min < -7 || range.max > 7) {
                    let message = format!("`{name}` goes 7 steps at most, not {} to {}", range.min, range.max);
                    return Err(Box::new(Diagnostic::new(Code::BadCql5Range, span, message)));
                }
                let node = hir::Node::Direction {
                    directions: *directions,
                    range: range.map(literal),
                    argument: Box::new(self.set(argument)?),
                };
                set(node, span)
            }
            Node::Loop(parts) if !parts.all => self.square_loop(parts, span)?,
            Node::Move(parts) => self.move_filter(parts, span)?,
            Node::Origin(name) => {
                let variable = self.variable(name, span)?;
                let start = hir::Node::PositionAt(Box::new(number(hir::Node::Number(0), span)));
                let start = hir::Filter::new(start, Kind::Position, span);
                let piece = set(hir::Node::Variable(variable), span);
                set(hir::Node::At(Box::new(start), Box::new(piece)), span)
            }
            Node::Braces(list) => match &list[..] {
                [only] => self.set(only)?,
                _ => return Err(not_a_set(span)),
            },
            Node::Transform {
                transform,
                range: None,
                argument,
            } => transformed(*transform, None, self.set(argument)?, span),
            Node::Silent(inner) => self.silently(|lowering| lowering.set(inner))?,
            _ => return Err(not_a_set(span)),
        })
    }

    fn sets(&mut self, filters: &[Filter]) -> Lowered<Vec<hir::Filter>> {
        filters.iter().map(|filter| self.set(filter)).collect()
    }

    fn designator(&mut self, designator: &Designator, span: Span) -> Lowered {
        let mut parts = Vec::new();
        if designator.men.is_some() || designator.squares.is_some() {
            let node = hir::Designator {
                men: designator.men.unwrap_or(ManSet::ANYTHING),
                squares: designator.squares.unwrap_or(shakmaty::Bitboard::FULL),
            };
            parts.push(set(hir::Node::Designator(node), span));
        }
        for name in &designator.variables {
            let variable = self.variable(name, span)?;
            parts.push(set(hir::Node::Variable(variable), span));
        }
        Ok(match parts.pop() {
            Some(only) if parts.is_empty() => only,
            last => {
                parts.extend(last);
                set(hir::Node::Intersection(parts), span)
            }
        })
    }

    fn variable(&self, name: &str, span: Span) -> Lowered<VariableId> {
        let known = self.scope.iter().rev().find(|(known, _)| known == name);
        known.map(|&(_, variable)| variable).ok_or_else(|| {
            let message = format!("no `square` or `piece` around this declares `${name}`");
            Box::new(
                Diagnostic::new(Code::UndeclaredCql5Variable, span, message)
                    .help(format!("write `square ${name} in S F` or `piece ${name} in S F`")),
            )
        })
    }

    /// A loop as the set of its squares; with `all` as a condition.
    fn square_loop(&mut self, parts: &Loop, span: Span) -> Lowered {
        let domain = Box::new(self.set(&parts.domain)?);
        let variable = VariableId::at(self.variables.len());
        self.variables.push(Variable {
            name: parts.variable.clone(),
            kind: if parts.piece {
                VariableKind::Piece
            } else {
                VariableKind::Set
            },
            persistent: false,
            quiet: false,
            atomic: false,
        });
        self.scope.push((parts.variable.clone(), variable));
        let body = self.all(&parts.body, span);
        self.scope.pop();
        let (all, body) = (parts.all, Box::new(body?));
        let node = if parts.piece {
            hir::Node::PieceLoop {
                variable,
                all,
                in_doubt: Vec::new(),
                domain,
                body,
            }
        } else {
            hir::Node::SquareLoop {
                variable,
                all,
                in_doubt: Vec::new(),
                domain,
                body,
            }
        };
        Ok(if all { logical(node, span) } else { set(node, span) })
    }

    // --- numbers

    /// A filter as a number that lies in its range. As a condition it needs a range: without one it would always hold.
    fn number(&mut self, filter: &Filter, as_condition: bool) -> Lowered {
        let span = filter.span;
        let (value, range) = match &filter.node {
            Node::CountSquares(range, argument) => {
                let count = hir::Node::Cardinality(Box::new(self.set(argument)?));
                (number(count, span), Some(*range))
            }
            Node::Power(range, argument) => {
                let power = hir::Node::Power(Box::new(self.set(argument)?));
                (number(power, span), *range)
            }
            Node::PowerDifference(range, a, b) => {
                let power = |set| Box::new(number(hir::Node::Power(Box::new(set)), span));
                let (a, b) = (power(self.set(a)?), power(self.set(b)?));
                (number(hir::Node::Arithmetic(Arithmetic::Subtract, a, b), span), *range)
            }
            Node::Attack(Some(range), from, to) => {
                let (from, to) = (Box::new(self.set(from)?), Box::new(self.set(to)?));
                (number(hir::Node::AttackPairs(from, to), span), Some(*range))
            }
            Node::Ray(ray @ Ray { range: Some(range), .. }) => {
                let node = hir::Node::RayCount {
                    directions: (!ray.attack).then_some(ray.directions),
                    arguments: self.sets(&ray.arguments)?,
                };
                (number(node, span), Some(*range))
            }
            Node::Loop(parts) if !parts.all => {
                let squares = Box::new(self.square_loop(parts, span)?);
                (number(hir::Node::Cardinality(squares), span), parts.range)
            }
            Node::MoveNumber(range) => (number(hir::Node::MoveNumber, span), *range),
            Node::Year(range) => (number(hir::Node::Year, span), *range),
            Node::Elo(color, range) => (number(hir::Node::Elo(*color), span), *range),
            Node::Sequence(sequence) => return self.sequence(sequence, span),
            Node::Find {
                backward,
                range,
                argument,
            } => return self.find_count(*backward, *range, argument, span),
            Node::Transform {
                transform,
                range: Some(range),
                argument,
            } => {
                let node = hir::Node::Transform {
                    transform: *transform,
                    range: Some(literal(*range)),
                    distinct: false,
                    argument: Box::new(self.truth(argument)?),
                };
                return Ok(number(node, span));
            }
            Node::Silent(inner) => return self.silently(|lowering| lowering.number(inner, as_condition)),
            Node::Braces(list) if list.len() == 1 => return self.number(&list[0], as_condition),
            _ => {
                let message = "this filter can't be counted";
                return Err(Box::new(Diagnostic::new(Code::WrongCql5Kind, span, message).help(
                    "countable are filters with a range, `power`, `powerdifference`, `movenumber`, `elo`, `year` and \
                     `next`; write `countsquares 1 64 S` for a set",
                )));
            }
        };
        match range {
            Some(range) => Ok(within(value, range)),
            None if as_condition => {
                let message = "without a range this filter would match everywhere";
                Err(Box::new(Diagnostic::new(Code::BadCql5, span, message).help(
                    "write one number for exactly so many, or two for the smallest and the largest",
                )))
            }
            None => Ok(value),
        }
    }

    fn next_sequence(&mut self) -> SequenceId {
        self.sequences += 1;
        SequenceId(self.sequences - 1)
    }
}

fn not_a_set(span: Span) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::new(Code::WrongCql5Kind, span, "this filter is not a set of squares");
    Box::new(diagnostic)
}

fn plain_node(plain: Plain) -> hir::Node {
    use shakmaty::Color;
    match plain {
        Plain::Check => hir::Node::Check,
        Plain::Mate => hir::Node::Mate,
        Plain::Stalemate => hir::Node::Stalemate,
        Plain::Wtm => hir::Node::Turn(Color::White),
        Plain::Btm => hir::Node::Turn(Color::Black),
        Plain::Initial => hir::Node::Initial,
        Plain::Terminal => hir::Node::Terminal,
        Plain::Mainline => hir::Node::Mainline(true),
        Plain::Variation => hir::Node::Mainline(false),
        // The first position of a variation is the one that a secondary move has led to.
        Plain::BeginVariation => hir::Node::Primary(false),
        Plain::Extension => hir::Node::False,
    }
}
