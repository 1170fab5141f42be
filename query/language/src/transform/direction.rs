//! Directions on the board.

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
