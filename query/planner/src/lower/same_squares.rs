//! What comparisons of two boards say of each square alone, taken together: that certain men stand on the same squares in both
//! positions, and that one of them has fewer men.

use chess::Man;
use language::facts::{ComparedBoards, SquareLabels, SquarePairs};
use language::hir::{Comparison, Filter, ManSet};
use shakmaty::Bitboard;

use super::alike::Pair;
use crate::expr::{Alike, NumberExpr, SetExpr};

/// What may stand on a square in two positions.
#[derive(Clone, Debug)]
pub(super) struct SameSquares {
    /// The pairs that each square may have.
    allowed: SquarePairs,
    /// Of each of these, some square has a pair.
    some: Vec<SquarePairs>,
}

impl SameSquares {
    /// Anything.
    pub(super) fn any() -> SameSquares {
        SameSquares {
            allowed: SquarePairs::ANY,
            some: Vec::new(),
        }
    }

    /// Adds what a condition says; of all squares only if nothing else is known of it.
    pub(super) fn add(&mut self, pair: &Pair, condition: &Filter, is_known: bool) {
        let boards = ComparedBoards {
            is_source: &|filter| pair.is_source(filter),
            is_target: &|filter| pair.is_target(filter),
        };
        if let Some(allowed) = boards.allowed(condition).filter(|_| !is_known) {
            self.allowed = self.allowed.and(allowed);
        }
        self.some.extend(boards.some(condition));
    }

    /// Adds what follows to what the two positions have in common.
    pub(super) fn add_to(&self, alike: &mut Alike) {
        let Some(labels) = self.allowed.labels() else { return };
        let squares = |men| SetExpr::Contents(men, Bitboard::FULL);
        let same = labelled_men(labels).into_iter().map(|men| [squares(men), squares(men)]);
        alike.sets.extend(same);
        let fewer = [ManSet::WHITE, ManSet::BLACK]
            .into_iter()
            .find_map(|men| Some((self.change_of(men)?, men)));
        if let Some((comparison, men)) = fewer {
            let count = || NumberExpr::Count(squares(men));
            alike.compared.push((comparison, [count(), count()]));
        }
    }

    /// Whether the target has fewer of some men than the source, or more, if either is certain.
    fn change_of(&self, men: ManSet) -> Option<Comparison> {
        let added = |source, target| men.contains(target) && !men.contains(source);
        let removed = |source, target| added(target, source);
        let some = |is_one: &dyn Fn(Man, Man) -> bool| self.some.iter().any(|some| some.and(self.allowed).all(is_one));
        if self.allowed.all(|source, target| !added(source, target)) && some(&removed) {
            Some(Comparison::Less)
        } else if self.allowed.all(|source, target| !removed(source, target)) && some(&added) {
            Some(Comparison::Greater)
        } else {
            None
        }
    }
}

/// Sets of men that stand on the same squares where, and only where, all squares have the same labels.
fn labelled_men(labels: SquareLabels) -> Vec<ManSet> {
    // Empty squares have no digits.
    let mut distinct = labels.to_vec();
    distinct.retain(|&label| label != labels[Man::EMPTY.index()]);
    distinct.sort_unstable();
    distinct.dedup();
    let number_of = |man: Man| {
        distinct
            .binary_search(&labels[man.index()])
            .map_or(0, |index| index + 1)
    };
    let digits = usize::BITS - distinct.len().leading_zeros();
    let of_digit = |digit: u32| {
        let men = Man::all().filter(|&man| number_of(man) >> digit & 1 != 0);
        men.collect::<ManSet>()
    };
    (0..digits).map(of_digit).collect()
}
