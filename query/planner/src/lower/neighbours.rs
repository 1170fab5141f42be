//! Positions a certain number of moves away: `parent`, `child:child`, and variables that are such a position.

use language::hir::{Filter, Node};
use postings::Term;

use super::Lowering;
use crate::expr::{Candidates, Truth};

/// How many moves away a position may be; what lies further away is not followed.
const MOST_MOVES: i32 = 24;

impl<'q> Lowering<'q> {
    /// The distance in ids of a position that is a certain number of moves away, and where there is such a position.
    pub(super) fn neighbour(&mut self, place: &'q Filter) -> Option<(i32, Truth)> {
        match self.variations {
            true => None,
            false => self.neighbour_from(0, place),
        }
    }

    /// The same where the filter is evaluated some ids later; the distance is that from here.
    fn neighbour_from(&mut self, ids: i32, place: &'q Filter) -> Option<(i32, Truth)> {
        let (found, there) = match &place.node {
            Node::Parent => (ids - 1, Truth::Term(Term::Initial).not().after(ids)),
            Node::Child(None) => (ids + 1, Truth::Term(self.end()).not().after(ids)),
            // It is the same wherever it is read.
            Node::Variable(variable) => self.scope.neighbour(*variable)?,
            Node::At(first, second) => {
                let (first, there) = self.neighbour_from(ids, first)?;
                let (second, beyond) = self.neighbour_from(first, second)?;
                (second, Truth::all([there, beyond]))
            }
            _ => return None,
        };
        (found.abs() <= MOST_MOVES).then_some((found, there))
    }

    /// Where there is a position some ids away and something holds there, given where it holds.
    pub(super) fn beside(&mut self, ids: i32, there: &Truth, inner: Candidates) -> Candidates {
        if inner.reach() + ids.abs() <= Truth::REACH {
            return inner.after(ids, there);
        }
        let somewhere = self.in_game(inner);
        Candidates::at_most(Truth::all([there.clone(), somewhere.truth]))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::lowered;

    #[test]
    fn it_is_known_where_men_stood_some_moves_ago() {
        for (text, expected) in [
            ("X=parent:child:parent Y=X:parent Y:Kg1", "2 plies ago Kg1"),
            (
                "X=parent:parent:parent:parent:parent X:K==K not K==parent:K not K==parent:parent:parent:K",
                "4 plies ago not initial",
            ),
            ("X=child:child X:check", "2 plies on check"),
        ] {
            let (truth, is_exact) = lowered(text);
            assert!(is_exact && truth.contains(expected), "{text}: {truth}");
        }
        // A variable is the same position wherever it is read.
        let (truth, _) = lowered("X=parent:parent Y=child:X Y:Kg1");
        assert!(truth.contains("2 plies ago Kg1"), "{truth}");
    }
}
