//! Transforms that change nothing.

use crate::diagnostic::{Code, Diagnostic};
use crate::expand::variants;
use crate::hir::{Filter, Node};
use crate::span::Span;
use crate::transform::Transform;

/// `text` is that of the query.
pub(super) fn look_at(filter: &Filter, text: &str) -> Option<Diagnostic> {
    let Node::Transform {
        transform,
        range: None,
        distinct: true,
        argument,
    } = &filter.node
    else {
        return None;
    };
    if matches!(transform, Transform::Sticky(_)) {
        return None;
    }
    // Transforms that stand directly inside each other make one orbit; each is looked at alone.
    let alone = Node::Transform {
        transform: *transform,
        range: None,
        distinct: true,
        argument: Box::new(inner(argument).clone()),
    };
    let alone = Filter::new(alone, filter.kind, filter.span);
    if variants(&alone).ok()?.len() != 1 {
        return None;
    }
    let word = transform.keyword();
    let message = format!("`{word}` changes nothing here: what it is about has one form only");
    let rest = text.get(filter.span.range())?;
    let is_word = |c: char| c.is_ascii_alphanumeric();
    let length = rest.find(|c| !is_word(c)).filter(|length| *length > 0);
    // A symbol is one character.
    let length = length.or_else(|| rest.chars().next().map(char::len_utf8)).unwrap_or(0);
    let start = filter.span.start as usize;
    let place = Span::new(start, start + length);
    Some(
        Diagnostic::new(Code::IdleTransform, place, message).help(format!("leave `{word}` out; {}", about(*transform))),
    )
}

/// What stands below transforms without count.
fn inner(filter: &Filter) -> &Filter {
    match &filter.node {
        Node::Transform {
            range: None, argument, ..
        } => inner(argument),
        Node::Compound(list) if list.len() == 1 => inner(&list[0]),
        _ => filter,
    }
}

/// What a transform would change.
fn about(transform: Transform) -> &'static str {
    match transform {
        Transform::FlipColor => "it exchanges the colors of pieces, players and results",
        _ => "it moves squares and turns directions; pieces on the whole board stay as they are",
    }
}
