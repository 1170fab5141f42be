//! `relation` as its node of the typed tree.

use super::{Lowered, Lowering, hir, logical};
use crate::dialect::cql5::ast::{Parameter, Relation, Squares};
use crate::dialect::cql5::parse::ANY_COUNT;
use crate::hir::{RelationParameter, SquareComparison};
use crate::span::Span;

impl Lowering {
    pub(super) fn relation(&mut self, relation: &Relation, span: Span) -> Lowered {
        let targets = relation.targets.iter().map(|target| self.truth(target));
        let targets = targets.collect::<Lowered<Vec<_>>>()?;
        let parameters = relation.parameters.iter().map(|parameter| self.parameter(parameter));
        let parameters = parameters.collect::<Lowered<Vec<_>>>()?;
        let node = hir::Relation {
            quiet: self.silent,
            targets,
            parameters,
        };
        Ok(logical(hir::Node::Relation(Box::new(node)), span))
    }

    fn parameter(&mut self, parameter: &Parameter) -> Lowered<RelationParameter> {
        Ok(match parameter {
            Parameter::ToMove(same) => RelationParameter::SideToMove(*same),
            Parameter::Ancestor => RelationParameter::Ancestor,
            Parameter::Descendant => RelationParameter::Descendant,
            Parameter::Distance(to, range, sort) => RelationParameter::Distance {
                to: *to,
                range: *range,
                sort: sort.as_ref().map(|sort| self.sort_key(sort)),
            },
            Parameter::CommonMoves(range, sort) => RelationParameter::CommonMoves {
                range: *range,
                sort: sort.as_ref().map(|sort| self.sort_key(sort)),
            },
            Parameter::Squares(squares) => RelationParameter::Squares(self.squares(squares)?),
        })
    }

    fn squares(&mut self, squares: &Squares) -> Lowered<SquareComparison> {
        Ok(SquareComparison {
            source: squares.source.as_ref().map(|set| self.set(set)).transpose()?,
            target: squares.target.as_ref().map(|set| self.set(set)).transpose()?,
            matching: squares.matching.unwrap_or(ANY_COUNT),
            mismatching: squares.mismatching.unwrap_or(ANY_COUNT),
            echo: squares.echo,
        })
    }
}
