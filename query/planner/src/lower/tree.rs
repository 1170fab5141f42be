//! Filters about the place of a position in the tree of its game (docs/language/games.md#places-in-the-tree).

use language::hir::Node;
use postings::Term;

use super::Lowering;
use super::intervals::NumberBounds;
use super::scope::Way;
use crate::expr::{Candidates, NumberExpr, Truth};

impl Lowering<'_> {
    /// Where such a filter matches; `None` if it is another filter.
    pub(super) fn place_in_tree(&mut self, node: &Node) -> Option<Candidates> {
        Some(match node {
            Node::Mainline(true) => Candidates::exactly(self.main_line()),
            Node::Mainline(false) => Candidates::exactly(self.main_line().not()),
            // The first move of a variation leads off the main line.
            Node::Primary(false) => self.only_off_main_line(),
            Node::Primary(true) => {
                let moved = Truth::Term(Term::Initial).not();
                let certain = Truth::all([moved.clone(), self.main_line()]);
                match self.variations {
                    true => Candidates::between(moved, certain),
                    false => Candidates::exactly(moved),
                }
            }
            // On the main line nothing ends it but a null move.
            Node::VirtualMainline if !self.variations => {
                let passed = Candidates::exactly(Truth::Term(Term::NullMove));
                self.eventually(Way::Backward, passed).not()
            }
            Node::Initial => Candidates::exactly(Truth::Term(Term::Initial)),
            Node::Terminal => Candidates::exactly(Truth::Term(self.end())),
            _ => return None,
        })
    }

    /// `try`: the number 1 in some variations.
    pub(super) fn try_number(&self) -> NumberBounds {
        NumberBounds::exactly(NumberExpr::Constant(1), self.only_off_main_line())
    }

    /// What holds in variations at most.
    fn only_off_main_line(&self) -> Candidates {
        match self.variations {
            true => Candidates::at_most(self.main_line().not()),
            false => Candidates::exactly(Truth::Never),
        }
    }

    fn main_line(&self) -> Truth {
        match self.variations {
            true => Truth::Term(Term::Mainline),
            false => Truth::Always,
        }
    }
}
