//! `relation`: what must hold at its source, and somewhere else in the game.

use language::hir::{Relation, RelationParameter};

use super::Lowering;
use super::scope::Way;
use crate::expr::{Candidates, Truth};

impl<'q> Lowering<'q> {
    /// Where a relation may match. The comparison of the boards is left to the evaluator.
    pub(super) fn relation_truth(&mut self, relation: &'q Relation) -> Candidates {
        let (mut source, mut target) = (Vec::new(), Vec::new());
        for filter in &relation.targets {
            target.push(self.truth_elsewhere(None, filter).truth);
        }
        let mut way = None;
        for parameter in &relation.parameters {
            match parameter {
                RelationParameter::Ancestor => way = Some(Way::Backward),
                RelationParameter::Descendant => way = Some(Way::Forward),
                RelationParameter::Squares(squares) if squares.matching.min > 0 || squares.mismatching.min > 0 => {
                    // Some square has to be compared.
                    if let Some(set) = &squares.source {
                        source.push(self.truth(set).truth);
                    }
                    if let Some(set) = &squares.target {
                        target.push(self.truth_elsewhere(None, set).truth);
                    }
                }
                _ => {}
            }
        }
        let target = Candidates::at_most(Truth::all(target));
        let elsewhere = |lowering: &mut Self, way: Way| {
            let further = lowering.eventually(way, target.clone());
            lowering.one_move_away(way, further).truth
        };
        source.push(match way {
            // Later ids are not always later in the game.
            _ if self.variations => self.in_game(target).truth,
            Some(way) => elsewhere(self, way),
            None => Truth::any([Way::Forward, Way::Backward].map(|way| elsewhere(self, way))),
        });
        Candidates::at_most(Truth::all(source))
    }
}
