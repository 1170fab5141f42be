//! How often moves have to be made in a game for a temporal expression to hold somewhere in it.

use super::{Expr, TemporalOp, Truth};

/// A condition on moves, and at how many positions of a game it has to hold.
#[derive(Debug)]
pub(crate) struct MoveTimes<'t> {
    /// What has to hold that often.
    pub(crate) condition: &'t Truth,
    pub(crate) least: u32,
}

impl<'t> MoveTimes<'t> {
    /// What a game needs for a temporal expression to hold somewhere in it. What it needs once is left out.
    pub(crate) fn of(op: &'t TemporalOp) -> Vec<MoveTimes<'t>> {
        let mut needed = needed_for(op);
        needed.retain(|times| times.least > 1);
        needed
    }
}

fn needed_for(op: &TemporalOp) -> Vec<MoveTimes<'_>> {
    match op {
        TemporalOp::Count { of, min, .. } if has_moves(of) => vec![MoveTimes {
            condition: of,
            least: *min,
        }],
        TemporalOp::InARow(condition @ Truth::Move(_), count) => vec![MoveTimes {
            condition,
            least: *count,
        }],
        TemporalOp::Until { then, .. } => needed_from(then),
        _ => Vec::new(),
    }
}

/// What a game needs for a condition to hold at some position: the moves that it asks for there, and behind it those that follow.
fn needed_from(truth: &Truth) -> Vec<MoveTimes<'_>> {
    let mut needed: Vec<MoveTimes<'_>> = Vec::new();
    for part in truth.conjuncts() {
        // Several parts may mean the same positions behind this one.
        for times in needed_behind(part) {
            match needed.iter_mut().find(|known| known.condition == times.condition) {
                Some(known) => known.least = known.least.max(times.least),
                None => needed.push(times),
            }
        }
    }
    for condition in truth.conjuncts().iter().filter(|part| matches!(part, Truth::Move(_))) {
        match needed.iter_mut().find(|known| known.condition == condition) {
            Some(known) => known.least += 1,
            None => needed.push(MoveTimes { condition, least: 1 }),
        }
    }
    needed
}

/// What a condition needs at later positions.
fn needed_behind(truth: &Truth) -> Vec<MoveTimes<'_>> {
    match truth {
        Truth::After(1.., inner) => match &**inner {
            Truth::Temporal(temporal) => match &temporal.op {
                TemporalOp::Until { then, .. } => needed_from(then),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Conditions one of which holds wherever another one does.
#[derive(Debug, Default)]
pub(crate) struct Ways<'t> {
    /// Those on the next move.
    pub(crate) moves: Vec<&'t Truth>,
    pub(crate) others: Vec<&'t Truth>,
}

impl<'t> Ways<'t> {
    /// Those of a condition. Where it asks for several things, the first one that is about moves is enough.
    pub(crate) fn of(truth: &'t Truth) -> Ways<'t> {
        let mut ways = Ways::default();
        ways.add(truth);
        ways
    }

    fn add(&mut self, truth: &'t Truth) {
        match truth {
            Truth::Move(_) => self.moves.push(truth),
            Truth::Or(parts) => parts.iter().for_each(|part| self.add(part)),
            Truth::And(parts) => match parts.iter().find(|part| has_moves(part)) {
                Some(part) => self.add(part),
                None => self.others.push(truth),
            },
            _ => self.others.push(truth),
        }
    }
}

/// Whether one of the ways is a move.
fn has_moves(truth: &Truth) -> bool {
    match truth {
        Truth::Move(_) => true,
        Truth::And(parts) | Truth::Or(parts) => parts.iter().any(has_moves),
        _ => false,
    }
}

/// Whether moves have to be made twice or more often for some temporal expression.
pub(super) fn counts_moves(truth: &Truth) -> bool {
    Expr::Truth(truth).has(&|part| match part {
        Expr::Truth(Truth::Temporal(temporal)) => !MoveTimes::of(&temporal.op).is_empty(),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use language::hir::ManSet;
    use shakmaty::{Bitboard, Color};

    use super::*;
    use crate::expr::{MovePattern, NextMove, SetExpr, Temporal, not_empty, promoted_to, turn};

    /// Where one of some men moves.
    fn made_by(men: ManSet) -> Truth {
        let listed = not_empty(SetExpr::Contents(men, Bitboard(3)));
        NextMove::truth(MovePattern::of(men), listed)
    }

    #[test]
    fn a_condition_holds_in_one_of_its_ways() {
        let made = made_by(ManSet::WHITE);
        let queen = promoted_to(ManSet::WHITE);
        let (white, black) = (turn(Color::White), turn(Color::Black));
        let both = Truth::And([black, Truth::Or([white.clone(), made.clone()].into())].into());
        let all = Truth::Or([both, queen.clone()].into());
        let ways = Ways::of(&all);
        assert_eq!(ways.moves, [&made]);
        assert_eq!(ways.others[0], &white);
        assert!(!counts_moves(&all));
    }

    #[test]
    fn moves_that_follow_each_other_are_needed_as_often_as_they_are_asked_for() {
        let (a, b) = (made_by(ManSet::WHITE), made_by(ManSet::BLACK));
        let later = |then: Truth| {
            let op = TemporalOp::Until {
                through: Truth::Always,
                then,
                stride: 1,
            };
            Truth::Temporal(Box::new(Temporal { id: 0, op }))
        };
        let next = |then: Truth| later(then).after(1);
        let all = |parts: &[&Truth]| Truth::And(parts.iter().copied().cloned().collect());
        let times = |truth: &Truth| -> Vec<(Truth, u32)> {
            let Truth::Temporal(temporal) = truth else {
                panic!("{truth} is not temporal")
            };
            let of = MoveTimes::of(&temporal.op);
            of.into_iter()
                .map(|times| (times.condition.clone(), times.least))
                .collect()
        };
        let twice = next(all(&[&a, &next(b.clone())]));
        // The same positions may be meant twice, and a position by two conditions.
        let chain = later(all(&[&a, &twice, &next(all(&[&b, &later(b.clone())]))]));
        assert_eq!(times(&chain), [(a.clone(), 2)]);
        let chain = later(all(&[&b, &next(all(&[&a, &twice]))]));
        assert_eq!(times(&chain), [(b, 2), (a, 2)]);
        assert!(counts_moves(&Truth::Not(Box::new(chain))));
    }
}
