//! Loops that may meet a value of their variable.

use std::collections::HashSet;

use crate::facts::Binds;
use crate::hir::{Filter, Node, VariableId};

/// Notes in the loops and echoes of a query which of their variables are also assigned. They may have a value where the loop
/// begins, perhaps from the position before, and that is an error.
pub(super) fn note(body: &mut Filter) {
    let assigned = assigned_in(body);
    if !assigned.is_empty() {
        note_in(body, &assigned);
    }
}

/// The variables that a filter and those in it assign.
pub(super) fn assigned_in(filter: &Filter) -> HashSet<VariableId> {
    let mut assigned = HashSet::new();
    filter.any(&mut |part| {
        assigned.extend(part.facts().assigns);
        false
    });
    assigned
}

fn note_in(filter: &mut Filter, assigned: &HashSet<VariableId>) {
    let variables = match filter.facts().binds {
        Binds::Loop { variable, .. } => [Some(variable), None],
        Binds::Pair(variables) => variables.map(Some),
        // The hidden variables of a call are its own.
        Binds::Arguments(_) | Binds::Nothing => [None, None],
    };
    if let Node::SquareLoop { in_doubt, .. } | Node::PieceLoop { in_doubt, .. } | Node::Echo { in_doubt, .. } =
        &mut filter.node
    {
        for variable in variables.into_iter().flatten() {
            // A part of a query keeps what is noted of the whole.
            if assigned.contains(&variable) && !in_doubt.contains(&variable) {
                in_doubt.push(variable);
            }
        }
    }
    filter.for_each_child_mut(&mut |child| note_in(child, assigned));
}
