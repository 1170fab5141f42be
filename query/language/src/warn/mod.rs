//! What is allowed in a query and probably wrong.
//!
//! A warning has to be right: where it is not certain that a filter says nothing, nothing is said about it. The tree is
//! looked at as it was parsed, before transforms are expanded.

mod conditions;
mod numbers;
mod together;
mod transforms;
mod truth;
mod variables;

use std::collections::HashSet;

use crate::diagnostic::Diagnostic;
use crate::hir::{Designator, Filter, ParsedQuery};
use crate::span::Span;

/// The warnings about a query, in the order of the text. Of names in `mentioned` it is unknown whether something reads them.
pub(crate) fn warnings(query: &ParsedQuery, text: &str, mentioned: &HashSet<String>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for filter in std::iter::once(&query.body).chain(&query.header.games) {
        truth::for_each(filter, true, &mut |filter, is_condition| {
            found.extend(conditions::look_at(filter, is_condition));
            found.extend(together::look_at(filter, is_condition));
            found.extend(numbers::look_at(filter));
            found.extend(transforms::look_at(filter, text));
        });
    }
    found.extend(variables::unread(query, mentioned));
    // What the command line adds has no place in the text.
    found.retain(|warning| warning.span != Span::default());
    found.sort_by_key(|warning| (warning.span.start, warning.code));
    found.dedup_by_key(|warning| (warning.span, warning.code));
    found
}

/// The pieces and squares of a filter that is nothing but a designator.
fn designator(filter: &Filter) -> Option<Designator> {
    match filter.node {
        crate::hir::Node::Designator(designator) => Some(designator),
        _ => None,
    }
}

/// Whether nothing can be in both.
fn are_disjoint(a: Designator, b: Designator) -> bool {
    a.men.intersection(b.men).bits() == 0 || (a.squares & b.squares).is_empty()
}

#[cfg(test)]
mod tests;
