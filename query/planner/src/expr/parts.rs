//! The parts of an expression: the one traversal that all others use.

use super::{NumberExpr, SetExpr, Truth};

/// An expression of any kind.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expr<'e> {
    Truth(&'e Truth),
    Set(&'e SetExpr),
    Number(&'e NumberExpr),
}

/// Where a part of an expression is evaluated, relative to the position of the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the same position.
    Here,
    /// In the position that has an id this much larger, or smaller if it is negative.
    Later(i32),
    /// In any position of the game.
    InGame,
}

impl<'e> Expr<'e> {
    /// Whether it has more expressions than a limit, those about other positions included.
    pub(crate) fn is_larger_than(self, limit: usize) -> bool {
        fn fits(expr: Expr<'_>, left: &mut usize) -> bool {
            if *left == 0 {
                return false;
            }
            *left -= 1;
            let mut all = true;
            expr.for_each_part(|_, part| all = all && fits(part, left));
            all
        }
        !fits(self, &mut { limit })
    }

    /// Whether it is an expression of a kind, or has such a part.
    pub(crate) fn has(self, is_wanted: &impl Fn(Expr<'_>) -> bool) -> bool {
        if is_wanted(self) {
            return true;
        }
        let mut found = false;
        self.for_each_part(|_, part| found = found || part.has(is_wanted));
        found
    }

    /// Calls `f` with each expression directly inside this one, in the order in which they are evaluated.
    pub(crate) fn for_each_part(self, mut f: impl FnMut(Place, Expr<'e>)) {
        use Place::{Here, InGame, Later};
        match self {
            Expr::Truth(truth) => match truth {
                Truth::Always | Truth::Never | Truth::Term(_) | Truth::PositionSet(_) => {}
                Truth::Games(_) | Truth::PlyAtLeast(_) | Truth::Given(_) => {}
                Truth::Not(inner) => f(Here, Expr::Truth(inner)),
                Truth::And(parts) | Truth::Or(parts) => parts.iter().for_each(|part| f(Here, Expr::Truth(part))),
                Truth::Any(set) | Truth::Single(set) => f(Here, Expr::Set(set)),
                Truth::Compare(_, a, b) => {
                    f(Here, Expr::Number(a));
                    f(Here, Expr::Number(b));
                }
                Truth::After(ids, inner) => f(Later(*ids), Expr::Truth(inner)),
                // Where the moves are read, the lists are not.
                Truth::Move(next) => {
                    if next.place().is_none() {
                        f(Here, Expr::Truth(next.listed()));
                    }
                }
                Truth::Temporal(temporal) => temporal.op.parts().for_each(|part| f(InGame, Expr::Truth(part))),
            },
            Expr::Set(set) => match set {
                SetExpr::Constant(_) | SetExpr::Contents(..) | SetExpr::Pawns(..) | SetExpr::Pinned(_) => {}
                SetExpr::Union(parts) | SetExpr::Intersection(parts) => {
                    parts.iter().for_each(|part| f(Here, Expr::Set(part)));
                }
                SetExpr::Complement(inner) | SetExpr::Steps { from: inner, .. } | SetExpr::Nth(_, inner) => {
                    f(Here, Expr::Set(inner));
                }
                SetExpr::Attacks(a, b) | SetExpr::AttackedBy(a, b) => {
                    f(Here, Expr::Set(a));
                    f(Here, Expr::Set(b));
                }
                SetExpr::Rays { arguments, .. } => arguments.iter().for_each(|part| f(Here, Expr::Set(part))),
                SetExpr::Pins(arguments, _) => arguments.iter().for_each(|part| f(Here, Expr::Set(part))),
                SetExpr::Between { ends, .. } => ends.iter().for_each(|part| f(Here, Expr::Set(part))),
                SetExpr::Choose(condition, a, b) => {
                    f(Here, Expr::Truth(condition));
                    f(Here, Expr::Set(a));
                    f(Here, Expr::Set(b));
                }
                SetExpr::Squares(parts) => parts.iter().for_each(|(_, truth)| f(Here, Expr::Truth(truth))),
                SetExpr::Added(inner) => {
                    f(Here, Expr::Set(inner));
                    f(Later(-1), Expr::Set(inner));
                }
                SetExpr::After(ids, inner) => f(Later(*ids), Expr::Set(inner)),
            },
            Expr::Number(number) => match number {
                NumberExpr::Constant(_) | NumberExpr::Quantity(_) => {}
                NumberExpr::Count(set) | NumberExpr::Power(set) | NumberExpr::Coordinate(_, set) => {
                    f(Here, Expr::Set(set));
                }
                NumberExpr::CountTrue(parts) => parts.iter().for_each(|part| f(Here, Expr::Truth(part))),
                NumberExpr::Sum(a, b) | NumberExpr::Difference(a, b) => {
                    f(Here, Expr::Number(a));
                    f(Here, Expr::Number(b));
                }
                NumberExpr::Scaled(_, inner) | NumberExpr::Table(inner, ..) => f(Here, Expr::Number(inner)),
                NumberExpr::Max(parts) => parts.iter().for_each(|part| f(Here, Expr::Number(part))),
                NumberExpr::Choose(condition, a, b) => {
                    f(Here, Expr::Truth(condition));
                    f(Here, Expr::Number(a));
                    f(Here, Expr::Number(b));
                }
                NumberExpr::After(ids, inner) => f(Later(*ids), Expr::Number(inner)),
            },
        }
    }

    /// How many ids later and earlier it looks at most. An expression around it that looks elsewhere, such as
    /// [`Truth::After`], can look that much less far.
    fn reach(self) -> i32 {
        if let Expr::Truth(Truth::Move(next)) = self {
            return next.reach();
        }
        let mut reach = 0;
        self.for_each_part(|place, part| {
            let of_part = match place {
                Place::Here => part.reach(),
                Place::Later(ids) => ids.abs() + part.reach(),
                // Temporal expressions are evaluated for whole games.
                Place::InGame => 0,
            };
            reach = reach.max(of_part);
        });
        reach
    }
}

impl Truth {
    /// How many ids later and earlier it looks at most: an [`Truth::After`] around it can look that much less far.
    pub(crate) fn reach(&self) -> i32 {
        Expr::Truth(self).reach()
    }
}

impl SetExpr {
    /// See [`Truth::reach`].
    pub(crate) fn reach(&self) -> i32 {
        Expr::Set(self).reach()
    }
}

impl NumberExpr {
    /// See [`Truth::reach`].
    pub(crate) fn reach(&self) -> i32 {
        Expr::Number(self).reach()
    }
}
