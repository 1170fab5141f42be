//! Equal temporal expressions get the same number, so that they are worked out once: the steps of a sequence, the variants of
//! a transform and the search for what bans sequences repeat them.

use std::collections::HashMap;

use super::{Expr, ExprMut, Temporal, Truth, hash_of};

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
        change_each(ExprMut::Truth(&mut self), &mut |temporal| {
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
fn change_each(expr: ExprMut<'_>, each: &mut impl FnMut(&mut Temporal)) {
    match expr {
        ExprMut::Truth(Truth::Temporal(temporal)) => {
            temporal
                .op
                .parts_mut()
                .for_each(|part| change_each(ExprMut::Truth(part), each));
            each(temporal);
        }
        expr => expr.for_each_part(&mut |part| change_each(part, each)),
    }
}

#[cfg(test)]
mod tests {
    use postings::Term;

    use super::super::{SetExpr, TemporalOp};
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
