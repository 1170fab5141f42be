//! Where a filter is asked whether it matches (docs/language/kinds.md#truth).

use crate::hir::{Constituent, Dash, Filter, Node, PathStep};

/// Calls `f` with every filter, and whether it is certain that it is asked as a condition.
pub(super) fn for_each<'f>(filter: &'f Filter, is_condition: bool, f: &mut dyn FnMut(&'f Filter, bool)) {
    f(filter, is_condition);
    let conditions = conditions(filter, is_condition);
    filter.for_each_child(&mut |child| {
        let is_asked = conditions.iter().any(|condition| std::ptr::eq(*condition, child));
        for_each(child, is_asked, f);
    });
}

/// The children that are asked as conditions.
fn conditions(filter: &Filter, is_condition: bool) -> Vec<&Filter> {
    let mut found = Vec::new();
    match &filter.node {
        Node::Compound(list) => {
            let values = usize::from(!is_condition);
            found.extend(&list[..list.len().saturating_sub(values)]);
        }
        Node::And(a, b) | Node::Or(a, b) => found.extend([&**a, &**b]),
        Node::Not(argument) | Node::Find { argument, .. } => found.push(argument),
        Node::If(condition, then, otherwise) => {
            found.push(condition);
            // Without `else` it says something to do.
            if let Some(otherwise) = otherwise.as_ref().filter(|_| is_condition) {
                found.extend([&**then, &**otherwise]);
            }
        }
        Node::Transform { argument, range, .. } if is_condition || range.is_some() => found.push(argument),
        Node::NoTransform(argument) | Node::At(_, argument) if is_condition => found.push(argument),
        Node::Call { body, .. } if is_condition => found.push(body),
        Node::SquareLoop { body, .. } | Node::PieceLoop { body, .. } => found.push(body),
        Node::Line(line) => in_line(&line.constituents, &mut found),
        Node::Path(path) => in_path(&path.steps, &mut found),
        Node::Dash(dash) => in_dash(dash, &mut found),
        _ => {}
    }
    found
}

fn in_line<'f>(constituents: &'f [Constituent], found: &mut Vec<&'f Filter>) {
    for constituent in constituents {
        match constituent {
            Constituent::Filter { filter, .. } => found.push(filter),
            Constituent::Group { constituents, .. } => in_line(constituents, found),
        }
    }
}

fn in_path<'f>(steps: &'f [PathStep], found: &mut Vec<&'f Filter>) {
    for step in steps {
        match step {
            PathStep::Filter(filter) => found.push(filter),
            PathStep::Dash { dash, .. } => in_dash(dash, found),
            PathStep::Chain { steps, .. } => in_path(steps, found),
        }
    }
}

/// The filters behind a move have to match; the last one may be there for its value.
fn in_dash<'f>(dash: &'f Dash, found: &mut Vec<&'f Filter>) {
    found.extend(dash.target.split_last().map_or(&[][..], |(_, others)| others));
}
