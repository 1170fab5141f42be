//! What is known of the body of an echo in one game: the conditions on source and target alone, by position.

use std::collections::HashMap;

use language::hir::{Comparison, Filter, Node, VariableId};
use shakmaty::Bitboard;

use super::boards::{Boards, SameBoards};
use super::contents::Labels;
use super::parts::{Condition, SquareSet, Squares, take_apart};
use crate::game::node_at;
use crate::nodes::{KnownTruth, NodeSet};
use crate::value::{ordered, square_count};

/// The body of an echo, taken apart, and what is known of it in a game.
#[derive(Debug)]
pub(crate) struct EchoParts<'a> {
    pub(crate) conditions: Vec<TargetCondition<'a>>,
    /// What follows, in order; for a numeric body the last one is its value.
    pub(crate) rest: Vec<&'a Filter>,
    pub(crate) boards: Boards,
    /// Labels that are the same on all squares of source and target, if something is known of them.
    pub(crate) labels: Option<Labels>,
    pub(crate) same_boards: SameBoards,
    /// The targets that are left.
    pub(crate) left: NodeSet,
    /// Whether it is ready for this game.
    pub(crate) begun: bool,
    /// Whether sums have to be compared pair by pair, because they might overflow.
    pub(crate) asks_sums: bool,
}

/// A condition, with what it gave at the positions of a game.
#[derive(Debug)]
pub(crate) struct TargetCondition<'a> {
    pub(crate) condition: Condition<'a>,
    pub(crate) truth: KnownTruth,
    pub(crate) sums: TargetSums,
    pub(crate) sets: TargetSets,
    /// Whether it is tested at several targets before the rest: it reads no variable that the body assigns, and has no loop,
    /// which mostly ends early where one target is tested alone.
    pub(crate) is_steady: bool,
}

/// What the numbers of the target add up to, by position.
#[derive(Debug, Default)]
pub(crate) struct TargetSums {
    /// [`NO_NUMBER`] where one of them has no value.
    pub(crate) sums: Vec<i32>,
    /// Whether they never decrease.
    pub(crate) ascending: bool,
    /// For numbers of a source, ascending: where the comparison holds.
    holds: Vec<(i32, NodeSet)>,
    spare: Vec<NodeSet>,
}

/// The sets of the target, by position.
#[derive(Debug, Default)]
pub(crate) struct TargetSets {
    pub(crate) sets: Vec<Bitboard>,
    /// The positions with a set, for those that were asked for.
    holds: HashMap<Bitboard, NodeSet>,
    spare: Vec<NodeSet>,
}

/// The sum of numbers of which one has no value.
pub(crate) const NO_NUMBER: i32 = i32::MIN;

impl<'a> EchoParts<'a> {
    pub(super) fn of(body: &'a Filter, variables: [VariableId; 2], bound: &[VariableId]) -> EchoParts<'a> {
        let (conditions, rest) = take_apart(body, variables, bound);
        let labels = conditions.iter().filter_map(|condition| match condition {
            Condition::SameBoard => Some(Labels::distinct()),
            Condition::Other(filter) => Labels::of(filter, variables),
            _ => None,
        });
        let labels = labels.reduce(Labels::and);
        let mut assigned = Vec::new();
        body.any(&mut |part| {
            assigned.extend(part.facts().assigns);
            false
        });
        let is_assigned = |part: &Filter| {
            let mut found = false;
            part.for_each_variable(&mut |variable| found |= assigned.contains(&variable));
            found
        };
        let is_loop = |part: &Filter| matches!(part.node, Node::SquareLoop { .. } | Node::PieceLoop { .. });
        let is_steady = |filter: &Filter| !filter.any(&mut |part| is_assigned(part) || is_loop(part));
        let conditions = conditions.into_iter().map(|condition| TargetCondition {
            is_steady: matches!(condition, Condition::Other(filter) if is_steady(filter)),
            condition,
            truth: KnownTruth::default(),
            sums: TargetSums::default(),
            sets: TargetSets::default(),
        });
        EchoParts {
            conditions: conditions.collect(),
            rest,
            boards: Boards::default(),
            labels,
            same_boards: SameBoards::default(),
            left: NodeSet::default(),
            begun: false,
            asks_sums: false,
        }
    }

    /// Whether every condition has to be tested pair by pair, so that taking the body apart gains nothing.
    pub(super) fn is_useless(&self) -> bool {
        self.labels.is_none()
            && self
                .conditions
                .iter()
                .all(|known| matches!(known.condition, Condition::Other(_)))
    }

    /// Forgets what belongs to one game.
    pub(super) fn start_game(&mut self) {
        self.begun = false;
    }

    /// Begins with a game.
    pub(crate) fn begin(&mut self, positions: usize) {
        self.begun = true;
        self.boards.clear();
        self.same_boards.clear();
        for known in &mut self.conditions {
            known.truth.clear(positions);
            known.sums.clear();
            known.sets.clear();
        }
    }
}

impl TargetSums {
    fn clear(&mut self) {
        self.sums.clear();
        self.spare.extend(self.holds.drain(..).map(|(_, nodes)| nodes));
    }

    /// Keeps the positions whose sum, added to this number, compares with 0 in this way.
    pub(crate) fn retain(&mut self, comparison: Comparison, number: i32, nodes: &mut NodeSet) {
        let bound = -number;
        if self.ascending {
            let below = || node_at(self.sums.partition_point(|&sum| sum < bound));
            let upto = || node_at(self.sums.partition_point(|&sum| sum <= bound));
            let all = node_at(self.sums.len());
            let range = match comparison {
                Comparison::Less => 0..below(),
                Comparison::LessEqual => 0..upto(),
                Comparison::Greater => upto()..all,
                Comparison::GreaterEqual => below()..all,
                _ => below()..upto(),
            };
            nodes.retain_range(&range);
            return;
        }
        let place = self.holds.partition_point(|&(other, _)| other < bound);
        if self.holds.get(place).is_none_or(|&(other, _)| other != bound) {
            let mut holds = self.spare.pop().unwrap_or_default();
            holds.clear(self.sums.len());
            for (node, sum) in (0..).zip(&self.sums) {
                if *sum != NO_NUMBER && ordered(comparison, sum, &bound) {
                    holds.insert(node);
                }
            }
            self.holds.insert(place, (bound, holds));
        }
        nodes.retain(&self.holds[place].1, true);
    }
}

impl TargetSets {
    fn clear(&mut self) {
        self.sets.clear();
        self.spare.extend(self.holds.drain().map(|(_, nodes)| nodes));
    }

    /// Keeps the positions with this set.
    pub(crate) fn retain(&mut self, set: Bitboard, nodes: &mut NodeSet) {
        let TargetSets { sets, holds, spare } = self;
        let found = holds.entry(set).or_insert_with(|| {
            let mut found = spare.pop().unwrap_or_default();
            found.clear(sets.len());
            let same = (0..).zip(sets).filter(|(_, other)| **other == set);
            same.for_each(|(node, _)| found.insert(node));
            found
        });
        nodes.retain(found, true);
    }
}

/// Keeps the positions whose board has the wanted number of squares with the same or different contents.
pub(crate) fn retain_squares(squares: Squares, boards: &Boards, here: u32, left: &mut NodeSet) {
    let SquareSet { same, among } = squares.set;
    let all = square_count(among);
    let constant = squares.constant.clamp(-1, 65);
    let (low, high) = match squares.comparison {
        Comparison::Less => (0, constant - 1),
        Comparison::LessEqual => (0, constant),
        Comparison::Greater => (constant + 1, all),
        Comparison::GreaterEqual => (constant, all),
        _ => (constant, constant),
    };
    // How many squares may and must be different.
    let (low, high) = if same { (all - high, all - low) } else { (low, high) };
    left.retain_if(|node| {
        let different = square_count(boards.difference(here, node) & among);
        low <= different && different <= high
    });
}
