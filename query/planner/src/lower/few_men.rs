//! Loops over men of which there are rarely more than two, as over queens or rooks: where there are no more, a condition for the
//! first and one for the second say the same as one for each of 64 squares.

use language::hir::{Comparison, Filter, VariableId};

use super::Lowering;
use super::bounds::SetBounds;
use crate::expr::{Candidates, NumberExpr, SetExpr, at_the_beginning, compare, count_of, possible, possible_men};

/// A loop that costs less, in plane operations for a block, is left as it is.
const COSTLY: f64 = 1_000.0;

/// How many men are looked at one after the other.
const MOST_MEN: usize = 2;

/// With fewer squares, each is looked at.
const FEW_SQUARES: usize = 12;

/// What is known of a loop over few men.
struct FewMen {
    /// The men one by one, each as a set that may be empty, and where the body of the loop matches for it.
    each: Vec<(SetBounds, Candidates)>,
    /// Where there are more.
    more: Candidates,
}

impl<'q> Lowering<'q> {
    /// Where a loop matches of which it is known where it does by the squares of its domain.
    pub(super) fn with_few_men(
        &mut self,
        variable: (VariableId, bool),
        all: bool,
        (domain, body): (&SetBounds, &'q Filter),
        by_square: Candidates,
    ) -> Candidates {
        let (before, cost) = (self.extent(), by_square.truth.cost());
        let Some(FewMen { each, more }) = self.few_men(variable, (domain, body), cost) else {
            return by_square;
        };
        let each = each.into_iter().map(|(man, there)| {
            let there = if all { there.not() } else { there };
            Candidates::both(man.not_empty(), there)
        });
        let few = Candidates::any(each.collect::<Vec<_>>());
        if !is_better((few.exact, few.truth.cost()), (by_square.exact, cost)) {
            self.shrink_to(before);
            return by_square;
        }
        Candidates::any([
            Candidates::all([more.clone().not(), few]),
            Candidates::all([more, by_square]),
        ])
    }

    /// The squares for which a loop matches, where it is known for each of them.
    pub(super) fn set_with_few_men(
        &mut self,
        variable: (VariableId, bool),
        (domain, body): (&SetBounds, &'q Filter),
        by_square: SetBounds,
    ) -> SetBounds {
        let (before, cost) = (self.extent(), by_square.may().cost());
        let Some(FewMen { each, more }) = self.few_men(variable, (domain, body), cost) else {
            return by_square;
        };
        let each = each.into_iter().map(|(man, there)| man.where_holds(there));
        let few = SetBounds::union(each.collect());
        if !is_better((few.is_exact(), few.may().cost()), (by_square.is_exact(), cost)) {
            self.shrink_to(before);
            return by_square;
        }
        SetBounds::chosen(&more, by_square, few)
    }

    /// The men of a domain, if there are not many at the beginning of a game and the loop costs much.
    fn few_men(
        &mut self,
        variable: (VariableId, bool),
        (domain, body): (&SetBounds, &'q Filter),
        cost: f64,
    ) -> Option<FewMen> {
        let SetBounds::Exact(set) = domain else { return None };
        let men = possible_men(set);
        let count: usize = men.iter().map(at_the_beginning).sum();
        if cost < COSTLY || !(1..=MOST_MEN).contains(&count) || possible(set).count() < FEW_SQUARES {
            return None;
        }
        let each = (0..count).map(|number| {
            let man = SetBounds::Exact(match count {
                1 => set.clone(),
                _ => SetExpr::Nth(number, Box::new(set.clone())),
            });
            let saved = self.scope.save();
            self.scope.set_one(variable, man.clone(), men);
            let there = self.truth(body);
            self.scope.restore(saved);
            (man, there)
        });
        let each = each.collect();
        let most = NumberExpr::Constant(i32::try_from(count).unwrap_or(i32::MAX));
        let more = compare(Comparison::Greater, count_of(set.clone()), most);
        Some(FewMen {
            each,
            more: Candidates::exactly(more),
        })
    }
}

/// Whether bounds, exact or not and with their cost, say as much as others and cost at most half of these.
fn is_better((is_exact, cost): (bool, f64), (are_exact, others): (bool, f64)) -> bool {
    (is_exact || !are_exact) && cost * 2.0 <= others
}
