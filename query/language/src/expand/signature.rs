//! What makes two variants of a transform different, and the order in which variants run
//! (docs/language/transforms.md#distinct-variants).

use shakmaty::Color;

use crate::facts::Part;
use crate::hir::{Designator, Direction, Directions, Filter, ManSet, Node};

/// The transform-sensitive attributes of a filter, node by node, own attribute first. Variants of one argument have
/// the same shape, so equal signatures mean equal variants, and comparing signatures orders them.
pub(crate) fn signature(filter: &Filter) -> Vec<u64> {
    let mut keys = Vec::new();
    collect(filter, &mut keys);
    keys
}

fn collect(filter: &Filter, keys: &mut Vec<u64>) {
    // Inner orbits of two variants may have lost different members.
    if let Node::Orbit { variants, .. } = &filter.node {
        keys.push(variants.len() as u64);
    }
    filter.for_each_part(&mut |part| match part {
        Part::Child(child) => collect(child, keys),
        Part::Designator(designator) => designator_keys(designator, keys),
        Part::Directions(directions) => keys.push(direction_key(*directions)),
        Part::Color(color) => keys.push(color_key(*color)),
        // "Black" comes before "White" among the tags.
        Part::PlayerColor(color) => keys.push(1 - color_key(*color)),
        Part::Outcome(outcome) => keys.push(*outcome as u64),
        // Dark comes before light.
        Part::SquareColor(light) => keys.push(u64::from(*light)),
        Part::Promotion(men) => keys.push(men_key(*men)),
        Part::TransformName(_) | Part::Untransformable => {}
    });
}

fn designator_keys(designator: &Designator, keys: &mut Vec<u64>) {
    keys.push(designator.squares.0);
    keys.push(men_key(designator.men));
}

/// Any black man before any white man, else white men first.
fn men_key(men: ManSet) -> u64 {
    u64::from(men.is_superset(ManSet::WHITE)) << 16 | u64::from(men.bits())
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
        .map(|(dx, dy)| u64::from(((dx + 1) * 3 + dy + 2).unsigned_abs()))
        .collect();
    steps.sort_unstable();
    steps.resize(8, 0);
    steps.into_iter().fold(0, |key, step| key << 4 | step)
}
