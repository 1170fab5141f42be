//! Conditions that can't hold together.

use std::collections::HashMap;

use super::designator;
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Comparison, Filter, Node};

/// Two conditions of a list of which at most one can hold.
pub(super) fn look_at(filter: &Filter, is_condition: bool) -> Option<Diagnostic> {
    let mut conditions = Vec::new();
    match &filter.node {
        Node::Compound(list) => conditions.extend(&list[..list.len() - usize::from(!is_condition && !list.is_empty())]),
        Node::And(..) => flatten(filter, &mut conditions),
        _ => return None,
    }
    let mut inner: Vec<&Filter> = Vec::new();
    for condition in &conditions {
        flatten(condition, &mut inner);
    }
    excluded(&inner).or_else(|| out_of_range(&inner))
}

/// The parts of `a and b`, or the condition itself.
fn flatten<'f>(filter: &'f Filter, found: &mut Vec<&'f Filter>) {
    match &filter.node {
        Node::And(a, b) => {
            flatten(a, found);
            flatten(b, found);
        }
        _ => found.push(filter),
    }
}

fn excluded(conditions: &[&Filter]) -> Option<Diagnostic> {
    // Long lists are made by programs.
    const LONGEST: usize = 200;
    for (index, second) in conditions.iter().enumerate().take(LONGEST) {
        for first in &conditions[..index] {
            if let Some(why) = exclude(first, second) {
                let message = format!("this never holds together with a condition before it: {why}");
                let diagnostic = Diagnostic::new(Code::NeverTrue, second.span, message);
                return Some(diagnostic.related(first.span, "the other condition"));
            }
        }
    }
    None
}

/// Why two conditions can't both hold in one position.
fn exclude(a: &Filter, b: &Filter) -> Option<&'static str> {
    match (&a.node, &b.node) {
        (Node::Turn(first), Node::Turn(second)) if first != second => Some("one side is to move"),
        (Node::Mate, Node::Stalemate) | (Node::Stalemate, Node::Mate) => Some("mate is no stalemate"),
        (Node::Check, Node::Stalemate) | (Node::Stalemate, Node::Check) => Some("a stalemate is no check"),
        (Node::Not(first), _) if is_same_word(first, b) => Some("one is the opposite of the other"),
        (_, Node::Not(second)) if is_same_word(a, second) => Some("one is the opposite of the other"),
        _ => {
            let (first, second) = (designator(a)?, designator(b)?);
            let is_one_square = first.squares == second.squares && first.squares.count() == 1;
            let share_nothing = first.men.intersection(second.men).bits() == 0;
            (is_one_square && share_nothing).then_some("one square holds one piece")
        }
    }
}

/// Whether both are the same word without parameters.
fn is_same_word(a: &Filter, b: &Filter) -> bool {
    let is_word = matches!(
        a.node,
        Node::Check | Node::Mate | Node::Stalemate | Node::Initial | Node::Terminal | Node::Mainline(_)
    );
    is_word && std::mem::discriminant(&a.node) == std::mem::discriminant(&b.node) && {
        let side = |filter: &Filter| matches!(filter.node, Node::Mainline(true));
        side(a) == side(b)
    }
}

/// A number that is compared twice, so that no value is left.
fn out_of_range(conditions: &[&Filter]) -> Option<Diagnostic> {
    let mut ranges: HashMap<&'static str, (i64, i64, &Filter)> = HashMap::new();
    for condition in conditions {
        let Node::CompareNumbers(comparison, left, right) = &condition.node else {
            continue;
        };
        let (name, number, comparison) = match (word(left), &right.node) {
            (Some(name), Node::Number(number)) => (name, i64::from(*number), *comparison),
            _ => match (&left.node, word(right)) {
                (Node::Number(number), Some(name)) => (name, i64::from(*number), comparison.mirrored()),
                _ => continue,
            },
        };
        let (min, max) = match comparison {
            Comparison::Equal => (number, number),
            Comparison::Less => (i64::MIN, number - 1),
            Comparison::LessEqual => (i64::MIN, number),
            Comparison::Greater => (number + 1, i64::MAX),
            Comparison::GreaterEqual => (number, i64::MAX),
            _ => continue,
        };
        let (low, high, first) = ranges.entry(name).or_insert((i64::MIN, i64::MAX, condition));
        (*low, *high) = ((*low).max(min), (*high).min(max));
        if low > high {
            let message = format!("no value of `{name}` meets this and what is asked before it");
            let diagnostic = Diagnostic::new(Code::NeverTrue, condition.span, message);
            let diagnostic = diagnostic.related(first.span, "asked before");
            return Some(diagnostic.help("write `or` between conditions of which one is enough"));
        }
    }
    None
}

/// The word of a number that is the same wherever it stands in a list.
fn word(filter: &Filter) -> Option<&'static str> {
    match &filter.node {
        Node::Year => Some("year"),
        Node::Ply => Some("ply"),
        Node::MoveNumber => Some("movenumber"),
        Node::GameNumber => Some("gamenumber"),
        Node::Depth => Some("depth"),
        Node::SideToMove => Some("sidetomove"),
        Node::Elo(None) => Some("elo"),
        Node::Elo(Some(shakmaty::Color::White)) => Some("elo white"),
        Node::Elo(Some(shakmaty::Color::Black)) => Some("elo black"),
        _ => None,
    }
}
