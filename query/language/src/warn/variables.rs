//! Variables that nothing reads.

use std::collections::HashSet;

use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{AssignOp, Filter, Node, ParsedQuery, VariableId};
use crate::span::Span;

/// The variables that get a value and are never read.
pub(super) fn unread(query: &ParsedQuery, mentioned: &HashSet<String>) -> Vec<Diagnostic> {
    let mut read: HashSet<VariableId> = HashSet::new();
    let mut assigned: Vec<(VariableId, Span)> = Vec::new();
    for filter in std::iter::once(&query.body).chain(&query.header.games) {
        filter.any(&mut |filter| {
            note(filter, &mut read, &mut assigned);
            false
        });
    }
    let mut told = HashSet::new();
    let unread = assigned.into_iter().filter_map(|(id, span)| {
        let variable = query.variables.get(id.0 as usize)?;
        // Hidden variables are those of calls; the values of persistent ones are printed at the end.
        let is_used = read.contains(&id) || variable.name.contains('#') || variable.persistent;
        if is_used || mentioned.contains(&variable.name) || !told.insert(id) {
            return None;
        }
        let message = format!("the value of `{}` is never read", variable.name);
        let diagnostic = Diagnostic::new(Code::UnusedVariable, span, message);
        Some(diagnostic.help("read it, or leave the assignment out; `==` compares"))
    });
    unread.collect()
}

fn note(filter: &Filter, read: &mut HashSet<VariableId>, assigned: &mut Vec<(VariableId, Span)>) {
    match &filter.node {
        Node::Assign(id, operator, _) => {
            assigned.push((*id, filter.span));
            let reads_itself = !matches!(operator, AssignOp::Set | AssignOp::SetIfAny);
            // `x += 1` alone does not count as reading.
            filter.for_each_variable(&mut |variable| {
                if !(reads_itself && variable == *id) {
                    read.insert(variable);
                }
            });
        }
        Node::AssignPiece(id, _) => assigned.push((*id, filter.span)),
        _ => filter.for_each_variable(&mut |variable| {
            read.insert(variable);
        }),
    }
}
