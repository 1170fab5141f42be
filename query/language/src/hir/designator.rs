//! Piece designators.

use chess::Man;
use shakmaty::{Bitboard, Color, Role};

/// A set of contents of a square: kinds of men, and the empty square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ManSet(u16);

impl ManSet {
    /// The empty set.
    pub const NONE: ManSet = ManSet(0);
    /// `[Aa_]`: any man or none.
    pub const ANYTHING: ManSet = ManSet(0x1fff);
    /// `A`
    pub const WHITE: ManSet = ManSet(0x003f);
    /// `a`
    pub const BLACK: ManSet = ManSet(0x0fc0);
    /// `_`
    pub const EMPTY_SQUARE: ManSet = ManSet(0x1000);

    /// Just this man.
    pub fn from_man(man: Man) -> ManSet {
        ManSet(1 << man.index())
    }

    /// The men of one role, in both colors.
    pub fn from_role(role: Role) -> ManSet {
        ManSet::from_man(Man::new(Color::White, role)) | ManSet::from_man(Man::new(Color::Black, role))
    }

    /// Whether the man is in the set.
    #[inline]
    pub fn contains(self, man: Man) -> bool {
        self.0 >> man.index() & 1 != 0
    }

    /// Whether all of the other set is in this one.
    pub fn is_superset(self, other: ManSet) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether all are men of the same color; so it is where there are none.
    #[must_use]
    pub fn has_one_color(self) -> bool {
        [ManSet::WHITE, ManSet::BLACK].iter().any(|own| own.is_superset(self))
    }

    /// What is in both sets.
    #[must_use]
    pub fn intersection(self, other: ManSet) -> ManSet {
        ManSet(self.0 & other.0)
    }

    /// What is in this set and not in the other.
    #[must_use]
    pub fn without(self, other: ManSet) -> ManSet {
        ManSet(self.0 & !other.0)
    }

    /// The members, ascending.
    pub fn iter(self) -> impl Iterator<Item = Man> {
        (0..=12u8)
            .filter_map(Man::from_index)
            .filter(move |&man| self.contains(man))
    }

    /// White men for black ones and the other way round; the empty square stays.
    pub fn swap_colors(self) -> ManSet {
        ManSet((self.0 & 0x003f) << 6 | (self.0 & 0x0fc0) >> 6 | (self.0 & 0x1000))
    }

    /// The bits: bit n for the man with number n, bit 12 for the empty square.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }
}

impl std::ops::BitOr for ManSet {
    type Output = ManSet;

    fn bitor(self, other: ManSet) -> ManSet {
        ManSet(self.0 | other.0)
    }
}

impl FromIterator<Man> for ManSet {
    fn from_iter<I: IntoIterator<Item = Man>>(men: I) -> ManSet {
        men.into_iter()
            .fold(ManSet::NONE, |all, man| all | ManSet::from_man(man))
    }
}

/// Contents and squares: `R[a1,h1]` is rooks on a1 or h1 (docs/language/positions.md#designators).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Designator {
    /// What may stand there; [`ManSet::ANYTHING`] if the text names no piece.
    pub men: ManSet,
    /// The squares; all 64 if the text names none.
    pub squares: Bitboard,
}

impl Designator {
    /// These men on the whole board.
    pub fn anywhere(men: ManSet) -> Designator {
        Designator {
            men,
            squares: Bitboard::FULL,
        }
    }
}
