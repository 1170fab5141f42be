//! Variables of which it is not certain in advance whether they have a value.

use std::collections::HashSet;

use crate::hir::{Filter, Node, VariableId};

/// The variables that a filter, or one below it, unbinds.
pub fn unbound_variables(filter: &Filter) -> HashSet<VariableId> {
    let mut unbound = HashSet::new();
    filter.any(&mut |part| {
        if let Node::Unbind(variable) = part.node {
            unbound.insert(variable);
        }
        false
    });
    unbound
}

/// Whether a loop or an echo in a query may meet a value of its variable.
pub fn has_loop_in_doubt(body: &Filter) -> bool {
    body.any(&mut |filter| match &filter.node {
        Node::SquareLoop { in_doubt, .. } | Node::PieceLoop { in_doubt, .. } | Node::Echo { in_doubt, .. } => {
            !in_doubt.is_empty()
        }
        _ => false,
    })
}
