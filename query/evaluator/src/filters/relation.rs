//! `relation`: two positions of a game compared (docs/language/cql5.md#relation).
//!
//! By definition every other position of the game is compared with the source. An index of the game leaves out those that
//! cannot be targets; [`Limits::plain`](crate::Limits::plain) turns that off.

mod pairs;

use language::hir::{Filter, LcaDistance, Relation, RelationParameter, SquareComparison};
use language::span::Span;
use shakmaty::{Bitboard, Color};

use super::echo::CommonRun;
use crate::error::Eval;
use crate::machine::Machine;
use crate::nodes::NodeSet;
use crate::tables::{EchoMap, Tally};
use crate::value::{Value, number_of, number_of_count};

/// The value of `sourcesquares` for each parameter, all squares where there is none.
type SourceSets = Vec<Bitboard>;

impl<'a> Machine<'a, '_> {
    /// Whether some target matches the current position.
    pub(crate) fn relation_matches(&mut self, relation: &'a Relation, span: Span) -> Eval<bool> {
        let source = self.node;
        let sets = self.source_sets(relation)?;
        self.tables.relations.read(self.game);
        let notes = self.limits.results && !relation.quiet && !self.query.header.quiet && !self.query.header.silent;
        let mut nodes = self.tables.relations.nodes.pop().unwrap_or_default();
        nodes.fill(self.game.len());
        nodes.remove(source);
        if !self.limits.plain {
            self.narrow(relation, &sets, &mut nodes);
        }
        let mut found = false;
        for target in nodes.iter() {
            self.step(span)?;
            let mark = self.state.log.len();
            if !self.is_pair(relation, &sets, source, target)? {
                self.state.log.truncate(mark);
                continue;
            }
            found = true;
            self.record_pair_sorts(relation, source, target);
            if notes {
                self.note_pair(relation, source, target);
            } else if !relation.is_sorted() {
                break;
            }
        }
        self.tables.relations.nodes.push(nodes);
        Ok(found)
    }

    fn source_sets(&mut self, relation: &'a Relation) -> Eval<SourceSets> {
        let set = |parameter: &'a RelationParameter| match parameter {
            RelationParameter::Squares(squares) => self.set_or(squares.source.as_ref(), Bitboard::FULL),
            _ => Ok(Bitboard::FULL),
        };
        relation.parameters.iter().map(set).collect()
    }

    /// Removes nodes that cannot be targets.
    fn narrow(&mut self, relation: &Relation, sets: &SourceSets, nodes: &mut NodeSet) {
        let (game, source) = (self.game, self.node);
        let Some(index) = &mut self.tables.relations.index else {
            return;
        };
        for (parameter, &set) in relation.parameters.iter().zip(sets) {
            match parameter {
                RelationParameter::SideToMove(same) => {
                    let white = (game.board(source).turn() == Color::White) == *same;
                    nodes.retain(index.white_to_move(), white);
                }
                RelationParameter::Descendant => nodes.retain_range(&(source..game.last_descendant(source) + 1)),
                RelationParameter::Ancestor => nodes.retain_range(&(0..source + 1)),
                RelationParameter::Squares(comparison) if !nodes.is_empty() => {
                    index.narrow(game, comparison, (source, set), nodes);
                }
                _ => {}
            }
        }
    }

    /// Whether a source and a target are related. The cheapest tests come first; filters that leave comments come last, so
    /// that only pairs have them.
    fn is_pair(&mut self, relation: &'a Relation, sets: &SourceSets, source: u32, target: u32) -> Eval<bool> {
        let near = relation
            .parameters
            .iter()
            .all(|parameter| self.is_near(parameter, source, target));
        if !near || !self.accepts_target(relation, target, true)? {
            return Ok(false);
        }
        for (parameter, &set) in relation.parameters.iter().zip(sets) {
            let related = match parameter {
                RelationParameter::Squares(comparison) => self.squares_fit(comparison, set, source, target)?,
                RelationParameter::CommonMoves { range, .. } => {
                    // Both ways have to be as long as the run.
                    let longest = self.lca_distance(LcaDistance::Source, source, target);
                    let longest = longest.min(self.lca_distance(LcaDistance::Target, source, target));
                    longest >= range.min.max(1) && {
                        let length = self.common_run(source, target).length;
                        length > 0 && range.contains(number_of_count(length))
                    }
                }
                _ => true,
            };
            if !related {
                return Ok(false);
            }
        }
        self.accepts_target(relation, target, false)
    }

    /// Whether a parameter about the side to move and the place in the tree holds; true for the others.
    fn is_near(&self, parameter: &RelationParameter, source: u32, target: u32) -> bool {
        let game = self.game;
        match parameter {
            RelationParameter::SideToMove(same) => (game.board(source).turn() == game.board(target).turn()) == *same,
            RelationParameter::Ancestor => game.is_within(source, target),
            RelationParameter::Descendant => game.is_within(target, source),
            RelationParameter::Distance { to, range, .. } => range.contains(self.lca_distance(*to, source, target)),
            RelationParameter::CommonMoves { .. } | RelationParameter::Squares(_) => true,
        }
    }

    /// Whether the filters match at the target that have one value there, or the other ones.
    fn accepts_target(&mut self, relation: &'a Relation, target: u32, fixed: bool) -> Eval<bool> {
        for filter in &relation.targets {
            let (_, is_fixed) = self.tables.relations.values(filter, self.game.len());
            if is_fixed == fixed && self.value_at(filter, target, true)?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether enough squares are the same under one of the maps.
    fn squares_fit(&mut self, comparison: &'a SquareComparison, set: Bitboard, source: u32, target: u32) -> Eval<bool> {
        let set = match &comparison.target {
            Some(filter) => set & self.value_at(filter, target, false)?,
            None => set,
        };
        let Some(index) = &self.tables.relations.index else {
            return Ok(false);
        };
        let (source, target) = (index.planes(source), index.planes(target));
        Ok(EchoMap::all(comparison.echo)
            .iter()
            .any(|&map| Tally::of(source, target, set, map).fits(comparison)))
    }

    /// The set that a filter gives at a node; for its truth, all squares where it matches. A filter that has one value at
    /// a node is evaluated there once.
    fn value_at(&mut self, filter: &'a Filter, node: u32, truth: bool) -> Eval<Bitboard> {
        let (place, is_fixed) = self.tables.relations.values(filter, self.game.len());
        if is_fixed && let Some(value) = self.tables.relations.value(place, node) {
            return Ok(value);
        }
        let value = self.elsewhere(node, |machine| {
            if truth {
                let matched = machine.matches(filter)?;
                Ok(if matched { Bitboard::FULL } else { Bitboard::EMPTY })
            } else {
                machine.set(filter)
            }
        })?;
        if is_fixed {
            self.tables.relations.keep_value(place, node, value);
        }
        Ok(value)
    }

    /// Half-moves from the latest common ancestor.
    fn lca_distance(&self, to: LcaDistance, source: u32, target: u32) -> i32 {
        // From the earlier position on the way is shorter.
        let ancestor = self.game.common_ancestor(source.min(target), source.max(target));
        let [source, target] = [source, target].map(|node| number_of(self.game.ply(node) - self.game.ply(ancestor)));
        match to {
            LcaDistance::Source => source,
            LcaDistance::Target => target,
            LcaDistance::Max => source.max(target),
            LcaDistance::Sum => source + target,
        }
    }

    fn record_pair_sorts(&mut self, relation: &Relation, source: u32, target: u32) {
        for parameter in &relation.parameters {
            let (id, value) = match parameter {
                RelationParameter::Distance { to, sort: Some(id), .. } => (*id, self.lca_distance(*to, source, target)),
                RelationParameter::CommonMoves { sort: Some(id), .. } => {
                    (*id, number_of_count(self.common_run(source, target).length))
                }
                _ => continue,
            };
            self.record_sort(id, self.key_order(id), Value::Number(value), self.state.log.len());
        }
    }

    fn note_pair(&mut self, relation: &Relation, source: u32, target: u32) {
        let ancestor = relation
            .asks_for_ancestor()
            .then(|| self.game.common_ancestor(source, target));
        self.state.pairs.add(source, target, ancestor);
        let asks_for_moves = |parameter: &RelationParameter| matches!(parameter, RelationParameter::CommonMoves { .. });
        if relation.parameters.iter().any(asks_for_moves) {
            let CommonRun { tails, .. } = self.common_run(source, target);
            self.state.pairs.add_common(tails);
        }
    }
}
