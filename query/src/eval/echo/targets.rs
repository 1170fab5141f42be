//! The targets of an echo that are worth asking: what can be told of source and target apart is told once for each
//! position of a game, and equal boards are found by a hash of them.
//!
//! This is done for the conditions at the beginning of the body that raise no errors and leave nothing behind, so that
//! it makes no difference in which order they are asked.

use std::rc::Rc;

use storage::{Board, Man};

use super::super::sequence::{is_fixed, only_comments};
use super::super::{Eval, Machine};
use crate::hir::raises::never_raises;
use crate::hir::{Comparison, Filter, Kind, Node, VariableId};

/// A condition at the beginning of an echo's body.
#[derive(Clone, Copy, Debug)]
enum Condition<'a> {
    /// The same at a target whatever the source is.
    Target(&'a Filter),
    /// `source:F`, the same at a source whatever the target is.
    Source(&'a Filter),
    /// The same number, or number of squares, at the target and at the source.
    SameNumber(&'a Filter, &'a Filter),
    /// The same contents of all squares.
    SameBoard,
    /// The target has a larger id (true) or a smaller one.
    Later(bool),
    /// Anything else.
    Other(&'a Filter),
}

/// What is known of the positions of a game for one condition.
#[derive(Debug, Default)]
struct Known {
    /// By position; nothing if it was not asked yet.
    truths: Vec<Option<bool>>,
    numbers: [Vec<Option<Option<i32>>>; 2],
}

/// The body of an echo, taken apart.
#[derive(Debug)]
pub(in crate::eval) struct Parts<'a> {
    conditions: Vec<Condition<'a>>,
    /// What follows, in order; for a numeric body the last one is its value.
    rest: Vec<&'a Filter>,
    known: Vec<Known>,
    /// The positions that have the same board, by position.
    same_board: Vec<Rc<[u32]>>,
}

impl<'a> Parts<'a> {
    pub(in crate::eval) fn of(body: &'a Filter, [source, target]: [VariableId; 2]) -> Parts<'a> {
        let mut all = Vec::new();
        flatten(body, body.kind == Kind::Numeric, &mut all);
        let value = if body.kind == Kind::Numeric { all.pop() } else { None };
        let harmless = |filter: &Filter| only_comments(filter) && never_raises(filter, true, &mut vec![source, target]);
        let count = all.iter().take_while(|filter| harmless(filter)).count();
        let mut rest = all.split_off(count);
        rest.extend(value);
        let conditions: Vec<Condition<'a>> = all
            .into_iter()
            .map(|filter| condition(filter, source, target))
            .collect();
        Parts {
            known: conditions.iter().map(|_| Known::default()).collect(),
            conditions,
            rest,
            same_board: Vec::new(),
        }
    }

    /// Whether nothing is gained by it.
    pub(in crate::eval) fn is_useless(&self) -> bool {
        self.conditions
            .iter()
            .all(|condition| matches!(condition, Condition::Other(_)))
    }
}

/// The filters of a conjunction in order.
fn flatten<'a>(filter: &'a Filter, is_value: bool, all: &mut Vec<&'a Filter>) {
    match &filter.node {
        Node::Compound(list) => {
            for (index, part) in list.iter().enumerate() {
                flatten(part, is_value && index + 1 == list.len(), all);
            }
        }
        Node::And(a, b) if !is_value => {
            flatten(a, false, all);
            flatten(b, false, all);
        }
        _ => all.push(filter),
    }
}

fn condition(filter: &Filter, source: VariableId, target: VariableId) -> Condition<'_> {
    let is = |filter: &Filter, variable: VariableId| matches!(filter.node, Node::Variable(other) if other == variable);
    let is_target = |filter: &Filter| is(filter, target) || matches!(filter.node, Node::CurrentPosition);
    let pair = |a: &Filter, b: &Filter| is(a, source) && is_target(b) || is_target(a) && is(b, source);
    match &filter.node {
        _ if is_fixed(filter) => Condition::Target(filter),
        Node::At(place, inner) if is(place, source) && is_fixed(inner) => Condition::Source(inner),
        Node::ComparePositions(comparison @ (Comparison::Less | Comparison::Greater), a, b) if pair(a, b) => {
            Condition::Later(is(a, source) == (*comparison == Comparison::Less))
        }
        Node::SameSet(a, b) => {
            let is_same = |set: &Filter| matches!(&set.node, Node::SameContents(a, b) if pair(a, b));
            let is_all = |set: &Filter| matches!(set.node, Node::AllSquares);
            if is_same(a) && is_all(b) || is_all(a) && is_same(b) {
                Condition::SameBoard
            } else {
                Condition::Other(filter)
            }
        }
        Node::CompareNumbers(Comparison::Equal, a, b) => match (&a.node, &b.node) {
            (_, Node::At(place, there)) if is(place, source) && is_fixed(there) && is_fixed(a) => {
                Condition::SameNumber(a, there)
            }
            (Node::At(place, there), _) if is(place, source) && is_fixed(there) && is_fixed(b) => {
                Condition::SameNumber(b, there)
            }
            _ => Condition::Other(filter),
        },
        _ => Condition::Other(filter),
    }
}

impl<'a> Machine<'a> {
    /// The targets, ascending, that the conditions on source and target apart leave; the source may be one of them.
    pub(in crate::eval) fn likely_targets(&mut self, parts: &mut Parts<'a>, here: u32) -> Eval<Vec<u32>> {
        let positions = self.game.len();
        let mut later = None;
        let mut group: Option<Rc<[u32]>> = None;
        let Parts {
            conditions,
            known,
            same_board,
            ..
        } = parts;
        for (condition, known) in conditions.iter().zip(known.iter_mut()) {
            match *condition {
                Condition::Source(filter) if !self.known_truth(filter, here, &mut known.truths)? => {
                    return Ok(Vec::new());
                }
                Condition::Later(way) => {
                    if later.is_some_and(|other| other != way) {
                        return Ok(Vec::new());
                    }
                    later = Some(way);
                }
                Condition::SameBoard => {
                    if same_board.is_empty() {
                        *same_board = same_boards(self.game.boards());
                    }
                    group = Some(Rc::clone(&same_board[here as usize]));
                }
                _ => {}
            }
        }
        let all: Vec<u32> = match (group, later) {
            (Some(group), _) => group.to_vec(),
            (None, Some(true)) => (here + 1..positions as u32).collect(),
            (None, Some(false)) => (0..here).collect(),
            (None, None) => (0..positions as u32).collect(),
        };
        let mut left = Vec::new();
        for node in all {
            let in_place = match later {
                Some(true) => node > here,
                Some(false) => node < here,
                None => true,
            };
            if in_place && self.is_likely(conditions, known, here, node)? {
                left.push(node);
            }
        }
        Ok(left)
    }

    fn is_likely(&mut self, conditions: &[Condition<'a>], known: &mut [Known], here: u32, node: u32) -> Eval<bool> {
        for (condition, known) in conditions.iter().zip(known) {
            let holds = match *condition {
                Condition::Target(filter) => self.known_truth(filter, node, &mut known.truths)?,
                Condition::SameNumber(target, source) => {
                    let [targets, sources] = &mut known.numbers;
                    let there = self.known_number(target, node, targets)?;
                    there.is_some() && there == self.known_number(source, here, sources)?
                }
                _ => true,
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the rest of an echo's body matches at a target, and its value; where source and target are bound already.
    pub(in crate::eval) fn echo_rest(&mut self, parts: &Parts<'a>, is_numeric: bool) -> Eval<Option<i32>> {
        for condition in &parts.conditions {
            if let Condition::Other(filter) = condition
                && !self.matches(filter)?
            {
                return Ok(None);
            }
        }
        for (index, filter) in parts.rest.iter().enumerate() {
            if is_numeric && index + 1 == parts.rest.len() {
                return self.number(filter);
            }
            if !self.matches(filter)? {
                return Ok(None);
            }
        }
        Ok(Some(1))
    }

    fn known_truth(&mut self, filter: &'a Filter, node: u32, known: &mut Vec<Option<bool>>) -> Eval<bool> {
        known.resize(self.game.len(), None);
        if let Some(truth) = known[node as usize] {
            return Ok(truth);
        }
        let truth = self.elsewhere(node, |machine| machine.matches(filter))?;
        known[node as usize] = Some(truth);
        Ok(truth)
    }

    fn known_number(
        &mut self,
        filter: &'a Filter,
        node: u32,
        known: &mut Vec<Option<Option<i32>>>,
    ) -> Eval<Option<i32>> {
        known.resize(self.game.len(), None);
        if let Some(number) = known[node as usize] {
            return Ok(number);
        }
        let number = self.elsewhere(node, |machine| machine.count(filter))?;
        known[node as usize] = Some(number);
        Ok(number)
    }
}

/// For every board the numbers of those that have the same men on the same squares, whoever is to move.
fn same_boards(boards: &[Board]) -> Vec<Rc<[u32]>> {
    let men = |node: u32| Man::all().map(move |man| boards[node as usize].of(man).0);
    let mut by_hash: Vec<(u64, u32)> = (0..boards.len() as u32)
        .map(|node| {
            // Equal hashes are looked at twice, so it is enough that they are rare.
            let mix = |hash: u64, men: u64| (hash.rotate_left(5) ^ men).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            (men(node).fold(0, mix), node)
        })
        .collect();
    by_hash.sort_unstable();
    let nobody: Rc<[u32]> = Rc::from([]);
    let mut same = vec![nobody; boards.len()];
    for alike in by_hash.chunk_by(|a, b| a.0 == b.0) {
        let mut rest: Vec<u32> = alike.iter().map(|&(_, node)| node).collect();
        while let Some(&first) = rest.first() {
            let (group, others): (Vec<u32>, Vec<u32>) = rest.iter().partition(|&&node| men(node).eq(men(first)));
            let group: Rc<[u32]> = group.into();
            for &node in &*group {
                same[node as usize] = Rc::clone(&group);
            }
            rest = others;
        }
    }
    same
}
