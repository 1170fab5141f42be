//! The transforms of CQL 1: flips, colors, and shifts that stick to the edge (docs/language/cql1.md#transforms).
//!
//! A shift of CQL 1 keeps the squares of the edge that it moves away from, and moves them too, so that one square
//! becomes several. The map acts on sets of squares; a map of single squares could not say it.

use std::collections::BTreeSet;

use shakmaty::{Bitboard, File, Rank};

use super::dihedral::Dihedral;

/// Which transform keywords a position list has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sticky(u16);

/// The keywords without their colons.
const KEYWORDS: [(&str, Sticky); 13] = [
    ("flip", Sticky::FLIP),
    ("flipdihedral", Sticky::FLIP),
    ("flipvertical", Sticky::FLIP_VERTICAL),
    ("fliphorizontal", Sticky::FLIP_HORIZONTAL),
    ("flipdiagonal", Sticky::FLIP_DIAGONAL),
    ("flipoffdiagonal", Sticky::FLIP_OFF_DIAGONAL),
    ("flipcolor", Sticky::FLIP_COLOR),
    ("shift", Sticky::SHIFT),
    ("shifthorizontal", Sticky::SHIFT_HORIZONTAL),
    ("shiftvertical", Sticky::SHIFT_VERTICAL),
    ("shiftmaindiagonal", Sticky::SHIFT_MAIN_DIAGONAL),
    ("shiftoffdiagonal", Sticky::SHIFT_OFF_DIAGONAL),
    ("shiftdiagonal", Sticky::SHIFT_DIAGONAL),
];

impl Sticky {
    /// All keywords without their colons.
    pub const KEYWORDS: &[(&'static str, Sticky)] = &KEYWORDS;
    /// No keyword.
    pub const NONE: Sticky = Sticky(0);
    /// `:flip`, `:flipdihedral`
    pub const FLIP: Sticky = Sticky(1);
    /// `:flipvertical`
    pub const FLIP_VERTICAL: Sticky = Sticky(1 << 1);
    /// `:fliphorizontal`
    pub const FLIP_HORIZONTAL: Sticky = Sticky(1 << 2);
    /// `:flipdiagonal`
    pub const FLIP_DIAGONAL: Sticky = Sticky(1 << 3);
    /// `:flipoffdiagonal`
    pub const FLIP_OFF_DIAGONAL: Sticky = Sticky(1 << 4);
    /// `:flipcolor`
    pub const FLIP_COLOR: Sticky = Sticky(1 << 5);
    /// `:shift`
    pub const SHIFT: Sticky = Sticky(1 << 6);
    /// `:shifthorizontal`
    pub const SHIFT_HORIZONTAL: Sticky = Sticky(1 << 7);
    /// `:shiftvertical`
    pub const SHIFT_VERTICAL: Sticky = Sticky(1 << 8);
    /// `:shiftmaindiagonal`
    pub const SHIFT_MAIN_DIAGONAL: Sticky = Sticky(1 << 9);
    /// `:shiftoffdiagonal`
    pub const SHIFT_OFF_DIAGONAL: Sticky = Sticky(1 << 10);
    /// `:shiftdiagonal`
    pub const SHIFT_DIAGONAL: Sticky = Sticky(1 << 11);

    /// The transform of a keyword, written without its colon.
    pub fn named(name: &str) -> Option<Sticky> {
        KEYWORDS
            .iter()
            .find(|(keyword, _)| *keyword == name)
            .map(|(_, sticky)| *sticky)
    }

    /// The keywords of both.
    #[must_use]
    pub const fn union(self, other: Sticky) -> Sticky {
        Sticky(self.0 | other.0)
    }

    /// Whether all keywords of the other are among these.
    pub const fn contains(self, other: Sticky) -> bool {
        self.0 & other.0 == other.0
    }

    /// Every motion that is composed of one of each keyword, in any order of the keywords, each once; the identity first.
    ///
    /// The order matters only where two flips do not commute, or a flip turns the direction of a shift
    /// (docs/language/cql1.md#several-transforms). Offsets of several shifts add up to one.
    pub fn motions(self) -> Vec<Motion> {
        let factors = self.factors();
        // reached[mask]: what the factors of the mask give in any order.
        let mut reached = vec![BTreeSet::from([Motion::IDENTITY])];
        for mask in 1..1usize << factors.len() {
            let mut motions = BTreeSet::new();
            for (index, factor) in factors.iter().enumerate() {
                if mask >> index & 1 != 0 {
                    let before = &reached[mask & !(1 << index)];
                    motions.extend(
                        before
                            .iter()
                            .flat_map(|first| factor.iter().map(|second| first.then(*second))),
                    );
                }
            }
            reached.push(motions);
        }
        let mut motions: Vec<Motion> = reached.pop().unwrap_or_default().into_iter().collect();
        motions.sort_by_key(|motion| *motion != Motion::IDENTITY);
        motions
    }

    /// One list of motions for each kind of keyword; shifts are one kind.
    fn factors(self) -> Vec<Vec<Motion>> {
        use Dihedral as D;
        let flip = |dihedral| Motion {
            dihedral: Some(dihedral),
            ..Motion::IDENTITY
        };
        let with_identity = |motions: &[Motion]| [&[Motion::IDENTITY], motions].concat();
        let mut factors = Vec::new();
        if self.contains(Sticky::FLIP) {
            factors.push(with_identity(&Dihedral::ALL.map(flip)));
        } else {
            let flips = [
                (Sticky::FLIP_VERTICAL, D::ReflectV),
                (Sticky::FLIP_HORIZONTAL, D::ReflectH),
                (Sticky::FLIP_DIAGONAL, D::ReflectA1H8),
                (Sticky::FLIP_OFF_DIAGONAL, D::ReflectA8H1),
            ];
            let named = flips.into_iter().filter(|(keyword, _)| self.contains(*keyword));
            factors.extend(named.map(|(_, dihedral)| with_identity(&[flip(dihedral)])));
        }
        if self.contains(Sticky::FLIP_COLOR) {
            factors.push(with_identity(&[Motion {
                swap: true,
                ..flip(D::ReflectH)
            }]));
        }
        let offsets = self.offsets();
        if offsets.len() > 1 {
            let shift = |(dx, dy)| Motion {
                dx,
                dy,
                ..Motion::IDENTITY
            };
            factors.push(offsets.into_iter().map(shift).collect());
        }
        factors
    }

    /// The offsets that the shift keywords add up to, none beyond the board.
    fn offsets(self) -> BTreeSet<(i8, i8)> {
        let line = |dx: i8, dy: i8| (-7..=7).map(move |n: i8| (n * dx, n * dy));
        let all = || (-7..=7).flat_map(|dx| (-7..=7).map(move |dy| (dx, dy)));
        let sets: [(Sticky, Vec<(i8, i8)>); 6] = [
            (Sticky::SHIFT, all().collect()),
            (Sticky::SHIFT_HORIZONTAL, line(1, 0).collect()),
            (Sticky::SHIFT_VERTICAL, line(0, 1).collect()),
            (Sticky::SHIFT_MAIN_DIAGONAL, line(1, 1).collect()),
            (Sticky::SHIFT_OFF_DIAGONAL, line(1, -1).collect()),
            (Sticky::SHIFT_DIAGONAL, line(1, 1).chain(line(1, -1)).collect()),
        ];
        let mut offsets = BTreeSet::from([(0, 0)]);
        for (_, set) in sets.iter().filter(|(keyword, _)| self.contains(*keyword)) {
            offsets = offsets
                .iter()
                .flat_map(|&(x, y)| set.iter().map(move |&(dx, dy)| (x + dx, y + dy)))
                .filter(|(x, y)| x.abs() <= 7 && y.abs() <= 7)
                .collect();
        }
        offsets
    }
}

/// A symmetry of the board, then an exchange of colors if there is one, then a shift that sticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Motion {
    /// The symmetry; `None` for the identity.
    pub dihedral: Option<Dihedral>,
    /// Whether White becomes Black. The board that a color flip turns is part of the symmetry.
    pub swap: bool,
    /// Files to the right, -7 to 7.
    pub dx: i8,
    /// Ranks up, -7 to 7.
    pub dy: i8,
}

impl Motion {
    /// The identity.
    pub const IDENTITY: Motion = Motion {
        dihedral: None,
        swap: false,
        dx: 0,
        dy: 0,
    };

    /// This motion, then another. Only one of the two may shift.
    fn then(self, next: Motion) -> Motion {
        let turn = |step| next.dihedral.map_or(step, |dihedral| dihedral.step(step));
        let (dx, dy) = turn((self.dx, self.dy));
        Motion {
            dihedral: match (self.dihedral, next.dihedral) {
                (None, other) | (other, None) => other,
                (Some(first), Some(second)) => first.then(second),
            },
            swap: self.swap != next.swap,
            dx: dx + next.dx,
            dy: dy + next.dy,
        }
    }

    /// The image of a set of squares.
    pub fn squares(self, set: Bitboard) -> Bitboard {
        let set = self.dihedral.map_or(set, |dihedral| dihedral.squares(set));
        let horizontal = |set, _| if self.dx > 0 { right(set) } else { left(set) };
        let vertical = |set, _| if self.dy > 0 { up(set) } else { down(set) };
        let set = (0..self.dx.abs()).fold(set, horizontal);
        (0..self.dy.abs()).fold(set, vertical)
    }
}

/// One file to the right: squares on the h-file are lost, those on the a-file stay and move.
fn right(set: Bitboard) -> Bitboard {
    Bitboard((set & !Bitboard::from_file(File::H)).0 << 1) | (set & Bitboard::from_file(File::A))
}

/// One file to the left.
fn left(set: Bitboard) -> Bitboard {
    Bitboard((set & !Bitboard::from_file(File::A)).0 >> 1) | (set & Bitboard::from_file(File::H))
}

/// One rank up.
fn up(set: Bitboard) -> Bitboard {
    Bitboard(set.0 << 8) | (set & Bitboard::from_rank(Rank::First))
}

/// One rank down.
fn down(set: Bitboard) -> Bitboard {
    Bitboard(set.0 >> 8) | (set & Bitboard::from_rank(Rank::Eighth))
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;

    fn set(squares: &str) -> Bitboard {
        squares
            .split(',')
            .filter(|name| !name.is_empty())
            .map(|name| name.parse::<Square>().unwrap())
            .collect()
    }

    fn moved(squares: &str, dx: i8, dy: i8) -> Bitboard {
        Motion {
            dx,
            dy,
            ..Motion::IDENTITY
        }
        .squares(set(squares))
    }

    #[test]
    fn shifts_stick_to_the_edge_they_leave() {
        // docs/language/cql1.md#sticky-shifts
        assert_eq!(moved("d4", 1, 0), set("e4"));
        assert_eq!(moved("c2,h2", 1, 0), set("d2"));
        assert_eq!(moved("a2,c2,h2", 1, 0), set("a2,b2,d2"));
        assert_eq!(moved("a4", 3, 0), set("a4,b4,c4,d4"));
        assert_eq!(moved("a1,a8,h1,h8", 0, 1), set("a1,a2,h1,h2"));
        assert_eq!(moved("h8", -1, 0), set("g8,h8"));
        assert_eq!(moved("b3,c4", 2, 1), set("d4,e5"));
        assert_eq!(moved("h4", 1, 0), set(""));
        assert_eq!(moved("a1", 1, 1), set("a1,a2,b1,b2"));
        let rank: Bitboard = Bitboard::from_rank(Rank::Third);
        for dx in -7..=7 {
            let moved = Motion { dx, ..Motion::IDENTITY };
            assert_eq!(moved.squares(rank), rank);
            assert_eq!(moved.squares(Bitboard::FULL), Bitboard::FULL);
        }
    }

    #[test]
    fn a_square_becomes_a_rectangle() {
        // What a shift makes of one file or rank (docs/language/cql1.md#sticky-shifts).
        let image = |at: i32, by: i32| -> Vec<i32> {
            let (edge, towards) = if by > 0 { (0, 1) } else { (7, -1) };
            match at == edge {
                true => (0..=by.abs())
                    .map(|n| edge + n * towards)
                    .filter(|n| (0..8).contains(n))
                    .collect(),
                false => Some(at + by).filter(|n| (0..8).contains(n)).into_iter().collect(),
            }
        };
        for square in Square::ALL {
            for (dx, dy) in (-7..=7i8).flat_map(|dx| (-7..=7).map(move |dy| (dx, dy))) {
                let files = image(i32::from(square.file()), i32::from(dx));
                let ranks = image(i32::from(square.rank()), i32::from(dy));
                let expected: Bitboard = files
                    .iter()
                    .flat_map(|&file| {
                        ranks
                            .iter()
                            .map(move |&rank| Square::new((rank * 8 + file).unsigned_abs()))
                    })
                    .collect();
                let motion = Motion {
                    dx,
                    dy,
                    ..Motion::IDENTITY
                };
                assert_eq!(motion.squares(square.into()), expected, "{square} by {dx} {dy}");
            }
        }
    }

    #[test]
    fn keywords_have_the_sizes_of_the_reference() {
        for (names, size) in [
            ("fliphorizontal", 2),
            ("flipvertical", 2),
            ("flipdiagonal", 2),
            ("flipoffdiagonal", 2),
            ("flip", 8),
            ("flipdihedral", 8),
            ("flipcolor", 2),
            ("shifthorizontal", 15),
            ("shiftvertical", 15),
            ("shift", 225),
            ("shiftmaindiagonal", 15),
            ("shiftoffdiagonal", 15),
            ("shiftdiagonal", 29),
            ("shifthorizontal shiftvertical", 225),
            ("shift shiftdiagonal", 225),
            ("flip flipdiagonal", 8),
            ("shift flip", 1_800),
            ("shift flip flipcolor", 3_600),
            // Both orders: c2 becomes c2, b3, c7, b6, g3.
            ("flipdiagonal fliphorizontal", 5),
            // A flip turns the direction: right, and up.
            ("flipdiagonal shifthorizontal", 15 + 15 + 14),
        ] {
            let keywords = names.split(' ').map(|name| Sticky::named(name).unwrap());
            let sticky = keywords.fold(Sticky::NONE, Sticky::union);
            let motions = sticky.motions();
            assert_eq!(motions.len(), size, "{names}");
            assert_eq!(motions[0], Motion::IDENTITY);
        }
    }

    #[test]
    fn two_flips_are_taken_in_both_orders() {
        let sticky = Sticky::FLIP_DIAGONAL.union(Sticky::FLIP_HORIZONTAL);
        let images: BTreeSet<Square> = sticky
            .motions()
            .iter()
            .filter_map(|motion| motion.squares(set("c2")).first())
            .collect();
        assert_eq!(images, set("c2,b3,c7,b6,g3").into_iter().collect());
    }
}
