//! `similarposition`: the positions of a file, found again up to symmetry (docs/language/studies.md#similar-positions).

use std::collections::HashMap;

use chess::{Board, Man};
use language::transform::{Dihedral, Map};
use shakmaty::{Bitboard, Color, Role};

use crate::board::shift as shifted_board;

/// The men of a position and the side to move.
type Key = ([Bitboard; 12], Color);

/// The positions that `similarposition` compares with: boards and side to move, with the images that count as the same.
#[derive(Clone, Debug, Default)]
pub struct SimilarPositions {
    known: HashMap<Key, Vec<Hit>>,
}

/// Where a position of the file was found, as comments print it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimilarPlace {
    /// The number of the game in the file, from 1.
    pub game: u32,
    /// The number of the move, counted from the first position of the game.
    pub move_number: u32,
}

/// A position of the file and the way from it to the position that was searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    pub(crate) place: SimilarPlace,
    symmetry: Option<Dihedral>,
    /// Files to the right, before the symmetry.
    shift: i8,
}

impl SimilarPositions {
    /// The symmetries of a board without pawns. Where two of them give the same image, it has the name of the earlier.
    const SYMMETRIES: [Option<Dihedral>; 8] = [
        None,
        Some(Dihedral::ReflectH),
        Some(Dihedral::CounterClockwise90),
        Some(Dihedral::ReflectV),
        Some(Dihedral::Clockwise90),
        Some(Dihedral::ReflectA1H8),
        Some(Dihedral::Rotate180),
        Some(Dihedral::ReflectA8H1),
    ];

    /// Adds a position and, if it is to be found transformed, its images: all eight symmetries of a board without pawns,
    /// mirrored and shifted ones of a board with pawns.
    pub fn add(&mut self, board: &Board, place: SimilarPlace, transformed: bool) {
        let (men, turn) = key(board);
        let mut images: Vec<[Bitboard; 12]> = Vec::new();
        let mut found = |image: [Bitboard; 12], symmetry, shift| {
            if !images.contains(&image) {
                images.push(image);
                let hits = self.known.entry((image, turn)).or_default();
                hits.push(Hit { place, symmetry, shift });
            }
        };
        if !transformed {
            found(men, None, 0);
        } else if board.role(Role::Pawn).is_empty() {
            for symmetry in Self::SYMMETRIES {
                found(men.map(|set| image(set, symmetry)), symmetry, 0);
            }
        } else {
            let occupied = board.occupied();
            for symmetry in [None, Some(Dihedral::ReflectV)] {
                for shift in -7..=7 {
                    let shifted = |set| shifted_board(set, i32::from(shift), 0);
                    if shifted(occupied).count() == occupied.count() {
                        found(men.map(|set| image(shifted(set), symmetry)), symmetry, shift);
                    }
                }
            }
        }
    }

    pub(crate) fn hits(&self, board: &Board) -> &[Hit] {
        self.known.get(&key(board)).map_or(&[], Vec::as_slice)
    }
}

fn key(board: &Board) -> Key {
    let mut men = [Bitboard::EMPTY; 12];
    for (squares, man) in men.iter_mut().zip(Man::all()) {
        *squares = board.of(man);
    }
    (men, board.turn())
}

fn image(set: Bitboard, symmetry: Option<Dihedral>) -> Bitboard {
    symmetry.map_or(set, |symmetry| symmetry.squares(set))
}

impl Hit {
    /// The way from the position of the file, the last step first.
    pub(crate) fn transform(&self) -> String {
        let symmetry = self.symmetry.map(Map::Dihedral);
        let shift = (self.shift != 0).then_some(Map::Shift { dx: self.shift, dy: 0 });
        let names: Vec<String> = symmetry.into_iter().chain(shift).map(Map::name).collect();
        names.join(" ")
    }
}
