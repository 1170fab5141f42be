use super::*;
use crate::hir::{Kind, Metadata};
use crate::span::Span;
use crate::{Dialect, ParseOptions, compile};

#[test]
fn filters_are_numbered_in_preorder() {
    let query = compile(
        "flip {Ra1 or Qd4 attacks k} #K",
        Dialect::Cql6,
        &ParseOptions::default(),
    )
    .unwrap();
    let mut numbers = Vec::new();
    query.body.any(&mut |filter| {
        numbers.push(filter.id().index());
        false
    });
    assert_eq!(numbers, (0..query.filter_count()).collect::<Vec<_>>());
    let part = query.with_elements(1..2);
    assert_eq!(part.filter_count(), 3);
}

#[test]
fn vacuous_filters_are_conditions_of_none() {
    let filter = |node, kind| Filter::new(node, kind, Span::default());
    assert!(filter(Node::Number(1), Kind::Numeric).is_vacuous());
    assert!(filter(Node::Metadata(Metadata::BothPlayers), Kind::String).is_vacuous());
    assert!(!filter(Node::Metadata(Metadata::Event), Kind::String).is_vacuous());
    assert!(filter(Node::Variable(VariableId(0)), Kind::Numeric).is_vacuous());
    assert!(!filter(Node::Variable(VariableId(0)), Kind::Set).is_vacuous());
}
