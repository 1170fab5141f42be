//! What a filter consists of, and which variables are in it.

use language::hir::{Comparison, Filter, Node, VariableId};

/// The filters that all have to match.
pub(crate) fn conjuncts(filter: &Filter) -> Vec<&Filter> {
    match &filter.node {
        Node::Compound(list) => list.iter().flat_map(conjuncts).collect(),
        Node::And(a, b) => [a, b].into_iter().flat_map(|part| conjuncts(part)).collect(),
        _ => vec![filter],
    }
}

pub(crate) fn is_variable(filter: &Filter, variable: VariableId) -> bool {
    matches!(filter.node, Node::Variable(read) if read == variable)
}

/// Whether a filter reads a variable.
pub(crate) fn reads(filter: &Filter, variable: VariableId) -> bool {
    filter.any(&mut |part| part.facts().reads_variables.contains(&variable))
}

/// Whether a filter gives a value to a variable.
pub(crate) fn assigns(filter: &Filter, variable: VariableId) -> bool {
    filter.any(&mut |part| part.facts().assigns == Some(variable))
}

/// In how many places of a filter a variable gets a value.
pub(crate) fn times_assigned(filter: &Filter, variable: VariableId) -> u32 {
    let mut times = 0;
    filter.any(&mut |part| {
        times += u32::from(part.facts().assigns == Some(variable));
        false
    });
    times
}

/// The set whose squares are counted and compared with a number, and how the count compares.
pub(crate) fn compared_count<'q>(
    comparison: Comparison,
    a: &'q Filter,
    b: &'q Filter,
) -> Option<(&'q Filter, Comparison, i32)> {
    let (count, comparison, n) = compared_number(comparison, a, b)?;
    match &count.node {
        Node::Cardinality(set) => Some((set, comparison, n)),
        _ => None,
    }
}

/// What is compared with a number that is written out, and how it compares.
pub(crate) fn compared_number<'q>(
    comparison: Comparison,
    a: &'q Filter,
    b: &'q Filter,
) -> Option<(&'q Filter, Comparison, i32)> {
    match (&a.node, &b.node) {
        (_, Node::Number(n)) => Some((a, comparison, *n)),
        (Node::Number(n), _) => Some((b, comparison.mirrored(), *n)),
        _ => None,
    }
}
