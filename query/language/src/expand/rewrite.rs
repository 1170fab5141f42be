//! What a map rewrites in a filter's own attributes (docs/language/transforms.md#what-maps-change).

use crate::facts::PartMut;
use crate::hir::{Designator, Filter};
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

/// Rewrites the attributes of the filter itself, not its children, with the maps, the first one first.
pub(super) fn rewrite(filter: &mut Filter, maps: &[Map]) -> Result<(), NoImage> {
    let swapped = maps.iter().filter(|map| map.swaps_colors()).count() % 2 != 0;
    let mut outcome = Ok(());
    filter.for_each_part_mut(&mut |part| {
        if outcome.is_ok() {
            outcome = rewrite_part(part, maps, swapped);
        }
    });
    outcome
}

fn rewrite_part(part: PartMut<'_>, maps: &[Map], swapped: bool) -> Result<(), NoImage> {
    match part {
        PartMut::Child(_) => {}
        PartMut::Designator(designator) => rewrite_designator(designator, maps, swapped)?,
        PartMut::Directions(directions) => {
            *directions = maps
                .iter()
                .fold(*directions, |directions, map| map.directions(directions));
        }
        PartMut::SquareColor(light) => {
            for map in maps {
                *light ^= map.swaps_square_colors().ok_or(NoImage::Rotate45)?;
            }
        }
        PartMut::Color(color) | PartMut::PlayerColor(color) => {
            if swapped {
                *color = !*color;
            }
        }
        PartMut::Outcome(outcome) => {
            *outcome = match *outcome {
                chess::Outcome::White if swapped => chess::Outcome::Black,
                chess::Outcome::Black if swapped => chess::Outcome::White,
                other => other,
            };
        }
        PartMut::Promotion(men) => {
            if swapped {
                *men = men.swap_colors();
            }
        }
        PartMut::TransformName(name) => *name = transform_name(maps),
        PartMut::Untransformable => {
            if !maps.is_empty() {
                return Err(NoImage::SimilarPosition);
            }
        }
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

/// `<invertcolor reflect_h right^1>`: the outermost map first, the identity left out.
pub(super) fn transform_name(maps: &[Map]) -> String {
    let names: Vec<String> = maps.iter().rev().map(|map| map.name()).collect();
    format!("<{}>", names.join(" "))
}
