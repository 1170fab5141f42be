//! Numbers.

use language::hir::{Bound, Dash, Filter, Legality, Node, Range, VariableKind};
use shakmaty::Bitboard;

use super::super::{Fold, Id, NONE, Op};
use super::Lowering;

impl Lowering<'_> {
    /// How many variants of an orbit match, if the range allows it.
    pub(super) fn orbit_count(&mut self, filter: &Filter) -> Option<Id> {
        let Node::Orbit {
            range: Some(range),
            variants,
        } = &filter.node
        else {
            return None;
        };
        let count = if self.orbits.has(filter) {
            self.op(Op::Folded(filter.id()))
        } else {
            let parts = self.truths(variants)?;
            let parts = self.families(Fold::Sum, parts);
            self.op(Op::Holding(parts.into()))
        };
        self.within(count, range)
    }

    /// A number, if a range allows it.
    pub(super) fn within(&mut self, number: Id, range: &Range) -> Option<Id> {
        match range {
            Range::Count => Some(number),
            Range::Between(Bound::Literal(min), Bound::Literal(max)) => Some(self.op(Op::Within(number, *min, *max))),
            Range::Between(..) => None,
        }
    }

    pub(super) fn make_number(&mut self, filter: &Filter) -> Option<Id> {
        let made = match &filter.node {
            Node::Number(number) => self.constant(i64::from(*number).cast_unsigned()),
            Node::Cardinality(a) => {
                let a = self.set(a)?;
                self.op(Op::Count(a))
            }
            Node::Power(a) => {
                let a = self.set(a)?;
                self.op(Op::Power(a))
            }
            Node::File(a) => {
                let a = self.set(a)?;
                self.op(Op::File(a))
            }
            Node::Rank(a) => {
                let a = self.set(a)?;
                self.op(Op::Rank(a))
            }
            Node::Type(a) => {
                let a = self.set(a)?;
                self.op(Op::Type(a))
            }
            Node::ColorType(a) => {
                let a = self.set(a)?;
                self.op(Op::ColorType(a))
            }
            Node::PieceIdOf(variable) => self.op(Op::Value(*variable)),
            Node::SideToMove => self.op(Op::SideToMove),
            Node::ColorValue(color) => self.constant(color.fold_wb(1, u64::MAX)),
            Node::MoveNumber => self.op(Op::MoveNumber),
            Node::Ply => self.op(Op::Ply),
            Node::PositionId => self.op(Op::PositionId),
            Node::Negate(a) => {
                let a = self.value(a)?;
                self.op(Op::Negate(a))
            }
            Node::Abs(a) => {
                let a = self.value(a)?;
                self.op(Op::Abs(a))
            }
            Node::Sqrt(a) => {
                let a = self.value(a)?;
                self.op(Op::Sqrt(a))
            }
            Node::Arithmetic(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.op(Op::Arithmetic(*op, a, b))
            }
            Node::Extremum(largest, list) => {
                let parts = self.values(list)?;
                self.op(Op::Extremum(*largest, parts.into()))
            }
            Node::CompareNumbers(comparison, a, b) => {
                let (a, b) = (self.count(a)?, self.count(b)?);
                self.op(Op::Compared(*comparison, a, b))
            }
            Node::CountMoves(Some(legality), dash) if dash.target.is_empty() => {
                self.count_legal(*legality, dash, i32::MAX)?
            }
            Node::Variable(variable) => match self.query.variables.get(variable.0 as usize)?.kind {
                VariableKind::Numeric => self.op(Op::Value(*variable)),
                _ => return None,
            },
            // A sort key that is not asked for.
            Node::Sort { argument, .. } if !self.comments => self.value(argument)?,
            Node::Orbit { range: None, variants } => {
                let parts = self.values(variants)?;
                let parts = self.families(Fold::Largest, parts);
                self.op(Op::Extremum(true, parts.into()))
            }
            Node::Orbit { range: Some(_), .. } => self.orbit_count(filter)?,
            Node::Find { .. } => self.find_count(filter)?,
            Node::Path(path) => self.path(path)?,
            Node::PathCount => self.op(Op::PathCount),
            _ => return self.make_value(filter, NONE),
        };
        Some(made)
    }

    /// A number, or the number of squares of a set, to be compared with another one: above a literal, any number above it
    /// will do.
    pub(super) fn count_against(&mut self, filter: &Filter, other: &Filter) -> Option<Id> {
        match (&filter.node, &other.node) {
            (Node::CountMoves(Some(legality), dash), Node::Number(limit)) if dash.target.is_empty() => {
                self.count_legal(*legality, dash, *limit)
            }
            _ => self.count(filter),
        }
    }

    fn count_legal(&mut self, legality: Legality, dash: &Dash, limit: i32) -> Option<Id> {
        let from = self.set_or(dash.left.as_ref(), Bitboard::FULL)?;
        let to = self.set_or(dash.right.as_ref(), Bitboard::FULL)?;
        Some(self.op(Op::CountLegal(legality, from, to, limit)))
    }
}
