//! The symmetries of the square board (docs/language/transforms.md#reflections-and-rotations).

use std::ops::Neg;

use shakmaty::Bitboard;

/// A symmetry of the square board, the identity left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dihedral {
    /// a1 to a8.
    ReflectH,
    /// a1 to h1.
    ReflectV,
    /// a1 to h8.
    Rotate180,
    /// In the long diagonal a1-h8.
    ReflectA1H8,
    /// In the long diagonal a8-h1.
    ReflectA8H1,
    /// a1 to h1, turning left.
    CounterClockwise90,
    /// a1 to a8, turning right.
    Clockwise90,
}

impl Dihedral {
    /// All seven.
    pub const ALL: [Dihedral; 7] = [
        Dihedral::ReflectH,
        Dihedral::ReflectV,
        Dihedral::Rotate180,
        Dihedral::ReflectA1H8,
        Dihedral::ReflectA8H1,
        Dihedral::CounterClockwise90,
        Dihedral::Clockwise90,
    ];

    /// This symmetry, then another; `None` when they cancel out.
    pub(super) fn then(self, next: Dihedral) -> Option<Dihedral> {
        let ends = |step| next.step(self.step(step));
        Dihedral::ALL
            .into_iter()
            .find(|both| [(1, 0), (0, 1)].into_iter().all(|step| both.step(step) == ends(step)))
    }

    /// The image of a set of squares.
    pub fn squares(self, set: Bitboard) -> Bitboard {
        match self {
            Dihedral::ReflectH => set.flip_vertical(),
            Dihedral::ReflectV => set.flip_horizontal(),
            Dihedral::Rotate180 => set.rotate_180(),
            Dihedral::ReflectA1H8 => set.flip_diagonal(),
            Dihedral::ReflectA8H1 => set.flip_anti_diagonal(),
            Dihedral::CounterClockwise90 => set.rotate_270(),
            Dihedral::Clockwise90 => set.rotate_90(),
        }
    }

    pub(super) fn step<N: Neg<Output = N>>(self, (dx, dy): (N, N)) -> (N, N) {
        match self {
            Dihedral::ReflectH => (dx, -dy),
            Dihedral::ReflectV => (-dx, dy),
            Dihedral::Rotate180 => (-dx, -dy),
            Dihedral::ReflectA1H8 => (dy, dx),
            Dihedral::ReflectA8H1 => (-dy, -dx),
            Dihedral::CounterClockwise90 => (-dy, dx),
            Dihedral::Clockwise90 => (dy, -dx),
        }
    }

    pub(super) fn swaps_square_colors(self) -> bool {
        matches!(
            self,
            Dihedral::ReflectH | Dihedral::ReflectV | Dihedral::CounterClockwise90 | Dihedral::Clockwise90
        )
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Dihedral::ReflectH => "reflect_h",
            Dihedral::ReflectV => "reflect_v",
            Dihedral::Rotate180 => "rotate180",
            Dihedral::ReflectA1H8 => "reflect_a1h8",
            Dihedral::ReflectA8H1 => "reflect_a8h1",
            Dihedral::CounterClockwise90 => "counterclockwise90",
            Dihedral::Clockwise90 => "clockwise90",
        }
    }
}
