//! What makes two variants of a transform different, and the order in which variants run (cql6-positions 12.9).

use shakmaty::Color;

use crate::hir::{Designator, Direction, Directions, Filter, ManSet, Metadata, Node, PathStep, Promotion};

/// The transform-sensitive attributes of a filter, node by node, own attribute first. Variants of one argument have
/// the same shape, so equal signatures mean equal variants, and comparing signatures orders them.
pub(crate) fn signature(filter: &Filter) -> Vec<u64> {
    let mut keys = Vec::new();
    collect(filter, &mut keys);
    keys
}

fn collect(filter: &Filter, keys: &mut Vec<u64>) {
    match &filter.node {
        Node::Designator(designator) => designator_keys(designator, keys),
        Node::FenBoard(board) => board.iter().for_each(|designator| designator_keys(designator, keys)),
        Node::Ray { directions, .. }
        | Node::Direction { directions, .. }
        | Node::RayCount {
            directions: Some(directions),
            ..
        } => keys.push(direction_key(*directions)),
        Node::Turn(color) | Node::ColorValue(color) | Node::Elo(Some(color)) => keys.push(color_key(*color)),
        Node::Result(outcome) => keys.push(*outcome as u64),
        // "Black" comes before "White" among the tags.
        Node::Metadata(Metadata::Player(color)) => keys.push(1 - color_key(*color)),
        // Dark comes before light.
        Node::SquareColor(light, _) => keys.push(u64::from(*light)),
        Node::Move(m) => keys.extend(m.promote.map(men_key)),
        Node::Dash(dash) | Node::LegalDash(_, dash) | Node::CountMoves(_, dash) | Node::CurrentMove(dash) => {
            promotion_key(dash.promotion.as_ref(), keys);
        }
        Node::Path(path) => path.steps.iter().for_each(|step| step_keys(step, keys)),
        // Inner orbits of two variants may have lost different members.
        Node::Orbit { variants, .. } => keys.push(variants.len() as u64),
        _ => {}
    }
    filter.for_each_child(&mut |child| collect(child, keys));
}

fn designator_keys(designator: &Designator, keys: &mut Vec<u64>) {
    keys.push(designator.squares.0);
    keys.push(men_key(designator.men));
}

/// Any black man before any white man, else white men first.
fn men_key(men: ManSet) -> u64 {
    u64::from(men.is_superset(ManSet::WHITE)) << 16 | u64::from(men.bits())
}

fn promotion_key(promotion: Option<&Promotion>, keys: &mut Vec<u64>) {
    if let Some(Promotion::Roles(men)) = promotion {
        keys.push(men_key(*men));
    }
}

fn step_keys(step: &PathStep, keys: &mut Vec<u64>) {
    match step {
        PathStep::Filter(_) => {}
        PathStep::Dash { dash, .. } => promotion_key(dash.promotion.as_ref(), keys),
        PathStep::Chain { steps, .. } => steps.iter().for_each(|step| step_keys(step, keys)),
    }
}

fn color_key(color: Color) -> u64 {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

/// The steps in ascending order of (files, ranks), four bits each, the first one highest.
fn direction_key(directions: Directions) -> u64 {
    let mut steps: Vec<u64> = directions
        .iter()
        .map(Direction::delta)
        .map(|(dx, dy)| ((dx + 1) * 3 + dy + 2) as u64)
        .collect();
    steps.sort_unstable();
    steps.resize(8, 0);
    steps.into_iter().fold(0, |key, step| key << 4 | step)
}
