//! Boards as four bit planes, their images under echo transforms, and how many squares two of them share.

use std::sync::LazyLock;

use chess::{Board, Man};
use language::hir::{EchoTransform, SquareComparison};
use language::transform::Map;
use shakmaty::{Bitboard, Square};

use crate::board::shift;
use crate::value::number_of_count;

/// What stands on every square, as a number of four bits: bit n of the number of a square is in plane n, and 0 is the
/// empty square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Planes([Bitboard; 4]);

impl Planes {
    /// The planes of a board.
    pub(crate) fn of(board: &Board) -> Planes {
        let mut planes = [Bitboard::EMPTY; 4];
        for man in Man::all() {
            let squares = board.of(man);
            for (bit, plane) in planes.iter_mut().enumerate() {
                if (man.index() + 1) >> bit & 1 != 0 {
                    *plane |= squares;
                }
            }
        }
        Planes(planes)
    }

    /// The squares with a man on them.
    #[inline]
    fn occupied(&self) -> Bitboard {
        self.0[0] | self.0[1] | self.0[2] | self.0[3]
    }

    /// The squares where the two differ.
    #[inline]
    fn difference(&self, other: &Planes) -> Bitboard {
        (self.0[0] ^ other.0[0]) | (self.0[1] ^ other.0[1]) | (self.0[2] ^ other.0[2]) | (self.0[3] ^ other.0[3])
    }

    /// The image; what leaves the board is lost.
    #[inline]
    pub(crate) fn map(&self, map: EchoMap) -> Planes {
        Planes(self.0.map(|plane| map.image(plane)))
    }

    /// The image that touches the a-file and the first rank: equal for boards that are shifted copies of each other.
    pub(crate) fn to_corner(self) -> Planes {
        let occupied = self.occupied();
        let Some(lowest) = occupied.first() else { return self };
        let files = occupied.0 | occupied.0 >> 32;
        let files = files | files >> 16;
        let files = (files | files >> 8) & 0xff;
        let (dx, dy) = (files.trailing_zeros().cast_signed(), i32::from(lowest.rank()));
        Planes(self.0.map(|plane| shift(plane, -dx, -dy)))
    }

    /// A hash of all 64 squares.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the two halves of the product are taken apart"
    )]
    pub(crate) fn hash(&self) -> u64 {
        // Multiplication and folding as in wyhash (Wang Yi 2019); candidates are compared square by square afterwards.
        self.0.iter().fold(0x9e37_79b9_7f4a_7c15, |hash: u64, plane| {
            let product = u128::from(hash ^ plane.0) * 0xa076_1d64_78bd_642f;
            (product as u64) ^ (product >> 64) as u64
        })
    }
}

/// A map of an echo transform, as it acts on squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EchoMap {
    /// Source and target are compared as they stand.
    Identity,
    /// A symmetry or a shift.
    Map(Map),
}

impl EchoMap {
    /// All maps of a comparison.
    pub(crate) fn all(echo: Option<EchoTransform>) -> &'static [EchoMap] {
        static MAPS: LazyLock<Vec<Vec<EchoMap>>> = LazyLock::new(|| {
            let maps = |echo: EchoTransform| echo.maps().into_iter().map(EchoMap::Map).collect();
            EchoTransform::ALL.into_iter().map(maps).collect()
        });
        match echo {
            None => &[EchoMap::Identity],
            // The declaration's order is that of `ALL`.
            Some(echo) => &MAPS[echo as usize],
        }
    }

    /// Where the squares go; those that leave the board are lost.
    #[inline]
    pub(crate) fn image(self, squares: Bitboard) -> Bitboard {
        match self {
            EchoMap::Identity => squares,
            // Unlike in a transform filter, a full rank or file does not refill
            // (docs/language/cql5.md#echo-transforms).
            EchoMap::Map(Map::Shift { dx, dy }) => shift(squares, i32::from(dx), i32::from(dy)),
            EchoMap::Map(map) => map.squares(squares).unwrap_or(squares),
        }
    }

    /// Where a square goes, if it stays on the board.
    #[inline]
    pub(crate) fn square(self, square: Square) -> Option<Square> {
        match self {
            EchoMap::Map(Map::Shift { dx, dy }) => square.file().offset(i32::from(dx)).and_then(|file| {
                let rank = square.rank().offset(i32::from(dy))?;
                Some(Square::from_coords(file, rank))
            }),
            _ => self.image(Bitboard::from_square(square)).first(),
        }
    }

    /// The squares that go to these.
    #[inline]
    fn origin(self, squares: Bitboard) -> Bitboard {
        use language::transform::Dihedral::{Clockwise90, CounterClockwise90};
        let inverse = match self {
            EchoMap::Map(Map::Shift { dx, dy }) => EchoMap::Map(Map::Shift { dx: -dx, dy: -dy }),
            EchoMap::Map(Map::Dihedral(Clockwise90)) => EchoMap::Map(Map::Dihedral(CounterClockwise90)),
            EchoMap::Map(Map::Dihedral(CounterClockwise90)) => EchoMap::Map(Map::Dihedral(Clockwise90)),
            // Reflections and half turns undo themselves.
            other => other,
        };
        inverse.image(squares)
    }
}

/// How many squares are the same and how many are not, each 64 at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) matching: i32,
    pub(crate) mismatching: i32,
}

impl Tally {
    /// Compares what stands on the squares of `set` in the source with what stands on their images in the target, the
    /// outside of the board being empty; squares of `set` that are the image of none of them have to be empty in the
    /// target (docs/language/cql5.md#echo-transforms).
    #[inline]
    pub(crate) fn of(source: &Planes, target: &Planes, set: Bitboard, map: EchoMap) -> Tally {
        let seen = Planes(target.0.map(|plane| map.origin(plane)));
        let different = (source.difference(&seen) & set).count();
        let uncovered = set & !map.image(set);
        let occupied = (target.occupied() & uncovered).count();
        let mismatching = different + occupied;
        let matching = set.count() + uncovered.count() - mismatching;
        Tally {
            matching: number_of_count(matching.min(64)),
            mismatching: number_of_count(mismatching.min(64)),
        }
    }

    /// Whether a comparison accepts these numbers.
    #[inline]
    pub(crate) fn fits(self, comparison: &SquareComparison) -> bool {
        comparison.matching.contains(self.matching) && comparison.mismatching.contains(self.mismatching)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, Piece, Role};

    use super::*;

    /// Numbers by SplitMix64 (Steele, Lea and Flood 2014).
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ z >> 31
        }

        fn board(&mut self) -> Board {
            let men = 1 + self.next() % 20;
            let pieces: Vec<(Square, Piece)> = (0..men)
                .map(|_| {
                    let square = Square::new((self.next() % 64) as u32);
                    let color = Color::from_white(self.next().is_multiple_of(2));
                    let role = Role::ALL[(self.next() % 6) as usize];
                    (square, Piece { color, role })
                })
                .collect();
            Board::from_pieces(pieces, Color::White)
        }
    }

    /// The rule as the reference writes it, square by square.
    fn by_squares(source: &Board, target: &Board, set: Bitboard, map: EchoMap) -> Tally {
        let (mut matching, mut mismatching) = (0, 0);
        let mut hit = Bitboard::EMPTY;
        let mut count = |same: bool| *(if same { &mut matching } else { &mut mismatching }) += 1;
        for square in set {
            let image = map.square(square);
            hit |= image.map_or(Bitboard::EMPTY, Bitboard::from_square);
            count(source.at(square) == image.map_or(Man::EMPTY, |image| target.at(image)));
        }
        for square in set & !hit {
            count(target.at(square) == Man::EMPTY);
        }
        Tally {
            matching: matching.min(64),
            mismatching: mismatching.min(64),
        }
    }

    #[test]
    fn planes_count_as_squares_do() {
        let mut random = Random(1);
        let maps: Vec<EchoMap> = EchoTransform::ALL
            .into_iter()
            .flat_map(|echo| EchoMap::all(Some(echo)).iter().copied())
            .chain([EchoMap::Identity])
            .collect();
        for _ in 0..60 {
            let (source, target) = (random.board(), random.board());
            let some = Bitboard(random.next() & random.next());
            for &map in &maps {
                for set in [Bitboard::FULL, some, source.occupied(), Bitboard::EMPTY] {
                    assert_eq!(
                        Tally::of(&Planes::of(&source), &Planes::of(&target), set, map),
                        by_squares(&source, &target, set, map),
                        "{map:?} {set:?}\n{source:?}\n{target:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn shifted_copies_have_the_same_corner() {
        let mut random = Random(2);
        let mut kept = 0;
        for _ in 0..200 {
            let planes = Planes::of(&random.board());
            for &map in EchoMap::all(Some(EchoTransform::Shift)) {
                let image = planes.map(map);
                if image.occupied().count() == planes.occupied().count() {
                    kept += 1;
                    assert_eq!(image.to_corner(), planes.to_corner());
                    assert_eq!(image.to_corner().hash(), planes.to_corner().hash());
                }
            }
        }
        assert!(kept > 500, "some images lose nothing");
    }

    #[test]
    fn no_echo_takes_the_identity() {
        for echo in EchoTransform::ALL {
            for &map in EchoMap::all(Some(echo)) {
                let squares = Bitboard(0x06);
                assert_ne!(map.image(squares), squares, "{echo:?}");
            }
        }
        let counts = EchoTransform::ALL.map(|echo| EchoMap::all(Some(echo)).len());
        assert_eq!(counts, [7, 1, 1, 3, 224, 14, 14]);
    }
}
