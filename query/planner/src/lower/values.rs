//! Filters as values: sets and numbers that can be computed from posting lists.

use chess::Man;
use language::hir::{Arithmetic, Bound, Directions, Filter, Kind, ManSet, Node, PawnStructure, Range};
use postings::Term;
use shakmaty::{Bitboard, Color, Role};

use super::Lowering;
use crate::expr::{
    NumberExpr, RayLines, SetExpr, Truth, any_contents, compare, contains, count_of, possible, union_of,
};

impl<'q> Lowering<'q> {
    /// The set that a filter gives, if it can be computed exactly.
    pub(super) fn set(&mut self, filter: &'q Filter) -> Option<SetExpr> {
        if !self.spend(1) {
            return None;
        }
        match &filter.node {
            Node::Designator(designator) => Some(SetExpr::Contents(designator.men, designator.squares).simplified()),
            Node::AllSquares => Some(SetExpr::Constant(Bitboard::FULL)),
            Node::NoSquares => Some(SetExpr::Constant(Bitboard::EMPTY)),
            Node::Union(list) => Some(SetExpr::Union(self.sets(list)?)),
            Node::Intersection(list) => Some(SetExpr::intersection(self.sets(list)?)),
            Node::Complement(inner) => Some(SetExpr::Complement(Box::new(self.set(inner)?))),
            Node::Attacks(a, b) => Some(SetExpr::Attacks(Box::new(self.set(a)?), Box::new(self.set(b)?))),
            Node::AttackedBy(a, b) => Some(SetExpr::AttackedBy(Box::new(self.set(a)?), Box::new(self.set(b)?))),
            Node::Between(a, b) => Some(SetExpr::Between {
                directions: Directions::ALL,
                ends: Box::new([self.set(a)?, self.set(b)?]),
            }),
            Node::Ray { directions, arguments } => Some(SetExpr::Rays {
                lines: RayLines::Given(*directions),
                arguments: self.sets(arguments)?,
                gives_first: false,
            }),
            Node::Xray { arguments, gives_first } => Some(SetExpr::Rays {
                lines: RayLines::OfPiece,
                arguments: self.sets(arguments)?,
                gives_first: *gives_first,
            }),
            Node::Pin {
                from,
                through,
                to,
                value,
            } => {
                let mut given = |filter: &'q Option<Box<Filter>>, default: SetExpr| match filter {
                    Some(filter) => self.set(filter),
                    None => Some(default),
                };
                let anywhere = || SetExpr::Constant(Bitboard::FULL);
                let kings = Color::ALL.map(|color| ManSet::from_man(Man::new(color, Role::King)));
                let parts = [
                    given(from, anywhere())?,
                    given(through, anywhere())?,
                    given(to, SetExpr::Contents(kings[0] | kings[1], Bitboard::FULL))?,
                ];
                Some(SetExpr::Pins(Box::new(parts), *value))
            }
            Node::SquareColor(light, inner) => {
                let squares = if *light {
                    Bitboard::LIGHT_SQUARES
                } else {
                    Bitboard::DARK_SQUARES
                };
                Some(SetExpr::intersection(vec![
                    self.set(inner)?,
                    SetExpr::Constant(squares),
                ]))
            }
            Node::Direction {
                directions,
                range,
                argument,
            } => {
                let (min, max) = match range {
                    None => (1, 7),
                    Some(Range::Between(Bound::Literal(min), Bound::Literal(max))) => (*min, *max),
                    Some(_) => return None,
                };
                if min < -7 || max > 7 || min > max {
                    return None;
                }
                let from = Box::new(self.set(argument)?);
                Some(SetExpr::Steps {
                    directions: *directions,
                    min,
                    max,
                    from,
                })
            }
            Node::PawnStructure(structure) => Some(pawns(*structure)),
            Node::At(place, inner) => self.set_at(place, inner),
            Node::Variable(variable) => self.bindings.get(variable).cloned(),
            Node::NoTransform(inner) => self.set(inner),
            Node::Orbit { range: None, variants } => Some(union_of(self.sets(variants)?)),
            Node::Compound(list) => {
                let (last, before) = list.split_last()?;
                if before.is_empty() {
                    return self.set(last);
                }
                let mut conditions = Vec::new();
                for filter in before {
                    if !self.is_safe(filter) {
                        return None;
                    }
                    let condition = self.truth(filter);
                    if !condition.exact {
                        return None;
                    }
                    conditions.push(condition.truth);
                }
                let empty = SetExpr::Constant(Bitboard::EMPTY);
                Some(SetExpr::Choose(
                    Box::new(Truth::all(conditions)),
                    Box::new(self.set(last)?),
                    Box::new(empty),
                ))
            }
            Node::If(condition, then, Some(otherwise)) => {
                let condition = self.truth(condition);
                if !condition.exact {
                    return None;
                }
                let (then, otherwise) = (self.set(then)?, self.set(otherwise)?);
                Some(SetExpr::Choose(
                    Box::new(condition.truth),
                    Box::new(then),
                    Box::new(otherwise),
                ))
            }
            Node::SquareLoop {
                variable,
                all: false,
                domain,
                body,
            }
            | Node::PieceLoop {
                variable,
                all: false,
                domain,
                body,
            } => {
                let domain = self.set(domain)?;
                let pieces = matches!(filter.node, Node::PieceLoop { .. });
                let mut squares = Vec::new();
                for square in possible(&domain) {
                    let mut here = contains(&domain, square);
                    if pieces {
                        let men = ManSet::WHITE | ManSet::BLACK;
                        here = Truth::all([here, any_contents(men, square.into())]);
                    }
                    let outer = self.bindings.insert(*variable, SetExpr::Constant(square.into()));
                    let body = self.truth(body);
                    match outer {
                        Some(outer) => self.bindings.insert(*variable, outer),
                        None => self.bindings.remove(variable),
                    };
                    if !body.exact {
                        return None;
                    }
                    squares.push((square, Truth::all([here, body.truth])));
                }
                Some(SetExpr::Squares(squares))
            }
            _ => None,
        }
    }

    fn sets(&mut self, list: &'q [Filter]) -> Option<Vec<SetExpr>> {
        list.iter().map(|filter| self.set(filter)).collect()
    }

    /// The number that a filter gives and where it has one, if both can be computed exactly. For a set, this is the
    /// number of its squares.
    pub(super) fn number(&mut self, filter: &'q Filter) -> Option<(NumberExpr, Truth)> {
        if !self.spend(1) {
            return None;
        }
        let always = |number| Some((number, Truth::Always));
        if filter.kind == Kind::Set {
            return always(count_of(self.set(filter)?));
        }
        match &filter.node {
            // Numbers in planes don't wrap around at 32 bits. With small constants no plan is long enough to reach
            // that.
            Node::Number(n) if n.unsigned_abs() <= 1 << 16 => always(NumberExpr::Constant(*n)),
            Node::Cardinality(argument) => always(count_of(self.set(argument)?)),
            Node::Power(argument) => always(NumberExpr::Power(self.set(argument)?)),
            Node::AttackPairs(from, to) => always(self.attack_pairs(from, to)?),
            Node::SideToMove => {
                let white = Box::new(Truth::Term(Term::WhiteToMove));
                let constant = |n| Box::new(NumberExpr::Constant(n));
                always(NumberExpr::Choose(white, constant(1), constant(-1)))
            }
            Node::ColorValue(color) => always(NumberExpr::Constant(color.fold_wb(1, -1))),
            Node::File(argument) | Node::Rank(argument) => {
                let set = self.set(argument)?;
                let single = Truth::Single(Box::new(set.clone()));
                Some((
                    NumberExpr::Coordinate(matches!(filter.node, Node::File(_)), set),
                    single,
                ))
            }
            Node::Arithmetic(op @ (Arithmetic::Add | Arithmetic::Subtract), a, b) => {
                let ((a, a_valid), (b, b_valid)) = (self.number(a)?, self.number(b)?);
                let (a, b) = (Box::new(a), Box::new(b));
                let value = match op {
                    Arithmetic::Add => NumberExpr::Sum(a, b),
                    _ => NumberExpr::Difference(a, b),
                };
                Some((value, Truth::all([a_valid, b_valid])))
            }
            Node::Negate(a) => {
                let (a, valid) = self.number(a)?;
                Some((
                    NumberExpr::Difference(Box::new(NumberExpr::Constant(0)), Box::new(a)),
                    valid,
                ))
            }
            Node::CompareNumbers(comparison, a, b) => {
                let ((a, a_valid), (b, b_valid)) = (self.number(a)?, self.number(b)?);
                let holds = compare(*comparison, a.clone(), b);
                Some((a, Truth::all([a_valid, b_valid, holds])))
            }
            Node::NoTransform(inner) => self.number(inner),
            Node::At(place, inner) => self.number_at(place, inner),
            Node::CountMoves(None, dash) if !self.variations => {
                let made = self.dash_truth(dash);
                made.exact
                    .then(|| (NumberExpr::CountTrue(vec![made.truth]), Truth::Always))
            }
            Node::Orbit {
                range: Some(Range::Count),
                variants,
            } => {
                let mut truths = Vec::new();
                for variant in variants {
                    let truth = self.truth(variant);
                    if !truth.exact {
                        return None;
                    }
                    truths.push(truth.truth);
                }
                always(NumberExpr::CountTrue(truths))
            }
            Node::Orbit { range: None, variants } => self.largest(variants),
            Node::Abs(inner) => self.absolute(inner),
            Node::Arithmetic(Arithmetic::Multiply, a, b) => self.product(a, b),
            Node::Extremum(largest, arguments) => self.extremum(*largest, arguments),
            _ => None,
        }
    }
}

/// The pawns of both colors that stand in this way (docs/language/positions.md#pawns).
fn pawns(structure: PawnStructure) -> SetExpr {
    SetExpr::Union(Color::ALL.map(|color| SetExpr::Pawns(structure, color)).to_vec())
}
