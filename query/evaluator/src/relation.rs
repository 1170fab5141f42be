//! `relation`: two positions of a game compared (legacy-dialects B3 to B7).
//!
//! What it means is all pairs: for a source every other position of the game is tried. [`Index`] leaves out those that
//! can't be targets; [`Limits::all_pairs`](super::Limits::all_pairs) turns that off.

mod board;
mod index;
mod pairs;

use shakmaty::{Bitboard, Color};

use self::board::{EchoMap, Tally};
use self::index::Index;
pub(super) use self::pairs::Pairs;
use super::echo::CommonRun;
use super::nodes::NodeSet;
use super::sequence::is_fixed;
use super::{Eval, Machine, Value};
use language::hir::{Filter, LcaDistance, Relation, RelationParameter, SquareComparison};
use language::span::Span;

/// What the relations of a query know of the game.
#[derive(Debug, Default)]
pub(super) struct Relations {
    index: Option<Index>,
    /// What filters that have one value at a position gave there.
    known: Vec<Known>,
    /// Buffers.
    nodes: Vec<NodeSet>,
}

/// The values of a filter at the positions where it was asked.
#[derive(Debug)]
struct Known {
    filter: *const Filter,
    /// Whether the filter has only one value at a position.
    fixed: bool,
    values: Vec<Option<Bitboard>>,
}

/// The value of `sourcesquares` for each parameter, all squares where there is none.
type SourceSets = Vec<Bitboard>;

impl<'a> Machine<'a, '_> {
    /// Whether some target matches the current position.
    pub(super) fn relation_matches(&mut self, relation: &'a Relation, span: Span) -> Eval<bool> {
        let source = self.node;
        let sets = self.source_sets(relation)?;
        if self.relations.index.is_none() {
            self.relations.index = Some(Index::of(self.game));
        }
        let notes = self.limits.results && !relation.quiet && !self.query.header.quiet && !self.query.header.silent;
        let mut nodes = self.relations.nodes.pop().unwrap_or_default();
        nodes.fill(self.game.len());
        nodes.remove(source);
        if !self.limits.all_pairs {
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
        self.relations.nodes.push(nodes);
        Ok(found)
    }

    fn source_sets(&mut self, relation: &'a Relation) -> Eval<SourceSets> {
        let set = |parameter: &'a RelationParameter| match parameter {
            RelationParameter::Squares(squares) => self.set_or(squares.source.as_ref(), Bitboard::FULL),
            _ => Ok(Bitboard::FULL),
        };
        relation.parameters.iter().map(set).collect()
    }

    /// Leaves out nodes that can't be targets.
    fn narrow(&mut self, relation: &Relation, sets: &SourceSets, nodes: &mut NodeSet) {
        let (game, source) = (self.game, self.node);
        let Some(index) = &mut self.relations.index else { return };
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

    /// Whether a source and a target belong together. What costs least is asked first; filters that leave comments come
    /// last, so that only pairs have them.
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
                        length > 0 && range.contains(length as i32)
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
            let known = self.known(filter);
            if self.relations.known[known].fixed == fixed && self.value_at(filter, target, true)?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether enough squares are the same, under one of the maps.
    fn squares_fit(&mut self, comparison: &'a SquareComparison, set: Bitboard, source: u32, target: u32) -> Eval<bool> {
        let set = match &comparison.target {
            Some(filter) => set & self.value_at(filter, target, false)?,
            None => set,
        };
        let Some(index) = &self.relations.index else {
            return Ok(false);
        };
        let (source, target) = (index.planes(source), index.planes(target));
        Ok(EchoMap::all(comparison.echo)
            .iter()
            .any(|&map| Tally::of(source, target, set, map).fits(comparison)))
    }

    /// The set that a filter gives at a node; if only its truth is asked, all squares where it matches. What has one
    /// value at a node is asked once.
    fn value_at(&mut self, filter: &'a Filter, node: u32, truth: bool) -> Eval<Bitboard> {
        let known = self.known(filter);
        let slot = &self.relations.known[known];
        if slot.fixed
            && let Some(value) = slot.values[node as usize]
        {
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
        self.relations.known[known].values[node as usize] = Some(value);
        Ok(value)
    }

    /// Where the values of a filter are kept.
    fn known(&mut self, filter: &'a Filter) -> usize {
        let known = &mut self.relations.known;
        if let Some(index) = known.iter().position(|known| std::ptr::eq(known.filter, filter)) {
            return index;
        }
        known.push(Known {
            filter,
            fixed: is_fixed(filter),
            values: vec![None; self.game.len()],
        });
        known.len() - 1
    }

    /// Half-moves from the latest common ancestor.
    fn lca_distance(&self, to: LcaDistance, source: u32, target: u32) -> i32 {
        // From the earlier position on the way is shorter.
        let ancestor = self.game.common_ancestor(source.min(target), source.max(target));
        let [source, target] = [source, target].map(|node| (self.game.ply(node) - self.game.ply(ancestor)) as i32);
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
                    (*id, self.common_run(source, target).length as i32)
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
