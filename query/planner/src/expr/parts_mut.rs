//! The parts of an expression, to be changed.

use super::{NumberExpr, SetExpr, Truth};

/// An expression of any kind that may be changed.
#[derive(Debug)]
pub(crate) enum ExprMut<'e> {
    Truth(&'e mut Truth),
    Set(&'e mut SetExpr),
    Number(&'e mut NumberExpr),
}

impl ExprMut<'_> {
    /// Calls `f` with each expression directly inside this one, in the order of [`super::Expr::for_each_part`], but with each of them
    /// once. Lists that a condition on a move stands for are left out: what they say is of single men on single squares.
    pub(crate) fn for_each_part(self, f: &mut impl FnMut(ExprMut<'_>)) {
        use ExprMut::{Number, Set};
        match self {
            ExprMut::Truth(truth) => match truth {
                Truth::Always | Truth::Never | Truth::Term(_) | Truth::PositionSet(_) => {}
                Truth::Games(_) | Truth::PlyAtLeast(_) | Truth::Given(_) | Truth::Move(_) => {}
                Truth::Not(inner) | Truth::After(_, inner) => f(ExprMut::Truth(inner)),
                Truth::And(parts) | Truth::Or(parts) => parts.change_each(|part| f(ExprMut::Truth(part))),
                Truth::Any(set) | Truth::Single(set) => f(Set(set)),
                Truth::Compare(_, a, b) => [a, b].into_iter().for_each(|part| f(Number(part))),
                Truth::Temporal(temporal) => temporal.op.parts_mut().for_each(|part| f(ExprMut::Truth(part))),
            },
            Set(set) => match set {
                SetExpr::Constant(_) | SetExpr::Contents(..) | SetExpr::Pawns(..) | SetExpr::Pinned(_) => {}
                SetExpr::Union(parts) | SetExpr::Intersection(parts) => parts.change_each(|part| f(Set(part))),
                SetExpr::Rays { arguments: parts, .. } => parts.iter_mut().for_each(|part| f(Set(part))),
                SetExpr::Complement(inner) | SetExpr::Steps { from: inner, .. } | SetExpr::Nth(_, inner) => {
                    f(Set(inner));
                }
                SetExpr::Added(inner) | SetExpr::After(_, inner) => f(Set(inner)),
                SetExpr::Attacks(a, b) | SetExpr::AttackedBy(a, b) => [a, b].into_iter().for_each(|part| f(Set(part))),
                SetExpr::Pins(arguments, _) => arguments.iter_mut().for_each(|part| f(Set(part))),
                SetExpr::Between { ends, .. } => ends.iter_mut().for_each(|part| f(Set(part))),
                SetExpr::Choose(condition, a, b) => {
                    f(ExprMut::Truth(condition));
                    [a, b].into_iter().for_each(|part| f(Set(part)));
                }
                SetExpr::Squares(parts) => parts.change_each(|(_, truth)| f(ExprMut::Truth(truth))),
            },
            Number(number) => match number {
                NumberExpr::Constant(_) | NumberExpr::Quantity(_) => {}
                NumberExpr::Count(set) | NumberExpr::Power(set) | NumberExpr::Coordinate(_, set) => f(Set(set)),
                NumberExpr::CountTrue(parts) => parts.iter_mut().for_each(|part| f(ExprMut::Truth(part))),
                NumberExpr::Sum(a, b) | NumberExpr::Difference(a, b) => {
                    [a, b].into_iter().for_each(|part| f(Number(part)));
                }
                NumberExpr::Scaled(_, inner) | NumberExpr::After(_, inner) | NumberExpr::Table(inner, ..) => {
                    f(Number(inner));
                }
                NumberExpr::Max(parts) => parts.iter_mut().for_each(|part| f(Number(part))),
                NumberExpr::Choose(condition, a, b) => {
                    f(ExprMut::Truth(condition));
                    [a, b].into_iter().for_each(|part| f(Number(part)));
                }
            },
        }
    }
}
