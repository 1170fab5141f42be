//! Loops that remember something in their first turn and compare it in the later ones: `if seen==0 {n=N seen=1} else n==N`.

use language::hir::{AssignOp, Comparison, Filter, Kind, Node, VariableId};

use crate::expr::hash_of;
use crate::filters::{compared_count, conjuncts, is_variable, reads, times_assigned};

/// The turns of a loop that ends with the first one that fails.
#[derive(Debug)]
pub(crate) struct FirstTurn<'q> {
    /// What the loop goes over.
    domain: &'q Filter,
    /// The variable that says whether it is the first turn.
    pub(crate) flag: VariableId,
    /// What it is then; not so in later turns.
    pub(crate) unseen: i32,
    /// The variables that get a number in the first turn only, and the numbers. The first turn does not read them.
    numbers: Vec<(VariableId, &'q Filter)>,
    /// What is asked in the later turns.
    later: &'q Filter,
}

impl<'q> FirstTurn<'q> {
    /// The turns of a loop, if it ends with the first one that fails.
    pub(crate) fn of_loop(filter: &'q Filter) -> Option<FirstTurn<'q>> {
        let (Node::SquareLoop {
            all: true,
            domain,
            body,
            ..
        }
        | Node::PieceLoop {
            all: true,
            domain,
            body,
            ..
        }) = &filter.node
        else {
            return None;
        };
        FirstTurn::of(domain, body)
    }

    fn of(domain: &'q Filter, turn: &'q Filter) -> Option<FirstTurn<'q>> {
        let [Filter { node, .. }] = conjuncts(turn)[..] else {
            return None;
        };
        let Node::If(test, first, Some(later)) = node else {
            return None;
        };
        let Node::CompareNumbers(Comparison::Equal, flag, unseen) = &test.node else {
            return None;
        };
        let (&Node::Variable(flag), &Node::Number(unseen)) = (&flag.node, &unseen.node) else {
            return None;
        };
        if turn.any(&mut |part| matches!(part.node, Node::Unbind(_))) {
            return None;
        }
        let mut given: Vec<(VariableId, &Filter)> = conjuncts(first).into_iter().filter_map(number_given).collect();
        given.retain(|&(variable, _)| times_assigned(turn, variable) == 1);
        let is_seen = |&(variable, value): &(VariableId, &Filter)| {
            variable == flag && matches!(value.node, Node::Number(seen) if seen != unseen)
        };
        let is_first_only = given.iter().any(is_seen);
        given.retain(|&(variable, _)| variable != flag && !reads(first, variable) && !reads(domain, variable));
        is_first_only.then_some(FirstTurn {
            domain,
            flag,
            unseen,
            numbers: given,
            later,
        })
    }

    /// The variables that have a value behind the first turn.
    pub(crate) fn remembered(&self) -> impl Iterator<Item = VariableId> {
        self.numbers.iter().map(|(variable, _)| *variable)
    }

    /// Whether some filters before the loop, which have matched, say that it begins with the turn that is the first one.
    pub(crate) fn begin_behind(&self, before: &[Filter]) -> bool {
        let given = before.iter().rfind(|part| times_assigned(part, self.flag) > 0);
        let number = given.and_then(number_given);
        matches!(number, Some((_, value)) if matches!(value.node, Node::Number(n) if n == self.unseen))
            && times_assigned(self.domain, self.flag) == 0
    }

    /// Whether they say that the loop has a turn.
    pub(crate) fn has_a_turn_behind(&self, before: &[Filter]) -> bool {
        let changes = |part: &Filter| match self.domain.node {
            Node::Variable(set) => times_assigned(part, set) > 0,
            Node::Designator(_) => false,
            _ => true,
        };
        let mut known = before.iter().rev().take_while(|part| !changes(part));
        known.any(|part| has_squares(part, self.domain))
    }

    /// The numbers that are the same in all turns in which they have a value, if all turns match.
    pub(crate) fn same_in_all_turns(&self) -> Vec<&'q Filter> {
        let later = conjuncts(self.later);
        let is_compared = |&(variable, value): &(VariableId, &'q Filter)| {
            let is_value = |filter: &Filter| hash_of(filter) == hash_of(value);
            later.iter().any(|part| match &part.node {
                Node::CompareNumbers(Comparison::Equal, a, b) => {
                    is_variable(a, variable) && is_value(b) || is_variable(b, variable) && is_value(a)
                }
                _ => false,
            })
        };
        let compared = self.numbers.iter().copied().filter(is_compared);
        compared.map(|(_, value)| value).collect()
    }
}

/// The variable that a filter gives a number, and the number.
fn number_given(filter: &Filter) -> Option<(VariableId, &Filter)> {
    match &filter.node {
        Node::Assign(variable, AssignOp::Set, value) if value.kind == Kind::Numeric => Some((*variable, value)),
        _ => None,
    }
}

/// Whether a filter says that a set has a square.
fn has_squares(filter: &Filter, set: &Filter) -> bool {
    let is_set = |filter: &Filter| hash_of(filter) == hash_of(set);
    let Node::CompareNumbers(comparison, a, b) = &filter.node else {
        return is_set(filter);
    };
    match compared_count(*comparison, a, b) {
        Some((counted, Comparison::GreaterEqual | Comparison::Equal, number)) => is_set(counted) && number > 0,
        Some((counted, Comparison::Greater, number)) => is_set(counted) && number >= 0,
        _ => false,
    }
}
