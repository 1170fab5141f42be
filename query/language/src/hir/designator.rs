//! Piece designators and directions: what transforms rewrite.

use chess::Man;
use shakmaty::{Bitboard, Color, Role};

/// A set of contents of a square: kinds of men, and the empty square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ManSet(u16);

impl ManSet {
    /// Nothing.
    pub const NONE: ManSet = ManSet(0);
    /// `[Aa_]`: whatever stands there.
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
    pub fn contains(self, man: Man) -> bool {
        self.0 >> man.index() & 1 != 0
    }

    /// Whether all of the other set is in this one.
    pub fn is_superset(self, other: ManSet) -> bool {
        self.0 & other.0 == other.0
    }

    /// What is in both sets.
    #[must_use]
    pub fn intersection(self, other: ManSet) -> ManSet {
        ManSet(self.0 & other.0)
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
    pub fn bits(self) -> u16 {
        self.0
    }
}

impl std::ops::BitOr for ManSet {
    type Output = ManSet;

    fn bitor(self, other: ManSet) -> ManSet {
        ManSet(self.0 | other.0)
    }
}

/// Contents and squares: `R[a1,h1]` is rooks on a1 or h1 (cql6-positions 6).
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

/// One of the eight unit steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Toward rank 8.
    Up,
    /// Toward rank 8 and the h-file.
    Northeast,
    /// Toward the h-file.
    Right,
    /// Toward rank 1 and the h-file.
    Southeast,
    /// Toward rank 1.
    Down,
    /// Toward rank 1 and the a-file.
    Southwest,
    /// Toward the a-file.
    Left,
    /// Toward rank 8 and the a-file.
    Northwest,
}

impl Direction {
    /// All eight, clockwise from up.
    pub const ALL: [Direction; 8] = [
        Direction::Up,
        Direction::Northeast,
        Direction::Right,
        Direction::Southeast,
        Direction::Down,
        Direction::Southwest,
        Direction::Left,
        Direction::Northwest,
    ];

    /// Files and ranks per step.
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Direction::Up => (0, 1),
            Direction::Northeast => (1, 1),
            Direction::Right => (1, 0),
            Direction::Southeast => (1, -1),
            Direction::Down => (0, -1),
            Direction::Southwest => (-1, -1),
            Direction::Left => (-1, 0),
            Direction::Northwest => (-1, 1),
        }
    }

    /// The direction of a step, if it is one of the eight.
    pub fn from_delta(dx: i32, dy: i32) -> Option<Direction> {
        Direction::ALL
            .into_iter()
            .find(|direction| direction.delta() == (dx, dy))
    }
}

/// A set of directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Directions(u8);

impl Directions {
    /// None.
    pub const NONE: Directions = Directions(0);
    /// `anydirection`
    pub const ALL: Directions = Directions(0xff);
    /// `orthogonal`
    pub const ORTHOGONAL: Directions = Directions(0b0101_0101);
    /// `diagonal`
    pub const DIAGONAL: Directions = Directions(0b1010_1010);

    /// One direction.
    pub const fn from_direction(direction: Direction) -> Directions {
        Directions(1 << direction as u8)
    }

    /// Both sets.
    pub const fn union(self, other: Directions) -> Directions {
        Directions(self.0 | other.0)
    }

    /// Whether the sets share a direction.
    pub const fn intersects(self, other: Directions) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the direction is in the set.
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 >> direction as u8 & 1 != 0
    }

    /// The members, clockwise from up.
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        Direction::ALL
            .into_iter()
            .filter(move |&direction| self.contains(direction))
    }
}

impl FromIterator<Direction> for Directions {
    fn from_iter<I: IntoIterator<Item = Direction>>(directions: I) -> Directions {
        directions.into_iter().fold(Directions::NONE, |set, direction| {
            set.union(Directions::from_direction(direction))
        })
    }
}
