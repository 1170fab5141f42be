//! Transforms: a typed group action on the squares, directions and colors of the board (docs/language/transforms.md).
//!
//! A [`Transform`] is a keyword and stands for a list of maps. [`crate::expand()`] replaces every transform of a query by
//! the orbit of its distinct variants.

mod dihedral;
mod direction;
mod map;
mod sticky;

pub use dihedral::Dihedral;
pub use direction::{Direction, Directions};
pub use map::Map;
pub use sticky::{Motion, Sticky};

/// A transform keyword: which maps it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transform {
    /// `flip`, `flipdihedral`, `dihedral`
    Flip,
    /// `rotate90`
    Rotate90,
    /// `rotate45`
    Rotate45,
    /// `fliphorizontal`
    FlipHorizontal,
    /// `flipvertical`
    FlipVertical,
    /// `flipcolor`
    FlipColor,
    /// `reversecolor`
    ReverseColor,
    /// `shift`
    Shift,
    /// `shifthorizontal`
    ShiftHorizontal,
    /// `shiftvertical`
    ShiftVertical,
    /// The transforms of a position list of CQL 1, all at once.
    Sticky(Sticky),
}

impl Transform {
    /// All that have a keyword in CQL 6.
    pub const ALL: [Transform; 10] = [
        Transform::Flip,
        Transform::Rotate90,
        Transform::Rotate45,
        Transform::FlipHorizontal,
        Transform::FlipVertical,
        Transform::FlipColor,
        Transform::ReverseColor,
        Transform::Shift,
        Transform::ShiftHorizontal,
        Transform::ShiftVertical,
    ];

    /// The maps in the order of generation (docs/language/transforms.md#distinct-variants); `None` is the identity.
    pub fn maps(self) -> Vec<Option<Map>> {
        let dihedral = |d| Some(Map::Dihedral(d));
        let shift = |dx, dy| Some(Map::Shift { dx, dy });
        let with_identity = |maps: Vec<Option<Map>>| std::iter::once(None).chain(maps).collect();
        let offsets = || (-7..=7i8).filter(|&n| n != 0);
        match self {
            Transform::Flip => vec![
                None,
                dihedral(Dihedral::ReflectA1H8),
                dihedral(Dihedral::ReflectH),
                dihedral(Dihedral::CounterClockwise90),
                dihedral(Dihedral::ReflectV),
                dihedral(Dihedral::Clockwise90),
                dihedral(Dihedral::Rotate180),
                dihedral(Dihedral::ReflectA8H1),
            ],
            Transform::Rotate90 => vec![
                None,
                dihedral(Dihedral::CounterClockwise90),
                dihedral(Dihedral::Rotate180),
                dihedral(Dihedral::Clockwise90),
            ],
            Transform::Rotate45 => with_identity((1..=7).map(|times| Some(Map::Rotate45(times))).collect()),
            Transform::FlipHorizontal => vec![None, dihedral(Dihedral::ReflectH)],
            Transform::FlipVertical => vec![None, dihedral(Dihedral::ReflectV)],
            Transform::FlipColor => vec![None, Some(Map::Color)],
            Transform::ReverseColor => vec![Some(Map::Color)],
            Transform::Shift => with_identity(
                (-7..=7)
                    .flat_map(|dx| (-7..=7).map(move |dy| (dx, dy)))
                    .filter(|&offset| offset != (0, 0))
                    .map(|(dx, dy)| shift(dx, dy))
                    .collect(),
            ),
            Transform::ShiftHorizontal => with_identity(offsets().map(|dx| shift(dx, 0)).collect()),
            Transform::ShiftVertical => with_identity(offsets().map(|dy| shift(0, dy)).collect()),
            Transform::Sticky(sticky) => {
                let motion = |motion| (motion != Motion::IDENTITY).then_some(Map::Sticky(motion));
                sticky.motions().into_iter().map(motion).collect()
            }
        }
    }

    /// The keyword.
    pub fn keyword(self) -> &'static str {
        match self {
            Transform::Flip => "flip",
            Transform::Rotate90 => "rotate90",
            Transform::Rotate45 => "rotate45",
            Transform::FlipHorizontal => "fliphorizontal",
            Transform::FlipVertical => "flipvertical",
            Transform::FlipColor => "flipcolor",
            Transform::ReverseColor => "reversecolor",
            Transform::Shift => "shift",
            Transform::ShiftHorizontal => "shifthorizontal",
            Transform::ShiftVertical => "shiftvertical",
            Transform::Sticky(_) => "transform of a position list",
        }
    }
}
