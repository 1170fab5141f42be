//! Where all squares of a set are in another one, and where two sets are the same.

use language::hir::Filter;
use shakmaty::Bitboard;

use super::Lowering;
use super::bounds::SetBounds;
use crate::expr::{Candidates, SetExpr, Truth, contains, not_empty};

impl<'q> Lowering<'q> {
    /// Where all squares of a set are in another one.
    pub(super) fn is_subset(&mut self, part: &'q Filter, whole: &'q Filter) -> Candidates {
        is_within(&self.set_bounds(part), &self.set_bounds(whole))
    }

    /// Where two sets are the same.
    pub(super) fn same_sets(&mut self, a: &'q Filter, b: &'q Filter) -> Candidates {
        let (one, other) = (self.set_bounds(a), self.set_bounds(b));
        for (known, other, filter) in [(&one, &other, b), (&other, &one, a)] {
            // A set of one square at most is the same as one square where it has that.
            if let SetBounds::Exact(SetExpr::Constant(square)) = known
                && square.single_square().is_some()
                && self.has_one_square_at_most(filter)
            {
                return SetBounds::intersection(vec![other.clone(), known.clone()]).not_empty();
            }
        }
        Candidates::both(is_within(&one, &other), is_within(&other, &one))
    }
}

/// Up to this many squares are asked about one by one.
const FEW_SQUARES: usize = 4;

/// Where all squares of a set are in another one.
fn is_within(part: &SetBounds, whole: &SetBounds) -> Candidates {
    let within = |part: &SetExpr, whole: &SetExpr| match (part, whole) {
        (SetExpr::Constant(Bitboard::EMPTY), _) | (_, SetExpr::Constant(Bitboard::FULL)) => Truth::Always,
        (part, SetExpr::Constant(Bitboard::EMPTY)) => not_empty(part.clone()).not(),
        (SetExpr::Constant(squares), whole) if squares.count() <= FEW_SQUARES => {
            Truth::all(squares.into_iter().map(|square| contains(whole, square)))
        }
        (part, whole) => {
            let outside = SetExpr::intersection(vec![part.clone(), SetExpr::Complement(Box::new(whole.clone()))]);
            not_empty(outside).not()
        }
    };
    match (part, whole) {
        (SetBounds::Exact(part), SetBounds::Exact(whole)) => Candidates::exactly(within(part, whole)),
        _ => Candidates::between(within(part.must(), whole.may()), within(part.may(), whole.must())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::lowered;

    #[test]
    fn one_square_at_most_is_the_same_as_a_square_where_it_has_it() {
        for text in [
            "piece X in R {V=parent:X not V==a1}",
            "piece X in R {V=parent:X W=V not a1==W}",
        ] {
            let (truth, _) = lowered(text);
            assert!(truth.contains("a1") && !truth.contains("~a1"), "{text}: {truth}");
        }
    }
}
