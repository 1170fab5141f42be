//! The maps that transforms apply to squares, directions and colors
//! (docs/language/transforms.md#reflections-and-rotations).

use shakmaty::Bitboard;

use super::dihedral::Dihedral;
use super::direction::{Direction, Directions};
use super::sticky::Motion;

/// One map, the identity left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Map {
    /// A symmetry of the board.
    Dihedral(Dihedral),
    /// A shift by a number of files to the right and of ranks up.
    Shift {
        /// Files, -7 to 7.
        dx: i8,
        /// Ranks, -7 to 7.
        dy: i8,
    },
    /// Colors are swapped and the board is mirrored, rank 1 to rank 8.
    Color,
    /// Directions turn to the left by this many times 45 degrees; squares have no image.
    Rotate45(u8),
    /// A motion of CQL 1, which moves sets of squares only.
    Sticky(Motion),
}

impl Map {
    /// The image of a set of squares; `None` when the map has none for these (`rotate45`, unless all are in it).
    pub fn squares(self, set: Bitboard) -> Option<Bitboard> {
        match self {
            _ if set == Bitboard::FULL => Some(set),
            Map::Dihedral(dihedral) => Some(dihedral.squares(set)),
            Map::Color => Some(set.flip_vertical()),
            Map::Rotate45(_) => None,
            Map::Sticky(motion) => Some(motion.squares(set)),
            Map::Shift { dx, dy } => {
                let vertical = if dy < 0 { Direction::Down } else { Direction::Up };
                let horizontal = if dx < 0 { Direction::Left } else { Direction::Right };
                let set = (0..dy.unsigned_abs()).fold(set, |set, _| shift_step(set, vertical));
                Some((0..dx.unsigned_abs()).fold(set, |set, _| shift_step(set, horizontal)))
            }
        }
    }

    /// The image of a set of directions.
    pub fn directions(self, set: Directions) -> Directions {
        let turn = |map: &dyn Fn((i32, i32)) -> (i32, i32)| {
            set.iter()
                .filter_map(|direction| {
                    let (dx, dy) = map(direction.delta());
                    Direction::from_delta(dx, dy)
                })
                .collect()
        };
        match self {
            Map::Dihedral(dihedral) => turn(&|step| dihedral.step(step)),
            Map::Color => turn(&|(dx, dy)| (dx, -dy)),
            // CQL 1 transforms piece designators, not the directions of a `:ray`.
            Map::Shift { .. } | Map::Sticky(_) => set,
            Map::Rotate45(times) => set
                .iter()
                .map(|direction| Direction::ALL[(direction as usize + 8 - usize::from(times % 8)) % 8])
                .collect(),
        }
    }

    /// Whether light squares become dark; `None` when the question has no answer (`rotate45`).
    pub fn swaps_square_colors(self) -> Option<bool> {
        match self {
            Map::Dihedral(dihedral) => Some(dihedral.swaps_square_colors()),
            Map::Shift { dx, dy } => Some((dx + dy) % 2 != 0),
            Map::Color => Some(true),
            Map::Rotate45(_) => None,
            Map::Sticky(_) => Some(false),
        }
    }

    /// Whether White becomes Black.
    pub fn swaps_colors(self) -> bool {
        self == Map::Color || matches!(self, Map::Sticky(motion) if motion.swap)
    }

    /// What `currenttransform` calls it.
    pub fn name(self) -> String {
        match self {
            Map::Dihedral(dihedral) => dihedral.name().to_owned(),
            Map::Color => "invertcolor reflect_h".to_owned(),
            Map::Rotate45(times) => format!("rotate45^{times}"),
            Map::Sticky(Motion { dihedral, swap, dx, dy }) => {
                let shift = (dx, dy) != (0, 0);
                let parts = [
                    shift.then(|| Map::Shift { dx, dy }.name()),
                    swap.then(|| "invertcolor".to_owned()),
                    dihedral.map(|dihedral| dihedral.name().to_owned()),
                ];
                parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
            }
            Map::Shift { dx, dy } => {
                let part = |n: i8, plus, minus| match n {
                    0 => None,
                    n => Some(format!("{}^{}", if n > 0 { plus } else { minus }, n.unsigned_abs())),
                };
                [part(dx, "right", "left"), part(dy, "up", "down")]
                    .into_iter()
                    .flatten()
                    .collect::<Vec<_>>()
                    .join(" ")
            }
        }
    }
}

/// One unit step of a shift: every square moves, and a line of squares along the step that was full stays full
/// (docs/language/transforms.md#shifts).
fn shift_step(set: Bitboard, direction: Direction) -> Bitboard {
    let west = Bitboard::from_file(shakmaty::File::A);
    let east = Bitboard::from_file(shakmaty::File::H);
    let south = Bitboard::from_rank(shakmaty::Rank::First);
    let north = Bitboard::from_rank(shakmaty::Rank::Eighth);
    let full_ranks = shakmaty::Rank::ALL.into_iter().map(Bitboard::from_rank);
    let full_files = shakmaty::File::ALL.into_iter().map(Bitboard::from_file);
    let stays = |lines: &mut dyn Iterator<Item = Bitboard>| {
        lines
            .filter(|&line| set.is_superset(line))
            .fold(Bitboard::EMPTY, |all, line| all | line)
    };
    match direction {
        Direction::Right => Bitboard((set & !east).0 << 1) | (stays(&mut full_ranks.into_iter()) & west),
        Direction::Left => Bitboard((set & !west).0 >> 1) | (stays(&mut full_ranks.into_iter()) & east),
        Direction::Up => Bitboard(set.0 << 8) | (stays(&mut full_files.into_iter()) & south),
        Direction::Down => Bitboard(set.0 >> 8) | (stays(&mut full_files.into_iter()) & north),
        _ => unreachable!("shifts are made of orthogonal steps"),
    }
}
