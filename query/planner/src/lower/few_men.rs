//! Loops over men of which there are rarely more than two, as over queens or rooks: where there are no more, a condition for the
//! first and one for the second say the same as one for each of 64 squares.

use language::hir::{Comparison, Filter, VariableId};

use super::Lowering;
use super::bounds::SetBounds;
use crate::expr::{
    Candidates, NumberExpr, SetExpr, Truth, at_the_beginning, compare, count_of, possible, possible_men,
};

/// A loop that costs less, in plane operations for a block, is left as it is.
const COSTLY: f64 = 1_000.0;

/// How many men are looked at one after the other.
const MOST_MEN: usize = 2;

/// With fewer squares, each is looked at.
const FEW_SQUARES: usize = 12;

/// Some men, the first of them, the second and so on, and where there are more.
struct FewMen {
    each: Vec<SetExpr>,
    more: Truth,
}

impl FewMen {
    /// The men of a set, if there are not many at the beginning of a game.
    fn of(domain: &SetBounds) -> Option<FewMen> {
        let SetBounds::Exact(set) = domain else { return None };
        let count: usize = possible_men(set).iter().map(at_the_beginning).sum();
        if !(1..=MOST_MEN).contains(&count) || possible(set).count() < FEW_SQUARES {
            return None;
        }
        let each = match count {
            1 => vec![set.clone()],
            _ => (0..count)
                .map(|number| SetExpr::Nth(number, Box::new(set.clone())))
                .collect(),
        };
        let most = NumberExpr::Constant(i32::try_from(count).unwrap_or(i32::MAX));
        Some(FewMen {
            each,
            more: compare(Comparison::Greater, count_of(set.clone()), most),
        })
    }

    /// The first condition where there are few, the second where there are more.
    fn or(self, few: Candidates, many: Candidates) -> Candidates {
        let more = Candidates::exactly(self.more);
        Candidates::any([
            Candidates::all([more.clone().not(), few]),
            Candidates::all([more, many]),
        ])
    }
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
        if by_square.truth.cost() < COSTLY {
            return by_square;
        }
        let Some(men) = FewMen::of(domain) else {
            return by_square;
        };
        let before = self.extent();
        let each = men.each.iter().map(|man| {
            let there = self.for_man(variable, man, body);
            let there = if all { there.not() } else { there };
            Candidates::both(SetBounds::Exact(man.clone()).not_empty(), there)
        });
        let few = Candidates::any(each.collect::<Vec<_>>());
        if !is_better(&few, &by_square) {
            self.shrink_to(before);
            return by_square;
        }
        men.or(few, by_square)
    }

    /// The squares for which a loop matches, where it is known for each of them.
    pub(super) fn set_with_few_men(
        &mut self,
        variable: (VariableId, bool),
        (domain, body): (&SetBounds, &'q Filter),
        by_square: SetBounds,
    ) -> SetBounds {
        if by_square.may().cost() < COSTLY {
            return by_square;
        }
        let Some(men) = FewMen::of(domain) else {
            return by_square;
        };
        let before = self.extent();
        let each = men.each.iter().map(|man| {
            let there = self.for_man(variable, man, body);
            SetBounds::Exact(man.clone()).where_holds(there)
        });
        let few = SetBounds::union(each.collect());
        if !few.is_exact() && by_square.is_exact() || few.may().cost() * 2.0 > by_square.may().cost() {
            self.shrink_to(before);
            return by_square;
        }
        SetBounds::chosen(&Candidates::exactly(men.more), by_square, few)
    }

    /// Where the body of a loop matches for a man, which may be missing.
    fn for_man(&mut self, variable: (VariableId, bool), man: &SetExpr, body: &'q Filter) -> Candidates {
        let saved = self.scope.save();
        self.scope
            .set_one(variable, SetBounds::Exact(man.clone()), possible_men(man));
        let there = self.truth(body);
        self.scope.restore(saved);
        there
    }
}

/// Whether a condition says as much as another one and costs less than half of it.
fn is_better(few: &Candidates, by_square: &Candidates) -> bool {
    (few.exact || !by_square.exact) && few.truth.cost() * 2.0 < by_square.truth.cost()
}
