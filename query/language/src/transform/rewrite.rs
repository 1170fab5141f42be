//! What a map rewrites in a filter's own attributes (cql6-positions 12.4).

use crate::hir::{Dash, Designator, ManSet, Metadata, MoveFilter, Node, Path, PathStep, Promotion};
use crate::transform::Map;

/// Why a filter has no image under a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoImage {
    /// A shift has taken all squares of a designator off the board: the variant is left out.
    Eliminated,
    /// `rotate45` of squares or of `light` and `dark`: an error.
    Rotate45,
    /// `similarposition` knows transforms of its own: an error.
    SimilarPosition,
}

/// Rewrites the node itself, not its children, with the maps, the first one first.
pub(super) fn rewrite(node: &mut Node, maps: &[Map]) -> Result<(), NoImage> {
    let swapped = maps.iter().filter(|map| map.swaps_colors()).count() % 2 != 0;
    let men = |men: &mut ManSet| {
        if swapped {
            *men = men.swap_colors();
        }
    };
    match node {
        Node::Designator(designator) => rewrite_designator(designator, maps, swapped)?,
        Node::FenBoard(board) => {
            for designator in board {
                rewrite_designator(designator, maps, swapped)?;
            }
        }
        Node::SimilarPosition(_) if !maps.is_empty() => return Err(NoImage::SimilarPosition),
        Node::Ray { directions, .. }
        | Node::Direction { directions, .. }
        | Node::RayCount {
            directions: Some(directions),
            ..
        } => {
            *directions = maps
                .iter()
                .fold(*directions, |directions, map| map.directions(directions));
        }
        Node::SquareColor(light, _) => {
            for map in maps {
                *light ^= map.swaps_square_colors().ok_or(NoImage::Rotate45)?;
            }
        }
        Node::Turn(color)
        | Node::ColorValue(color)
        | Node::Elo(Some(color))
        | Node::Metadata(Metadata::Player(color))
            if swapped =>
        {
            *color = !*color;
        }
        Node::Result(outcome) if swapped => {
            *outcome = match *outcome {
                chess::Outcome::White => chess::Outcome::Black,
                chess::Outcome::Black => chess::Outcome::White,
                other => other,
            };
        }
        Node::Move(m) => {
            let MoveFilter { promote, .. } = &mut **m;
            promote.iter_mut().for_each(men);
        }
        Node::Dash(dash) | Node::LegalDash(_, dash) | Node::CountMoves(_, dash) | Node::CurrentMove(dash) => {
            promotion(dash, men);
        }
        Node::Path(path) => {
            let Path { steps, .. } = &mut **path;
            steps.iter_mut().for_each(|step| step_promotions(step, men));
        }
        Node::CurrentTransform(name) => *name = transform_name(maps),
        _ => {}
    }
    Ok(())
}

fn rewrite_designator(designator: &mut Designator, maps: &[Map], swapped: bool) -> Result<(), NoImage> {
    if swapped {
        designator.men = designator.men.swap_colors();
    }
    for map in maps {
        designator.squares = map.squares(designator.squares).ok_or(NoImage::Rotate45)?;
    }
    // A list of CQL 1 that has lost a square set is no more than a list that can't match, or one with a count of 0.
    if designator.squares.is_empty() && maps.iter().any(|map| matches!(map, Map::Shift { .. })) {
        Err(NoImage::Eliminated)
    } else {
        Ok(())
    }
}

fn promotion(dash: &mut Dash, men: impl Fn(&mut ManSet)) {
    if let Some(Promotion::Roles(roles)) = &mut dash.promotion {
        men(roles);
    }
}

fn step_promotions(step: &mut PathStep, men: impl Fn(&mut ManSet) + Copy) {
    match step {
        PathStep::Filter(_) => {}
        PathStep::Dash { dash, .. } => promotion(dash, men),
        PathStep::Chain { steps, .. } => steps.iter_mut().for_each(|step| step_promotions(step, men)),
    }
}

/// `<invertcolor reflect_h right^1>`: the outermost map first, the identity left out.
pub(super) fn transform_name(maps: &[Map]) -> String {
    let names: Vec<String> = maps.iter().rev().map(|map| map.name()).collect();
    format!("<{}>", names.join(" "))
}
