//! How many squares a set can have, as far as that is known without its squares: a piece stands on one at most, and what is asked of
//! a set gives some of it.

use language::hir::{Filter, Node};

use super::Lowering;
use super::intervals::NumberBounds;

impl<'q> Lowering<'q> {
    /// How many squares a set has.
    pub(super) fn size_of(&mut self, set: &'q Filter) -> NumberBounds {
        let bounds = self.set_bounds(set);
        if !self.has_one_square_at_most(set) {
            return bounds.count();
        }
        NumberBounds::count_true(vec![bounds.not_empty()])
    }

    /// Whether a set certainly has no two squares.
    pub(super) fn has_one_square_at_most(&self, set: &Filter) -> bool {
        match &set.node {
            Node::Variable(variable) => {
                self.piece_variable(set).is_some() || self.scope.is_one_square_at_most(*variable)
            }
            // Some of the first set.
            Node::Attacks(first, _) | Node::AttackedBy(first, _) => self.has_one_square_at_most(first),
            Node::At(_, inner) => self.has_one_square_at_most(inner),
            Node::Intersection(parts) => parts.iter().any(|part| self.has_one_square_at_most(part)),
            // One move is made where there is one next position; of moves that could be made there are more.
            Node::AfterMove { moves, target, .. } => {
                let is_made = matches!(&moves.node, Node::Move(moves) if moves.legality.is_none());
                is_made && !self.variations && self.has_one_square_at_most(target)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::lowered;

    #[test]
    fn a_piece_stands_on_one_square_at_most() {
        for text in [
            "piece x in N #(parent:x attacks k)>=2",
            "piece x in N x attackedby [qr]>=2",
            "piece x in N #(parent:x & parent:Q)>1",
        ] {
            assert_eq!(lowered(text).0, "nowhere", "{text}");
        }
        assert_ne!(lowered("piece x in N #(parent:x | parent:Q)>1").0, "nowhere");
    }
}
