//! Conditions that the texts of a game decide as a whole: where one fails, the game has no match, and its moves need not be
//! read.

use language::facts::Reads;
use language::hir::{Filter, Metadata, Node, Query};

use crate::traces::Traces;

/// A condition that has to hold for any position of a game to match.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GameCondition<'q> {
    /// The same in all positions of the game.
    Throughout(&'q Filter),
    /// The text stands in a comment of the game.
    InAComment(&'q str),
}

/// The conditions of a query: filters in a row that all have to match, up to the first whose evaluation can be seen.
pub(crate) fn game_conditions<'q>(query: &'q Query, traces: &Traces) -> Vec<GameCondition<'q>> {
    let mut conditions = Vec::new();
    find(&query.body, traces, &mut conditions);
    conditions
}

/// Adds the conditions of a filter; says whether what stands behind it may have some, too.
fn find<'q>(filter: &'q Filter, traces: &Traces, conditions: &mut Vec<GameCondition<'q>>) -> bool {
    match &filter.node {
        Node::Compound(list) => return list.iter().all(|part| find(part, traces, conditions)),
        Node::And(a, b) => return find(a, traces, conditions) && find(b, traces, conditions),
        Node::NoTransform(inner) => return find(inner, traces, conditions),
        _ => {}
    }
    if !traces.may_skip(filter, true, &[], &[]) {
        return false;
    }
    let is_throughout = !filter.any(&mut |part| !part.facts().by_game);
    if is_throughout && filter.all_reads().intersects(Reads::TEXT) {
        conditions.push(GameCondition::Throughout(filter));
    } else if let Node::Substring(needle, text) = &filter.node
        && let Node::String(needle) = &needle.node
        && matches!(text.node, Node::Metadata(Metadata::Comment))
    {
        conditions.push(GameCondition::InAComment(needle));
    }
    true
}
