//! Conditions that a plan asks several times, in steps of a sequence or in variants of a transform: where they hold is worked
//! out once.

use crate::expr::{Truth, hash_of, outer_temporals};
use crate::positions::PositionSet;

/// Conditions that cost less, in plane operations for a block, are evaluated anew each time.
const COSTLY: f64 = 200.0;

/// A condition is worked out for all games only where it is first asked for at least one position in this number.
const SHARE: u64 = 32;

/// Where the conditions hold that are asked several times.
#[derive(Debug, Default)]
pub(super) struct Repeated<'t> {
    conditions: Vec<Condition<'t>>,
    /// The positions of all games that they may be asked for.
    all: Option<PositionSet>,
    count: u64,
}

#[derive(Debug)]
struct Condition<'t> {
    truth: &'t Truth,
    /// That of the condition: comparing it takes less time.
    hash: u64,
    /// In how many places it is asked.
    uses: u32,
    /// Where it holds, once that is known.
    positions: Option<PositionSet>,
}

impl<'t> Repeated<'t> {
    /// Finds the conditions that are asked several times in one and in the temporal expressions inside it.
    pub(super) fn of(truth: &'t Truth) -> Repeated<'t> {
        let mut repeated = Repeated::default();
        repeated.collect(truth, &mut Vec::new());
        repeated.conditions.retain(|condition| condition.uses > 1);
        repeated
    }

    /// Whether nothing is asked several times.
    pub(super) fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// The positions of all games that the conditions may be asked for.
    pub(super) fn within(mut self, all: PositionSet) -> Repeated<'t> {
        self.count = all.count();
        self.all = Some(all);
        self
    }

    fn collect(&mut self, truth: &'t Truth, seen: &mut Vec<usize>) {
        if let Truth::And(parts) | Truth::Or(parts) = truth
            && parts.iter().any(|part| !outer_temporals(part).is_empty())
        {
            parts.iter().for_each(|part| self.collect(part, seen));
            return;
        }
        let temporals = outer_temporals(truth);
        if temporals.is_empty() {
            self.count(truth);
        }
        for temporal in temporals {
            if !seen.contains(&temporal.id) {
                seen.push(temporal.id);
                temporal.op.parts().for_each(|part| self.collect(part, seen));
            }
        }
    }

    fn count(&mut self, truth: &'t Truth) {
        if let Truth::And(parts) = truth {
            return parts.iter().for_each(|part| self.count(part));
        }
        if truth.cost() < COSTLY {
            return;
        }
        match self.find(truth) {
            Some(known) => self.conditions[known].uses += 1,
            None => self.conditions.push(Condition {
                truth,
                hash: hash_of(truth),
                uses: 1,
                positions: None,
            }),
        }
    }

    /// The index of a condition.
    fn find(&self, truth: &Truth) -> Option<usize> {
        if self.conditions.is_empty() {
            return None;
        }
        let hash = hash_of(truth);
        let mut conditions = self.conditions.iter();
        conditions.position(|condition| condition.hash == hash && condition.truth == truth)
    }

    /// Where a condition holds, in all games, if it is known or worth working out for the sake of `asked` positions.
    /// `work_out` keeps those positions of a set where it holds.
    pub(super) fn positions(
        &mut self,
        truth: &Truth,
        asked: u64,
        work_out: impl FnOnce(PositionSet) -> PositionSet,
    ) -> Option<&PositionSet> {
        let is_worth_it = asked.saturating_mul(SHARE) >= self.count;
        let condition = self.find(truth)?;
        if self.conditions[condition].positions.is_none() && is_worth_it {
            let all = self.all.clone()?;
            self.conditions[condition].positions = Some(work_out(all));
        }
        self.conditions[condition].positions.as_ref()
    }

    /// Whether a condition is asked several times.
    pub(super) fn has(&self, truth: &Truth) -> bool {
        self.find(truth).is_some()
    }
}

#[cfg(test)]
mod tests {
    use chess::Man;
    use language::hir::ManSet;
    use shakmaty::{Bitboard, Color, Role};

    use super::*;
    use crate::expr::{SetExpr, Temporal, TemporalOp};

    /// A costly condition about men of a kind.
    fn attack(role: Role) -> Truth {
        let men = SetExpr::Contents(ManSet::from_man(Man::new(Color::White, role)), Bitboard::FULL);
        let black = SetExpr::Contents(ManSet::BLACK, Bitboard::FULL);
        Truth::Any(Box::new(SetExpr::Attacks(Box::new(men), Box::new(black))))
    }

    fn next(id: usize, truth: Truth) -> Truth {
        Truth::Temporal(Box::new(Temporal {
            id,
            op: TemporalOp::Next(truth),
        }))
    }

    #[test]
    fn what_is_asked_twice_is_found_and_worked_out_once() {
        let inner = Truth::And([attack(Role::Queen), next(1, attack(Role::Queen))].into());
        let truth = Truth::And([attack(Role::Rook), next(0, inner)].into());
        let everything = PositionSet::new(&(0..1));
        let mut repeated = Repeated::of(&truth).within(everything);
        assert!(repeated.has(&attack(Role::Queen)));
        assert!(!repeated.has(&attack(Role::Rook)));
        let mut times = 0;
        for _ in 0..2 {
            let found = repeated.positions(&attack(Role::Queen), 1, |all| {
                times += 1;
                all
            });
            assert!(found.is_some());
        }
        assert_eq!(times, 1);
    }
}
