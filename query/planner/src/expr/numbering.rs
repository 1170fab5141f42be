//! Equal temporal expressions get the same number, so that they are worked out once: the steps of a sequence, the variants of
//! a transform and the search for what bans sequences repeat them.

use std::collections::HashMap;

use super::{Expr, NumberExpr, SetExpr, Temporal, Truth, hash_of};

impl Truth {
    /// The same condition, in which temporal expressions have the same number where they mean the same.
    #[must_use]
    pub(crate) fn numbered(mut self) -> Truth {
        let mut all = Vec::new();
        collect(Expr::Truth(&self), &mut all);
        if all.is_empty() {
            return self;
        }
        let mut first: HashMap<u64, Vec<usize>> = HashMap::new();
        let numbers = all.iter().enumerate().map(|(index, temporal)| {
            let same = first.entry(hash_of(*temporal)).or_default();
            match same.iter().find(|&&known| all[known] == *temporal) {
                Some(known) => *known,
                None => {
                    same.push(index);
                    index
                }
            }
        });
        let numbers: Vec<usize> = numbers.collect();
        let mut numbers = numbers.into_iter();
        in_truth(&mut self, &mut |temporal| {
            temporal.id = numbers.next().unwrap_or(temporal.id);
        });
        self
    }

    /// A number that none of its temporal expressions has.
    pub(crate) fn unused_number(&self) -> usize {
        let mut all = Vec::new();
        collect(Expr::Truth(self), &mut all);
        all.iter().map(|temporal| temporal.id + 1).max().unwrap_or(0)
    }
}

/// All temporal expressions, those inside another one before it.
fn collect<'t>(expr: Expr<'t>, temporals: &mut Vec<&'t Temporal>) {
    expr.for_each_part(|_, part| collect(part, temporals));
    if let Expr::Truth(Truth::Temporal(temporal)) = expr {
        temporals.push(temporal);
    }
}

/// Calls `each` with the same ones, in the same order.
fn in_truth(truth: &mut Truth, each: &mut impl FnMut(&mut Temporal)) {
    match truth {
        Truth::Always | Truth::Never | Truth::Term(_) | Truth::PositionSet(_) => {}
        Truth::Games(_) | Truth::PlyAtLeast(_) | Truth::Given(_) => {}
        // The lists that it stands for are of single positions.
        Truth::Move(_) => {}
        Truth::Not(inner) | Truth::After(_, inner) => in_truth(inner, each),
        Truth::And(parts) | Truth::Or(parts) => parts.change_each(|part| in_truth(part, each)),
        Truth::Any(set) | Truth::Single(set) => in_set(set, each),
        Truth::Compare(_, a, b) => {
            in_number(a, each);
            in_number(b, each);
        }
        Truth::Temporal(temporal) => {
            temporal.op.parts_mut().for_each(|part| in_truth(part, each));
            each(temporal);
        }
    }
}

fn in_set(set: &mut SetExpr, each: &mut impl FnMut(&mut Temporal)) {
    match set {
        SetExpr::Constant(_) | SetExpr::Contents(..) | SetExpr::Pawns(..) => {}
        SetExpr::Union(parts) | SetExpr::Intersection(parts) => parts.change_each(|part| in_set(part, each)),
        SetExpr::Rays { arguments: parts, .. } => parts.iter_mut().for_each(|part| in_set(part, each)),
        SetExpr::Complement(inner) | SetExpr::Steps { from: inner, .. } | SetExpr::Nth(_, inner) => in_set(inner, each),
        SetExpr::Added(inner) | SetExpr::After(_, inner) => {
            in_set(inner, each);
        }
        SetExpr::Attacks(a, b) | SetExpr::AttackedBy(a, b) => {
            in_set(a, each);
            in_set(b, each);
        }
        SetExpr::Pins(arguments, _) => arguments.iter_mut().for_each(|part| in_set(part, each)),
        SetExpr::Between { ends, .. } => ends.iter_mut().for_each(|part| in_set(part, each)),
        SetExpr::Choose(condition, a, b) => {
            in_truth(condition, each);
            in_set(a, each);
            in_set(b, each);
        }
        SetExpr::Squares(parts) => parts.change_each(|(_, truth)| in_truth(truth, each)),
    }
}

fn in_number(number: &mut NumberExpr, each: &mut impl FnMut(&mut Temporal)) {
    match number {
        NumberExpr::Constant(_) | NumberExpr::Quantity(_) => {}
        NumberExpr::Count(set) | NumberExpr::Power(set) | NumberExpr::Coordinate(_, set) => in_set(set, each),
        NumberExpr::CountTrue(parts) => parts.iter_mut().for_each(|part| in_truth(part, each)),
        NumberExpr::Sum(a, b) | NumberExpr::Difference(a, b) => {
            in_number(a, each);
            in_number(b, each);
        }
        NumberExpr::Scaled(_, inner) | NumberExpr::After(_, inner) | NumberExpr::Table(inner, ..) => {
            in_number(inner, each);
        }
        NumberExpr::Max(parts) => parts.iter_mut().for_each(|part| in_number(part, each)),
        NumberExpr::Choose(condition, a, b) => {
            in_truth(condition, each);
            in_number(a, each);
            in_number(b, each);
        }
    }
}

#[cfg(test)]
mod tests {
    use postings::Term;

    use super::super::TemporalOp;
    use super::*;

    fn in_game(id: usize, inner: Truth) -> Truth {
        Truth::Temporal(Box::new(Temporal {
            id,
            op: TemporalOp::InGame(inner),
        }))
    }

    fn ids(truth: &Truth) -> Vec<usize> {
        let mut all = Vec::new();
        collect(Expr::Truth(truth), &mut all);
        all.iter().map(|temporal| temporal.id).collect()
    }

    #[test]
    fn equal_expressions_get_one_number() {
        let (mate, check) = (Truth::Term(Term::Mainline), Truth::Term(Term::Initial));
        let nested = |a, b| in_game(a, in_game(b, mate.clone()).not());
        let squares = SetExpr::Squares([(shakmaty::Square::A1, in_game(9, mate.clone()))].into());
        let truth = Truth::And(
            [
                nested(1, 0),
                in_game(2, check),
                nested(4, 3),
                Truth::Any(Box::new(squares)),
            ]
            .into(),
        );
        let truth = truth.numbered();
        assert_eq!(ids(&truth), [0, 1, 2, 0, 1, 0]);
        assert_eq!(truth.unused_number(), 3);
    }
}
